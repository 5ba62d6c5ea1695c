/* The request and the way into a session: DX-CON-01 to 04, DX-SES-01, DX-FLD-02. 002 Setup, State Machine. */
#include "codec/rules/duplex/rule_set.h"
#include "codec/wire/http_head.h"

/* A client that has not sent session.update by then did not see the session.queue_done. */
static const uint64_t UPDATE_WAIT_US = 5000000;
enum { SHOWN_MAX = 60 };

void duplex_rule_request(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    static const char expected[] = "a request for /v1/realtime with mode=video or mode=audio, once";
    struct http_head head;
    struct bytes mode, second;
    if (seen->event->kind != WIRE_EVENT_REQUEST || !http_head_parse(seen->event->data, &head) ||
        !http_head_asks_for_websocket(&head))
        return;
    const bool has_mode = http_head_parameter(&head, DUPLEX_MODE_PARAMETER, 0, &mode);
    if (!bytes_equal_text(rule_path(&rules->context, head.path), DUPLEX_PATH)) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, expected);
        text_add(&draft.actual, "the path is ");
        text_add_printable(&draft.actual, head.path, SHOWN_MAX);
        duplex_finding_end(rules, rule, &draft, seen->event->at_us);
    } else if (!has_mode) {
        duplex_broken(rules, rule, seen->event->at_us, expected, "there is no mode in the query");
    } else if (http_head_parameter(&head, DUPLEX_MODE_PARAMETER, 1, &second)) {
        duplex_broken(rules, rule, seen->event->at_us, expected, "mode stands in the query more than once");
    } else if (!bytes_equal_text(mode, rules->watch.profile->mode_word)) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, "mode=");
        text_add(&draft.expected, rules->watch.profile->mode_word);
        text_add(&draft.actual, "mode=");
        text_add_printable(&draft.actual, mode, SHOWN_MAX);
        duplex_finding_end(rules, rule, &draft, seen->event->at_us);
    } else {
        duplex_kept(rules, rule);
    }
}

/* What the client sent, for people. */
static void write_sent(struct text *out, const struct duplex_dialect *dialect, const struct duplex_seen *seen)
{
    const struct json_fault *type = seen->is_cut ? NULL : json_fault_of(&seen->message.faults, "type");
    if (seen->is_cut || seen->message.type >= DUPLEX_MESSAGE_OTHER) {
        text_add(out, seen->is_binary ? "a binary message of " : "a text message of ");
        text_add_u64(out, seen->event->message_bytes);
        text_add(out, " bytes");
        if (type != NULL && type->kind == JSON_FAULT_UNKNOWN_TYPE) {
            text_add(out, " and of type ");
            text_add(out, type->found);
        }
    } else {
        text_add(out, duplex_message_type_shown(dialect, seen->message.type));
    }
}

void duplex_rule_quiet_in_queue(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    const struct duplex_watch *watch = &rules->watch;
    if (seen->from_client && watch->phase == DUPLEX_PHASE_QUEUED && !watch->may_be_further) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, "no message before session.queue_done");
        write_sent(&draft.actual, watch->profile->dialect, seen);
        duplex_finding_end(rules, rule, &draft, seen->event->at_us);
    } else if (seen->from_client && watch->phase == DUPLEX_PHASE_CONNECTED) {
        duplex_kept(rules, rule); /* one that never sends anything has not waited */
    }
}

/* --- a queue_done at once --- */

static bool awaits_update(const struct duplex_watch *watch)
{
    return watch->phase == DUPLEX_PHASE_CONNECTED && !watch->queued && watch->updates == 0;
}

void duplex_rule_prompt_start(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    if (awaits_update(&rules->watch) && seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_UPDATE))
        duplex_kept(rules, rule);
    if (seen->from_server && duplex_seen_is(seen, DUPLEX_MESSAGE_QUEUE_DONE))
        rules->queue_done_event = finding_book_event(&rules->book);
}

void duplex_rule_prompt_start_ending(struct rule_set *rules, enum duplex_rule rule, uint64_t now_us)
{
    const uint64_t waited_us = duplex_since(rules->watch.phase_us, now_us);
    struct finding_draft draft;
    if (!awaits_update(&rules->watch) || waited_us < UPDATE_WAIT_US)
        return;
    finding_begin(&draft);
    text_add(&draft.expected, rules->watch.profile->dialect->update);
    text_add(&draft.expected, " after a session.queue_done that comes at once");
    text_add(&draft.actual, "no ");
    text_add(&draft.actual, rules->watch.profile->dialect->update);
    text_add(&draft.actual, " in ");
    text_add_u64(&draft.actual, waited_us / 1000);
    text_add(&draft.actual, " ms");
    draft.finding.event = rules->queue_done_event;
    duplex_finding_end(rules, rule, &draft, now_us);
}

/* --- session.update --- */

void duplex_rule_update_first(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    const struct duplex_watch *watch = &rules->watch;
    const struct duplex_dialect *dialect = watch->profile->dialect;
    const uint64_t at_us = seen->event->at_us;
    if (!seen->from_client || watch->phase == DUPLEX_PHASE_QUEUED || watch->phase == DUPLEX_PHASE_CLOSED)
        return;
    const bool is_update = duplex_seen_is(seen, DUPLEX_MESSAGE_UPDATE);
    const bool again = is_update && watch->updates > 0;
    if (again || (!is_update && watch->phase == DUPLEX_PHASE_CONNECTED && !watch->may_be_further &&
                  !duplex_seen_is(seen, DUPLEX_MESSAGE_CLOSE))) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, dialect->update);
        text_add(&draft.expected, " first, once, and nothing else before session.created");
        text_add(&draft.actual, again ? "a second " : "");
        write_sent(&draft.actual, dialect, seen);
        text_add(&draft.actual, again ? "" : " before ");
        text_add(&draft.actual, again ? "" : watch->updates == 0 ? dialect->update : "session.created");
        duplex_finding_end(rules, rule, &draft, at_us);
    } else if (is_update) {
        duplex_kept(rules, rule);
    }
}

void duplex_rule_update(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    static const char members[] =
        ", a string; max_slice_nums an integer 1 to 9; the voices base64 of WAV at 16 kHz";
    if (!seen->from_client || !duplex_seen_is(seen, DUPLEX_MESSAGE_UPDATE))
        return;
    if (seen->message.faults.count == 0) {
        duplex_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, rules->watch.profile->dialect->instructions);
    text_add(&draft.expected, members);
    json_fault_write(&draft.actual, &seen->message.faults.list[0]);
    duplex_finding_end(rules, rule, &draft, seen->event->at_us);
}

static void one_update_broken(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "one ");
    text_add(&draft.expected, rules->watch.profile->dialect->update);
    text_add(&draft.expected, ", however often the queue is told");
    text_add(&draft.actual, "a second ");
    text_add(&draft.actual, rules->watch.profile->dialect->update);
    duplex_finding_end(rules, rule, &draft, at_us);
}

/* Messages of the queue that repeat, or a second queue_done, must not bring out a second update. */
void duplex_rule_one_update(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    const struct duplex_watch *watch = &rules->watch;
    if (watch->queue_events < 3)
        return;
    if (seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_UPDATE) && watch->updates > 0)
        one_update_broken(rules, rule, seen->event->at_us);
    else if (seen->from_server && duplex_seen_is(seen, DUPLEX_MESSAGE_CREATED) && watch->updates == 1)
        duplex_kept(rules, rule);
}
