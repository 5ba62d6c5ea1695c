/* OJ-SRV-18: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/ojin/server_rule_set.h"

static const struct pong_terms TERMS = {
    .answerer = WIRE_FROM_SERVER, .wait_us = 5000000, .oldest_us = OJIN_PING_TIMEOUT_US};

void server_rule_pong_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    pong_wait_ending(&rules->pong, &TERMS, now_us, &rules->book, rule);
}

void server_rule_pong(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    if (!rules->session.over)
        pong_wait_event(&rules->pong, &TERMS, seen->event, &rules->book, rule);
}
