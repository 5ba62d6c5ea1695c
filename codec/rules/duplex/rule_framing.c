/* DX-CON-07: frames are masked and well-formed. RFC 6455 5.1. */
#include "codec/rules/duplex/rule_set.h"

void duplex_rule_framing(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    framing_event(&rules->framing, seen->event, &rules->book, rule);
}
