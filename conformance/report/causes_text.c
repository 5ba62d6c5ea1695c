/* What reports say of causes, in the same words everywhere. */
#include "conformance/report/cause_draft.h"

enum { HEADLINE_SENTENCE_MAX = 120, HEADLINE_CAUSES_MAX = 3 };

void cause_where(const struct cause *cause, struct text *out)
{
    text_add(out, "in ");
    text_add_u64(out, cause->broken_count);
    text_add(out, " of ");
    text_add_u64(out, cause->session_count);
    text_add(out, cause->session_count == 1 ? " session" : " sessions");
    if (cause->first != NULL) {
        text_add(out, cause->broken_count > 1 ? ", first in " : ", ");
        text_add(out, cause->first->script->name);
    }
}

void cause_way_write(const struct cause_way *way, struct text *out)
{
    text_add(out, way->run_case->script->name);
    text_add(out, " ");
    text_add(out, way->check->name);
    text_add(out, ": ");
    text_add(out, way->check->actual);
}

/* Where the mock stood in the case when a client that hung was stopped: what it waited for never came. */
static void stand_write(const struct cause *cause, struct text *out)
{
    const struct case_result *result = &cause->first->result;
    if (cause->kind != CAUSE_END || result->end != CLIENT_TIMED_OUT || result->stood[0] == '\0')
        return;
    text_add(out, "stood in ");
    text_add(out, result->stood);
}

void cause_answer(const struct cause *cause, struct text *out)
{
    if (cause->answer[0] == '\0') {
        stand_write(cause, out);
        return;
    }
    text_add(out, cause->answer);
    text_add(out, "; ");
    text_add_u64(out, cause->unreached_count);
    text_add(out, cause->unreached_count == 1 ? " case was not reached, or in part"
                                              : " cases were not reached, or in part");
    if (cause->hung_count > 0) {
        text_add(out, "; the client then hung in ");
        text_add_u64(out, cause->hung_count);
    }
}

const char *cause_kind_name(enum cause_kind kind)
{
    switch (kind) {
    case CAUSE_OWN:
        return "own";
    case CAUSE_BROKEN:
        return "broken";
    case CAUSE_LISTED:
        return "listed";
    case CAUSE_END:
        return "end";
    case CAUSE_UNREACHED:
        return "unreached";
    case CAUSE_KIND_COUNT:
        break;
    }
    return "";
}

static bool has_situation(const struct cause *cause)
{
    return cause->first != NULL && cause->check != NULL && !check_is_of_rule(cause->check);
}

const char *cause_situation(const struct cause *cause)
{
    return has_situation(cause) ? cause->first->script->title : "";
}

const char *cause_task(const struct cause *cause)
{
    return has_situation(cause) ? cause->first->script->expect : "";
}

const char *cause_said(const struct cause *cause)
{
    if (cause->evidence != NULL && cause->evidence->seen[0] != '\0')
        return cause->evidence->seen;
    return cause->first->evidence.seen_last;
}

const char *cause_wrote(const struct cause *cause, size_t lines)
{
    const char *text = cause->first->output_tail;
    size_t begin = strlen(text);
    while (begin > 0 && text[begin - 1] == '\n')
        begin--;
    for (size_t count = 0; begin > 0; begin--)
        if (text[begin - 1] == '\n' && ++count == lines)
            break;
    return &text[begin];
}

bool cause_shows_message(const struct cause *cause)
{
    return cause->evidence != NULL && cause->evidence->wire[0] != '\0';
}

const char *cause_wire(const struct cause *cause)
{
    const struct run_case *first = cause->first;
    return cause_shows_message(cause)             ? cause->evidence->wire
           : first->evidence.wire_last[0] != '\0' ? first->evidence.wire_last
                                                  : first->wire_tail; /* which marks what fails the case */
}

static void ids_write(const struct requirement *const *ids, size_t count, size_t most, struct text *out)
{
    for (size_t i = 0; i < count && i < most; i++) {
        text_add(out, i == 0 ? "" : ", ");
        text_add(out, ids[i]->id);
    }
    if (count > most) {
        text_add(out, " and ");
        text_add_u64(out, count - most);
        text_add(out, " more");
    }
}

void cause_requirements(const struct cause *cause, size_t from, size_t most, struct text *out)
{
    if (from < cause->requirement_count)
        ids_write(&cause->requirements[from], cause->requirement_count - from, most, out);
}

bool cause_is_of(const struct cause *cause, const struct requirement *requirement)
{
    for (size_t i = 0; i < cause->requirement_count; i++)
        if (cause->requirements[i] == requirement)
            return true;
    for (size_t i = 0; i < cause->blocked_count; i++)
        if (cause->blocked[i] == requirement)
            return true;
    return false;
}

void cause_blocked(const struct cause *cause, size_t most, struct text *out)
{
    ids_write(cause->blocked, cause->blocked_count, most, out);
}

/* What happened, without the details and what was expected. */
static struct bytes begin_of(const char *sentence)
{
    const char *end = strstr(sentence, "; ");
    return end == NULL ? bytes_of_text(sentence) : bytes_of(sentence, (size_t)(end - sentence));
}

static bool is_blocked_before(const struct causes *causes, size_t n, const struct requirement *requirement)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < causes->list[i].blocked_count; k++)
            if (causes->list[i].blocked[k] == requirement)
                return true;
    return false;
}

static size_t blocked_by_failing(const struct causes *causes)
{
    size_t count = 0;
    for (size_t i = 0; i < causes->failing_count; i++)
        for (size_t k = 0; k < causes->list[i].blocked_count; k++)
            count += is_blocked_before(causes, i, causes->list[i].blocked[k]) ? 0 : 1;
    return count;
}

void causes_headline(const struct causes *causes, struct text *out)
{
    if (causes->failing_count == 0)
        return;
    text_add_u64(out, causes->failing_count);
    text_add(out, causes->failing_count == 1 ? " cause: " : " causes: ");
    for (size_t i = 0; i < causes->failing_count && i < HEADLINE_CAUSES_MAX; i++) {
        const struct cause *cause = &causes->list[i];
        text_add(out, i == 0 ? "" : "; ");
        text_add_printable(out, begin_of(cause->sentence), HEADLINE_SENTENCE_MAX);
        if (cause->kind == CAUSE_BROKEN && cause->requirement_count > 0) {
            text_add(out, " (");
            text_add(out, cause->requirements[0]->id);
            text_add(out, ")");
        }
    }
    if (causes->failing_count > HEADLINE_CAUSES_MAX) {
        text_add(out, "; and ");
        text_add_u64(out, causes->failing_count - HEADLINE_CAUSES_MAX);
        text_add(out, " more");
    }
    const size_t blocked = blocked_by_failing(causes);
    if (blocked > 0) {
        text_add(out, "; ");
        text_add_u64(out, blocked);
        text_add(out, blocked == 1 ? " requirement not reached, or in part"
                                   : " requirements not reached, or in part");
    }
}
