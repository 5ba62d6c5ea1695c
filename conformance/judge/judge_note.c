/* One sentence on how a case ended, for people. */
#include "conformance/judge/judge_parts.h"

/* The step in `line`, blocks included; scripts nest SCRIPT_DEPTH_MAX deep at most. */
static const struct server_step *step_in_line(const struct server_step *steps, size_t count, unsigned line,
                                              unsigned depth)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].line == line)
            return &steps[i];
        if (depth == 0 || steps[i].child_count == 0)
            continue;
        const struct server_step *child =
            step_in_line(steps[i].children, steps[i].child_count, line, depth - 1);
        if (child != NULL)
            return child;
    }
    return NULL;
}

static const char *step_word(enum server_step_kind kind)
{
    switch (kind) {
    case STEP_ACCEPT:
        return "accept";
    case STEP_REFUSE:
        return "refuse";
    case STEP_SERVE:
        return "serve";
    case STEP_SEND:
        return "send";
    case STEP_RECV:
        return "recv";
    case STEP_WAIT:
        return "wait";
    case STEP_CLOSE:
        return "close";
    case STEP_RESET:
        return "reset";
    case STEP_IGNORE:
        return "ignore";
    case STEP_RAW:
        return "raw";
    case STEP_DROP:
        return "drop";
    case STEP_HALF_CLOSE:
        return "half-close";
    case STEP_STOP_READING:
        return "stop-reading";
    case STEP_QUIRK:
        return "quirk";
    case STEP_MARK:
        return "mark";
    case STEP_ALT:
        return "alt";
    case STEP_BRANCH:
        return "on";
    case STEP_REPEAT:
        return "repeat";
    case STEP_ASIDE:
        return "aside";
    }
    return "";
}

static void step_describe(struct text *out, const struct server_step *step)
{
    text_add(out, ": ");
    text_add(out, step_word(step->kind));
    if (step->word[0] != '\0') {
        text_add(out, " ");
        text_add(out, step->word);
    }
    if (step->until.name[0] != '\0') {
        text_add(out, " until=");
        text_add(out, step->until.name);
        if (step->until.count > 1) {
            text_add(out, ":");
            text_add_u64(out, step->until.count);
        }
    }
    for (size_t i = 0; step->kind == STEP_ALT && i < step->child_count; i++) {
        text_add(out, i == 0 ? " on " : " or ");
        text_add(out, step->children[i].until.name);
    }
}

static void failure_describe(struct text *out, const struct journal *journal)
{
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind != JOURNAL_FAILED)
            continue;
        text_add(out, out->len > 0 ? "; line " : "line ");
        text_add_u64(out, entry->line);
        text_add(out, ": ");
        text_add_printable(out, entry->wire.data, 160);
        return;
    }
}

void judge_say_stood(const struct judge_input *input, struct case_result *out)
{
    struct text text = text_of(out->stood, sizeof out->stood);
    if (input->script_line == 0)
        return;
    text_add(&text, "line ");
    text_add_u64(&text, input->script_line);
    const struct server_step *step = step_in_line(
        input->script->played.steps, input->script->played.step_count, input->script_line, SCRIPT_DEPTH_MAX);
    if (step != NULL)
        step_describe(&text, step);
}

void judge_note(const struct judge_input *input, const char *stood, struct text *out)
{
    const char *end = client_end_name(input->end);
    text_add(out, end);
    if (input->end_text[0] != '\0') {
        text_add(out, end[0] == '\0' ? "" : ": ");
        text_add(out, input->end_text);
    }
    if (input->bad_observation[0] != '\0') {
        text_add(out, out->len > 0 ? "; the adapter's observation " : "the adapter's observation ");
        text_add(out, input->bad_observation);
    }
    if (stood[0] != '\0') {
        text_add(out, out->len > 0 ? "; stopped in " : "stopped in ");
        text_add(out, stood);
    }
    failure_describe(out, input->journal);
}
