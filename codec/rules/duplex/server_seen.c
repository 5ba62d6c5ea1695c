/* What an event is to the rules. */
#include "codec/rules/duplex/server_rule_set.h"

bool duplex_server_sent(const struct duplex_seen *seen, enum duplex_message_type type)
{
    return seen->from_server && duplex_seen_is(seen, type);
}

bool duplex_server_output(const struct duplex_seen *seen)
{
    return (duplex_server_sent(seen, DUPLEX_MESSAGE_DELTA) ||
            duplex_server_sent(seen, DUPLEX_MESSAGE_LISTEN)) &&
           seen->message.faults.count == 0;
}

bool duplex_server_right_append(const struct server_rule_set *rules, const struct duplex_seen *seen)
{
    return seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_APPEND) &&
           seen->message.faults.count == 0 && rules->watch.phase == DUPLEX_PHASE_ACTIVE;
}

bool duplex_server_ends_lawfully(const struct server_rule_set *rules, const struct duplex_seen *seen)
{
    enum duplex_reason reason = DUPLEX_REASON_COUNT;
    const bool is_close = seen->event->kind == WIRE_EVENT_CLOSE &&
                          (seen->event->code == WS_CLOSE_GOING_AWAY || seen->event->code == WS_CLOSE_RESTART);
    if (rules->watch.phase == DUPLEX_PHASE_CLOSED || rules->watch.close_sent || rules->fatal ||
        rules->bad_json || is_close)
        return true;
    return duplex_server_sent(seen, DUPLEX_MESSAGE_CLOSED) &&
           duplex_reason_by_name(seen->message.reason, &reason) &&
           (reason == DUPLEX_REASON_TIMEOUT || reason == DUPLEX_REASON_CONTEXT_FULL ||
            reason == DUPLEX_REASON_SERVER_SHUTDOWN);
}

bool duplex_server_ends(const struct duplex_seen *seen)
{
    return duplex_server_sent(seen, DUPLEX_MESSAGE_CLOSED) ||
           (seen->ends && seen->event->direction == WIRE_FROM_SERVER);
}
