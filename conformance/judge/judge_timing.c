/* What has to do with time cannot be told on a machine that is late itself. */
#include "conformance/judge/judge_parts.h"

/* Rules whose finding is a time between two things that came. */
static const char *const TIMING_REQUIREMENTS[] = {"OJ-IN-08", "OJ-CON-07"};

bool judge_timing_is_open(const struct judge_input *input, const struct requirement *requirement)
{
    if (input->lateness_us <= JUDGE_LATENESS_MAX_US)
        return false;
    for (size_t i = 0; i < sizeof TIMING_REQUIREMENTS / sizeof TIMING_REQUIREMENTS[0]; i++)
        if (strcmp(TIMING_REQUIREMENTS[i], requirement->id) == 0)
            return true;
    return false;
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
