/* What has to do with time cannot be told on a machine that is late itself. */
#include "conformance/judge/judge_parts.h"

/* Those whose rule or check holds two times against each other: of what came, or against a wait of the
 * script's; and how late the machine may be for it. Each check leaves room for that at the least. */
static const struct {
    const char *id;
    uint64_t lateness_max_us;
} TIMED[] = {
    {"OJ-CON-07", JUDGE_FROZEN_US},       /* a pong within 3 s */
    {"OJ-CON-08", JUDGE_FROZEN_US},       /* a ping after 30 s, and the end 10 s after it */
    {"OJ-CON-10", JUDGE_FROZEN_US},       /* an end before the limit */
    {"OJ-IN-08", JUDGE_LATENESS_MAX_US},  /* seven messages within 950 ms */
    {"OJ-IN-10", JUDGE_FROZEN_US},        /* a second of speech within 3 s */
    {"OJ-BUF-02", JUDGE_FROZEN_US},       /* what is played of a burst, at the client's pace */
    {"OJ-BUF-03", JUDGE_LATENESS_MAX_US}, /* played along, or held back for 400 ms */
    {"OJ-BUF-04", JUDGE_LATENESS_MAX_US}, /* heard and seen by clocks that may part */
    {"OJ-BUF-05", JUDGE_LATENESS_MAX_US}, /* played on for 240 ms */
    {"OJ-BUF-06", JUDGE_LATENESS_MAX_US}, /* as BUF-04 */
    {"OJ-BUF-07", JUDGE_LATENESS_MAX_US}, /* as BUF-04 */
    {"OJ-BUF-09", JUDGE_FROZEN_US},       /* as BUF-02 */
    {"OJ-END-03", JUDGE_FROZEN_US},       /* an end before the limit */
    {"OJ-ERR-07", JUDGE_LATENESS_MAX_US}, /* few messages for 700 ms */
    {"OJ-ERR-08", JUDGE_LATENESS_MAX_US}, /* delays that grow */
    {"OJ-ERR-10", JUDGE_FROZEN_US},       /* an end before the limit */
    {"OJ-FLD-02", JUDGE_LATENESS_MAX_US}, /* an attempt not before 1.9 s, and then one */
    {"OJ-FLD-04", JUDGE_FROZEN_US},       /* a report within 14 s */
    {"OJ-FLD-08", JUDGE_LATENESS_MAX_US}, /* as BUF-04 */
};

/* UINT64_MAX: it has nothing to do with time. */
static uint64_t lateness_max_us(const struct requirement *requirement)
{
    for (size_t i = 0; i < sizeof TIMED / sizeof TIMED[0]; i++)
        if (strcmp(TIMED[i].id, requirement->id) == 0)
            return TIMED[i].lateness_max_us;
    return UINT64_MAX;
}

bool judge_is_timed(const struct requirement *requirement)
{
    return lateness_max_us(requirement) != UINT64_MAX;
}

bool judge_timing_is_open(const struct judge_input *input, const struct requirement *requirement)
{
    return input->lateness_us > lateness_max_us(requirement);
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
