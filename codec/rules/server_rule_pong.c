/* OJ-SRV-18: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/server_rule_set.h"

/* An answer within this time is asked for while the connection stays open. */
static const uint64_t PONG_WAIT_US = 5000000;

enum { DATA_SHOWN_MAX = 32 };

void server_rule_pong_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    struct pong_state *pong = &rules->pong;
    if (!pong_wait_overdue(pong, now_us, PONG_WAIT_US))
        return;
    const struct ping *newest = &pong->pings[pong->count - 1];
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "a pong with the data of the newest ping: ");
    text_add_hex(&draft.expected,
                 bytes_of(newest->data, newest->len < DATA_SHOWN_MAX ? newest->len : DATA_SHOWN_MAX));
    text_add(&draft.actual, "no such pong for ");
    text_add_u64(&draft.actual, pong_wait_waited_us(pong, now_us) / 1000);
    text_add(&draft.actual, " ms");
    server_finding_end(rules, rule, &draft, now_us);
    pong->count = 0;
}

void server_rule_pong(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (rules->session.over)
        return;
    /* A close is judged by the ending, at its own time. */
    if (event->kind != WIRE_EVENT_CLOSE && event->kind != WIRE_EVENT_END)
        server_rule_pong_ending(rules, rule, event->at_us);
    if (event->direction == WIRE_FROM_SERVER && event->kind == WIRE_EVENT_PONG &&
        pong_wait_pong(&rules->pong, event->data))
        server_kept(rules, rule);
    if (event->direction == WIRE_FROM_CLIENT && event->kind == WIRE_EVENT_PING)
        pong_wait_ping(&rules->pong, event);
}
