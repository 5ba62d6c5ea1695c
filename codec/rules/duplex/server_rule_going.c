/* Interruption, ends, and going on: DX-SRV-11, 13, 19. 002 Features Not Included, session.closed, Error
 * Codes. */
#include "codec/rules/duplex/server_rule_set.h"

/* Deltas that may be under way when force_listen comes: one a second is usual, and one was just being sent.
 */
enum { DELTAS_UNDER_WAY = 2 };

/* --- force_listen --- */

static const char FORCE[] = "a listen after force_listen, and before it only deltas already under way";

void duplex_server_force(struct server_rule_set *rules, enum duplex_server_rule rule,
                         const struct duplex_seen *seen)
{
    const bool forces = duplex_server_right_append(rules, seen) && seen->message.force_listen;
    if (forces && rules->watch.speaking && !rules->force) {
        rules->force = true;
        rules->force_us = seen->event->at_us;
        rules->force_deltas = 0;
        return;
    }
    if (!rules->force)
        return;
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_LISTEN)) {
        rules->force = false;
        duplex_server_kept(rules, rule);
    } else if (duplex_server_ends(seen) || duplex_server_sent(seen, DUPLEX_MESSAGE_ERROR)) {
        rules->force = false;
    } else if (duplex_server_sent(seen, DUPLEX_MESSAGE_DELTA) && ++rules->force_deltas > DELTAS_UNDER_WAY) {
        rules->force = false;
        duplex_server_broken_number(rules, rule, seen->event->at_us, FORCE, "", rules->force_deltas,
                                    " deltas, and no listen");
    }
}

void duplex_server_force_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    if (!rules->force || duplex_since(rules->force_us, now_us) < DUPLEX_ANSWER_WAIT_US)
        return;
    rules->force = false;
    duplex_server_broken(rules, rule, now_us, FORCE, "no listen in 3 s");
}

/* --- the end --- */

static const char STOPPED[] = "session.closed with reason stopped after session.close";

static void judge_closed(struct server_rule_set *rules, enum duplex_server_rule rule,
                         const struct duplex_seen *seen)
{
    enum duplex_reason reason = DUPLEX_REASON_COUNT;
    (void)duplex_reason_by_name(seen->message.reason, &reason);
    const bool other = reason == DUPLEX_REASON_TIMEOUT || reason == DUPLEX_REASON_CONTEXT_FULL;
    if (reason == DUPLEX_REASON_SERVER_SHUTDOWN ||
        (rules->watch.close_sent && reason == DUPLEX_REASON_STOPPED)) {
        duplex_server_kept(rules, rule);
    } else if (rules->watch.close_sent && !other) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, STOPPED);
        text_add(&draft.actual, "reason ");
        text_add_printable(&draft.actual, seen->message.reason, 40);
        duplex_server_finding_end(rules, rule, &draft, seen->event->at_us);
    }
}

void duplex_server_close(struct server_rule_set *rules, enum duplex_server_rule rule,
                         const struct duplex_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (rules->watch.phase != DUPLEX_PHASE_ACTIVE || rules->close_judged || rules->fatal || rules->bad_json)
        return;
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_CLOSED)) {
        rules->close_judged = true;
        judge_closed(rules, rule, seen);
    } else if (duplex_server_ends(seen) && rules->watch.close_sent) {
        rules->close_judged = true;
        duplex_server_broken(rules, rule, event->at_us, STOPPED,
                             "the connection ended without session.closed");
    } else if (duplex_server_ends(seen) && event->kind == WIRE_EVENT_CLOSE &&
               (event->code == WS_CLOSE_GOING_AWAY || event->code == WS_CLOSE_RESTART)) {
        rules->close_judged = true;
        duplex_server_broken_number(rules, rule, event->at_us,
                                    "session.closed with reason server_shutdown when the server goes",
                                    "a close with ", event->code, " alone");
    }
}

void duplex_server_close_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    const struct duplex_watch *watch = &rules->watch;
    if (watch->phase != DUPLEX_PHASE_ACTIVE || rules->close_judged || !watch->close_sent || rules->fatal ||
        rules->bad_json || duplex_since(watch->close_us, now_us) < DUPLEX_ANSWER_WAIT_US)
        return;
    rules->close_judged = true;
    duplex_server_broken(rules, rule, now_us, STOPPED, "none in 3 s");
}

/* --- inference_error --- */

void duplex_server_inference(struct server_rule_set *rules, enum duplex_server_rule rule,
                             const struct duplex_seen *seen)
{
    enum duplex_error_code code = DUPLEX_ERROR_COUNT;
    const uint64_t at_us = seen->event->at_us;
    if (rules->inference && duplex_server_output(seen)) {
        rules->inference = false;
        duplex_server_kept(rules, rule);
    } else if (rules->inference && duplex_server_ends(seen)) {
        rules->inference = false;
        if (!duplex_server_ends_lawfully(rules, seen) &&
            duplex_since(rules->inference_us, at_us) <= DUPLEX_ANSWER_WAIT_US)
            duplex_server_broken(rules, rule, at_us, "the session goes on after inference_error",
                                 "the server ended it");
    }
    if (!duplex_server_sent(seen, DUPLEX_MESSAGE_ERROR) || !duplex_error_by_name(seen->message.code, &code) ||
        (code != DUPLEX_ERROR_INFERENCE_ERROR && code != DUPLEX_ERROR_INFERENCE_FAILED))
        return;
    rules->inference = true;
    rules->inference_us = at_us;
}
