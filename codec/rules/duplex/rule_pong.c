/* DX-CON-06: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/duplex/rule_set.h"

static const struct pong_terms TERMS = {
    .answerer = WIRE_FROM_CLIENT, .wait_us = 3000000, .oldest_us = 10000000};

void duplex_rule_pong_ending(struct rule_set *rules, enum duplex_rule rule, uint64_t now_us)
{
    pong_wait_ending(&rules->pong, &TERMS, now_us, &rules->book, rule);
}

void duplex_rule_pong(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    pong_wait_event(&rules->pong, &TERMS, seen->event, &rules->book, rule);
}
