/* What the rules of codec/rules come to, before anything is said of it. */
#include "conformance/judge/judge_parts.h"

bool judge_rule_covers(const struct judge_input *input, const struct requirement *requirement)
{
    const struct rule_class *rules = judge_rules_of(input);
    return rule_of_requirement(rules, requirement->id) < rules->count;
}

bool judge_rule_is_broken(const struct judge_input *input, const struct requirement *requirement)
{
    const struct rule_class *rules = judge_rules_of(input);
    const size_t n = rule_of_requirement(rules, requirement->id);
    return n < rules->count && input->rule_verdicts[n] == RULE_BROKEN;
}

/* The hardest to excuse of its findings tells. */
static uint64_t excuse_us(const struct journal *journal, const char *id)
{
    uint64_t most_us = 0;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_FINDING && !entry->finding.note && entry->finding.excuse_us > most_us &&
            strcmp(entry->finding.requirement, id) == 0)
            most_us = entry->finding.excuse_us;
    }
    return most_us;
}

enum verdict judge_verdict_of_rule(const struct judge_input *input, const struct requirement *requirement)
{
    if (judge_timing_is_open(input, requirement, excuse_us(input->journal, requirement->id), 0))
        return VERDICT_INCONCLUSIVE;
    return judge_verdict_of_clause(input, requirement);
}

bool judge_broke_a_rule(const struct judge_input *input)
{
    for (size_t n = 0; n < judge_rules_of(input)->count; n++) {
        const struct requirement *requirement = requirement_by_id(judge_rules_of(input)->requirement(n));
        if (input->rule_verdicts[n] != RULE_BROKEN)
            continue;
        enum verdict verdict = judge_verdict_of_rule(input, requirement);
        if (verdict == VERDICT_FAIL || verdict == VERDICT_DISPUTED)
            return true;
    }
    return false;
}
