/* What has to do with time cannot be told on a machine that is late itself. */
#include "conformance/judge/judge_parts.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool judge_is_timed(const struct rule_class *rules, const struct requirement *requirement)
{
    return rule_timing(rules, requirement->id) != REQUIREMENT_UNTIMED;
}

/* Each rule and check leaves room for this much lateness at least. Half of what explains a finding will do:
 * who has to wait for a core is late by what it does between two waits as well. */
bool judge_timing_is_open(const struct judge_input *input, const struct requirement *requirement,
                          uint64_t excuse_us, uint64_t had_us)
{
    const enum requirement_timing timing = rule_timing(input->script->class->family->rules, requirement->id);
    if (timing == REQUIREMENT_UNTIMED)
        return false;
    if (timing == REQUIREMENT_TIMED && excuse_us != CHECK_NEVER)
        return later(input->lateness_us, input->waited_us) > later(JUDGE_LATENESS_MAX_US, excuse_us / 2);
    return judge_is_excused(input, excuse_us, had_us);
}

bool judge_margin_is_open(const struct judge_input *input, uint64_t margin_us)
{
    return later(input->lateness_us, input->waited_us) > margin_us / 2;
}

bool judge_mock_was_late(const struct judge_input *input, const struct journal_entry *breach)
{
    return breach != NULL && breach->finding.waited && judge_stood_still(input);
}

bool judge_timeout_is_open(const struct judge_input *input)
{
    return input->end == CLIENT_TIMED_OUT && judge_stood_still(input);
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
    if (input->waited_long_us == 0)
        return;
    text_add(&actual, ", and the two sides waited ");
    text_add_u64(&actual, input->waited_us / 1000);
    text_add(&actual, " ms for a core within a second, ");
    text_add_u64(&actual, input->waited_long_us / 1000);
    text_add(&actual, " ms within ten");
}

bool judge_was_inconclusive(const struct case_result *result)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].verdict == VERDICT_INCONCLUSIVE)
            return true;
    return false;
}
