/* What the mock answered a breach with is not held against the client a second time. */
#include "codec/ws/frame.h"
#include "conformance/judge/judge_parts.h"

/* What the mock sends in these steps it was told to; in any other it does as the service does, so an error is
 * its answer to what the client did. */
static bool step_is_told(const char *word)
{
    static const char *const TOLD[] = {"send", "close", "refuse", "raw", "reset", "drop", "ignore"};
    for (size_t i = 0; i < sizeof TOLD / sizeof TOLD[0]; i++)
        if (strcmp(word, TOLD[i]) == 0)
            return true;
    return false;
}

bool judge_is_fault_close(const struct journal_entry *entry)
{
    return entry->wire.kind == WIRE_EVENT_CLOSE && entry->wire.code >= WS_CLOSE_PROTOCOL_ERROR &&
           entry->wire.code != WS_CLOSE_NO_CODE;
}

enum { ANY_CONNECTION = 0 };

static bool is_of(const struct journal_entry *entry, uint32_t connection)
{
    return connection == ANY_CONNECTION || entry->connection == connection;
}

/* The first objection of that connection from entry `from` of the journal on; NULL: it had nothing more to
 * object to. */
static const struct journal_entry *objection_from(const struct judge_input *input, uint64_t from,
                                                  uint32_t connection)
{
    const struct journal *journal = input->journal;
    bool service = false, client_closed = false;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_STEP)
            service = !step_is_told(entry->label);
        if (entry->kind != JOURNAL_WIRE || !is_of(entry, connection))
            continue;
        const bool of_client = entry->wire.direction == WIRE_FROM_CLIENT;
        if (of_client && (entry->wire.kind == WIRE_EVENT_REQUEST || entry->wire.kind == WIRE_EVENT_CLOSE))
            client_closed = entry->wire.kind == WIRE_EVENT_CLOSE;
        const bool objection =
            !of_client && (strcmp(entry->label, "error") == 0 || strcmp(entry->label, "refusal") == 0 ||
                           (!client_closed && judge_is_fault_close(entry)));
        if (service && objection && entry->sequence >= from)
            return entry;
    }
    return NULL;
}

bool judge_mock_objected(const struct judge_input *input)
{
    return objection_from(input, 0, ANY_CONNECTION) != NULL;
}

/* Does the service act on a breach of it? */
static bool is_enforced(const struct judge_input *input, const char *id)
{
    const struct rule_condition *condition = rule_condition_of(input->script->class->family->rules, id);
    return condition != NULL && condition->enforced;
}

/* Does the service act on it? On a note only where that has a margin: it is a breach then, but by so little
 * that it may be the network's. */
static bool is_acted_on(const struct judge_input *input, const struct finding *finding)
{
    return is_enforced(input, finding->requirement) && (!finding->note || finding->excuse_us > 0);
}

/* The last finding that the service acts on, of that connection, before an entry of the journal. */
static const struct finding *finding_before(const struct judge_input *input,
                                            const struct journal_entry *answer)
{
    const struct finding *found = NULL;
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (entry->sequence >= answer->sequence)
            break;
        if (entry->kind == JOURNAL_FINDING && entry->connection == answer->connection &&
            is_acted_on(input, &entry->finding))
            found = &entry->finding;
    }
    return found;
}

/* What the mock acted on in that connection before entry `due`, and how; all NULL: on nothing. */
struct acted {
    const struct requirement *breach;
    const struct finding *finding;
    const struct journal_entry *answer;
};

static struct acted acted_before(const struct judge_input *input, uint64_t due, uint32_t connection)
{
    const struct journal_entry *answer = objection_from(input, 0, connection);
    while (answer != NULL && answer->sequence < due) {
        const struct finding *finding = finding_before(input, answer);
        if (finding != NULL)
            return (struct acted){requirement_by_id(finding->requirement), finding, answer};
        answer = objection_from(input, answer->sequence + 1, connection);
    }
    return (struct acted){.breach = NULL};
}

/* What was due by the end of the case was due in the last connection: whatever went wrong in one before, the
 * client had a new one. */
static uint32_t connection_of(const struct judge_input *input, uint64_t due)
{
    const size_t count = journal_count(input->journal);
    return count == 0 ? ANY_CONNECTION
                      : journal_at(input->journal, due < count ? due : count - 1)->connection;
}

static struct acted acted_on(const struct judge_input *input, uint64_t due)
{
    return acted_before(input, due, connection_of(input, due));
}

const struct requirement *judge_cause(const struct judge_input *input, uint64_t due)
{
    return acted_on(input, due).breach;
}

/* Is it no more than a note, and told as such? */
static bool cause_is_note(const struct judge_input *input, const struct acted *acted)
{
    return acted->breach != NULL && acted->finding->note && !judge_rule_is_broken(input, acted->breach);
}

/* May what the mock acted on be this machine's doing? */
static bool cause_is_open(const struct judge_input *input, const struct acted *acted)
{
    if (cause_is_note(input, acted))
        return judge_margin_is_open(input, acted->finding->excuse_us);
    return acted->breach != NULL && judge_verdict_of_rule(input, acted->breach) == VERDICT_INCONCLUSIVE;
}

enum verdict judge_verdict_of_follower(const struct judge_input *input, uint64_t due)
{
    const struct acted acted = acted_on(input, due);
    return cause_is_open(input, &acted) ? VERDICT_INCONCLUSIVE : VERDICT_NOT_REACHED;
}

enum verdict judge_verdict_unreached(const struct judge_input *input, uint64_t due)
{
    if (judge_cause(input, due) != NULL)
        return judge_verdict_of_follower(input, due);
    return judge_was_cut_off(input) || judge_gave_up_late(input) ? VERDICT_INCONCLUSIVE : VERDICT_NOT_REACHED;
}

bool judge_cause_is_told(const struct judge_input *input, const struct requirement *cause)
{
    return cause != NULL &&
           (!judge_rule_is_broken(input, cause) || verdict_is_broken(judge_verdict_of_rule(input, cause)));
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

static void answer_add(struct text *out, const struct journal_entry *answer)
{
    enum { SHOWN_MAX = 160 };
    switch (answer->wire.kind) {
    case WIRE_EVENT_RESPONSE:
        text_add(out, "refused the request with HTTP ");
        text_add_u64(out, answer->wire.code);
        body_add(out, answer->wire.data);
        return;
    case WIRE_EVENT_CLOSE:
        text_add(out, "closed the connection with ");
        text_add_u64(out, answer->wire.code);
        text_add(out, answer->wire.data.len > 0 ? ": " : "");
        text_add_printable(out, answer->wire.data, SHOWN_MAX);
        return;
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_VIOLATION:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        text_add(out, "answered with an error: ");
        text_add_printable(out, answer->wire.data, SHOWN_MAX);
        return;
    }
}

void judge_say_objection(const struct judge_input *input, struct text *out)
{
    const struct journal_entry *objection = objection_from(input, 0, ANY_CONNECTION);
    if (objection == NULL)
        return;
    text_add(out, "; the mock had before ");
    answer_add(out, objection);
}

/* The answer by which the mock refused the last request, where the script would have admitted it; NULL when
 * it did not. */
static const struct journal_entry *refusal_of_mock(const struct judge_input *input)
{
    const uint32_t connection = connection_of(input, UINT64_MAX);
    const struct journal_entry *answer = objection_from(input, 0, connection);
    while (answer != NULL && strcmp(answer->label, "refusal") != 0)
        answer = objection_from(input, answer->sequence + 1, connection);
    return answer;
}

bool judge_say_refused(const struct judge_input *input, struct text *out)
{
    const struct journal_entry *refusal = refusal_of_mock(input);
    if (refusal == NULL)
        return false;
    text_add(out, "the mock ");
    answer_add(out, refusal);
    return true;
}

void judge_say_acted(const struct judge_input *input, struct case_result *out)
{
    const struct acted acted = acted_before(input, UINT64_MAX, ANY_CONNECTION);
    struct text text = text_of(out->answer, sizeof out->answer);
    out->answered = acted.breach;
    if (acted.breach != NULL)
        answer_add(&text, acted.answer);
}

void judge_say_cause(const struct judge_input *input, uint64_t due, struct check_result *result)
{
    const struct acted acted = acted_on(input, due);
    struct text actual = {
        .data = result->actual, .capacity = sizeof result->actual, .len = strlen(result->actual)};
    const bool may_follow = result->verdict == VERDICT_INCONCLUSIVE && cause_is_open(input, &acted);
    if (result->verdict != VERDICT_NOT_REACHED && !may_follow)
        return;
    if (acted.breach != NULL && (acted.breach != result->requirement || result->scope == SCOPE_CASE)) {
        result->cause = may_follow ? NULL : acted.breach;
        text_add(&actual, may_follow ? "; that may follow from " : "; that follows from ");
        text_add(&actual, acted.breach->id);
        if (cause_is_note(input, &acted)) { /* which stands in no cause, so this says what it was */
            text_add(&actual, " (");
            text_add(&actual, acted.finding->actual);
            text_add(&actual, ")");
        }
        text_add(&actual, ": the mock ");
        answer_add(&actual, acted.answer);
    } else if (acted.breach == NULL && refusal_of_mock(input) != NULL) {
        text_add(&actual, "; ");
        judge_say_refused(input, &actual);
    }
}
