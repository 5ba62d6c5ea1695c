/* OJ-SRV-18: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/ojin/server_rule_set.h"

static const struct pong_terms TERMS = {
    .answerer = WIRE_FROM_SERVER, .wait_us = 5000000, .oldest_us = OJIN_PING_TIMEOUT_US};

static void conclude(struct server_rule_set *rules, enum server_rule rule, enum pong_verdict verdict,
                     struct finding_draft *draft, uint64_t at_us)
{
    if (verdict == PONG_KEPT)
        server_kept(rules, rule);
    else if (verdict == PONG_BROKEN)
        server_finding_end(rules, rule, draft, at_us);
}

void server_rule_pong_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    struct finding_draft draft;
    finding_begin(&draft);
    conclude(rules, rule, pong_wait_ending(&rules->pong, &TERMS, now_us, &draft.expected, &draft.actual),
             &draft, now_us);
}

void server_rule_pong(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    struct finding_draft draft;
    if (rules->session.over)
        return;
    finding_begin(&draft);
    conclude(rules, rule, pong_wait_event(&rules->pong, &TERMS, seen->event, &draft.expected, &draft.actual),
             &draft, seen->event->at_us);
}
