/*
 * OJ-CON-07: a ping is answered when a pong carries its data, or that of a newer ping. RFC 6455 5.5.2, 5.5.3.
 *
 * It is judged by the newest unanswered ping, as the older ones need no pong of their own; only when pings
 * come so fast that there is always a new one, by the oldest.
 */
#include "codec/ojin/constants.h"
#include "codec/rules/rule_set.h"

/* An answer within this time is asked for while the connection stays open. */
static const uint64_t PONG_WAIT_US = 3000000;
/* The oldest unanswered ping may be as old as this, whatever came after it: 000 WebSocket Handshake,
 * settings. */
static const uint64_t PONG_WAIT_OLDEST_US = OJIN_PING_TIMEOUT_US;

static uint64_t elapsed(uint64_t from_us, uint64_t to_us)
{
    return to_us > from_us ? to_us - from_us : 0;
}

static void forget_oldest(struct pong_state *pong, size_t count)
{
    pong->count -= count;
    memmove(pong->pings, pong->pings + count, pong->count * sizeof pong->pings[0]);
}

static void keep_ping(struct pong_state *pong, const struct wire_event *event)
{
    if (event->data.len > PING_BYTES_MAX)
        return;
    /* The oldest is kept for its time: it is the second that makes room. */
    if (pong->count == PINGS_KEPT) {
        pong->count--;
        memmove(pong->pings + 1, pong->pings + 2, (pong->count - 1) * sizeof pong->pings[0]);
    }
    struct ping *ping = &pong->pings[pong->count++];
    ping->at_us = event->at_us;
    ping->len = event->data.len;
    if (ping->len > 0)
        memcpy(ping->data, event->data.data, ping->len);
}

/* True when the pong answers a ping that was waiting: that one and all before it are done. */
static bool take_pong(struct pong_state *pong, struct bytes data)
{
    for (size_t i = pong->count; i > 0; i--) {
        if (bytes_equal(bytes_of(pong->pings[i - 1].data, pong->pings[i - 1].len), data)) {
            forget_oldest(pong, i);
            return true;
        }
    }
    return false;
}

void rule_pong_ending(struct rule_set *rules, enum rule rule, uint64_t now_us)
{
    struct pong_state *pong = &rules->pong;
    if (pong->count == 0)
        return;
    const struct ping *newest = &pong->pings[pong->count - 1];
    bool overdue = elapsed(newest->at_us, now_us) >= PONG_WAIT_US ||
                   elapsed(pong->pings[0].at_us, now_us) >= PONG_WAIT_OLDEST_US;
    if (!overdue)
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "a pong with the data of the newest ping: ");
    text_add_hex(&draft.expected, bytes_of(newest->data, newest->len < 32 ? newest->len : 32));
    text_add(&draft.actual, "no such pong for ");
    text_add_u64(&draft.actual, elapsed(pong->pings[0].at_us, now_us) / 1000);
    text_add(&draft.actual, " ms");
    finding_end(rules, rule, &draft, now_us, false);
    pong->count = 0;
}

void rule_pong(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct wire_event *event = seen->event;
    if (rules->over)
        return;
    /* A close is judged by the ending, at its own time. */
    if (event->kind != WIRE_EVENT_CLOSE && event->kind != WIRE_EVENT_END)
        rule_pong_ending(rules, rule, event->at_us);
    if (event->direction == WIRE_FROM_CLIENT && event->kind == WIRE_EVENT_PONG &&
        take_pong(&rules->pong, event->data))
        rule_kept(rules, rule);
    if (event->direction == WIRE_FROM_SERVER && event->kind == WIRE_EVENT_PING && !event->fault)
        keep_ping(&rules->pong, event);
}
