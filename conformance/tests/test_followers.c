/* Which breaches are told under others, and which what was not reached follows from. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/judge/verdict.h"
#include "conformance/report/causes.h"
#include "conformance/report/exit_status.h"
#include "conformance/report/followers.h"
#include "conformance/tests/run_of_checks.h"

/* OJ-OUT-13 and OJ-BUF-06 follow from OJ-BUF-01, OJ-IN-06 from OJ-CON-06. */
static const struct {
    const char *name;
    const char *from, *by;        /* a requirement, and what finds a breach of it */
    enum verdict here, elsewhere; /* of that, in the case of the breach and in another; ERROR: not judged */
    const char *what;
    const char *check;
    enum verdict before, after;
    int exit; /* of the run: the same, before and after */
} FOLLOWING[] = {
    {"the cause is kept", "OJ-BUF-01", "the-check", VERDICT_PASS, VERDICT_PASS, "OJ-OUT-13", "shows",
     VERDICT_FAIL, VERDICT_FAIL, 1},
    {"the cause is not judged", "OJ-BUF-01", "the-check", VERDICT_ERROR, VERDICT_ERROR, "OJ-OUT-13", "shows",
     VERDICT_FAIL, VERDICT_FAIL, 1},
    {"another requirement is broken", "OJ-BUF-02", "the-check", VERDICT_FAIL, VERDICT_FAIL, "OJ-OUT-13",
     "shows", VERDICT_FAIL, VERDICT_FAIL, 1},
    {"a check, the cause broken here", "OJ-BUF-01", "the-check", VERDICT_FAIL, VERDICT_ERROR, "OJ-OUT-13",
     "shows", VERDICT_FAIL, VERDICT_NOT_REACHED, 1},
    {"a check, the cause broken elsewhere", "OJ-BUF-01", "the-check", VERDICT_ERROR, VERDICT_FAIL,
     "OJ-OUT-13", "shows", VERDICT_FAIL, VERDICT_NOT_REACHED, 1},
    {"a check, the cause kept here", "OJ-BUF-01", "the-check", VERDICT_PASS, VERDICT_FAIL, "OJ-OUT-13",
     "shows", VERDICT_FAIL, VERDICT_NOT_REACHED, 1},
    {"a rule, the cause broken here", "OJ-CON-06", "the-check", VERDICT_FAIL, VERDICT_ERROR, "OJ-IN-06",
     "wire", VERDICT_DISPUTED, VERDICT_NOT_REACHED, 1},
    {"a rule, the cause broken elsewhere", "OJ-CON-06", "the-check", VERDICT_ERROR, VERDICT_FAIL, "OJ-IN-06",
     "wire", VERDICT_DISPUTED, VERDICT_DISPUTED, 1},
    {"the cause fails nobody", "OJ-BUF-01", "the-check", VERDICT_WARN, VERDICT_WARN, "OJ-OUT-13", "shows",
     VERDICT_FAIL, VERDICT_FAIL, 1},
    {"neither fails anybody", "OJ-CAN-02", "the-check", VERDICT_DISPUTED, VERDICT_ERROR, "OJ-CAN-06", "whole",
     VERDICT_WARN, VERDICT_NOT_REACHED, 0},
    {"a check, a rule found the cause here", "OJ-IN-12", "wire", VERDICT_FAIL, VERDICT_ERROR, "OJ-IN-06",
     "whole", VERDICT_DISPUTED, VERDICT_NOT_REACHED, 1},
    {"a rule, the same act found elsewhere", "DX-CON-02", "wire", VERDICT_PASS, VERDICT_FAIL, "DX-CON-04",
     "wire", VERDICT_FAIL, VERDICT_NOT_REACHED, 1},
    {"a check, a rule found the cause elsewhere", "OJ-IN-12", "wire", VERDICT_ERROR, VERDICT_FAIL, "OJ-IN-06",
     "whole", VERDICT_DISPUTED, VERDICT_DISPUTED, 1},
    {"a later try passed", "OJ-BUF-01", "the-check", VERDICT_ERROR, VERDICT_FAIL, "OJ-OUT-13", "shows",
     VERDICT_FLAKY, VERDICT_NOT_REACHED, 1},
    {"a later try passed, the cause fails nobody", "OJ-BUF-01", "the-check", VERDICT_ERROR, VERDICT_DISPUTED,
     "OJ-OUT-13", "shows", VERDICT_FLAKY, VERDICT_FLAKY, 0},
    {"a later try passed, as of the cause", "OJ-BUF-01", "the-check", VERDICT_ERROR, VERDICT_FLAKY,
     "OJ-OUT-13", "shows", VERDICT_FLAKY, VERDICT_FLAKY, 0},
};

START_TEST(a_breach_that_follows_from_another_is_told_under_that)
{
    struct run *run = run_of_nothing(2);
    const struct check_result *breach = &run->cases[0].result.checks[0];
    check_set(run, 0, FOLLOWING[_i].check, FOLLOWING[_i].what, FOLLOWING[_i].before, SCOPE_CHECK, "missing");
    if (FOLLOWING[_i].here != VERDICT_ERROR)
        check_set(run, 0, FOLLOWING[_i].by, FOLLOWING[_i].from, FOLLOWING[_i].here, SCOPE_RUN, "lost");
    if (FOLLOWING[_i].elsewhere != VERDICT_ERROR)
        check_set(run, 1, FOLLOWING[_i].by, FOLLOWING[_i].from, FOLLOWING[_i].elsewhere, SCOPE_CHECK, "lost");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    ck_assert_int_eq(run_exit_code(&run->result), FOLLOWING[_i].exit);
    run_tell_followers(&run->result);
    ck_assert_int_eq(run_exit_code(&run->result), FOLLOWING[_i].exit);
    ck_assert_msg(breach->verdict == FOLLOWING[_i].after, "%s: %s", FOLLOWING[_i].name,
                  verdict_name(breach->verdict));
    if (breach->verdict == VERDICT_NOT_REACHED) {
        ck_assert_str_eq(breach->cause->id, FOLLOWING[_i].from);
        ck_assert(!case_fails(&run->cases[0].result) || FOLLOWING[_i].here == VERDICT_FAIL);
        ck_assert_ptr_nonnull(strstr(breach->actual, FOLLOWING[_i].from));
    }
    free(run);
}
END_TEST

/* OJ-ERR-06 follows from OJ-ERR-09. */
static const struct {
    const char *name;
    bool cause_by_crash, here; /* … in the same session; else in the other */
    bool by_crash;
    bool follows;
} CRASHES[] = {
    {"no crash, elsewhere", false, false, false, true},
    {"a crash explains another session's crash", true, false, true, true},
    {"a crash explains no other session's breach", true, false, false, false},
    {"what is no crash explains no other session's", false, false, true, false},
    {"a crash, and what else its session lacks", true, true, false, true},
};

START_TEST(a_crash_explains_only_crashes_of_other_sessions)
{
    struct run *run = run_of_nothing(2);
    const size_t other = CRASHES[_i].here ? 0 : 1;
    struct check_result *breach = &run->cases[0].result.checks[0];
    check_set(run, 0, "goes-on", "OJ-ERR-06", VERDICT_WARN, SCOPE_CHECK, "missing");
    breach->by_crash = CRASHES[_i].by_crash;
    check_set(run, other, "stays", "OJ-ERR-09", VERDICT_WARN, SCOPE_CHECK, "lost");
    run->cases[other].result.checks[run->cases[other].result.check_count - 1].by_crash =
        CRASHES[_i].cause_by_crash;
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    ck_assert_msg(breach->verdict == (CRASHES[_i].follows ? VERDICT_NOT_REACHED : VERDICT_WARN), "%s: %s",
                  CRASHES[_i].name, verdict_name(breach->verdict));
    free(run);
}
END_TEST

/* A MUST that was not reached, in one case; a breach in that and in another. */
static const struct {
    const char *name;
    bool awaits_mock;
    const char *from, *by; /* a requirement, and what finds a breach of it; NULL: nothing is broken */
    enum verdict breach;
    bool here; /* … in the same session; else in the other */
    bool excused;
} STOPPING[] = {
    {"nothing is broken", true, NULL, NULL, VERDICT_PASS, true, false},
    {"a SHOULD in that session", true, "DX-APP-03", "wire", VERDICT_WARN, true, true},
    {"of what the client should have done", false, "DX-APP-03", "wire", VERDICT_WARN, true, false},
    {"a rule in another session", true, "DX-APP-03", "wire", VERDICT_WARN, false, false},
    {"a check in another session", true, "OJ-IN-10", "prompt", VERDICT_WARN, false, true},
    {"a disputed one", true, "OJ-END-02", "waits", VERDICT_DISPUTED, false, true},
    {"one that a baseline knows", true, "OJ-END-02", "waits", VERDICT_XFAIL, false, false},
    {"one that keeps nothing from coming", true, "OJ-CON-08", "wire", VERDICT_WARN, true, false},
};

/* A MUST that the client had not done when it left. */
static const struct {
    const char *name;
    bool lacking;
    const char *from, *by;
    bool here;
    enum verdict before;
    bool excused;
} LEAVING[] = {
    {"it left at a message", true, "DX-OUT-05", "wire", true, VERDICT_FAIL, true},
    {"... before what the check hangs on", true, "DX-OUT-05", "wire", true, VERDICT_NOT_REACHED, true},
    {"it did what it must not", false, "DX-OUT-05", "wire", true, VERDICT_FAIL, false},
    {"it left in another session", true, "DX-OUT-05", "wire", false, VERDICT_FAIL, false},
    {"a check found it elsewhere", true, "DX-OUT-05", "heard", false, VERDICT_FAIL, false},
    {"it stayed", true, "DX-APP-03", "wire", true, VERDICT_FAIL, false},
};

START_TEST(what_it_had_not_done_when_it_left_by_a_should_fails_nobody)
{
    struct run *run = run_of_nothing(2);
    const struct check_result *check = &run->cases[0].result.checks[0];
    check_set(run, 0, "tells", "DX-OUT-07", LEAVING[_i].before, SCOPE_CHECK, "no append that interrupts");
    run->cases[0].result.checks[0].lacking = LEAVING[_i].lacking;
    check_set(run, LEAVING[_i].here ? 0 : 1, LEAVING[_i].by, LEAVING[_i].from, VERDICT_WARN, SCOPE_RUN,
              "left");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    ck_assert_msg((check->cause != NULL) == LEAVING[_i].excused, "%s: %s", LEAVING[_i].name,
                  verdict_name(check->verdict));
    ck_assert_int_eq(check->verdict, LEAVING[_i].excused ? VERDICT_NOT_REACHED : LEAVING[_i].before);
    ck_assert_int_eq(run_exit_code(&run->result), LEAVING[_i].excused ? 0 : 1);
    free(run);
}
END_TEST

/* A client for which no session begins: what follows from the requirement that it breaks by a check. */
static const struct {
    const char *name, *what, *by;
    enum verdict before;
    bool mute, unbegun;
    const char *from, *from_by;
    bool follows;
} NEVER_BEGAN[] = {
    {"it tells no error that stood in a text", "OJ-ERR-01", "reports", VERDICT_FAIL, true, false, "OJ-CON-12",
     "reads-text", true},
    {"it sends no silence", "OJ-RDY-04", "wire", VERDICT_FAIL, true, true, "OJ-CON-12", "reads-text", true},
    {"a rule about messages has none to judge", "OJ-IN-01", "wire", VERDICT_NOT_REACHED, true, true,
     "OJ-CON-12", "reads-text", true},
    {"it never ends", "OJ-CLS-02", "timeout", VERDICT_FAIL, true, true, "OJ-CON-12", "reads-text", true},
    {"it crashes", "OJ-CLS-02", "crash", VERDICT_FAIL, true, true, "OJ-CON-12", "reads-text", false},
    {"what it did before the session", "OJ-CON-02", "wire", VERDICT_FAIL, true, true, "OJ-CON-12",
     "reads-text", false},
    {"it speaks in that session", "OJ-ERR-01", "reports", VERDICT_FAIL, false, false, "OJ-CON-12",
     "reads-text", false},
    {"it breaks something else", "OJ-ERR-01", "reports", VERDICT_FAIL, true, true, "OJ-CON-10", "wire",
     false},
    {"it takes no sessionReady", "OJ-RDY-03", "accepts", VERDICT_FAIL, true, true, "OJ-RDY-02", "accepts",
     true},
    {"... and an error comes in its place", "OJ-ERR-01", "reports", VERDICT_FAIL, true, false, "OJ-RDY-02",
     "accepts", false},
    {"it does not hear that it is its turn", "DX-CON-04", "update", VERDICT_FAIL, true, false, "DX-CON-03",
     "update", true},
    {"... and hangs", "DX-CLS-02", "timeout", VERDICT_FAIL, true, false, "DX-CON-03", "update", true},
    {"... but where something came before it", "DX-ERR-01", "reports", VERDICT_FAIL, false, false,
     "DX-CON-03", "update", false},
    {"of two that say so, the first", "OJ-RDY-01", "accepts", VERDICT_FAIL, true, true, "OJ-RDY-02",
     "accepts", true},
};

START_TEST(what_a_session_that_never_began_lacks_follows_from_that)
{
    struct run *run = run_of_nothing(2);
    const struct check_result *check = &run->cases[0].result.checks[0];
    const bool hang = strcmp(NEVER_BEGAN[_i].by, "timeout") == 0;
    check_set(run, 0, NEVER_BEGAN[_i].by, NEVER_BEGAN[_i].what, NEVER_BEGAN[_i].before,
              hang ? SCOPE_CASE : SCOPE_CHECK, "nothing came");
    run->cases[0].result.mute = NEVER_BEGAN[_i].mute;
    run->cases[0].result.unbegun = NEVER_BEGAN[_i].unbegun;
    check_set(run, 1, NEVER_BEGAN[_i].from_by, NEVER_BEGAN[_i].from, VERDICT_FAIL, SCOPE_CHECK, "broken");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    ck_assert_msg((check->cause != NULL) == NEVER_BEGAN[_i].follows, "%s: %s", NEVER_BEGAN[_i].name,
                  verdict_name(check->verdict));
    if (NEVER_BEGAN[_i].follows) {
        ck_assert_str_eq(check->cause->id, NEVER_BEGAN[_i].from);
        ck_assert_int_eq(check->verdict, VERDICT_NOT_REACHED);
    } else {
        ck_assert_int_eq(check->verdict, NEVER_BEGAN[_i].before);
    }
    ck_assert_int_eq(run_exit_code(&run->result), 1); /* for the breach itself */
    free(run);
}
END_TEST

/* A MUST that a client breaks which is behind, by a check; OJ-BUF-03 is a SHOULD about its pace. */
static const struct {
    const char *name, *what;
    enum verdict before;
    bool behind;
    enum verdict pace; /* in another session */
    enum verdict after;
} BEHIND[] = {
    {"it had not come to it", "OJ-BUF-01", VERDICT_FAIL, true, VERDICT_WARN, VERDICT_NOT_REACHED},
    {"it had not come to the end", "OJ-OUT-16", VERDICT_FAIL, true, VERDICT_WARN, VERDICT_NOT_REACHED},
    {"it had come to what stands behind it", "OJ-BUF-01", VERDICT_FAIL, false, VERDICT_WARN, VERDICT_FAIL},
    {"its pace is right", "OJ-BUF-01", VERDICT_FAIL, true, VERDICT_PASS, VERDICT_FAIL},
    {"its pace cannot be told", "OJ-BUF-01", VERDICT_FAIL, true, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE},
    {"nor that of one that had come further", "OJ-BUF-01", VERDICT_FAIL, false, VERDICT_INCONCLUSIVE,
     VERDICT_FAIL},
    {"what has nothing to do with its pace", "OJ-CON-10", VERDICT_FAIL, true, VERDICT_WARN, VERDICT_FAIL},
    {"nor where that cannot be told", "OJ-CON-10", VERDICT_FAIL, true, VERDICT_INCONCLUSIVE, VERDICT_FAIL},
    {"it had not played what it hangs on", "OJ-BUF-02", VERDICT_NOT_REACHED, true, VERDICT_WARN,
     VERDICT_NOT_REACHED},
    {"... on a machine that was late", "OJ-BUF-02", VERDICT_NOT_REACHED, true, VERDICT_INCONCLUSIVE,
     VERDICT_INCONCLUSIVE},
    {"what it hangs on is nothing that is played", "OJ-BUF-02", VERDICT_NOT_REACHED, false, VERDICT_WARN,
     VERDICT_NOT_REACHED},
};

START_TEST(who_is_behind_has_dropped_nothing)
{
    struct run *run = run_of_nothing(2);
    const struct check_result *check = &run->cases[0].result.checks[0];
    check_set(run, 0, "none-dropped", BEHIND[_i].what, BEHIND[_i].before, SCOPE_CHECK,
              "frame 30 was not played");
    run->cases[0].result.checks[0].behind = BEHIND[_i].behind;
    check_set(run, 1, "plays-along", "OJ-BUF-03", BEHIND[_i].pace, SCOPE_CHECK, "8 frames a second");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    ck_assert_int_eq(run_exit_code(&run->result), 1);
    run_tell_followers(&run->result);
    const bool excused = BEHIND[_i].after == VERDICT_NOT_REACHED && BEHIND[_i].behind;
    const bool told = BEHIND[_i].after != VERDICT_INCONCLUSIVE; /* else nothing was judged */
    ck_assert_msg((check->cause != NULL) == excused, "%s", BEHIND[_i].name);
    ck_assert_str_eq(verdict_name(check->verdict), verdict_name(BEHIND[_i].after));
    ck_assert_msg(run_exit_code(&run->result) == (excused ? 0 : told ? 1 : 3), "%s", BEHIND[_i].name);
    free(run);
}
END_TEST

/* What may follow from what an earlier case could not tell, as the machine was late. */
static const struct {
    const char *name;
    const char *what, *by;
    enum verdict before;
    bool awaits_mock, lacking; /* of that */
    const char *from, *from_by;
    bool here, binding; /* of the cause: in the same session, and a breach of it is a FAIL */
    enum verdict after;
} PERHAPS[] = {
    {"a check, by a check elsewhere", "OJ-OUT-13", "shows", VERDICT_FAIL, false, false, "OJ-BUF-01", "burst",
     false, true, VERDICT_INCONCLUSIVE},
    {"a check, by one here", "OJ-OUT-13", "shows", VERDICT_FAIL, false, false, "OJ-BUF-01", "burst", true,
     true, VERDICT_INCONCLUSIVE},
    {"what weighs less", "OJ-OUT-20", "shows", VERDICT_WARN, false, false, "OJ-BUF-01", "burst", false, false,
     VERDICT_INCONCLUSIVE},
    {"what weighs more", "OJ-OUT-13", "shows", VERDICT_FAIL, false, false, "OJ-BUF-01", "burst", false, false,
     VERDICT_FAIL},
    {"a rule, by what cannot be told here", "OJ-ERR-07", "wire", VERDICT_FAIL, false, false, "OJ-IN-08",
     "wire", true, true, VERDICT_INCONCLUSIVE},
    {"a rule, by what cannot be told elsewhere", "OJ-ERR-07", "wire", VERDICT_FAIL, false, false, "OJ-IN-08",
     "wire", false, true, VERDICT_FAIL},
    {"a rule, one act with that", "DX-CON-04", "wire", VERDICT_FAIL, false, false, "DX-CON-02", "wire", false,
     true, VERDICT_INCONCLUSIVE},
    {"what follows from something else", "OJ-OUT-13", "shows", VERDICT_FAIL, false, false, "OJ-BUF-02",
     "burst", false, true, VERDICT_FAIL},
    {"what never came from the mock", "DX-OUT-03", "over", VERDICT_NOT_REACHED, true, false, "DX-APP-03",
     "wire", true, false, VERDICT_INCONCLUSIVE},
    {"... in another session", "DX-OUT-03", "over", VERDICT_NOT_REACHED, true, false, "DX-APP-03", "wire",
     false, false, VERDICT_NOT_REACHED},
    {"what never came from the client", "DX-OUT-03", "over", VERDICT_NOT_REACHED, false, false, "DX-APP-03",
     "wire", true, false, VERDICT_NOT_REACHED},
    {"what it had not done, as it may have left", "DX-OUT-07", "tells", VERDICT_FAIL, false, true,
     "DX-OUT-05", "wire", true, false, VERDICT_INCONCLUSIVE},
    {"... in another session", "DX-OUT-07", "tells", VERDICT_FAIL, false, true, "DX-OUT-05", "wire", false,
     false, VERDICT_FAIL},
    {"a hang", "OJ-OUT-13", "timeout", VERDICT_FAIL, false, false, "OJ-BUF-01", "burst", false, true,
     VERDICT_FAIL},
};

START_TEST(what_may_follow_from_what_cannot_be_told_cannot_be_told)
{
    struct run *run = run_of_nothing(3);
    struct check_result *check = &run->cases[0].result.checks[0];
    const size_t other = PERHAPS[_i].here ? 0 : 1;
    check_set(run, 0, PERHAPS[_i].by, PERHAPS[_i].what, PERHAPS[_i].before, SCOPE_CHECK, "frame 7 was lost");
    check->awaits_mock = PERHAPS[_i].awaits_mock;
    check->lacking = PERHAPS[_i].lacking;
    check_set(run, other, PERHAPS[_i].from_by, PERHAPS[_i].from, VERDICT_INCONCLUSIVE, SCOPE_CHECK, "late");
    run->cases[other].result.checks[PERHAPS[_i].here ? 1 : 0].binding = PERHAPS[_i].binding;
    check_set(run, 2, "kept", "OJ-CON-01", VERDICT_PASS, SCOPE_CHECK, "kept");
    for (size_t i = 0; i < 3; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    ck_assert_msg(check->verdict == PERHAPS[_i].after, "%s: %s", PERHAPS[_i].name,
                  verdict_name(check->verdict));
    ck_assert_ptr_null(check->cause);
    char words[64];
    snprintf(words, sizeof words, "frame 7 was lost; that may follow from %s", PERHAPS[_i].from);
    ck_assert(check->verdict != VERDICT_INCONCLUSIVE || strncmp(check->actual, words, strlen(words)) == 0);
    const bool fails = PERHAPS[_i].after == VERDICT_FAIL || PERHAPS[_i].after == VERDICT_NOT_REACHED;
    ck_assert_msg(run_exit_code(&run->result) == (fails ? 1 : 0), "%s: %d", PERHAPS[_i].name,
                  run_exit_code(&run->result));
    free(run);
}
END_TEST

/* OJ-IN-06 follows from OJ-IN-09, and OJ-IN-10 from that. */
START_TEST(what_follows_from_what_may_follow_may_follow_too)
{
    struct run *run = run_of_nothing(1);
    const struct check_result *checks = run->cases[0].result.checks;
    check_set(run, 0, "wire", "OJ-IN-09", VERDICT_INCONCLUSIVE, SCOPE_CHECK, "late");
    check_set(run, 0, "wire", "OJ-IN-06", VERDICT_FAIL, SCOPE_CHECK, "lost");
    check_set(run, 0, "wire", "OJ-IN-10", VERDICT_WARN, SCOPE_CHECK, "slow");
    case_take_worst(&run->cases[0].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    ck_assert_str_eq(verdict_name(checks[1].verdict), "INCONCLUSIVE");
    ck_assert_str_eq(verdict_name(checks[2].verdict), "INCONCLUSIVE");
    ck_assert_str_eq(verdict_name(run->cases[0].result.verdict), "INCONCLUSIVE");
    free(run);
}
END_TEST

/* A client that had not ended when its time was over, in a case about a MUST. */
static const struct {
    const char *name;
    bool behind; /* it was still playing */
    enum verdict pace, after;
} OVERTIME[] = {
    {"it plays too slowly", true, VERDICT_WARN, VERDICT_NOT_REACHED},
    {"... which cannot be told", true, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE},
    {"its pace is right", true, VERDICT_PASS, VERDICT_FAIL},
    {"it hangs", false, VERDICT_WARN, VERDICT_FAIL},
};

START_TEST(who_still_plays_when_its_time_is_over_is_behind)
{
    struct run *run = run_of_nothing(2);
    struct case_result *result = &run->cases[0].result;
    check_set(run, 0, "timeout", "OJ-OUT-01", VERDICT_NOT_REACHED, SCOPE_CASE, "TIMEOUT: still running");
    result->checks[0].behind = OVERTIME[_i].behind;
    result->end = CLIENT_TIMED_OUT;
    check_set(run, 1, "plays-along", "OJ-BUF-03", OVERTIME[_i].pace, SCOPE_CHECK, "8 frames a second");
    check_set(run, 1, "kept", "OJ-CON-01", VERDICT_PASS, SCOPE_CHECK, "kept");
    case_take_worst(result, VERDICT_FAIL);
    case_take_worst(&run->cases[1].result, VERDICT_PASS);
    ck_assert_int_eq(run_exit_code(&run->result), 1);
    run_tell_followers(&run->result);
    ck_assert_str_eq(verdict_name(result->verdict), verdict_name(OVERTIME[_i].after));
    ck_assert_msg(case_fails(result) == (OVERTIME[_i].after == VERDICT_FAIL), "%s", OVERTIME[_i].name);
    ck_assert((result->checks[0].cause != NULL) == (OVERTIME[_i].after == VERDICT_NOT_REACHED));
    free(run);
}
END_TEST

START_TEST(what_a_breach_that_fails_nobody_keeps_from_coming_fails_nobody)
{
    struct run *run = run_of_nothing(2);
    const struct check_result *check = &run->cases[0].result.checks[0];
    check_set(run, 0, "over", "DX-OUT-03", VERDICT_NOT_REACHED, SCOPE_CHECK, "no delta came from the mock");
    run->cases[0].result.checks[0].awaits_mock = STOPPING[_i].awaits_mock;
    if (STOPPING[_i].from != NULL)
        check_set(run, STOPPING[_i].here ? 0 : 1, STOPPING[_i].by, STOPPING[_i].from, STOPPING[_i].breach,
                  STOPPING[_i].here ? SCOPE_RUN : SCOPE_CHECK, "so");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    ck_assert_int_eq(run_exit_code(&run->result), 1);
    run_tell_followers(&run->result);
    ck_assert_int_eq(check->verdict, VERDICT_NOT_REACHED);
    ck_assert_msg((check->cause != NULL) == STOPPING[_i].excused, "%s", STOPPING[_i].name);
    ck_assert_msg(run_exit_code(&run->result) == (STOPPING[_i].excused ? 0 : 1), "%s", STOPPING[_i].name);
    free(run);
}
END_TEST

/* One case, that was not reached and fails nobody. */
static const struct {
    enum verdict found; /* in its session; PASS: nothing */
    int exit;
} NOTHING_REACHED[] = {{VERDICT_PASS, 3}, {VERDICT_INFO, 3}, {VERDICT_WARN, 0}, {VERDICT_DISPUTED, 0}};

START_TEST(a_run_that_found_a_breach_has_judged_something)
{
    struct run *run = run_of_nothing(1);
    check_set(run, 0, "over", "DX-OUT-03", VERDICT_NOT_REACHED, SCOPE_CHECK, "no delta came from the mock");
    check_set(run, 0, "wire", "DX-APP-03", NOTHING_REACHED[_i].found, SCOPE_RUN, "so");
    run->cases[0].result.checks[0].binding = false;
    case_take_worst(&run->cases[0].result, VERDICT_PASS);
    ck_assert_int_eq(run_exit_code(&run->result), NOTHING_REACHED[_i].exit);
    free(run);
}
END_TEST

/* What the client broke, as a baseline or a frozen suite leaves it, and the mock acted on. */
static const struct {
    enum verdict cause;
    bool excused;
} TOLERATED[] = {{VERDICT_FAIL, true}, {VERDICT_DISPUTED, true}, {VERDICT_WARN, true}, {VERDICT_XFAIL, false},
                 {VERDICT_NEW, false}, {VERDICT_FLAKY, false},   {VERDICT_INFO, true}};

START_TEST(what_is_tolerated_excuses_nothing)
{
    struct run *run = run_of_nothing(2);
    struct check_result *check = &run->cases[0].result.checks[0];
    check_set(run, 0, "the-check", "OJ-OUT-01", VERDICT_NOT_REACHED, SCOPE_CHECK, "no ready message came");
    check_set(run, 0, "wire", "OJ-CON-02", TOLERATED[_i].cause, SCOPE_RUN, "Authorization is \"Bearer\"");
    check_set(run, 1, "the-check", "OJ-OUT-02", VERDICT_PASS, SCOPE_CHECK, "it came");
    check->cause = requirement_by_id("OJ-CON-02");
    check->excused = true;
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    ck_assert(check->excused == TOLERATED[_i].excused);
    ck_assert(case_fails(&run->cases[0].result) == !TOLERATED[_i].excused);
    const bool fails = !TOLERATED[_i].excused || TOLERATED[_i].cause == VERDICT_FAIL;
    ck_assert_int_eq(run_exit_code(&run->result), fails ? 1 : 0);
    free(run);
}
END_TEST

/* How the client ended, and what that says of its case by itself. */
static const struct {
    enum client_end end;
    enum verdict alone, after;
} ENDS[] = {{CLIENT_ENDED, VERDICT_PASS, VERDICT_NOT_REACHED},
            {CLIENT_TIMED_OUT, VERDICT_WARN, VERDICT_WARN},
            {CLIENT_TIMED_OUT, VERDICT_FAIL, VERDICT_FAIL},
            {CLIENT_CRASHED, VERDICT_FAIL, VERDICT_FAIL}};

START_TEST(a_case_that_ended_badly_fails_by_that_and_not_by_what_follows)
{
    struct run *run = run_of_nothing(2);
    struct case_result *result = &run->cases[0].result;
    check_set(run, 0, "shows", "OJ-OUT-13", VERDICT_FAIL, SCOPE_CHECK, "frame 7 was lost");
    check_set(run, 1, "none-dropped", "OJ-BUF-01", VERDICT_FAIL, SCOPE_CHECK, "frame 9 was lost");
    result->end = ENDS[_i].end;
    case_take_worst(result, ENDS[_i].alone);
    ck_assert_int_eq(result->verdict, VERDICT_FAIL);
    run_tell_followers(&run->result);
    ck_assert_int_eq(result->verdict, ENDS[_i].after);
    free(run);
}
END_TEST

START_TEST(what_follows_is_blocked_by_its_cause)
{
    struct run *run = run_of_nothing(2);
    struct causes causes;
    check_set(run, 1, "none-dropped", "OJ-BUF-01", VERDICT_FAIL, SCOPE_CHECK, "frame 9 was lost");
    check_set(run, 0, "shows", "OJ-OUT-13", VERDICT_FAIL, SCOPE_CHECK, "frame 7 was lost");
    for (size_t i = 0; i < 2; i++)
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    run_tell_followers(&run->result);
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 1);
    ck_assert_uint_eq(causes.list[0].case_count, 1);
    ck_assert_uint_eq(causes.list[0].blocked_count, 1);
    ck_assert_str_eq(causes.list[0].blocked[0]->id, "OJ-OUT-13");
    causes_free(&causes);
    free(run);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("followers");
    TCase *followers = tcase_create("followers");
    tcase_add_loop_test(followers, who_still_plays_when_its_time_is_over_is_behind, 0,
                        (int)(sizeof OVERTIME / sizeof OVERTIME[0]));
    tcase_add_loop_test(followers, a_breach_that_follows_from_another_is_told_under_that, 0,
                        (int)(sizeof FOLLOWING / sizeof FOLLOWING[0]));
    tcase_add_loop_test(followers, a_crash_explains_only_crashes_of_other_sessions, 0,
                        (int)(sizeof CRASHES / sizeof CRASHES[0]));
    tcase_add_loop_test(followers, what_it_had_not_done_when_it_left_by_a_should_fails_nobody, 0,
                        (int)(sizeof LEAVING / sizeof LEAVING[0]));
    tcase_add_test(followers, what_follows_is_blocked_by_its_cause);
    tcase_add_loop_test(followers, what_a_breach_that_fails_nobody_keeps_from_coming_fails_nobody, 0,
                        (int)(sizeof STOPPING / sizeof STOPPING[0]));
    tcase_add_loop_test(followers, what_a_session_that_never_began_lacks_follows_from_that, 0,
                        sizeof NEVER_BEGAN / sizeof NEVER_BEGAN[0]);
    tcase_add_loop_test(followers, who_is_behind_has_dropped_nothing, 0,
                        (int)(sizeof BEHIND / sizeof BEHIND[0]));
    tcase_add_loop_test(followers, what_may_follow_from_what_cannot_be_told_cannot_be_told, 0,
                        (int)(sizeof PERHAPS / sizeof PERHAPS[0]));
    tcase_add_test(followers, what_follows_from_what_may_follow_may_follow_too);
    tcase_add_loop_test(followers, a_run_that_found_a_breach_has_judged_something, 0,
                        (int)(sizeof NOTHING_REACHED / sizeof NOTHING_REACHED[0]));
    tcase_add_loop_test(followers, what_is_tolerated_excuses_nothing, 0,
                        (int)(sizeof TOLERATED / sizeof TOLERATED[0]));
    tcase_add_loop_test(followers, a_case_that_ended_badly_fails_by_that_and_not_by_what_follows, 0,
                        (int)(sizeof ENDS / sizeof ENDS[0]));
    suite_add_tcase(suite, followers);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
