/* What a case comes to that is run more than once: the pool hands out what each run is to say. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/runner/rounds.h"

enum { RUNS_MAX = 3, LATE_US = 150000, STOOD_STILL_US = JUDGE_FROZEN_US + 1 };

/* What one run of the case finds. */
struct run {
    enum verdict verdict;
    uint64_t lateness_us;
};

struct row {
    const char *name;
    struct run runs[RUNS_MAX];
    unsigned retries;
    enum verdict verdict; /* that stands */
    unsigned count;       /* of runs */
    const char *note;
};

static const struct row ROWS[] = {
    {"passes", {{VERDICT_PASS, 0}}, 0, VERDICT_PASS, 1, ""},
    {"passes on a late machine", {{VERDICT_PASS, LATE_US}}, 0, VERDICT_PASS, 1, ""},
    {"fails", {{VERDICT_FAIL, 0}}, 0, VERDICT_FAIL, 1, ""},
    {"fails on a late machine and passes alone",
     {{VERDICT_FAIL, LATE_US}, {VERDICT_PASS, 0}},
     0,
     VERDICT_FLAKY,
     2,
     "passed when it was run again alone"},
    {"is not reached on a late machine and passes alone",
     {{VERDICT_NOT_REACHED, LATE_US}, {VERDICT_PASS, 0}},
     0,
     VERDICT_FLAKY,
     2,
     "passed when it was run again alone"},
    {"warns on a late machine and passes alone",
     {{VERDICT_WARN, LATE_US}, {VERDICT_PASS, 0}},
     0,
     VERDICT_FLAKY,
     2,
     "passed when it was run again alone"},
    {"fails on a machine that stood still and passes alone",
     {{VERDICT_FAIL, STOOD_STILL_US}, {VERDICT_PASS, 0}},
     0,
     VERDICT_PASS,
     2,
     "run again alone"},
    {"fails on a machine that stood still and alone",
     {{VERDICT_NOT_REACHED, STOOD_STILL_US}, {VERDICT_FAIL, 0}},
     0,
     VERDICT_FAIL,
     2,
     "run again alone"},
    {"fails on a late machine and alone",
     {{VERDICT_FAIL, LATE_US}, {VERDICT_FAIL, 0}},
     0,
     VERDICT_FAIL,
     2,
     "run again alone"},
    {"fails on a late machine and is open alone",
     {{VERDICT_FAIL, LATE_US}, {VERDICT_INCONCLUSIVE, LATE_US}},
     0,
     VERDICT_FAIL,
     2,
     ""},
    {"is open and passes alone",
     {{VERDICT_INCONCLUSIVE, LATE_US}, {VERDICT_PASS, 0}},
     0,
     VERDICT_PASS,
     2,
     "run again alone"},
    {"is open and fails alone",
     {{VERDICT_INCONCLUSIVE, LATE_US}, {VERDICT_FAIL, 0}},
     0,
     VERDICT_FAIL,
     2,
     "run again alone"},
    {"fails and passes in the next try",
     {{VERDICT_FAIL, 0}, {VERDICT_PASS, 0}},
     1,
     VERDICT_FLAKY,
     2,
     "passed in try 2"},
};

/* What the pool is to say, and how often it was asked. */
struct pool_state {
    const struct row *row;
    unsigned ran;
};

/* ---- --repeat ---- */

/* Each run breaks another requirement; one says it was our own fault. */
struct repeated {
    size_t requirement[2]; /* row of REQUIREMENTS, by run */
    enum verdict verdict[2];
    size_t count; /* of checks that stand */
    enum verdict stands;
    const char *other; /* what the second check says */
};

static const struct repeated REPEATED[] = {
    {{0, 1}, {VERDICT_FAIL, VERDICT_FAIL}, 2, VERDICT_FAIL, "in another run: broken"},
    {{0, 1}, {VERDICT_WARN, VERDICT_FAIL}, 2, VERDICT_FAIL, "in another run: broken"},
    {{0, 0}, {VERDICT_FAIL, VERDICT_WARN}, 1, VERDICT_FAIL, NULL},
    {{0, 1}, {VERDICT_FAIL, VERDICT_PASS}, 1, VERDICT_FAIL, NULL},
    {{0, 1}, {VERDICT_FAIL, VERDICT_ERROR}, 1, VERDICT_ERROR, NULL},
};

struct repeat_state {
    const struct repeated *row;
    unsigned ran;
    unsigned ends_after; /* the run after this many is interrupted; 0: none is */
};

static void repeat_progress(void *context, size_t done, size_t count, const struct worker_slot *slot)
{
    (void)context;
    (void)done;
    (void)count;
    (void)slot;
}

static void repeated_run(struct repeat_state *state, struct worker_slot *slot)
{
    const unsigned n = state->ran++;
    struct case_result *result = &slot->run_case.result;
    slot->finished = true;
    *result = (struct case_result){.verdict = state->row->verdict[n], .check_count = 1};
    result->checks[0] = (struct check_result){.name = "wire",
                                              .requirement = &REQUIREMENTS[state->row->requirement[n]],
                                              .verdict = state->row->verdict[n],
                                              .actual = "broken"};
}

bool pool_run(const struct worker_job *jobs, size_t count, unsigned at_a_time,
              const volatile sig_atomic_t *interrupted, pool_progress *progress, void *context)
{
    struct pool_state *state = context;
    (void)at_a_time;
    (void)interrupted;
    if (progress != NULL) { /* only told of by the test of repeated runs */
        const struct repeat_state *repeat = context;
        if (repeat->ends_after > 0 && repeat->ran == repeat->ends_after)
            return false;
        repeated_run(context, jobs[0].slot);
        return true;
    }
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_lt(state->ran, RUNS_MAX);
    const struct run *run = &state->row->runs[state->ran++];
    struct run_case *run_case = &jobs[0].slot->run_case;
    jobs[0].slot->finished = true;
    run_case->lateness_us = run->lateness_us;
    run_case->result.verdict = run->verdict;
    run_case->result.check_count = 1;
    run_case->result.checks[0].requirement = &REQUIREMENTS[0];
    run_case->result.checks[0].verdict = run->verdict;
    return true;
}

START_TEST(a_case_that_passes_later_is_no_pass)
{
    const struct row *row = &ROWS[_i];
    struct pool_state state = {.row = row};
    struct worker_slot *slot = calloc(1, sizeof *slot);
    ck_assert_ptr_nonnull(slot);
    const struct run_options options = {.repeat = 1, .retries = row->retries, .jobs = 1};
    struct worker_job job = {.options = &options, .attempt = 1, .slot = slot};
    const volatile sig_atomic_t interrupted = 0;
    ck_assert(rounds_run(&options, &job, 1, &interrupted, NULL, &state));
    const struct case_result *result = &slot->run_case.result;
    ck_assert_msg(result->verdict == row->verdict, "%s: verdict %d", row->name, (int)result->verdict);
    ck_assert_msg(result->checks[0].verdict == row->verdict, "%s: the check", row->name);
    ck_assert_msg(state.ran == row->count, "%s: %u runs", row->name, state.ran);
    ck_assert_msg(strstr(result->note, row->note) != NULL, "%s: note '%s'", row->name, result->note);
    free(slot);
}
END_TEST

START_TEST(what_was_started_by_hand_is_not_run_again_unasked)
{
    static const struct row LATE = {.name = "late",
                                    .runs = {{VERDICT_NOT_REACHED, LATE_US}, {VERDICT_PASS, 0}}};
    struct pool_state state = {.row = &LATE};
    struct worker_slot *slot = calloc(1, sizeof *slot);
    ck_assert_ptr_nonnull(slot);
    const struct run_options options = {.repeat = 1, .jobs = 1, .attach = true};
    struct worker_job job = {.options = &options, .attempt = 1, .slot = slot};
    const volatile sig_atomic_t interrupted = 0;
    ck_assert(rounds_run(&options, &job, 1, &interrupted, NULL, &state));
    ck_assert_uint_eq(state.ran, 1);
    ck_assert_int_eq((int)slot->run_case.result.verdict, (int)VERDICT_NOT_REACHED);
    free(slot);
}
END_TEST

START_TEST(what_one_of_several_runs_found_stands)
{
    const struct repeated *row = &REPEATED[_i];
    struct repeat_state state = {.row = row};
    struct worker_slot *slot = calloc(1, sizeof *slot);
    ck_assert_ptr_nonnull(slot);
    const struct run_options options = {.repeat = 2, .jobs = 1};
    struct worker_job job = {.options = &options, .attempt = 1, .slot = slot};
    const volatile sig_atomic_t interrupted = 0;
    ck_assert(rounds_run(&options, &job, 1, &interrupted, repeat_progress, &state));
    const struct case_result *result = &slot->run_case.result;
    ck_assert_uint_eq(state.ran, 2);
    ck_assert_int_eq((int)result->verdict, (int)row->stands);
    ck_assert_uint_eq(result->check_count, row->count);
    if (row->other != NULL)
        ck_assert_str_eq(result->checks[1].actual, row->other);
    free(slot);
}
END_TEST

START_TEST(what_the_runs_before_an_interruption_found_stands)
{
    const struct repeated *row = &REPEATED[_i];
    struct repeat_state state = {.row = row, .ends_after = 1};
    struct worker_slot *slot = calloc(1, sizeof *slot);
    ck_assert_ptr_nonnull(slot);
    const struct run_options options = {.repeat = 2, .jobs = 1};
    struct worker_job job = {.options = &options, .attempt = 1, .slot = slot};
    const volatile sig_atomic_t interrupted = 0;
    ck_assert(!rounds_run(&options, &job, 1, &interrupted, repeat_progress, &state));
    ck_assert_uint_eq(state.ran, 1);
    ck_assert(slot->finished);
    ck_assert_int_eq((int)slot->run_case.result.verdict, (int)row->verdict[0]);
    free(slot);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rounds");
    TCase *cases = tcase_create("rounds");
    tcase_add_loop_test(cases, a_case_that_passes_later_is_no_pass, 0, sizeof ROWS / sizeof ROWS[0]);
    tcase_add_test(cases, what_was_started_by_hand_is_not_run_again_unasked);
    tcase_add_loop_test(cases, what_one_of_several_runs_found_stands, 0,
                        sizeof REPEATED / sizeof REPEATED[0]);
    tcase_add_loop_test(cases, what_the_runs_before_an_interruption_found_stands, 0,
                        sizeof REPEATED / sizeof REPEATED[0]);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
