/* What has to do with time cannot be told on a machine that is late itself. */
#include "conformance/judge/judge_parts.h"

/* How late the machine may be for it: each rule and check leaves room for that at the least. UINT64_MAX: it
 * has nothing to do with time. */
static uint64_t lateness_max_us(const struct rule_class *rules, const struct requirement *requirement)
{
    switch (rules->timing(requirement->id)) {
    case REQUIREMENT_TIMED:
        return JUDGE_LATENESS_MAX_US;
    case REQUIREMENT_TIMED_BY_SECONDS:
        return JUDGE_FROZEN_US;
    case REQUIREMENT_UNTIMED:
        break;
    }
    return UINT64_MAX;
}

bool judge_is_timed(const struct rule_class *rules, const struct requirement *requirement)
{
    return lateness_max_us(rules, requirement) != UINT64_MAX;
}

bool judge_timing_is_open(const struct judge_input *input, const struct requirement *requirement)
{
    return input->lateness_us > lateness_max_us(input->script->class->family->rules, requirement);
}

bool judge_timeout_is_open(const struct judge_input *input)
{
    return input->end == CLIENT_TIMED_OUT && input->lateness_us > JUDGE_FROZEN_US;
}

void judge_say_lateness(const struct judge_input *input, struct check_result *result)
{
    if (result->verdict != VERDICT_INCONCLUSIVE)
        return;
    struct text actual = {
        .data = result->actual, .capacity = sizeof result->actual, .len = strlen(result->actual)};
    text_add(&actual, "; but the machine itself was ");
    text_add_u64(&actual, input->lateness_us / 1000);
    text_add(&actual, " ms late");
}

bool judge_was_inconclusive(const struct case_result *result)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].verdict == VERDICT_INCONCLUSIVE)
            return true;
    return false;
}
