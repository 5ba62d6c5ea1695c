/* How a rule about a server says what it found. */
#include "codec/rules/ojin/server_rule_set.h"

void server_kept(struct server_rule_set *rules, enum server_rule rule)
{
    finding_book_kept(&rules->book, rule);
}

void server_finding_end(struct server_rule_set *rules, enum server_rule rule, struct finding_draft *draft,
                        uint64_t at_us)
{
    finding_book_end(&rules->book, rule, draft, at_us, false);
}

void server_broken(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us, const char *expected,
                   const char *actual)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, actual);
    server_finding_end(rules, rule, &draft, at_us);
}
