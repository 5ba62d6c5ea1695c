/* Which cases are run again alone on a late machine, where there are more than are. */
#include <check.h>
#include <stdlib.h>

#include "conformance/runner/rounds.h"

enum { CASES = 30, ALONE_MAX = 20, LATE_US = 150000, OTHER = CASES - 1 };

struct pool_state {
    unsigned runs[CASES];
    const struct worker_slot *slots;
};

/* All are late. The last case leaves another requirement open than all before it. */
bool pool_run(const struct worker_job *jobs, size_t count, unsigned at_a_time,
              const volatile sig_atomic_t *interrupted, pool_progress *progress, void *context)
{
    struct pool_state *state = context;
    (void)at_a_time;
    (void)interrupted;
    (void)progress;
    for (size_t i = 0; i < count; i++) {
        const size_t n = (size_t)(jobs[i].slot - state->slots);
        const enum verdict verdict = n == OTHER ? VERDICT_INCONCLUSIVE : VERDICT_FAIL;
        struct run_case *run_case = &jobs[i].slot->run_case;
        state->runs[n]++;
        jobs[i].slot->finished = true;
        run_case->lateness_us = LATE_US;
        run_case->result = (struct case_result){.verdict = verdict, .check_count = 1};
        run_case->result.checks[0] = (struct check_result){
            .requirement = &REQUIREMENTS[n == OTHER ? 1 : 0], .verdict = verdict, .scope = SCOPE_CHECK};
    }
    return true;
}

START_TEST(each_requirement_has_a_case_that_is_run_again)
{
    struct worker_slot *slots = calloc(CASES, sizeof *slots);
    struct worker_job *jobs = calloc(CASES, sizeof *jobs);
    ck_assert(slots != NULL && jobs != NULL);
    const struct run_options options = {.repeat = 1, .jobs = CASES};
    struct pool_state state = {.slots = slots};
    const volatile sig_atomic_t interrupted = 0;
    for (size_t i = 0; i < CASES; i++)
        jobs[i] = (struct worker_job){.options = &options, .attempt = 1, .slot = &slots[i]};
    ck_assert(rounds_run(&options, jobs, CASES, &interrupted, NULL, &state));
    ck_assert_uint_eq(state.runs[OTHER], 2);
    for (size_t i = 0; i < OTHER; i++) /* and the others in their order */
        ck_assert_uint_eq(state.runs[i], i < ALONE_MAX - 1 ? 2 : 1);
    free(slots);
    free(jobs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rounds_alone");
    TCase *cases = tcase_create("rounds_alone");
    tcase_add_test(cases, each_requirement_has_a_case_that_is_run_again);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
