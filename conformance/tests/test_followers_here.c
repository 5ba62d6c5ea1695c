/* What follows from another requirement because of what the same session, or another one, shows. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/judge/verdict.h"
#include "conformance/report/causes.h"
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

/* OJ-ERR-06 is broken in the first session; a check of another one found that OJ-IN-06 is. */
static const struct {
    const char *name;
    enum verdict by_rule; /* of OJ-IN-06, in the first */
    bool follows;
} KEPT_HERE[] = {
    {"its rule had nothing to say", VERDICT_NOT_REACHED, true},
    {"its rule cannot tell", VERDICT_INCONCLUSIVE, true},
    {"its rule saw it kept", VERDICT_PASS, false},
};

START_TEST(what_a_rule_saw_kept_here_is_no_cause_here)
{
    struct run *run = run_of_nothing(2);
    check_set(run, 0, "stays", "OJ-ERR-06", VERDICT_FAIL, SCOPE_CHECK, "it left");
    check_set(run, 0, "wire", "OJ-IN-06", KEPT_HERE[_i].by_rule, SCOPE_RUN, "17124 samples");
    check_set(run, 1, "whole", "OJ-IN-06", VERDICT_FAIL, SCOPE_CHECK, "22 samples more");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    const struct check_result *stays = &run->cases[0].result.checks[0];
    ck_assert_msg(stays->verdict == (KEPT_HERE[_i].follows ? VERDICT_NOT_REACHED : VERDICT_FAIL), "%s",
                  KEPT_HERE[_i].name);
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

/* A client dies of an errorResponse: of each (OJ-ERR-01), or of one that lacks a member (OJ-ERR-02). */
static const struct {
    const char *name;
    const char *code, *members; /* what was raised in the case about a code, and in that about members */
    enum verdict given;         /* of the case in which all members are given */
    bool binding;               /* … and it would fail a run */
    const char *told;           /* the requirement that stays broken; NULL: both */
} MEMBERS[] = {
    {"one place", "KeyError at x.py:3 in f", "KeyError at x.py:3 in f", VERDICT_PASS, true, "OJ-ERR-02"},
    {"one place, another class", "KeyError at x.py:3 in f", "TypeError at x.py:3 in f", VERDICT_PASS, true,
     "OJ-ERR-02"},
    {"no place", "", "", VERDICT_PASS, true, "OJ-ERR-02"},
    {"two places", "KeyError at x.py:3 in f", "KeyError at x.py:4 in f", VERDICT_PASS, true, NULL},
    {"it dies of each", "KeyError at x.py:3 in f", "KeyError at x.py:3 in f", VERDICT_FAIL, true,
     "OJ-ERR-01"},
    {"what it survives is only asked for", "KeyError at x.py:3 in f", "KeyError at x.py:3 in f", VERDICT_PASS,
     false, "OJ-ERR-01"},
};

START_TEST(what_a_member_that_is_missing_crashes_is_told_under_that)
{
    struct run *run = run_of_nothing(3);
    const struct check_result *code = &run->cases[0].result.checks[0];
    const struct check_result *members = &run->cases[1].result.checks[0];
    check_set(run, 0, "reports", "OJ-ERR-01", VERDICT_FAIL, SCOPE_CHECK, "CRASH");
    check_set(run, 1, "reports", "OJ-ERR-02", VERDICT_FAIL, SCOPE_CHECK, "CRASH");
    check_set(run, 2, "reports", "OJ-ERR-02", MEMBERS[_i].given, SCOPE_CHECK, "given");
    run->cases[2].result.checks[0].binding = MEMBERS[_i].binding;
    for (size_t i = 0; i < 3; i++) {
        struct case_result *result = &run->cases[i].result;
        result->checks[0].by_crash = result->checks[0].verdict == VERDICT_FAIL;
        result->end = result->checks[0].by_crash ? CLIENT_CRASHED : CLIENT_ENDED;
        copy(result->raised, sizeof result->raised, i == 0 ? MEMBERS[_i].code : MEMBERS[_i].members);
        case_take_worst(result, VERDICT_PASS);
    }
    run_tell_followers(&run->result);
    const bool both = MEMBERS[_i].told == NULL;
    const bool by_code = !both && strcmp(MEMBERS[_i].told, "OJ-ERR-01") == 0;
    ck_assert_msg((code->verdict == VERDICT_FAIL) == (both || by_code), "%s", MEMBERS[_i].name);
    ck_assert_msg((members->verdict == VERDICT_FAIL) == (both || !by_code), "%s", MEMBERS[_i].name);
    free(run);
}
END_TEST

/* A client hangs after a message: in one case that is a breach, in the other it only hangs. */
static const struct {
    const char *name;
    const char *here, *elsewhere; /* the message that it hung after */
    enum verdict breach;
    bool follows;
} HANGS[] = {
    {"after the same message", "cancelInteraction", "cancelInteraction", VERDICT_FAIL, true},
    {"after another", "endInteraction", "cancelInteraction", VERDICT_FAIL, false},
    {"it had sent nothing", "", "", VERDICT_FAIL, false},
    {"the breach fails nobody", "cancelInteraction", "cancelInteraction", VERDICT_DISPUTED, false},
};

START_TEST(a_hang_follows_from_the_breach_of_what_hung_after_the_same_message)
{
    struct run *run = run_of_nothing(2);
    const struct check_result *hang = &run->cases[0].result.checks[0];
    check_set(run, 0, "timeout", "OJ-CAN-03", VERDICT_NOT_REACHED, SCOPE_CASE, "TIMEOUT");
    check_set(run, 0, "not-mixed", "OJ-CAN-03", VERDICT_NOT_REACHED, SCOPE_CHECK, "no final frame");
    check_set(run, 1, "speaks-again", "OJ-CAN-04", HANGS[_i].breach, SCOPE_CHECK, "0 samples");
    check_set(run, 1, "timeout", "OJ-CAN-04", VERDICT_NOT_REACHED, SCOPE_CASE, "TIMEOUT");
    run->cases[1].result.checks[0].by_hang = true;
    for (size_t i = 0; i < 2; i++) {
        struct case_result *result = &run->cases[i].result;
        result->end = CLIENT_TIMED_OUT;
        result->end_binding = i == 0;
        copy(result->hung_after, sizeof result->hung_after, i == 0 ? HANGS[_i].here : HANGS[_i].elsewhere);
        case_take_worst(result, i == 0 ? VERDICT_NOT_REACHED : VERDICT_PASS);
    }
    run_tell_followers(&run->result);
    struct causes causes;
    causes_init(&run->result, &causes);
    ck_assert_msg(case_fails(&run->cases[0].result) != HANGS[_i].follows, "%s", HANGS[_i].name);
    for (size_t i = 0; i < 2; i++)
        ck_assert_ptr_eq(hang[i].cause, HANGS[_i].follows ? requirement_by_id("OJ-CAN-04") : NULL);
    ck_assert_uint_eq(causes.count, HANGS[_i].follows ? 1 : 2);
    causes_free(&causes);
    free(run);
}
END_TEST

/* A MUST hangs on an act that never came; in another case that it never came is a breach. */
static const struct {
    const char *name;
    const char *words; /* of the breach */
    enum verdict breach;
    enum client_end end; /* of the session in which the MUST was not reached */
    bool follows;
} ABSENCES[] = {
    {"the same act", "no append that interrupts came", VERDICT_FAIL, CLIENT_ENDED, true},
    {"another act", "no session.close came", VERDICT_FAIL, CLIENT_ENDED, false},
    {"the breach fails nobody", "no append that interrupts came", VERDICT_WARN, CLIENT_ENDED, false},
    {"it crashed before", "no append that interrupts came", VERDICT_FAIL, CLIENT_CRASHED, false},
};

START_TEST(what_hangs_on_an_act_that_is_a_breach_elsewhere_follows_from_that)
{
    struct run *run = run_of_nothing(2);
    const struct check_result *stops = &run->cases[0].result.checks[0];
    struct causes causes;
    check_set(run, 0, "stops", "DX-OUT-04", VERDICT_NOT_REACHED, SCOPE_CHECK,
              "no append that interrupts came");
    check_set(run, 1, "tells", "DX-OUT-07", ABSENCES[_i].breach, SCOPE_CHECK, ABSENCES[_i].words);
    run->cases[0].result.end = ABSENCES[_i].end;
    for (size_t i = 0; i < 2; i++) {
        run->cases[i].result.checks[0].lacking = true;
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    }
    run_tell_followers(&run->result);
    causes_init(&run->result, &causes);
    ck_assert_ptr_eq(stops->cause, ABSENCES[_i].follows ? requirement_by_id("DX-OUT-07") : NULL);
    ck_assert_msg(case_fails(&run->cases[0].result) != ABSENCES[_i].follows, "%s", ABSENCES[_i].name);
    ck_assert_uint_eq(causes.count, ABSENCES[_i].follows ? 1 : 2);
    causes_free(&causes);
    free(run);
}
END_TEST

/* The mock acts on a wrong cancel (OJ-CAN-01), which follows from the same fault in endInteraction. */
START_TEST(what_follows_from_what_follows_is_of_the_first_cause)
{
    struct run *run = run_of_nothing(2);
    struct causes causes;
    check_set(run, 0, "wire", "OJ-CAN-01", VERDICT_FAIL, SCOPE_RUN, "a fraction");
    check_set(run, 0, "settles", "OJ-BUF-01", VERDICT_NOT_REACHED, SCOPE_CHECK, "no frame came");
    run->cases[0].result.checks[1].cause = run->cases[0].result.answered = requirement_by_id("OJ-CAN-01");
    run->cases[0].result.checks[1].excused = true;
    check_set(run, 1, "wire", "OJ-END-01", VERDICT_FAIL, SCOPE_RUN, "a fraction");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 1);
    ck_assert_str_eq(causes.list[0].requirements[0]->id, "OJ-END-01");
    ck_assert_uint_eq(causes.list[0].blocked_count, 2);
    causes_free(&causes);
    free(run);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("followers_here");
    TCase *here = tcase_create("here");
    tcase_add_loop_test(here, where_it_goes_both_ways_other_sessions_say_which, 0,
                        (int)(sizeof BOTH_WAYS / sizeof BOTH_WAYS[0]));
    tcase_add_loop_test(here, what_a_rule_saw_kept_here_is_no_cause_here, 0,
                        sizeof KEPT_HERE / sizeof KEPT_HERE[0]);
    tcase_add_loop_test(here, what_was_not_reached_follows_in_the_session_of_the_breach_alone, 0,
                        (int)(sizeof UNREACHED / sizeof UNREACHED[0]));
    tcase_add_loop_test(here, what_a_member_that_is_missing_crashes_is_told_under_that, 0,
                        (int)(sizeof MEMBERS / sizeof MEMBERS[0]));
    tcase_add_loop_test(here, a_hang_follows_from_the_breach_of_what_hung_after_the_same_message, 0,
                        (int)(sizeof HANGS / sizeof HANGS[0]));
    tcase_add_loop_test(here, what_hangs_on_an_act_that_is_a_breach_elsewhere_follows_from_that, 0,
                        (int)(sizeof ABSENCES / sizeof ABSENCES[0]));
    tcase_add_test(here, what_follows_from_what_follows_is_of_the_first_cause);
    suite_add_tcase(suite, here);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
