/* The causes, the most important one last: where the eye ends. */
#include "conformance/report/causes.h"
#include "conformance/report/terminal_style.h"

enum {
    TOLD_WHOLE_MAX = 8, /* causes that fail the run; the others take three lines */
    TOLD_SHORT_MAX = 12,
    LOOK_WHOLE_MAX = 3, /* of those that fail no run, whole */
    SENTENCE_LINES_MAX = 4,
    WIRE_LINES_MAX = 10,
    SAID_LINES_MAX = 3,
    TRACE_LINES_MAX = 8, /* of what a client wrote that ended badly */
    BLOCKED_NAMED_MAX = 12,
    INDENT = 4,
    LABEL_COLUMNS = 11
};

/* In lines of the terminal's width, broken between words, each set in by `indent`; the first begins at
 * `column`. At most `lines` of them. */
static void wrapped_write(FILE *out, const char *text, size_t column, size_t indent, size_t lines,
                          const struct terminal_options *options)
{
    const size_t width = terminal_columns(options);
    size_t at = column;
    while (*text != '\0') {
        const size_t len = strcspn(text, " ");
        if (at > indent && at + len > width) {
            if (--lines == 0) {
                fputs("...", out);
                break;
            }
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        }
        for (size_t i = 0; i < len; i++)
            fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i], out);
        at += len + 1;
        text += len;
        if (*text == ' ' && *++text != '\0')
            fputc(' ', out);
    }
    fputc('\n', out);
}

static void label_write(FILE *out, const char *label)
{
    fprintf(out, "%*s%-*s ", INDENT, "", LABEL_COLUMNS, label);
}

static void member_write(FILE *out, const char *label, const char *value,
                         const struct terminal_options *options)
{
    const size_t indent = INDENT + LABEL_COLUMNS + 1;
    if (value[0] == '\0')
        return;
    label_write(out, label);
    wrapped_write(out, value, indent, indent, SENTENCE_LINES_MAX, options);
}

/* Up to `most` lines of `text`, from its begin. */
static void lines_write(FILE *out, const char *label, const char *text, size_t most,
                        const struct terminal_options *options)
{
    const size_t width = 2 * terminal_columns(options);
    for (size_t n = 0; *text != '\0' && n < most; n++) {
        char line[EVIDENCE_WIRE_MAX];
        const size_t len = strcspn(text, "\n");
        struct text copy = text_of(line, sizeof line);
        text_add_bytes(&copy, bytes_of(text, len));
        label_write(out, n == 0 ? label : "");
        terminal_text(out, line, width);
        fputc('\n', out);
        text += len + (text[len] == '\n' ? 1 : 0);
    }
}

static void requirement_write(FILE *out, const struct cause *cause, const struct terminal_options *options)
{
    char line[2 * JUDGE_TEXT_MAX];
    struct text text = text_of(line, sizeof line);
    if (cause->kind == CAUSE_END || cause->kind == CAUSE_UNREACHED || cause->requirement_count == 0) {
        text_add(&text, cause->first->script->name);
        text_add(&text, ": ");
        text_add(&text, cause->first->script->title);
        member_write(out, "first case", line, options);
        text = text_of(line, sizeof line);
        cause_requirements(cause, 0, BLOCKED_NAMED_MAX, &text);
        member_write(out, "breaks", line, options);
        return;
    }
    const struct requirement *requirement = cause->requirements[0];
    text_add(&text, requirement_level_name(requirement->level));
    text_add(&text, ", basis ");
    text_add(&text, requirement_basis_name(requirement_basis_in(requirement, cause->first->profile)));
    text_add(&text, "  (");
    text_add(&text, requirement->source);
    text_add(&text, ")");
    member_write(out, requirement->id, line, options);
    member_write(out, "", requirement->statement, options);
    member_write(out, "situation", cause_situation(cause), options);
    member_write(out, "to do", cause_task(cause), options);
    text = text_of(line, sizeof line);
    cause_requirements(cause, 1, BLOCKED_NAMED_MAX, &text);
    text_add(&text, text.len > 0 ? ", in the same words" : "");
    member_write(out, "and", line, options);
}

static void ways_write(FILE *out, const struct cause *cause, const struct terminal_options *options)
{
    for (size_t i = 0; i < cause->way_count && i < CAUSE_WAYS_MAX; i++) {
        const struct cause_way *way = &cause->ways[i];
        char line[JUDGE_TEXT_MAX + 2 * SCRIPT_NAME_MAX + 64];
        struct text text = text_of(line, sizeof line);
        cause_way_write(way, &text);
        label_write(out, i == 0 ? "also as" : "");
        terminal_text(out, line, terminal_columns(options) - INDENT - LABEL_COLUMNS - 1);
        fputc('\n', out);
    }
    if (cause->way_count > CAUSE_WAYS_MAX) {
        label_write(out, "");
        fprintf(out, "and in %zu more ways\n", cause->way_count - CAUSE_WAYS_MAX);
    }
}

static void consequences_write(FILE *out, const struct cause *cause, const struct terminal_options *options)
{
    char line[2 * JUDGE_TEXT_MAX];
    struct text text = text_of(line, sizeof line);
    cause_where(cause, &text);
    member_write(out, "shows", line, options);
    ways_write(out, cause, options);
    text = text_of(line, sizeof line);
    for (size_t i = 0; i < cause->case_count && i < CAUSE_CASES_MAX; i++) {
        text_add(&text, i == 0 ? "" : ", ");
        text_add(&text, cause->cases[i]->script->name);
    }
    if (cause->case_count > CAUSE_CASES_MAX) {
        text_add(&text, " and ");
        text_add_u64(&text, cause->case_count - CAUSE_CASES_MAX);
        text_add(&text, " more");
    }
    member_write(out, cause->case_count == 1 ? "fails case" : "fails cases", line, options);
    text = text_of(line, sizeof line);
    cause_answer(cause, &text);
    member_write(out, "the mock", line, options);
    text = text_of(line, sizeof line);
    cause_blocked(cause, BLOCKED_NAMED_MAX, &text);
    member_write(out, "not judged", line, options);
}

static void head_write(FILE *out, const struct cause *cause, size_t number,
                       const struct terminal_options *options)
{
    fprintf(out, "%2zu  ", number);
    terminal_word(out, options, cause->word, 0);
    fputs("  ", out);
    wrapped_write(out, cause->sentence, INDENT + strlen(cause->word) + 2, INDENT, SENTENCE_LINES_MAX,
                  options);
}

static void rerun_write(FILE *out, const struct cause *cause)
{
    if (cause->first->folder[0] != '\0') {
        label_write(out, "kept in");
        fprintf(out, "%s\n", cause->first->folder);
    }
    if (cause->first->repro[0] != '\0')
        fprintf(out, "%*srerun: %s\n", INDENT, "", cause->first->repro);
}

static void whole_write(FILE *out, const struct cause *cause, size_t number,
                        const struct terminal_options *options)
{
    const struct evidence_item *evidence = cause->evidence;
    const bool shown = cause_shows_message(cause);
    const bool said = evidence != NULL && evidence->seen[0] != '\0';
    const size_t wrote = cause->kind == CAUSE_END ? TRACE_LINES_MAX : SAID_LINES_MAX;
    head_write(out, cause, number, options);
    requirement_write(out, cause, options);
    lines_write(out, shown ? "on the wire" : "wire, last", cause_wire(cause), WIRE_LINES_MAX, options);
    lines_write(out, said ? "it said" : "it said last", cause_said(cause), EVIDENCE_SEEN_LINES, options);
    lines_write(out, "it wrote", cause_wrote(cause, wrote), wrote, options);
    consequences_write(out, cause, options);
    rerun_write(out, cause);
}

static void short_write(FILE *out, const struct cause *cause, size_t number,
                        const struct terminal_options *options)
{
    char line[JUDGE_TEXT_MAX];
    struct text text = text_of(line, sizeof line);
    head_write(out, cause, number, options);
    cause_requirements(cause, 0, BLOCKED_NAMED_MAX, &text);
    text_add(&text, text.len > 0 ? ", " : "");
    cause_where(cause, &text);
    if (cause->blocked_count > 0)
        text_add(&text, "; not judged: ");
    cause_blocked(cause, BLOCKED_NAMED_MAX, &text);
    if (cause->case_count > 0) {
        text_add(&text, "; fails ");
        text_add_u64(&text, cause->case_count);
        text_add(&text, cause->case_count == 1 ? " case" : " cases");
    }
    fprintf(out, "%*s", INDENT, "");
    wrapped_write(out, line, INDENT, INDENT, SENTENCE_LINES_MAX, options);
    rerun_write(out, cause);
}

static size_t short_first_of(const struct causes *causes)
{
    return causes->failing_count > TOLD_WHOLE_MAX ? (size_t)TOLD_WHOLE_MAX : causes->failing_count;
}

static bool is_told_whole(const struct causes *causes, size_t i, const struct terminal_options *options)
{
    const size_t first = causes->list[i].fails ? 0 : causes->failing_count;
    const size_t most = causes->list[i].fails ? TOLD_WHOLE_MAX : LOOK_WHOLE_MAX;
    return options->verbose || i < first + most;
}

static bool is_shown(const struct causes *causes, size_t i, const struct terminal_options *options)
{
    return options->verbose || i < short_first_of(causes) + TOLD_SHORT_MAX;
}

void terminal_causes(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    struct causes causes;
    causes_init(run, &causes);
    size_t hidden = 0;
    for (size_t i = 0; i < causes.count; i++)
        hidden += is_shown(&causes, i, options) ? 0 : 1;
    if (hidden > 0)
        fprintf(out, "\n%zu more causes are not shown here: --verbose shows them, --json and --html too\n",
                hidden);
    if (causes.count > causes.failing_count)
        fputs("\nWorth a look (fails no run: DISPUTED but with --inferred, WARN but with --strict)\n", out);
    for (size_t i = causes.count; i > 0; i--) {
        const struct cause *cause = &causes.list[i - 1];
        if (i == causes.failing_count)
            fprintf(out, "\n%s\n", i == 1 ? "The cause" : "The causes, the first one last");
        if (!is_shown(&causes, i - 1, options))
            continue;
        if (cause->fails || is_told_whole(&causes, i - 1, options))
            fputc('\n', out);
        if (is_told_whole(&causes, i - 1, options))
            whole_write(out, cause, i, options);
        else
            short_write(out, cause, i, options);
    }
    causes_free(&causes);
}
