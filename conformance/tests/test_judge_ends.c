/* How a client ended, and what that says of a case: idle, silent, hanging, crashed, with a wrong observation.
 */
#include <check.h>
#include <stdio.h>

#include "conformance/judge/judge.h"
#include "conformance/tests/hand_made.h"

#define OPEN "<upgrade >ready "

#define TAKEN "<upgrade >accept >ready "

static const struct {
    const char *journal, *observations;
    enum client_end end;
    int exit_code;
    bool speech_is_foreign;
    enum verdict verdict, of_check;
    enum client_tier tier;
} IDLE[] = {
    {TAKEN "<end", "", CLIENT_ENDED, 0, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED, TIER_WIRE},
    {TAKEN "<close=1000 >close=1000", "", CLIENT_ENDED, 0, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED,
     TIER_WIRE},
    {TAKEN "#3=wait <end", "", CLIENT_ENDED, 0, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED, TIER_WIRE},
    {TAKEN "<audio <end", "", CLIENT_ENDED, 0, false, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    /* it may have had its reason */
    {TAKEN "<end", "", CLIENT_ENDED, 1, false, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    {TAKEN "<end", "error=X", CLIENT_ENDED, 0, false, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    {TAKEN "#3=send <end", "", CLIENT_ENDED, 0, false, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    {TAKEN ">close=1000 <close=1000", "", CLIENT_ENDED, 0, false, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    {"<upgrade <end", "", CLIENT_ENDED, 0, false, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    /* which one that says what it sees would have told */
    {TAKEN "#3=send <end", "", CLIENT_ENDED, 0, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED,
     TIER_OBSERVE},
    {TAKEN ">close=1000 <close=1000", "", CLIENT_ENDED, 0, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED,
     TIER_OBSERVE},
    {"<upgrade <end", "", CLIENT_ENDED, 0, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED, TIER_OBSERVE},
    {TAKEN "<cancelInteraction <end", "", CLIENT_ENDED, 0, false, VERDICT_FAIL, VERDICT_FAIL, TIER_OBSERVE},
    {TAKEN ">close=1000 <close=1000", "closed=1000", CLIENT_ENDED, 0, false, VERDICT_PASS, VERDICT_PASS,
     TIER_OBSERVE},
    /* a sound that it need not take */
    {"", "", CLIENT_NEVER_CAME, 1, true, VERDICT_UNSUPPORTED, VERDICT_UNSUPPORTED, TIER_WIRE},
    {"", "error=X", CLIENT_NEVER_CAME, 0, true, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    {"", "", CLIENT_NEVER_CAME, 0, true, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED, TIER_WIRE},
    {TAKEN "<audio <end", "", CLIENT_ENDED, 1, true, VERDICT_UNSUPPORTED, VERDICT_UNSUPPORTED, TIER_WIRE},
    {TAKEN "<audio <end", "error=X", CLIENT_ENDED, 1, true, VERDICT_PASS, VERDICT_PASS, TIER_WIRE},
    {TAKEN "<end", "", CLIENT_ENDED, 0, true, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED, TIER_WIRE},
    {"", "error=X", CLIENT_NEVER_CAME, 1, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED, TIER_WIRE},
};

START_TEST(a_client_that_does_nothing_reaches_nothing_unless_it_had_its_reason)
{
    struct plan_step plan[] = {{.kind = PLAN_CONNECT}, {.kind = PLAN_SPEAK}};
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", IDLE[_i].journal, IDLE[_i].observations);
    hand_made_check(&made, CHECK_NONE, "MUST", "received:cancelInteraction", NULL, NULL, NULL);
    made.script.plan = plan;
    made.script.plan_count = sizeof plan / sizeof plan[0];
    made.input.tier = IDLE[_i].tier;
    made.input.end = IDLE[_i].end;
    made.input.exit_code = IDLE[_i].exit_code;
    made.input.speech_is_foreign = IDLE[_i].speech_is_foreign;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, IDLE[_i].verdict);
    ck_assert_int_eq(result.checks[0].verdict, IDLE[_i].of_check);
    for (size_t i = 0; IDLE[_i].end == CLIENT_ENDED && i < result.check_count; i++)
        ck_assert(result.checks[i].verdict != VERDICT_NOT_REACHED || result.checks[i].lacking);
    made.script.plan = NULL;
    made.script.plan_count = 0;
    hand_made_free(&made);
}
END_TEST

/* For which clients no session began. */
static const struct {
    const char *journal, *observations;
    bool mute, unbegun;
} NO_SESSION[] = {
    {TAKEN "<end", "", true, true},
    {TAKEN "<end", "error=X", true, true},
    {TAKEN "<end", "ready", true, false}, /* it had nothing to say */
    {TAKEN "<cancelInteraction <end", "", false, true},
    {TAKEN "<audio=5 <end", "", false, false},
    {"<upgrade >accept >error=X <end", "", true, false}, /* none began for anybody */
    {"<upgrade >accept <end", "", true, false},
    {"<upgrade <end", "", false, false},
};

START_TEST(a_session_that_never_began_for_the_client_is_known)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", NO_SESSION[_i].journal, NO_SESSION[_i].observations);
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.mute, NO_SESSION[_i].mute);
    ck_assert_int_eq(result.unbegun, NO_SESSION[_i].unbegun);
    hand_made_free(&made);
}
END_TEST

/* A client that does not take the sound that it was to say, in a case that also asks how it says it. */
static const struct {
    const char *journal, *observations;
    enum client_end end;
    int exit_code;
    enum verdict verdict;
} UNTAKEN[] = {
    {"", "", CLIENT_DECLINED, 0, VERDICT_UNSUPPORTED},
    {"", "", CLIENT_NEVER_CAME, 1, VERDICT_UNSUPPORTED},
    {"", "error=X", CLIENT_NEVER_CAME, 1, VERDICT_PASS},
    {"", "", CLIENT_NEVER_CAME, 0, VERDICT_NOT_REACHED},
    {TAKEN "<audio <end", "", CLIENT_ENDED, 1, VERDICT_UNSUPPORTED},
    {TAKEN "<audio <end", "error=X", CLIENT_ENDED, 1, VERDICT_PASS},
};

START_TEST(a_sound_that_is_refused_is_said_once)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-IN-12", UNTAKEN[_i].journal, UNTAKEN[_i].observations);
    made.script.clauses[made.script.clause_count++] =
        (struct script_clause){.requirement = requirement_by_id("OJ-IN-06"), .level = "MUST"};
    made.input.end = UNTAKEN[_i].end;
    made.input.exit_code = UNTAKEN[_i].exit_code;
    made.input.speech_is_foreign = true;
    judge_case(&made.input, &result);
    ck_assert_uint_eq(result.check_count, 1);
    ck_assert_str_eq(result.checks[0].requirement->id, "OJ-IN-12");
    ck_assert_int_eq(result.checks[0].verdict, UNTAKEN[_i].verdict);
    ck_assert_int_eq(result.verdict, UNTAKEN[_i].verdict);
    hand_made_free(&made);
}
END_TEST

/* Of a client that says what it sees, and said nothing. An entry of the journal is a millisecond. */
static const struct {
    const char *journal;
    enum plan_step_kind asked; /* after the connect */
    const char *after;
    uint64_t wait_ms;
    enum plan_step_kind end;
    enum verdict verdict;
} WAITED[] = {
    {"<upgrade >accept #3=wait #3=wait #3=wait <close=1000 <end", PLAN_WAIT, "", 5, PLAN_CLOSE, VERDICT_PASS},
    {"<upgrade #3=wait #3=wait #3=wait #3=wait <end", PLAN_WAIT, "", 5, PLAN_CLOSE, VERDICT_PASS},
    {"<upgrade >accept >ping <pong #3=wait <close=1000 <end", PLAN_WAIT, "", 5, PLAN_CLOSE, VERDICT_PASS},
    {"<upgrade >accept #3=wait <close=1000 <end", PLAN_SPEAK, "", 0, PLAN_CLOSE, VERDICT_NOT_REACHED},
    /* it left before its time */
    {"<upgrade >accept <close=1000 <end", PLAN_WAIT, "", 5, PLAN_CLOSE, VERDICT_NOT_REACHED},
    /* the plan needs a session */
    {"<upgrade >accept #3=wait #3=wait #3=wait <close=1000 <end", PLAN_WAIT, "ready", 0, PLAN_CLOSE,
     VERDICT_NOT_REACHED},
    {"<upgrade >accept #3=wait #3=wait #3=wait <close=1000 <end", PLAN_SPEAK, "", 0, PLAN_END,
     VERDICT_NOT_REACHED},
    {"<upgrade >accept #3=wait #3=wait #3=wait <close=1000 <end", PLAN_WAIT, "", 5, PLAN_WAIT,
     VERDICT_NOT_REACHED},
    /* there was something to tell */
    {"<upgrade >accept >ready #3=wait #3=wait <close=1000 <end", PLAN_WAIT, "", 5, PLAN_CLOSE,
     VERDICT_NOT_REACHED},
    {"<upgrade >accept #3=wait #3=wait >close=1000 <close=1000 <end", PLAN_WAIT, "", 5, PLAN_CLOSE,
     VERDICT_NOT_REACHED},
};

START_TEST(a_plan_that_asks_for_no_more_than_to_wait_is_done_by_waiting)
{
    struct plan_step plan[] = {{.kind = PLAN_CONNECT},
                               {.kind = WAITED[_i].asked, .wait_us = 1000 * WAITED[_i].wait_ms},
                               {.kind = WAITED[_i].end}};
    struct hand_made made;
    struct case_result result;
    struct text after = text_of(plan[1].after.name, sizeof plan[1].after.name);
    text_add(&after, WAITED[_i].after);
    hand_made_init(&made, "OJ-OUT-01", WAITED[_i].journal, "");
    hand_made_check(&made, CHECK_NONE, "MUST", "received:cancelInteraction", NULL, "received:upgrade", NULL);
    made.script.plan = plan;
    made.script.plan_count = sizeof plan / sizeof plan[0];
    made.input.tier = TIER_OBSERVE;
    made.input.end = CLIENT_ENDED;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, WAITED[_i].verdict);
    made.script.plan = NULL;
    made.script.plan_count = 0;
    hand_made_free(&made);
}
END_TEST

START_TEST(a_crash_says_how_and_a_finding_where)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "!OJ-IN-05", "");
    made.input.end = CLIENT_CRASHED;
    memcpy(made.input.end_text, "killed by SIGSEGV", sizeof "killed by SIGSEGV");
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].actual, "CRASH: killed by SIGSEGV");
    ck_assert_int_eq(result.checks[0].verdict, VERDICT_FAIL); /* nothing but surviving keeps the clause */
    ck_assert_str_eq(result.note, "CRASH: killed by SIGSEGV");
    ck_assert_str_eq(result.checks[1].expected, "what the rule asks for");
    ck_assert_str_eq(result.checks[1].actual, "what came instead");
    ck_assert_uint_eq(result.checks[1].journal_sequence, 2);
    hand_made_free(&made);
}
END_TEST

/* Of a rule that asks the client to go on. */
static const struct {
    const char *journal;
    enum client_end end;
    bool by_crash;
} SHOCKED[] = {
    {OPEN "<end !OJ-IN-05", CLIENT_CRASHED, true},
    {OPEN "<close=1000 !OJ-IN-05", CLIENT_CRASHED, false},
    {OPEN "<audio !OJ-IN-05 <end", CLIENT_CRASHED, false},
    {OPEN "<end !OJ-IN-05", CLIENT_ENDED, false},
};

START_TEST(a_breach_by_the_end_of_a_connection_is_the_crash_that_ended_it)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", SHOCKED[_i].journal, "");
    made.input.end = SHOCKED[_i].end;
    memcpy(made.input.end_text, "killed by SIGSEGV", sizeof "killed by SIGSEGV");
    judge_case(&made.input, &result);
    const struct check_result *breach = NULL;
    for (size_t i = 0; i < result.check_count; i++)
        if (strcmp(result.checks[i].name, "wire") == 0)
            breach = &result.checks[i];
    ck_assert_ptr_nonnull(breach);
    ck_assert_int_eq(breach->verdict, VERDICT_FAIL);
    ck_assert(breach->by_crash == SHOCKED[_i].by_crash);
    ck_assert_str_eq(breach->actual, SHOCKED[_i].by_crash ? "CRASH: killed by SIGSEGV; what came instead"
                                                          : "what came instead");
    hand_made_free(&made);
}
END_TEST

/* What a client that crashed over a message did not do any more, and what is no act of its own. */
static const struct {
    enum check_expect expect;
    const char *pattern, *given, *journal;
    enum client_end end;
    enum verdict verdict;
    bool by_crash;
} UNDONE[] = {
    {CHECK_SOME, "seen:error", "sent:error", OPEN ">error=X <end", CLIENT_CRASHED, VERDICT_FAIL, true},
    {CHECK_SOME, "seen:error", "sent:error", OPEN ">error=X <end", CLIENT_ENDED, VERDICT_FAIL, false},
    {CHECK_NONE, "received:close,end", NULL, OPEN ">error=X <end +enough", CLIENT_CRASHED,
     VERDICT_NOT_REACHED, false},
    {CHECK_NONE, "received:close,end", NULL, OPEN ">error=X <end +enough", CLIENT_ENDED, VERDICT_FAIL, false},
    {CHECK_NONE, "received:close,end", NULL, OPEN ">error=X <close=1000 +enough", CLIENT_CRASHED,
     VERDICT_FAIL, false},
};

START_TEST(what_a_client_that_crashed_did_not_do_is_its_crash)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", UNDONE[_i].journal, "ready");
    hand_made_check(&made, UNDONE[_i].expect, "MUST", UNDONE[_i].pattern, UNDONE[_i].given, NULL,
                    UNDONE[_i].expect == CHECK_NONE ? "mark:enough" : NULL);
    made.input.end = UNDONE[_i].end;
    memcpy(made.input.end_text, "killed by SIGSEGV", sizeof "killed by SIGSEGV");
    judge_case(&made.input, &result);
    const struct check_result *check = NULL;
    for (size_t i = 0; i < result.check_count; i++)
        if (strcmp(result.checks[i].name, made.check.name) == 0)
            check = &result.checks[i];
    ck_assert_ptr_nonnull(check);
    ck_assert_str_eq(verdict_name(check->verdict), verdict_name(UNDONE[_i].verdict));
    ck_assert(check->by_crash == UNDONE[_i].by_crash);
    ck_assert((strstr(check->actual, "CRASH: killed by SIGSEGV; ") == check->actual) == UNDONE[_i].by_crash);
    hand_made_free(&made);
}
END_TEST

START_TEST(a_timeout_says_what_the_client_outlasted)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "#5=serve !OJ-IN-05 >error=X", "");
    made.input.end = CLIENT_TIMED_OUT;
    memcpy(made.input.end_text, "still running past it", sizeof "still running past it");
    made.input.script_line = 12;
    judge_case(&made.input, &result);
    ck_assert_ptr_nonnull(
        strstr(result.checks[0].actual,
               "TIMEOUT: still running past it; that follows from OJ-IN-05: the mock answered"));
    ck_assert_ptr_eq(result.checks[0].cause, requirement_by_id("OJ-IN-05"));
    ck_assert_int_eq(result.checks[0].scope, SCOPE_CHECK); /* the clause is not judged, and is counted */
    hand_made_free(&made);
}
END_TEST

static const struct {
    const char *observations, *journal;
    bool behind;
} OVERTIME[] = {
    {"ready frame#1/A frame#2/A played#1/A", OPEN, true},
    {"ready frame#1/A frame#2/A closed=1000 played#1/A", OPEN, true},
    {"ready frame#1/A frame#2/A played#1/A played#2/A", OPEN, false},
    {"ready frame#1/A frame#2/A played#1/A closed=1000", OPEN, false},
    {"ready frame#1/A frame#2/A", OPEN, false},
    {"ready played#1/A", OPEN, false},
    {"ready frame#1/A frame#2/A played#1/A", OPEN "#5=serve !OJ-IN-07 >error=FRAME_SIZE_EXCEEDED", false},
    {"", OPEN, false},
};

START_TEST(who_hangs_while_it_plays_is_behind)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OVERTIME[_i].journal, OVERTIME[_i].observations);
    made.input.end = CLIENT_TIMED_OUT;
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].name, "timeout");
    ck_assert_msg(result.checks[0].behind == OVERTIME[_i].behind, "%s", OVERTIME[_i].observations);
    hand_made_free(&made);
}
END_TEST

static const struct {
    const char *clause, *given, *journal;
    bool strict;
    enum verdict timeout, whole;
} HANGS[] = {
    {"OJ-OUT-01", "sent:ready", OPEN, false, VERDICT_NOT_REACHED, VERDICT_FAIL},
    {"OJ-OUT-01", "sent:error", OPEN, false, VERDICT_NOT_REACHED, VERDICT_FAIL},
    {"OJ-OUT-02", "sent:ready", OPEN, false, VERDICT_NOT_REACHED, VERDICT_DISPUTED},
    {"OJ-BUF-03 SHOULD", "sent:ready", OPEN, false, VERDICT_NOT_REACHED, VERDICT_WARN},
    {"OJ-BUF-03 SHOULD", "sent:ready", OPEN, true, VERDICT_NOT_REACHED, VERDICT_FAIL},
    {"OJ-OUT-01", "sent:ready", OPEN "<close=1000 >close=1000", false, VERDICT_NOT_REACHED, VERDICT_FAIL},
    {"OJ-IN-05", "sent:ready", OPEN "#5=serve", false, VERDICT_NOT_REACHED, VERDICT_FAIL},
    /* over an answer of the mock to nothing that it broke, and to a breach */
    {"OJ-IN-05", "sent:ready", OPEN "#5=serve >error=FRAME_SIZE_EXCEEDED", false, VERDICT_NOT_REACHED,
     VERDICT_FAIL},
    {"OJ-IN-05", "sent:ready", OPEN "#5=serve !OJ-IN-07 >error=FRAME_SIZE_EXCEEDED", false,
     VERDICT_NOT_REACHED, VERDICT_NOT_REACHED},
    {"OJ-OUT-01", "sent:ready", OPEN "#5=serve >error=FRAME_SIZE_EXCEEDED", false, VERDICT_NOT_REACHED,
     VERDICT_FAIL},
};

START_TEST(a_client_that_hangs_fails_the_case_but_no_more_than_it_broke)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, HANGS[_i].clause, HANGS[_i].journal, "");
    hand_made_check(&made, CHECK_NONE, "MUST", "seen:error", HANGS[_i].given, NULL, NULL);
    made.input.end = CLIENT_TIMED_OUT;
    made.input.strict = HANGS[_i].strict;
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].name, "timeout");
    ck_assert_int_eq(result.checks[0].verdict, HANGS[_i].timeout);
    ck_assert_int_eq(result.verdict, HANGS[_i].whole);
    hand_made_free(&made);
}
END_TEST

static const struct {
    enum check_expect expect;
    const char *given;
    enum verdict verdict;
} CRASHED[] = {
    {CHECK_SOME, NULL, VERDICT_NOT_REACHED},               /* what it might have done later */
    {CHECK_NONE, NULL, VERDICT_NOT_REACHED},               /* the same */
    {CHECK_SOME, "received:endInteraction", VERDICT_FAIL}, /* what it owed for something that came */
    {CHECK_SOME, "received:cancelInteraction", VERDICT_NOT_REACHED},
};

START_TEST(a_crash_fails_the_case_and_no_requirement_that_is_judged_by_something_else)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "<endInteraction", "");
    hand_made_check(&made, CRASHED[_i].expect, "MUST", "received:close", CRASHED[_i].given, NULL, NULL);
    made.check.clause = made.script.clauses[0].requirement;
    made.input.end = CLIENT_CRASHED;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, VERDICT_FAIL);
    ck_assert_str_eq(result.checks[0].name, "crash");
    ck_assert_int_eq(result.checks[0].verdict, VERDICT_NOT_REACHED);
    ck_assert_int_eq(result.checks[1].verdict, CRASHED[_i].verdict);
    hand_made_free(&made);
}
END_TEST

static const struct {
    enum client_end end;
    enum verdict verdict;
    const char *name, *actual;
} BAD_OBSERVATION[] = {
    {CLIENT_ENDED, VERDICT_ERROR, "observation", "the adapter's observation in line 3: no"},
    {CLIENT_TIMED_OUT, VERDICT_ERROR, "observation", "the adapter's observation in line 3: no"},
    {CLIENT_NEVER_CAME, VERDICT_ERROR, "observation", "the adapter's observation in line 3: no"},
    {CLIENT_BROKEN, VERDICT_ERROR, "own", "the adapter says it is broken"},
    {CLIENT_CRASHED, VERDICT_FAIL, "crash", "CRASH"},
};

START_TEST(a_wrong_observation_is_the_adapters_fault_and_hides_no_crash)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN, "error=X");
    hand_made_check(&made, CHECK_NONE, "MUST", "seen:error", NULL, NULL, NULL);
    made.input.end = BAD_OBSERVATION[_i].end;
    memcpy(made.input.bad_observation, "in line 3: no", sizeof "in line 3: no");
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, BAD_OBSERVATION[_i].verdict);
    ck_assert_uint_eq(result.check_count, BAD_OBSERVATION[_i].end == CLIENT_CRASHED ? 2 : 1);
    if (BAD_OBSERVATION[_i].end == CLIENT_CRASHED) /* what it reported cannot be read */
        ck_assert_int_eq(result.checks[1].verdict, VERDICT_NOT_REACHED);
    ck_assert_str_eq(result.checks[0].name, BAD_OBSERVATION[_i].name);
    ck_assert_str_eq(result.checks[0].actual, BAD_OBSERVATION[_i].actual);
    if (BAD_OBSERVATION[_i].end == CLIENT_CRASHED)
        ck_assert_str_eq(result.note, "CRASH; the adapter's observation in line 3: no");
    hand_made_free(&made);
}
END_TEST

static const struct {
    const char *name, *journal;
    bool refused;
} REFUSALS[] = {
    {"the service, up to its end", "#1=accept " TAKEN "#2=serve <audio >speech >close=1000 <close=1000",
     false},
    {"an upgrade refused", "#1=refuse <upgrade >refusal <end", true},
    {"an upgrade that is never answered", "#1=ignore <upgrade <end", true},
    {"an error in place of the service", "#1=accept " TAKEN "#2=send >error=AUTH_FAILED <end", true},
    {"an error of the service", "#1=accept " TAKEN "#2=serve >error=RATE_LIMITED <end", true},
    {"a close by a step", "#1=accept " TAKEN "#2=close >close=1011 <close=1011", true},
    {"a close of the service for a fault", "#1=accept " TAKEN "#2=serve >close=1003 <close=1003", true},
    {"a reset by a step", "#1=accept " TAKEN "#2=reset", true},
    {"a close once the client was gone", "#1=accept " TAKEN "#2=serve <close=1000 #3=close >close=1000",
     false},
    {"an error once the client was gone", "#1=accept " TAKEN "#2=serve <end #3=send >error=TIMEOUT", false},
    {"a refusal for which nobody came", "#1=refuse", false},
    {"the second upgrade refused", "#1=accept " TAKEN "<end #2=refuse <upgrade >refusal", true},
    {"the first upgrade refused, the second taken", "#1=refuse <upgrade >refusal <end #2=accept " TAKEN,
     false},
    {"an error, and a second connection that is taken",
     "#1=accept " TAKEN "#2=serve >error=RATE_LIMITED <end #3=accept " TAKEN "#4=serve <audio >speech <end",
     false},
};

START_TEST(a_refusal_is_what_the_mock_gave_the_client_before_it_left)
{
    struct hand_made made;
    hand_made_init(&made, "OJ-OUT-01", REFUSALS[_i].journal, "");
    ck_assert_msg(judge_was_refused(made.input.journal) == REFUSALS[_i].refused, "%s", REFUSALS[_i].name);
    hand_made_free(&made);
}
END_TEST

static const struct {
    const char *journal, *observations;
    bool reported;
} REPORTS[] = {
    {OPEN, "", false},
    {OPEN, "error=FINAL_TIMEOUT", true}, /* over what did not come */
    {OPEN ">error=INTERNAL_ERROR", "error=INTERNAL_ERROR", true},
    {OPEN ">error=INTERNAL_ERROR", "error=FINAL_TIMEOUT", false}, /* it fell over the other one */
    {OPEN ">error=INTERNAL_ERROR", "error=FINAL_TIMEOUT error=INTERNAL_ERROR", true},
    {OPEN ">error=RATE_LIMITED >error=TIMEOUT", "error=RATE_LIMITED", false},
    {OPEN ">error=RATE_LIMITED", "closed=1000", false},
    {OPEN ">error=RATE_LIMITED", "error=CONNECTION", true}, /* it may send again in silence */
    {OPEN ">error=CANCELLED", "error=CONNECTION", true},
};

START_TEST(a_report_of_an_error_is_one_of_each_that_was_sent)
{
    struct hand_made made;
    hand_made_init(&made, "OJ-OUT-01", REPORTS[_i].journal, REPORTS[_i].observations);
    ck_assert_msg(judge_reported_errors(&made.input) == REPORTS[_i].reported, "%s: %s", REPORTS[_i].journal,
                  REPORTS[_i].observations);
    hand_made_free(&made);
}
END_TEST

START_TEST(an_exception_that_is_no_crash_is_remarked_on)
{
    static const enum client_end END[] = {CLIENT_ENDED, CLIENT_TIMED_OUT};
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN, "");
    hand_made_check(&made, CHECK_NONE, "MUST", "received:cancelInteraction", NULL, NULL, NULL);
    memcpy(made.input.exception, "in a thread: KeyError", sizeof "in a thread: KeyError");
    made.input.end = END[_i];
    judge_case(&made.input, &result);
    const struct check_result *last = &result.checks[result.check_count - 1];
    ck_assert_str_eq(last->name, "exit");
    ck_assert_int_eq(last->verdict, VERDICT_INFO);
    ck_assert_str_eq(last->actual, "in a thread: KeyError");
    if (END[_i] == CLIENT_ENDED)
        ck_assert_int_eq(result.verdict, VERDICT_INFO);
    hand_made_free(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("judge ends");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, a_session_that_never_began_for_the_client_is_known, 0,
                        (int)(sizeof NO_SESSION / sizeof NO_SESSION[0]));
    tcase_add_loop_test(cases, a_client_that_does_nothing_reaches_nothing_unless_it_had_its_reason, 0,
                        (int)(sizeof IDLE / sizeof IDLE[0]));
    tcase_add_loop_test(cases, a_sound_that_is_refused_is_said_once, 0,
                        (int)(sizeof UNTAKEN / sizeof UNTAKEN[0]));
    tcase_add_loop_test(cases, a_plan_that_asks_for_no_more_than_to_wait_is_done_by_waiting, 0,
                        (int)(sizeof WAITED / sizeof WAITED[0]));
    tcase_add_test(cases, a_crash_says_how_and_a_finding_where);
    tcase_add_loop_test(cases, what_a_client_that_crashed_did_not_do_is_its_crash, 0,
                        (int)(sizeof UNDONE / sizeof UNDONE[0]));
    tcase_add_loop_test(cases, who_hangs_while_it_plays_is_behind, 0,
                        (int)(sizeof OVERTIME / sizeof OVERTIME[0]));
    tcase_add_loop_test(cases, a_breach_by_the_end_of_a_connection_is_the_crash_that_ended_it, 0,
                        (int)(sizeof SHOCKED / sizeof SHOCKED[0]));
    tcase_add_test(cases, a_timeout_says_what_the_client_outlasted);
    tcase_add_loop_test(cases, a_client_that_hangs_fails_the_case_but_no_more_than_it_broke, 0,
                        (int)(sizeof HANGS / sizeof HANGS[0]));
    tcase_add_loop_test(cases, a_crash_fails_the_case_and_no_requirement_that_is_judged_by_something_else, 0,
                        sizeof CRASHED / sizeof CRASHED[0]);
    tcase_add_loop_test(cases, a_wrong_observation_is_the_adapters_fault_and_hides_no_crash, 0,
                        (int)(sizeof BAD_OBSERVATION / sizeof BAD_OBSERVATION[0]));
    tcase_add_loop_test(cases, a_refusal_is_what_the_mock_gave_the_client_before_it_left, 0,
                        (int)(sizeof REFUSALS / sizeof REFUSALS[0]));
    tcase_add_loop_test(cases, an_exception_that_is_no_crash_is_remarked_on, 0, 2);
    tcase_add_loop_test(cases, a_report_of_an_error_is_one_of_each_that_was_sent, 0,
                        (int)(sizeof REPORTS / sizeof REPORTS[0]));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
