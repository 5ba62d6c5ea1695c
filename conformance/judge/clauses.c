/* What a case is about, how much it asks for, and how a breach of it weighs. */
#include "conformance/judge/judge_parts.h"

const struct requirement *judge_first_clause(const struct case_script *script)
{
    return script->clause_count > 0 ? script->clauses[0].requirement : NULL;
}

const struct requirement *judge_check_clause(const struct case_script *script,
                                             const struct script_check *check)
{
    return check->clause != NULL ? check->clause : judge_first_clause(script);
}

bool judge_check_covers(const struct case_script *script, const struct requirement *requirement)
{
    for (size_t i = 0; i < script->check_count; i++)
        if (judge_check_clause(script, &script->checks[i]) == requirement)
            return true;
    return false;
}

bool judge_clause_is_named(const struct case_script *script, const struct requirement *requirement)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement == requirement)
            return true;
    return false;
}

/* A clause of the script may ask for less than the requirement does, never for more. */
enum weight judge_weight_of(const struct case_script *script, const struct requirement *requirement)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement == requirement)
            return weight_of_word(script->clauses[i].level);
    return weight_of_requirement(requirement);
}

enum verdict judge_verdict_of_breach(const struct judge_input *input, enum weight asked,
                                     const struct requirement *requirement)
{
    return verdict_when_broken(asked, requirement, input->profile, input->inferred, input->strict);
}

enum verdict judge_verdict_of_clause(const struct judge_input *input, const struct requirement *requirement)
{
    return judge_verdict_of_breach(input, judge_weight_of(input->script, requirement), requirement);
}
