/* How a rule says what it found. */
#include "codec/rules/duplex/rule_set.h"

void duplex_kept(struct rule_set *rules, enum duplex_rule rule)
{
    if (rules->applies[rule])
        finding_book_kept(&rules->book, rule);
}

void duplex_finding_end(struct rule_set *rules, enum duplex_rule rule, struct finding_draft *draft,
                        uint64_t at_us)
{
    if (rules->applies[rule])
        finding_book_end(&rules->book, rule, draft, at_us, false);
}

void duplex_broken(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, const char *expected,
                   const char *actual)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, actual);
    duplex_finding_end(rules, rule, &draft, at_us);
}

void duplex_broken_by_fault(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us,
                            const char *expected, const struct json_fault *fault)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected);
    json_fault_write(&draft.actual, fault);
    duplex_finding_end(rules, rule, &draft, at_us);
}

void duplex_remark(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, const char *expected,
                   const struct json_fault *fault)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected);
    json_fault_write(&draft.actual, fault);
    if (rules->applies[rule])
        finding_book_end(&rules->book, rule, &draft, at_us, true);
}
