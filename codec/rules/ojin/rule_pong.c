/* OJ-CON-07: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/ojin/rule_set.h"

static const struct pong_terms TERMS = {
    .answerer = WIRE_FROM_CLIENT, .wait_us = 3000000, .oldest_us = OJIN_PING_TIMEOUT_US};

void rule_pong_ending(struct rule_set *rules, enum rule rule, uint64_t now_us)
{
    pong_wait_ending(&rules->pong, &TERMS, now_us, &rules->book, rule);
}

void rule_pong(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    if (!rules->over)
        pong_wait_event(&rules->pong, &TERMS, seen->event, &rules->book, rule);
}
