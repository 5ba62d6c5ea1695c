/* How a rule says what it found. */
#include "codec/rules/duplex/rule_set.h"

void duplex_kept(struct rule_set *rules, enum duplex_rule rule)
{
    finding_book_kept(&rules->book, rule);
}

void duplex_finding_end(struct rule_set *rules, enum duplex_rule rule, struct finding_draft *draft,
                        uint64_t at_us)
{
    finding_book_end(&rules->book, rule, draft, at_us, false);
}

void duplex_broken(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, const char *expected,
                   const char *actual)
{
    finding_book_broken(&rules->book, rule, at_us, expected, actual);
}

void duplex_broken_by_fault(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us,
                            const char *expected, const struct json_fault *fault)
{
    finding_book_broken_by_fault(&rules->book, rule, at_us, expected, fault);
}

void duplex_remark(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, const char *expected,
                   const struct json_fault *fault)
{
    finding_book_remark_on_fault(&rules->book, rule, at_us, expected, fault);
}
