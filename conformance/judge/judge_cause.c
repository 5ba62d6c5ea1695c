/* What the mock answered a breach with is not held against the client a second time. */
#include "codec/ws/frame.h"
#include "conformance/judge/judge_parts.h"

bool judge_broke_off(const struct judge_input *input)
{
    if (input->script_line != 0)
        return true;
    for (size_t i = 0; i < journal_count(input->journal); i++)
        if (journal_at(input->journal, i)->kind == JOURNAL_FAILED)
            return true;
    return false;
}

/* In these steps the mock does as the service does, so an error is its answer to what the client did. */
static bool step_is_service(const char *word)
{
    return strcmp(word, "serve") == 0 || strcmp(word, "accept") == 0;
}

bool judge_is_fault_close(const struct journal_entry *entry)
{
    return entry->wire.kind == WIRE_EVENT_CLOSE && entry->wire.code >= WS_CLOSE_PROTOCOL_ERROR &&
           entry->wire.code != WS_CLOSE_NO_CODE;
}

/* The first objection from entry `from` of the journal on; NULL: it had nothing more to object to. */
static const struct journal_entry *objection_from(const struct judge_input *input, uint64_t from)
{
    const struct journal *journal = input->journal;
    bool service = false, client_closed = false;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_STEP)
            service = step_is_service(entry->label);
        client_closed =
            client_closed || (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
                              entry->wire.kind == WIRE_EVENT_CLOSE);
        bool objection = entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
                         (strcmp(entry->label, "error") == 0 || strcmp(entry->label, "refusal") == 0 ||
                          (!client_closed && judge_is_fault_close(entry)));
        if (service && objection && entry->sequence >= from)
            return entry;
    }
    return NULL;
}

static const struct journal_entry *objection_of(const struct judge_input *input)
{
    return objection_from(input, 0);
}

bool judge_mock_objected(const struct judge_input *input)
{
    return objection_of(input) != NULL;
}

void judge_say_objection(const struct judge_input *input, struct text *out)
{
    enum { SHOWN_MAX = 160 };
    const struct journal_entry *objection = objection_of(input);
    if (objection == NULL)
        return;
    text_add(out, "; the mock had answered ");
    text_add(out, objection->label);
    if (objection->wire.kind == WIRE_EVENT_TEXT) {
        text_add(out, ": ");
        text_add_printable(out, objection->wire.data, SHOWN_MAX);
    }
}

/* Does the service act on a breach of it? */
static bool is_enforced(const struct judge_input *input, const char *id)
{
    const struct rule_condition *condition = rule_condition_of(input->script->class->family->rules, id);
    return condition != NULL && condition->enforced;
}

/* The last breach that the service acts on, of that connection, before an entry of the journal; also one so
 * small that it is a note, since the service acts on that as well. */
static const struct requirement *breach_before(const struct judge_input *input,
                                               const struct journal_entry *answer)
{
    const struct requirement *breach = NULL;
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (entry->sequence >= answer->sequence)
            break;
        if (entry->kind == JOURNAL_FINDING && entry->connection == answer->connection &&
            is_enforced(input, entry->finding.requirement))
            breach = requirement_by_id(entry->finding.requirement);
    }
    return breach;
}

const struct requirement *judge_cause(const struct judge_input *input, uint64_t due)
{
    const struct requirement *breach = NULL;
    const struct journal_entry *answer = objection_of(input);
    while (breach == NULL && answer != NULL && answer->sequence < due) {
        breach = breach_before(input, answer);
        answer = objection_from(input, answer->sequence + 1);
    }
    return breach;
}

/* A breach that is no more than a note may be the network's. */
enum verdict judge_verdict_of_follower(const struct judge_input *input, uint64_t due)
{
    const struct requirement *cause = judge_cause(input, due);
    if (cause == NULL)
        return VERDICT_NOT_REACHED;
    return judge_rule_is_broken(input, cause) && judge_verdict_of_rule(input, cause) != VERDICT_INCONCLUSIVE
               ? VERDICT_NOT_REACHED
               : VERDICT_INCONCLUSIVE;
}

/* The answer by which the mock refused a request that the script would have admitted; NULL when there is
 * none. */
static const struct journal_entry *refusal_of_mock(const struct judge_input *input)
{
    bool service = false;
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (entry->kind == JOURNAL_STEP)
            service = step_is_service(entry->label);
        if (service && entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
            strcmp(entry->label, "refusal") == 0)
            return entry;
    }
    return NULL;
}

static void body_add(struct text *out, struct bytes answer)
{
    enum { BODY_SHOWN_MAX = 160, BREAK_BYTES = 4 };
    size_t at = 0;
    while (at + BREAK_BYTES <= answer.len && memcmp(answer.data + at, "\r\n\r\n", BREAK_BYTES) != 0)
        at++;
    at += BREAK_BYTES;
    size_t end = answer.len;
    while (end > at && answer.data[end - 1] == '\n')
        end--;
    if (at >= end)
        return;
    text_add(out, ": ");
    text_add_printable(out, bytes_of(answer.data + at, end - at), BODY_SHOWN_MAX);
}

bool judge_say_refused(const struct judge_input *input, struct text *out)
{
    const struct journal_entry *refusal = refusal_of_mock(input);
    if (refusal == NULL)
        return false;
    text_add(out, "the mock refused the request with HTTP ");
    text_add_u64(out, refusal->wire.code);
    body_add(out, refusal->wire.data);
    return true;
}

void judge_say_cause(const struct judge_input *input, uint64_t due, struct check_result *result)
{
    const struct requirement *cause = judge_cause(input, due);
    struct text actual = {
        .data = result->actual, .capacity = sizeof result->actual, .len = strlen(result->actual)};
    if (result->verdict != VERDICT_NOT_REACHED)
        return;
    if (cause != NULL && cause != result->requirement) {
        result->cause = cause;
        text_add(&actual, "; that follows from ");
        text_add(&actual, cause->id);
        judge_say_objection(input, &actual);
    } else if (cause == NULL && refusal_of_mock(input) != NULL) {
        text_add(&actual, "; ");
        judge_say_refused(input, &actual);
    }
}
