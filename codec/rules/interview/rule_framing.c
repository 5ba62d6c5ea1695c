/* IV-CON-06: frames are masked and well-formed. RFC 6455 5.1. */
#include "codec/rules/interview/rule_set.h"

void interview_rule_framing(struct rule_set *rules, enum interview_rule rule,
                            const struct interview_seen *seen)
{
    framing_event(&rules->framing, seen->event, &rules->book, rule);
}
