/* How a rule about a server says what it found. */
#include "codec/rules/duplex/server_rule_set.h"

void duplex_server_kept(struct server_rule_set *rules, enum duplex_server_rule rule)
{
    finding_book_kept(&rules->book, rule);
}

void duplex_server_finding_end(struct server_rule_set *rules, enum duplex_server_rule rule,
                               struct finding_draft *draft, uint64_t at_us)
{
    finding_book_end(&rules->book, rule, draft, at_us, false);
}

void duplex_server_broken(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t at_us,
                          const char *expected, const char *actual)
{
    finding_book_broken(&rules->book, rule, at_us, expected, actual);
}

void duplex_server_broken_number(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t at_us,
                                 const char *expected, const char *actual, uint64_t number, const char *unit)
{
    finding_book_broken_number(&rules->book, rule, at_us, expected, actual, number, unit);
}
