/* OJ-SRV-18: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/ojin/server_rule_set.h"

/* An answer within this time is asked for while the connection stays open. */
static const uint64_t PONG_WAIT_US = 5000000;

static void find_overdue(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    struct pong_state *pong = &rules->pong;
    if (!pong_wait_overdue(pong, now_us, PONG_WAIT_US, OJIN_PING_TIMEOUT_US))
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    pong_wait_write(pong, now_us, &draft.expected, &draft.actual);
    server_finding_end(rules, rule, &draft, now_us);
    pong->count = 0;
}

/* What waits at the end has not waited long enough; a wrong answer is one all the same. */
void server_rule_pong_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    struct finding_draft draft;
    find_overdue(rules, rule, now_us);
    finding_begin(&draft);
    if (pong_wait_is_wrong(&rules->pong, &draft.expected, &draft.actual))
        server_finding_end(rules, rule, &draft, now_us);
}

static void take_pong(struct server_rule_set *rules, enum server_rule rule, const struct wire_event *event)
{
    struct finding_draft draft;
    finding_begin(&draft);
    switch (pong_wait_pong(&rules->pong, event->data, &draft.expected, &draft.actual)) {
    case PONG_UNASKED:
        break;
    case PONG_ANSWERS:
        server_kept(rules, rule);
        break;
    case PONG_PASSES:
        server_finding_end(rules, rule, &draft, event->at_us);
        break;
    }
}

void server_rule_pong(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (rules->session.over)
        return;
    /* A close is judged by the ending, at its own time. */
    if (event->kind != WIRE_EVENT_CLOSE && event->kind != WIRE_EVENT_END)
        find_overdue(rules, rule, event->at_us);
    if (event->direction == WIRE_FROM_SERVER && event->kind == WIRE_EVENT_PONG)
        take_pong(rules, rule, event);
    if (event->direction == WIRE_FROM_CLIENT && event->kind == WIRE_EVENT_PING)
        pong_wait_ping(&rules->pong, event);
}
