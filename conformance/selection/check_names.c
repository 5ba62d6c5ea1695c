#include "conformance/selection/check_names.h"

#include "codec/rules/requirements.h"
#include "conformance/judge/judge.h"
#include "conformance/selection/name_pattern.h"
#include "conformance/selection/selection.h"

/* Any rule of the family may be broken in any case of it. */
static bool fits_requirement(const struct family *family, const char *pattern)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        const struct requirement *requirement = &REQUIREMENTS[i];
        if (requirement->party == REQUIREMENT_CLIENT && family_has_requirement(family, requirement->id) &&
            name_pattern_matches(pattern, requirement->id))
            return true;
    }
    return false;
}

static bool fits_check(const struct case_script *script, const char *pattern)
{
    for (size_t i = 0; i < script->check_count; i++)
        if (name_pattern_matches(pattern, script->checks[i].name))
            return true;
    return fits_requirement(script->class->family, pattern);
}

bool check_name_fits(const struct case_set *set, const char *cases, const char *pattern)
{
    for (size_t i = 0; JUDGE_OWN_CHECKS[i] != NULL; i++)
        if (name_pattern_matches(pattern, JUDGE_OWN_CHECKS[i]))
            return true;
    for (size_t i = 0; i < set->count; i++)
        if (case_name_matches(set->scripts[i]->name, cases) && fits_check(set->scripts[i], pattern))
            return true;
    return false;
}
