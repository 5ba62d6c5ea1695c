/*
 * What the client does wrong, and its answers: DX-SRV-03, 04, 05, 06. 002 State Machine, Error Codes, Invalid
 * JSON.
 *
 * An answer is taken for the oldest message that may have it. "Leaves the session going" is shown by anything
 * the server sends after the answer.
 */
#include "codec/rules/duplex/server_rule_set.h"

/* --- what is awaited --- */

static void forget(struct server_rule_set *rules, size_t n)
{
    rules->awaited_count--;
    memmove(rules->awaited + n, rules->awaited + n + 1,
            (rules->awaited_count - n) * sizeof rules->awaited[0]);
}

static void write_expected(struct text *out, const struct duplex_awaited *awaited)
{
    text_add(out, awaited->code == DUPLEX_ERROR_COUNT ? "an error" : duplex_error_name(awaited->code));
    text_add(out, " for ");
    text_add(out, awaited->fault);
    text_add(out, ", with the session going on");
}

static void answer_broken(struct server_rule_set *rules, size_t n, uint64_t at_us, const char *actual,
                          struct bytes code)
{
    const struct duplex_awaited awaited = rules->awaited[n];
    struct finding_draft draft;
    forget(rules, n);
    finding_begin(&draft);
    write_expected(&draft.expected, &awaited);
    text_add(&draft.actual, actual);
    text_add_printable(&draft.actual, code, 40);
    if (rules->book.by_clock)
        draft.finding.event = awaited.event;
    duplex_server_finding_end(rules, awaited.rule, &draft, at_us);
}

/* What a strict reading of the document does not ask for: these may be refused, or let pass. */
static bool may_pass(const struct json_fault *fault)
{
    switch (fault->kind) {
    case JSON_FAULT_UNREADABLE:
    case JSON_FAULT_NOT_OBJECT:
    case JSON_FAULT_ODD_AUDIO:
    case JSON_FAULT_NOT_FINITE:
    case JSON_FAULT_TOO_LONG:
    case JSON_FAULT_NO_WAV:
    case JSON_FAULT_NO_MEMORY:
        return true;
    case JSON_FAULT_RANGE: /* of slices; how many pictures there may be is practice */
        return strstr(fault->member, "video_frames") != NULL;
    case JSON_FAULT_NOT_JSON:
    case JSON_FAULT_UNKNOWN_TYPE:
    case JSON_FAULT_MISSING:
    case JSON_FAULT_WRONG_TYPE:
    case JSON_FAULT_BASE64:
    case JSON_FAULT_TOO_SHORT:
    case JSON_FAULT_NO_PICTURE:
        return false;
    }
    return false;
}

static void await(struct server_rule_set *rules, const struct duplex_seen *seen, enum duplex_server_rule rule,
                  enum duplex_error_code code, const struct json_fault *fault)
{
    if (rules->awaited_count == DUPLEX_AWAITED_MAX)
        return;
    struct duplex_awaited *awaited = &rules->awaited[rules->awaited_count++];
    *awaited = (struct duplex_awaited){.rule = rule,
                                       .code = code,
                                       .is_update = duplex_seen_is(seen, DUPLEX_MESSAGE_UPDATE) &&
                                                    seen->message.faults.count == 0,
                                       .at_us = seen->event->at_us,
                                       .event = finding_book_event(&rules->book)};
    struct text text = text_of(awaited->fault, sizeof awaited->fault);
    if (fault != NULL) {
        json_fault_write(&text, fault);
        return;
    }
    const struct duplex_dialect *dialect = rules->watch.profile->dialect;
    text_add(&text, duplex_message_type_shown(dialect, seen->message.type));
    text_add(&text, rule == DUPLEX_SERVER_RULE_04               ? " in a session that stands"
                    : rules->watch.phase == DUPLEX_PHASE_QUEUED ? " before session.queue_done"
                                                                : " before ");
    if (rule != DUPLEX_SERVER_RULE_04 && rules->watch.phase != DUPLEX_PHASE_QUEUED)
        text_add(&text, dialect->update);
}

static void take_message(struct server_rule_set *rules, const struct duplex_seen *seen)
{
    const struct duplex_watch *watch = &rules->watch;
    const struct duplex_answer answer = duplex_phase_answer(watch->phase, &seen->message);
    if (answer.take != DUPLEX_REFUSE)
        return;
    if (watch->phase == DUPLEX_PHASE_QUEUED) {
        await(rules, seen, DUPLEX_SERVER_RULE_03, DUPLEX_ERROR_NOT_READY, NULL);
        return;
    }
    /* Once session.update is on its way, the session may already stand when this comes. */
    const bool connected = watch->phase == DUPLEX_PHASE_CONNECTED;
    if (connected && watch->updates > 0)
        return;
    if (connected && !duplex_seen_is(seen, DUPLEX_MESSAGE_UPDATE))
        await(rules, seen, DUPLEX_SERVER_RULE_03, DUPLEX_ERROR_COUNT, NULL);
    else if (answer.fault != NULL && !may_pass(answer.fault))
        await(rules, seen, DUPLEX_SERVER_RULE_04, answer.error, answer.fault);
}

/* --- what the server answers --- */

static bool is_clients_error(enum duplex_error_code code)
{
    return strcmp(duplex_error_type(code), DUPLEX_ERROR_TYPE_CLIENT) == 0;
}

/* A member that is null is as good as missing, and a type that is missing makes the event unknown. */
static bool answers(const struct duplex_awaited *awaited, enum duplex_error_code code)
{
    if (awaited->code == DUPLEX_ERROR_COUNT || awaited->code == code)
        return true;
    const bool null = strstr(awaited->fault, "found null") != NULL;
    const bool type = strncmp(awaited->fault, "type:", 5) == 0;
    return (null && code == DUPLEX_ERROR_MISSING_FIELD) || (type && code == DUPLEX_ERROR_UNKNOWN_EVENT) ||
           (type && code == DUPLEX_ERROR_INVALID_PAYLOAD);
}

static void take_error(struct server_rule_set *rules, const struct duplex_seen *seen)
{
    enum duplex_error_code code;
    size_t oldest = rules->awaited_count;
    if (seen->message.code.len == 0) { /* which message it is for nobody can say: DX-SRV-17 */
        rules->awaited_count = 0;
        return;
    }
    if (!duplex_error_by_name(seen->message.code, &code) || !is_clients_error(code))
        return;
    for (size_t i = rules->awaited_count; i-- > 0;) {
        if (!rules->awaited[i].answered)
            oldest = i;
    }
    for (size_t i = oldest; i < rules->awaited_count; i++) {
        if (!rules->awaited[i].answered && answers(&rules->awaited[i], code)) {
            rules->awaited[i].answered = true;
            return;
        }
    }
    if (oldest < rules->awaited_count)
        answer_broken(rules, oldest, seen->event->at_us, "the error is ", seen->message.code);
}

/* The server is there: what was answered before has not ended the session. */
static void take_life(struct server_rule_set *rules)
{
    for (size_t i = rules->awaited_count; i-- > 0;) {
        if (!rules->awaited[i].answered)
            continue;
        duplex_server_kept(rules, rules->awaited[i].rule);
        forget(rules, i);
    }
}

/* An update that came too early may have been kept for later: one of the servers in use does. */
static void take_created(struct server_rule_set *rules)
{
    for (size_t i = rules->awaited_count; i-- > 0;) {
        if (rules->awaited[i].is_update && rules->watch.updates == 1)
            forget(rules, i);
    }
}

void duplex_server_answers(struct server_rule_set *rules, enum duplex_server_rule rule,
                           const struct duplex_seen *seen)
{
    (void)rule;
    if (duplex_server_ends(seen)) {
        while (rules->awaited_count > 0 && !duplex_server_ends_lawfully(rules, seen))
            answer_broken(rules, 0, seen->event->at_us, "the server ended the session", bytes_of(NULL, 0));
        rules->awaited_count = 0;
        return;
    }
    if (seen->from_server && !seen->is_cut) {
        take_life(rules);
        if (seen->message.type == DUPLEX_MESSAGE_ERROR)
            take_error(rules, seen);
        else if (seen->message.type == DUPLEX_MESSAGE_CREATED)
            take_created(rules);
    }
    if (seen->from_client && !seen->is_cut && !rules->watch.close_sent && !rules->bad_json)
        take_message(rules, seen);
}

void duplex_server_answers_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    (void)rule;
    for (size_t i = 0; i < rules->awaited_count;) {
        const struct duplex_awaited *awaited = &rules->awaited[i];
        if (awaited->answered || duplex_since(awaited->at_us, now_us) < DUPLEX_ANSWER_WAIT_US)
            i++;
        else
            answer_broken(rules, i, now_us, "no such answer in 3 s", bytes_of(NULL, 0));
    }
}

/* --- closes --- */

static const char INVALID_JSON[] = "a close with 1003 for a frame that is no JSON";

void duplex_server_invalid_json(struct server_rule_set *rules, enum duplex_server_rule rule,
                                const struct duplex_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (rules->bad_json && seen->ends && event->direction == WIRE_FROM_SERVER) {
        if (event->kind == WIRE_EVENT_CLOSE && event->code == DUPLEX_CLOSE_INVALID_JSON)
            duplex_server_kept(rules, rule);
        else if (event->kind == WIRE_EVENT_CLOSE)
            duplex_server_broken_number(rules, rule, event->at_us, INVALID_JSON, "a close with ", event->code,
                                        "");
        else
            duplex_server_broken(rules, rule, event->at_us, INVALID_JSON,
                                 "the connection ended without a close");
    }
    if (seen->from_client && !seen->is_cut && !seen->is_binary && !rules->bad_json &&
        seen->message.type == DUPLEX_MESSAGE_NOT_JSON && rules->watch.phase != DUPLEX_PHASE_CLOSED) {
        rules->bad_json = true;
        rules->bad_json_us = event->at_us;
    }
}

void duplex_server_invalid_json_clock(struct server_rule_set *rules, enum duplex_server_rule rule,
                                      uint64_t now_us)
{
    if (!rules->bad_json || duplex_since(rules->bad_json_us, now_us) < DUPLEX_ANSWER_WAIT_US)
        return;
    duplex_server_broken(rules, rule, now_us, INVALID_JSON, "no close in 3 s");
    rules->bad_json = false;
}

static const char FATAL[] = "a close with 1013 after service_unavailable, queue_full, worker_busy or "
                            "worker_connect_failed";

void duplex_server_fatal(struct server_rule_set *rules, enum duplex_server_rule rule,
                         const struct duplex_seen *seen)
{
    const struct wire_event *event = seen->event;
    enum duplex_error_code code;
    if (rules->fatal && seen->ends && event->direction == WIRE_FROM_SERVER) {
        if (event->kind == WIRE_EVENT_CLOSE && event->code == DUPLEX_CLOSE_UNAVAILABLE)
            duplex_server_kept(rules, rule);
        else if (event->kind == WIRE_EVENT_CLOSE)
            duplex_server_broken_number(rules, rule, event->at_us, FATAL, "a close with ", event->code, "");
        else
            duplex_server_broken(rules, rule, event->at_us, FATAL, "the connection ended without a close");
    }
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_ERROR) && !rules->fatal &&
        duplex_error_by_name(seen->message.code, &code) && duplex_error_close(code) != 0) {
        rules->fatal = true;
        rules->fatal_us = event->at_us;
    }
}

void duplex_server_fatal_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    if (!rules->fatal || duplex_since(rules->fatal_us, now_us) < DUPLEX_ANSWER_WAIT_US)
        return;
    duplex_server_broken(rules, rule, now_us, FATAL, "no close in 3 s");
    rules->fatal = false;
}
