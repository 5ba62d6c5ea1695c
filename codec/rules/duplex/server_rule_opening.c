/* The way into a session, and the form of what a server says: DX-SRV-01, 02, 17. 002 Setup, Error Message
 * Format. */
#include "codec/rules/duplex/classes.h"
#include "codec/rules/duplex/server_rule_set.h"

/* With a worker idle queue_done comes at once; without one session.queued does. */
static const uint64_t FIRST_WORD_WAIT_US = 5000000;
/* The digits that milliseconds since 1970 have had since 2001, and will have until 2286. */
enum { MILLISECOND_DIGITS = 13, SHOWN_MAX = 60 };

static const char OPENING[] = "session.queue_done first: at once, or after session.queued and any updates";

static void opening_broken(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t at_us,
                           const char *actual)
{
    if (!rules->opening_broken)
        duplex_server_broken(rules, rule, at_us, OPENING, actual);
    rules->opening_broken = true;
}

/* NULL: nothing is wrong with the order. */
static const char *out_of_order(const struct duplex_watch *watch, const struct duplex_seen *seen)
{
    const bool waits = watch->phase == DUPLEX_PHASE_QUEUED;
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_QUEUED))
        return waits ? NULL : "session.queued after session.queue_done";
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_QUEUE_UPDATE))
        return !waits          ? "session.queue_update after session.queue_done"
               : watch->queued ? NULL
                               : "session.queue_update before session.queued";
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_QUEUE_DONE))
        return waits ? NULL : "a second session.queue_done";
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_CREATED))
        return waits ? "session.created before session.queue_done" : NULL;
    if (duplex_server_sent(seen, DUPLEX_MESSAGE_DELTA) || duplex_server_sent(seen, DUPLEX_MESSAGE_LISTEN))
        return waits ? "an answer of the model before session.queue_done" : NULL;
    return NULL;
}

void duplex_server_opening(struct server_rule_set *rules, enum duplex_server_rule rule,
                           const struct duplex_seen *seen)
{
    const char *wrong = out_of_order(&rules->watch, seen);
    if (wrong != NULL)
        opening_broken(rules, rule, seen->event->at_us, wrong);
    else if (duplex_server_sent(seen, DUPLEX_MESSAGE_QUEUE_DONE))
        duplex_server_kept(rules, rule);
}

void duplex_server_opening_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    const struct duplex_watch *watch = &rules->watch;
    if (watch->open && watch->phase == DUPLEX_PHASE_QUEUED && !watch->queued && !rules->fatal &&
        duplex_since(watch->open_us, now_us) > FIRST_WORD_WAIT_US)
        opening_broken(rules, rule, now_us, "neither session.queue_done nor session.queued in 5 s");
}

static bool is_session_id(struct bytes id)
{
    const size_t prefix = strlen(DUPLEX_SESSION_ID_PREFIX);
    if (id.len != prefix + MILLISECOND_DIGITS || memcmp(id.data, DUPLEX_SESSION_ID_PREFIX, prefix) != 0)
        return false;
    for (size_t i = prefix; i < id.len; i++) {
        if (id.data[i] < '0' || id.data[i] > '9')
            return false;
    }
    return true;
}

void duplex_server_session_id(struct server_rule_set *rules, enum duplex_server_rule rule,
                              const struct duplex_seen *seen)
{
    if (!duplex_server_sent(seen, DUPLEX_MESSAGE_CREATED))
        return;
    if (is_session_id(seen->message.session_id)) {
        duplex_server_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "session_id: rt_ and a time in milliseconds");
    text_add(&draft.actual, seen->message.has_session_id ? "session_id " : "no session_id");
    text_add_printable(&draft.actual, seen->message.session_id, SHOWN_MAX);
    duplex_server_finding_end(rules, rule, &draft, seen->event->at_us);
}

void duplex_server_error_form(struct server_rule_set *rules, enum duplex_server_rule rule,
                              const struct duplex_seen *seen)
{
    if (!duplex_server_sent(seen, DUPLEX_MESSAGE_ERROR))
        return;
    if (seen->message.faults.count == 0) {
        duplex_server_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    if (seen->message.code.len == 0)
        rules->blur |= DUPLEX_BLUR_ERROR;
    finding_begin(&draft);
    text_add(&draft.expected, "error.code, error.message and error.type in each error");
    json_fault_write(&draft.actual, &seen->message.faults.list[0]);
    duplex_server_finding_end(rules, rule, &draft, seen->event->at_us);
}
