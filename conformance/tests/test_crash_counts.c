/* What a case counts for in which nobody can say the rest: the client crashed, or our own side failed. */
#include "codec/ojin/profile.h"
#include "codec/tests/suite.h"
#include "conformance/report/causes.h"
#include "conformance/tests/hand_made.h"

#define OPEN "<upgrade >ready "

static const struct check_result *result_of(const struct case_result *result, const char *name,
                                            const char *id)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (strcmp(result->checks[i].name, name) == 0 && strcmp(result->checks[i].requirement->id, id) == 0)
            return &result->checks[i];
    ck_abort_msg("no result %s of %s", name, id);
}

static const struct {
    enum check_expect expect;
    uint64_t max;
    const char *until;
    enum client_end end;
    enum verdict verdict;
} HELD[] = {
    {CHECK_SOME, UINT64_MAX, NULL, CLIENT_CRASHED, VERDICT_PASS}, /* what was there was there */
    {CHECK_COUNT, UINT64_MAX, NULL, CLIENT_CRASHED, VERDICT_PASS},
    {CHECK_COUNT, 2, NULL, CLIENT_CRASHED, VERDICT_NOT_REACHED}, /* a third may have been to come */
    {CHECK_COUNT, 2, NULL, CLIENT_ENDED, VERDICT_PASS},
    {CHECK_COUNT, 2, "mark:enough", CLIENT_CRASHED, VERDICT_PASS}, /* it was all there */
    {CHECK_COUNT, 2, "mark:later", CLIENT_CRASHED, VERDICT_NOT_REACHED},
    {CHECK_BYTES, 1000, NULL, CLIENT_CRASHED, VERDICT_NOT_REACHED},
    {CHECK_BYTES, 1000, NULL, CLIENT_ENDED, VERDICT_PASS},
};

START_TEST(what_held_until_a_crash_counts_where_more_could_not_break_it)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "<audio=5 <audio=5 +enough <end", "");
    hand_made_check(&made, HELD[_i].expect, "MUST", "received:audio", NULL, NULL, HELD[_i].until);
    made.check.max = HELD[_i].max;
    made.input.end = HELD[_i].end;
    judge_case(&made.input, &result);
    const struct check_result *check = result_of(&result, "the-check", "OJ-OUT-01");
    ck_assert_str_eq(verdict_name(check->verdict), verdict_name(HELD[_i].verdict));
    ck_assert((strstr(check->actual, "too early to tell") != NULL) ==
              (HELD[_i].verdict == VERDICT_NOT_REACHED));
    hand_made_free(&made);
}
END_TEST

START_TEST(a_rule_that_a_case_is_about_is_not_kept_by_a_crash)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-IN-05", OPEN "=OJ-IN-05 =OJ-IN-01 <end", "");
    made.input.end = CLIENT_CRASHED;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result_of(&result, "wire", "OJ-IN-05")->verdict, VERDICT_NOT_REACHED);
    ck_assert_int_eq(result_of(&result, "wire", "OJ-IN-05")->scope, SCOPE_CHECK);
    ck_assert_int_eq(result_of(&result, "wire", "OJ-IN-01")->verdict, VERDICT_PASS); /* one of the run */
    made.input.end = CLIENT_ENDED;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result_of(&result, "wire", "OJ-IN-05")->verdict, VERDICT_PASS);
    hand_made_free(&made);
}
END_TEST

/* Of a case with two clauses, of which the check is about the second. */
static const struct {
    const char *name;
    enum client_end end;
    bool bad_observation, own_error;
    enum verdict first, second; /* of the first clause, and of the check */
} UNTOLD[] = {
    {"a crash and an observation cut off by it", CLIENT_CRASHED, true, false, VERDICT_FAIL,
     VERDICT_NOT_REACHED},
    {"a wrong observation", CLIENT_ENDED, true, false, VERDICT_ERROR, VERDICT_NOT_REACHED},
    {"a failure of our own", CLIENT_ENDED, false, true, VERDICT_ERROR, VERDICT_NOT_REACHED},
    {"a client that cannot be started", CLIENT_NOT_STARTED, false, false, VERDICT_ERROR, VERDICT_NOT_REACHED},
};

START_TEST(a_case_that_cannot_be_told_takes_no_check_out_of_the_count)
{
    struct hand_made made, good;
    const struct profile *const profile = &OJIN_PROFILES[0].base;
    struct run_case *cases = calloc(2, sizeof *cases);
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    ck_assert(cases != NULL && rows != NULL);
    hand_made_init(&good, "OJ-OUT-03", OPEN "<audio=5", "");
    hand_made_check(&good, CHECK_SOME, "MUST", "received:audio", NULL, NULL, NULL);
    hand_made_init(&made, "OJ-OUT-08", OPEN "<audio=5 <end", "");
    hand_made_check(&made, CHECK_SOME, "MUST", "received:audio", NULL, NULL, NULL);
    made.script.clause_count = 2;
    made.script.clauses[1] = good.script.clauses[0];
    made.check.clause = good.script.clauses[0].requirement;
    made.input.end = UNTOLD[_i].end;
    if (UNTOLD[_i].bad_observation)
        memcpy(made.input.bad_observation, "in line 3: no", sizeof "in line 3: no");
    if (UNTOLD[_i].own_error)
        memcpy(made.input.own_error, "no port", sizeof "no port");
    judge_case(&good.input, &cases[0].result);
    judge_case(&made.input, &cases[1].result);
    for (size_t i = 0; i < 2; i++) {
        cases[i].script = i == 0 ? &good.script : &made.script;
        cases[i].profile = profile;
        cases[i].ran = true;
    }
    const struct run_result run = {.transport = "memory",
                                   .tier = TIER_OBSERVE,
                                   .case_count = 2,
                                   .cases = cases,
                                   .profile_count = 1,
                                   .profiles = &profile};
    ck_assert_msg(result_of(&cases[1].result, "the-check", "OJ-OUT-03")->verdict == UNTOLD[_i].second, "%s",
                  UNTOLD[_i].name);
    run_requirements(&run, rows);
    const struct requirement_result *row = &rows[good.script.clauses[0].requirement - REQUIREMENTS];
    ck_assert_msg(row->verdict == VERDICT_PARTIAL, "%s: %s", UNTOLD[_i].name, requirement_word(row));
    ck_assert_uint_eq(row->judged_count, 1);
    ck_assert_uint_eq(row->check_count, 2);
    ck_assert_int_eq(rows[made.script.clauses[0].requirement - REQUIREMENTS].verdict, UNTOLD[_i].first);
    struct causes causes;
    causes_init(&run, &causes);
    ck_assert_msg(causes.count == 1, "%s: %zu causes", UNTOLD[_i].name, causes.count);
    ck_assert_uint_eq(causes.list[0].blocked_count, 1);
    causes_free(&causes);
    free(rows);
    free(cases);
    hand_made_free(&good);
    hand_made_free(&made);
}
END_TEST

START_TEST(a_hang_over_an_answer_to_a_breach_counts_as_not_judged)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-08", OPEN "#5=serve !OJ-IN-07 >error=FRAME_SIZE_EXCEEDED", "");
    made.input.end = CLIENT_TIMED_OUT;
    judge_case(&made.input, &result);
    const struct check_result *hang = result_of(&result, "timeout", "OJ-OUT-08");
    ck_assert_int_eq(hang->verdict, VERDICT_NOT_REACHED);
    ck_assert_str_eq(hang->cause->id, "OJ-IN-07");
    ck_assert_int_eq(hang->scope, SCOPE_CHECK); /* coming through is all that it asks for */
    hand_made_free(&made);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, what_held_until_a_crash_counts_where_more_could_not_break_it, 0,
                        TABLE_COUNT(HELD));
    tcase_add_test(cases, a_rule_that_a_case_is_about_is_not_kept_by_a_crash);
    tcase_add_loop_test(cases, a_case_that_cannot_be_told_takes_no_check_out_of_the_count, 0,
                        TABLE_COUNT(UNTOLD));
    tcase_add_test(cases, a_hang_over_an_answer_to_a_breach_counts_as_not_judged);
    return suite_run("crash counts", cases);
}
