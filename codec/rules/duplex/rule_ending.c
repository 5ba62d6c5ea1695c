/* The end of a session: DX-CLS-01, DX-CLS-02. 002 session.close, session.closed, Complete Timeline. */
#include "codec/rules/duplex/rule_set.h"

/* A client that leaves sooner has not waited for session.closed, or for the close behind an error. */
static const uint64_t CLOSED_WAIT_MIN_US = 1000000;
/* One that waits longer would never stop waiting. */
static const uint64_t CLOSED_WAIT_MAX_US = 30000000;
/* What was on its way when session.closed was sent is let pass: one append, if it was due by then, or so near
 * to it. */
static const uint64_t CROSSING_US = 500000;
enum { DUE_PERCENT = 70 };
/* What comes so soon behind another left with it. */
static const uint64_t TOGETHER_US = 50000;

static const char EXPECTED[] =
    "session.close with reason user_stop, then session.closed awaited for a bounded time";

/* The client ends a session that is going on. */
static void judge_end(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us)
{
    const struct duplex_watch *watch = &rules->watch;
    enum duplex_rule other;
    if (watch->phase == DUPLEX_PHASE_CLOSED && watch->close_sent)
        duplex_kept(rules, rule);
    if (watch->phase != DUPLEX_PHASE_ACTIVE)
        return;
    const uint64_t waited_us = duplex_since(watch->close_us, at_us);
    if (!watch->close_sent) {
        /* 002 Error Codes: the server closes, with 1013. Who has waited for that in vain may end it. */
        if (watch->fatal && duplex_since(watch->fatal_us, at_us) >= CLOSED_WAIT_MIN_US)
            return;
        if (!duplex_shock_explains_end(rules, at_us, &other))
            duplex_broken(rules, rule, at_us, EXPECTED, "the connection was ended without session.close");
    } else if (waited_us < CLOSED_WAIT_MIN_US) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, EXPECTED);
        text_add(&draft.actual, "the connection was ended ");
        text_add_u64(&draft.actual, waited_us / 1000);
        text_add(&draft.actual, " ms after session.close, before session.closed");
        duplex_finding_end(rules, rule, &draft, at_us);
    } else {
        duplex_kept(rules, rule);
    }
}

void duplex_rule_close(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    const struct duplex_watch *watch = &rules->watch;
    const uint64_t at_us = seen->event->at_us;
    const bool from_client = seen->event->direction == WIRE_FROM_CLIENT;
    if (from_client && seen->ends)
        judge_end(rules, rule, at_us);
    if (!seen->from_client || !duplex_seen_is(seen, DUPLEX_MESSAGE_CLOSE) ||
        watch->phase != DUPLEX_PHASE_ACTIVE)
        return;
    rules->close_event = finding_book_event(&rules->book);
    if (!bytes_equal_text(seen->message.reason, duplex_reason_name(DUPLEX_REASON_USER_STOP))) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, EXPECTED);
        text_add(&draft.actual, seen->message.has_reason ? "reason " : "no reason");
        text_add_printable(&draft.actual, seen->message.reason, 40);
        duplex_finding_end(rules, rule, &draft, at_us);
    }
}

void duplex_rule_close_ending(struct rule_set *rules, enum duplex_rule rule, uint64_t now_us)
{
    const struct duplex_watch *watch = &rules->watch;
    struct finding_draft draft;
    if (watch->phase != DUPLEX_PHASE_ACTIVE || !watch->close_sent ||
        duplex_since(watch->close_us, now_us) <= CLOSED_WAIT_MAX_US)
        return;
    finding_begin_with(&draft, EXPECTED, "the client still waits for session.closed after 30 s");
    draft.finding.event = rules->close_event;
    duplex_finding_end(rules, rule, &draft, now_us);
}

/* An append is due when the sound of the one before is over; a sooner one is an answer to session.closed. */
static bool append_is_due(const struct rule_set *rules, uint64_t at_us)
{
    const struct pace_state *pace = &rules->pace;
    const uint64_t every_us = pace->short_samples * 1000000 / DUPLEX_INPUT_RATE;
    return !pace->started || duplex_since(pace->latest_us, at_us) * 100 >= every_us * DUE_PERCENT;
}

static bool may_have_crossed(struct rule_set *rules, const struct duplex_seen *seen)
{
    const uint64_t at_us = seen->event->at_us;
    if (duplex_since(rules->watch.phase_us, at_us) > CROSSING_US)
        return false;
    if (seen->is_cut || !duplex_seen_is(seen, DUPLEX_MESSAGE_APPEND))
        return true;
    if (rules->pace.started && duplex_since(rules->pace.latest_us, at_us) < TOGETHER_US)
        return true;
    const bool may = !rules->crossed && append_is_due(rules, at_us);
    rules->crossed = true;
    return may;
}

void duplex_rule_after_closed(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    const struct duplex_watch *watch = &rules->watch;
    if (!seen->from_client || watch->phase != DUPLEX_PHASE_CLOSED || may_have_crossed(rules, seen))
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "no message after session.closed");
    text_add(&draft.actual, seen->is_cut
                                ? "a message"
                                : duplex_message_type_shown(watch->profile->dialect, seen->message.type));
    text_add(&draft.actual, " ");
    text_add_u64(&draft.actual, duplex_since(watch->phase_us, seen->event->at_us) / 1000);
    text_add(&draft.actual, " ms after session.closed");
    duplex_finding_end(rules, rule, &draft, seen->event->at_us);
}

void duplex_rule_after_closed_ending(struct rule_set *rules, enum duplex_rule rule, uint64_t now_us)
{
    (void)now_us;
    if (rules->watch.phase == DUPLEX_PHASE_CLOSED)
        duplex_kept(rules, rule);
}
