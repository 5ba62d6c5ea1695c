/* How a rule about a server says what it found. */
#include "codec/rules/duplex/server_rule_set.h"

void duplex_server_kept(struct server_rule_set *rules, enum duplex_server_rule rule)
{
    if (rules->applies[rule])
        finding_book_kept(&rules->book, rule);
}

void duplex_server_finding_end(struct server_rule_set *rules, enum duplex_server_rule rule,
                               struct finding_draft *draft, uint64_t at_us)
{
    if (rules->applies[rule])
        finding_book_end(&rules->book, rule, draft, at_us, false);
}

void duplex_server_broken(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t at_us,
                          const char *expected, const char *actual)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, actual);
    duplex_server_finding_end(rules, rule, &draft, at_us);
}

void duplex_server_broken_number(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t at_us,
                                 const char *expected, const char *actual, uint64_t number, const char *unit)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, actual);
    text_add_u64(&draft.actual, number);
    text_add(&draft.actual, unit);
    duplex_server_finding_end(rules, rule, &draft, at_us);
}
