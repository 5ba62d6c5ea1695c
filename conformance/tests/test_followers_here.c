/* What follows from another requirement because of what the same session, or another one, shows. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/judge/verdict.h"
#include "conformance/report/followers.h"
#include "conformance/tests/run_of_checks.h"

/* OJ-CON-06 and OJ-CON-12, both broken in a session about the second. */
static const struct {
    const char *name;
    enum verdict elsewhere; /* of OJ-CON-06, in a session … */
    bool about;             /* … that is about OJ-CON-12, too */
    const char *follows, *from;
} BOTH_WAYS[] = {
    {"it waits elsewhere", VERDICT_PASS, false, "OJ-CON-06", "OJ-CON-12"},
    {"it waits nowhere", VERDICT_FAIL, false, "OJ-CON-12", "OJ-CON-06"},
    {"it waits in no session about both", VERDICT_FAIL, true, "OJ-CON-06", "OJ-CON-12"},
    {"elsewhere it is tolerated", VERDICT_XFAIL, false, "OJ-CON-06", "OJ-CON-12"},
};

START_TEST(where_it_goes_both_ways_other_sessions_say_which)
{
    struct run *run = run_of_nothing(2);
    check_set(run, 0, "waits", "OJ-CON-12", VERDICT_FAIL, SCOPE_CHECK, "audio came");
    check_set(run, 0, "wire", "OJ-CON-06", VERDICT_FAIL, SCOPE_RUN, "audio came");
    check_set(run, 1, "wire", "OJ-CON-06", BOTH_WAYS[_i].elsewhere, SCOPE_RUN, "audio came");
    if (BOTH_WAYS[_i].about)
        check_set(run, 1, "waits", "OJ-CON-12", VERDICT_FAIL, SCOPE_CHECK, "audio came");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    for (size_t i = 0; i < run->cases[0].result.check_count; i++) {
        const struct check_result *check = &run->cases[0].result.checks[i];
        const bool follows = strcmp(check->requirement->id, BOTH_WAYS[_i].follows) == 0;
        ck_assert_msg(check->verdict == (follows ? VERDICT_NOT_REACHED : VERDICT_FAIL), "%s: %s",
                      BOTH_WAYS[_i].name, check->requirement->id);
        if (follows)
            ck_assert_str_eq(check->cause->id, BOTH_WAYS[_i].from);
    }
    free(run);
}
END_TEST

/* OJ-BUF-02 was not reached; it follows from OJ-IN-09. */
static const struct {
    const char *name;
    enum verdict breach;
    bool here;
    bool follows;
} UNREACHED[] = {
    {"the cause is broken here", VERDICT_FAIL, true, true},
    {"the cause is broken elsewhere", VERDICT_FAIL, false, false},
    {"the cause fails nobody", VERDICT_WARN, true, false},
    {"the cause is kept", VERDICT_PASS, true, false},
};

START_TEST(what_was_not_reached_follows_in_the_session_of_the_breach_alone)
{
    struct run *run = run_of_nothing(2);
    struct check_result *check = &run->cases[0].result.checks[0];
    check_set(run, 0, "skips", "OJ-BUF-02", VERDICT_NOT_REACHED, SCOPE_CHECK, "none was played");
    check->binding = true;
    check_set(run, UNREACHED[_i].here ? 0 : 1, "wire", "OJ-IN-09", UNREACHED[_i].breach, SCOPE_RUN, "3200");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    ck_assert_int_eq(check->verdict, VERDICT_NOT_REACHED);
    ck_assert_msg(check->excused == UNREACHED[_i].follows, "%s", UNREACHED[_i].name);
    free(run);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("followers_here");
    TCase *here = tcase_create("here");
    tcase_add_loop_test(here, where_it_goes_both_ways_other_sessions_say_which, 0,
                        (int)(sizeof BOTH_WAYS / sizeof BOTH_WAYS[0]));
    tcase_add_loop_test(here, what_was_not_reached_follows_in_the_session_of_the_breach_alone, 0,
                        (int)(sizeof UNREACHED / sizeof UNREACHED[0]));
    suite_add_tcase(suite, here);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
