/* DX-CON-06: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/duplex/rule_set.h"

static const struct pong_terms TERMS = {
    .answerer = WIRE_FROM_CLIENT, .wait_us = 3000000, .oldest_us = 10000000};

static void conclude(struct rule_set *rules, enum duplex_rule rule, enum pong_verdict verdict,
                     struct finding_draft *draft, uint64_t at_us)
{
    if (verdict == PONG_KEPT)
        duplex_kept(rules, rule);
    else if (verdict == PONG_BROKEN)
        duplex_finding_end(rules, rule, draft, at_us);
}

void duplex_rule_pong_ending(struct rule_set *rules, enum duplex_rule rule, uint64_t now_us)
{
    struct finding_draft draft;
    finding_begin(&draft);
    conclude(rules, rule, pong_wait_ending(&rules->pong, &TERMS, now_us, &draft.expected, &draft.actual),
             &draft, now_us);
}

void duplex_rule_pong(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    struct finding_draft draft;
    finding_begin(&draft);
    conclude(rules, rule, pong_wait_event(&rules->pong, &TERMS, seen->event, &draft.expected, &draft.actual),
             &draft, seen->event->at_us);
}
