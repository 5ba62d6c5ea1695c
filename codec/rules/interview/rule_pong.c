/* IV-CON-05: a ping is answered with its data, or that of a newer one. RFC 6455 5.5.2, 5.5.3. */
#include "codec/rules/interview/rule_set.h"

static const struct pong_terms TERMS = {
    .answerer = WIRE_FROM_CLIENT, .wait_us = 3000000, .oldest_us = 10000000};

void interview_rule_pong_ending(struct rule_set *rules, enum interview_rule rule, uint64_t now_us)
{
    pong_wait_ending(&rules->pong, &TERMS, now_us, &rules->book, rule);
}

void interview_rule_pong(struct rule_set *rules, enum interview_rule rule, const struct interview_seen *seen)
{
    pong_wait_event(&rules->pong, &TERMS, seen->event, &rules->book, rule);
}
