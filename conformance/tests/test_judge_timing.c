/* What is not held against a client on a machine that was late, and what still is. */
#include <check.h>
#include <stdio.h>

#include "conformance/judge/check.h"
#include "conformance/judge/judge.h"
#include "conformance/tests/hand_made.h"

#define OPEN "<upgrade >ready "

static const struct {
    const char *broken;
    uint64_t lateness_us;
    enum verdict verdict;
} LATE[] = {
    {"OJ-IN-08", 0, VERDICT_FAIL},
    {"OJ-IN-08", JUDGE_LATENESS_MAX_US, VERDICT_FAIL},
    {"OJ-IN-08", JUDGE_LATENESS_MAX_US + 1, VERDICT_INCONCLUSIVE},
    {"OJ-CON-07", JUDGE_LATENESS_MAX_US + 1, VERDICT_FAIL},
    {"OJ-IN-05", JUDGE_LATENESS_MAX_US + 1, VERDICT_FAIL},
};

/* Checks that hold two times against each other. */
static const char *const TIMED[] = {
    "OJ-CON-08", "OJ-CON-10", "OJ-IN-10",  "OJ-BUF-02", "OJ-BUF-03", "OJ-BUF-04", "OJ-BUF-05", "OJ-BUF-07",
    "OJ-BUF-09", "OJ-END-03", "OJ-ERR-07", "OJ-ERR-08", "OJ-ERR-10", "OJ-FLD-02", "OJ-FLD-04", "OJ-FLD-08"};

START_TEST(a_check_of_time_is_not_judged_then_either)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, TIMED[_i], OPEN, "");
    hand_made_check(&made, CHECK_NONE, "MUST", "sent:ready", NULL, NULL, NULL);
    judge_case(&made.input, &result);
    enum verdict prompt = result.verdict;
    ck_assert_int_ne(prompt, VERDICT_INCONCLUSIVE);
    ck_assert_int_ne(prompt, VERDICT_PASS);
    made.input.lateness_us = JUDGE_LATENESS_MAX_US;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, prompt);
    made.input.lateness_us = JUDGE_FROZEN_US + 1;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, VERDICT_INCONCLUSIVE);
    hand_made_free(&made);
}
END_TEST

/* How late it would have had to be: the longest of the earlier times shorter by that, and they grow. An entry
 * a millisecond. */
START_TEST(times_that_do_not_grow_are_excused_by_no_more_than_they_lack)
{
    struct hand_made made;
    struct check_outcome outcome;
    hand_made_init(&made, "OJ-ERR-08", OPEN "+a +b +c <upgrade +d +e <upgrade", "");
    hand_made_check(&made, CHECK_GROWING, "MUST", "received:upgrade", NULL, NULL, NULL);
    check_evaluate(&made.input, &made.check, &outcome);
    ck_assert_int_eq(outcome.status, CHECK_BROKEN); /* 5 ms, 3 ms */
    ck_assert_uint_eq(outcome.excuse_us, 5000 - 3000 * 4 / 5);
    hand_made_free(&made);
}
END_TEST

/* On a machine that is late: sounds that were never played, with whatever picture, were not late. */
static const struct {
    const char *journal, *observations;
    enum verdict verdict;
} UNPLAYED[] = {
    {OPEN ">speech#1/A >speech#1/B >speech#1/C >speech#1/D >speech#1/E",
     "played#1/A+ played#1/B+ played#1/C+ played#1/D+ played#1/E+", VERDICT_FAIL},
    {OPEN ">speech#1/A >speech#1/B >speech#1/C >speech#1/D",
     "played#1/A+ played#1/B+ played#1/C+ played#1/D+", VERDICT_INCONCLUSIVE},
    {OPEN ">speech#1/A >speech#1/B >speech#1/C >speech#1/D >speech#1/E",
     "played#1/A+ played#1/B+ played#1/C+ played#1/D+ played#1/E", VERDICT_INCONCLUSIVE},
};

START_TEST(a_sound_that_was_never_played_was_not_late)
{
    struct hand_made made;
    struct case_result result;
    static const enum check_expect EXPECTS[] = {CHECK_HEARD, CHECK_TOGETHER};
    for (size_t i = 0; i < sizeof EXPECTS / sizeof EXPECTS[0]; i++) {
        hand_made_init(&made, "OJ-BUF-06", UNPLAYED[_i].journal, UNPLAYED[_i].observations);
        hand_made_check(&made, EXPECTS[i], "MUST", "sent:speech", NULL, NULL, NULL);
        made.input.lateness_us = JUDGE_LATENESS_MAX_US + 1;
        judge_case(&made.input, &result);
        ck_assert_int_eq(result.verdict, UNPLAYED[_i].verdict);
        hand_made_free(&made);
    }
}
END_TEST

static const struct {
    uint64_t lateness_us;
    enum verdict verdict;
} FROZEN[] = {{JUDGE_LATENESS_MAX_US + 1, VERDICT_FAIL},
              {JUDGE_FROZEN_US, VERDICT_FAIL},
              {JUDGE_FROZEN_US + 1, VERDICT_INCONCLUSIVE}};

START_TEST(a_limit_does_not_count_on_a_machine_that_stood_still)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN, "");
    made.input.end = CLIENT_TIMED_OUT;
    made.input.lateness_us = FROZEN[_i].lateness_us;
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].name, "timeout");
    ck_assert_int_eq(result.checks[0].verdict, FROZEN[_i].verdict);
    ck_assert_int_eq(judge_was_inconclusive(&result), FROZEN[_i].verdict == VERDICT_INCONCLUSIVE);
    hand_made_free(&made);
}
END_TEST

START_TEST(timing_is_not_judged_on_a_machine_that_is_late_itself)
{
    struct hand_made made;
    struct case_result result;
    char journal[64];
    snprintf(journal, sizeof journal, OPEN "!%s", LATE[_i].broken);
    hand_made_init(&made, LATE[_i].broken, journal, "");
    made.input.lateness_us = LATE[_i].lateness_us;
    judge_case(&made.input, &result);
    const bool open = LATE[_i].verdict == VERDICT_INCONCLUSIVE;
    ck_assert_int_eq(result.verdict, LATE[_i].verdict);
    ck_assert_int_eq(judge_was_inconclusive(&result), open);
    ck_assert_int_eq(result.checks[0].verdict, LATE[_i].verdict);
    ck_assert_str_eq(result.checks[0].actual,
                     open ? "what came instead; but the machine itself was 100 ms late"
                          : "what came instead");
    hand_made_free(&made);
}
END_TEST

/* What a second, and ten, of waiting for a core excuse. */
static const struct {
    const char *name;
    const char *broken;
    uint64_t waited_us, waited_long_us;
    uint64_t excuse_us;
    enum verdict verdict;
} WAITED[] = {
    {"not at all", "OJ-IN-08", 0, 0, 0, VERDICT_FAIL},
    {"up to the bound", "OJ-IN-08", JUDGE_LATENESS_MAX_US, JUDGE_LATENESS_MAX_US, 0, VERDICT_FAIL},
    {"too long", "OJ-IN-08", JUDGE_LATENESS_MAX_US + 1, JUDGE_LATENESS_MAX_US + 1, 0, VERDICT_INCONCLUSIVE},
    {"too little for so early a message", "OJ-IN-08", 300000, 300000, 600000, VERDICT_FAIL},
    {"enough for it", "OJ-IN-08", 300001, 300001, 600000, VERDICT_INCONCLUSIVE},
    {"never enough for what is not late", "OJ-IN-08", 2 * JUDGE_STARVED_US, 2 * JUDGE_STARVED_US,
     UINT64_MAX / 4, VERDICT_FAIL},
    {"long, where seconds matter", "OJ-CON-07", JUDGE_FROZEN_US, JUDGE_STARVED_US, 0, VERDICT_FAIL},
    {"too long for those too", "OJ-CON-07", JUDGE_LATENESS_MAX_US, JUDGE_STARVED_US + 1, 0,
     VERDICT_INCONCLUSIVE},
    {"what is not of time", "OJ-IN-05", 2 * JUDGE_FROZEN_US, 2 * JUDGE_FROZEN_US, 0, VERDICT_FAIL},
};

START_TEST(nor_where_either_side_had_to_wait_for_a_core)
{
    struct hand_made made;
    struct case_result result;
    char journal[64];
    snprintf(journal, sizeof journal, OPEN "!%s", WAITED[_i].broken);
    hand_made_init(&made, WAITED[_i].broken, journal, "");
    const struct journal_entry earlier = {
        .kind = JOURNAL_FINDING,
        .finding = {.requirement = WAITED[_i].broken, .excuse_us = WAITED[_i].excuse_us}};
    ck_assert(journal_append(made.journal, &earlier));
    made.input.waited_us = WAITED[_i].waited_us;
    made.input.waited_long_us = WAITED[_i].waited_long_us;
    judge_case(&made.input, &result);
    ck_assert_msg(result.verdict == WAITED[_i].verdict, "%s: %s", WAITED[_i].name,
                  verdict_name(result.verdict));
    hand_made_free(&made);
}
END_TEST

/* The mock answered a message that was too soon by little; what hung on the answer that then did not come. */
static const struct {
    const char *name, *breach;
    uint64_t lateness_us;
    enum client_end end;
    const char *given;
    enum verdict verdict;
} ANSWERED[] = {
    {"a hang", "!OJ-IN-08", JUDGE_LATENESS_MAX_US + 1, CLIENT_TIMED_OUT, NULL, VERDICT_INCONCLUSIVE},
    {"a breach", "!OJ-IN-08", JUDGE_LATENESS_MAX_US + 1, CLIENT_ENDED, NULL, VERDICT_INCONCLUSIVE},
    {"... of what the machine was not too late for", "!OJ-IN-08", JUDGE_LATENESS_MAX_US, CLIENT_ENDED, NULL,
     VERDICT_NOT_REACHED},
    {"... of what no lateness explains", "!OJ-IN-05", JUDGE_LATENESS_MAX_US + 1, CLIENT_ENDED, NULL,
     VERDICT_NOT_REACHED},
    {"what was not reached", "!OJ-IN-08", JUDGE_LATENESS_MAX_US + 1, CLIENT_ENDED, "sent:final",
     VERDICT_INCONCLUSIVE},
    {"... 972 ms after the first of seven, on a machine 1 ms late", "?OJ-IN-08=28", 1000, CLIENT_ENDED,
     "sent:final", VERDICT_NOT_REACHED},
    {"... which half of the margin does not explain", "?OJ-IN-08=28", 14000, CLIENT_ENDED, "sent:final",
     VERDICT_NOT_REACHED},
    {"... and more than that explains", "?OJ-IN-08=28", 14001, CLIENT_ENDED, "sent:final",
     VERDICT_INCONCLUSIVE},
    {"a hang behind it", "?OJ-IN-08=28", 1000, CLIENT_TIMED_OUT, NULL, VERDICT_NOT_REACHED},
    {"what did not come behind it", "?OJ-IN-08=28", 1000, CLIENT_ENDED, NULL, VERDICT_NOT_REACHED},
    {"... as the machine was not too late", "!OJ-IN-08", JUDGE_LATENESS_MAX_US, CLIENT_ENDED, "sent:final",
     VERDICT_NOT_REACHED},
    {"... as something else was wrong", "!OJ-IN-05", JUDGE_LATENESS_MAX_US + 1, CLIENT_ENDED, "sent:final",
     VERDICT_NOT_REACHED},
};

START_TEST(what_follows_from_timing_that_cannot_be_judged_cannot_either)
{
    struct hand_made made;
    struct case_result result;
    char journal[96];
    snprintf(journal, sizeof journal, OPEN "#5=serve %s >error=RATE_LIMITED", ANSWERED[_i].breach);
    hand_made_init(&made, "OJ-OUT-01", journal, "ready");
    hand_made_check(&made, CHECK_SOME, "MUST", "sent:speech", ANSWERED[_i].given, NULL, NULL);
    made.input.lateness_us = ANSWERED[_i].lateness_us;
    made.input.end = ANSWERED[_i].end;
    made.input.script_line = ANSWERED[_i].end == CLIENT_TIMED_OUT ? 12 : 0;
    judge_case(&made.input, &result);
    const struct check_result *check = &result.checks[0];
    for (size_t i = 0; ANSWERED[_i].end == CLIENT_ENDED && i < result.check_count; i++)
        if (check->requirement != requirement_by_id("OJ-OUT-01"))
            check = &result.checks[i];
    ck_assert_str_eq(check->requirement->id, "OJ-OUT-01");
    ck_assert_msg(check->verdict == ANSWERED[_i].verdict, "%s: %s", ANSWERED[_i].name,
                  verdict_name(check->verdict));
    char cause[96];
    const bool open = check->verdict == VERDICT_INCONCLUSIVE, note = ANSWERED[_i].breach[0] == '?';
    snprintf(cause, sizeof cause, "; that %s from %.8s%s: the mock answered", open ? "may follow" : "follows",
             ANSWERED[_i].breach + 1, note ? " (worth a remark)" : "");
    ck_assert_msg(strstr(check->actual, cause) != NULL, "%s: %s", ANSWERED[_i].name, check->actual);
    ck_assert((check->cause == NULL) == open);
    ck_assert((strstr(check->actual, "machine") != NULL) == open);
    ck_assert(judge_was_inconclusive(&result) == open);
    ck_assert_msg(!note || !case_fails(&result), "%s",
                  ANSWERED[_i].name); /* what is no breach fails nobody */
    hand_made_free(&made);
}
END_TEST

/* The mock said nothing in time, for instance no session.queue_done within 5 s. */
static const struct {
    const char *name;
    bool waited, broke_as_well;
    uint64_t lateness_us;
    enum verdict verdict;
} OWN[] = {
    {"on a machine that stood still", true, false, JUDGE_FROZEN_US + 1, VERDICT_INCONCLUSIVE},
    {"on another", true, false, JUDGE_FROZEN_US, VERDICT_ERROR},
    {"a message of ours that is wrong is never late", false, false, JUDGE_FROZEN_US + 1, VERDICT_ERROR},
    {"both", true, true, JUDGE_FROZEN_US + 1, VERDICT_ERROR},
};

START_TEST(a_mock_that_was_late_itself_is_no_error)
{
    struct hand_made made;
    struct case_result result;
    const struct journal_entry late = {.kind = JOURNAL_OWN_ERROR,
                                       .finding = {.waited = OWN[_i].waited},
                                       .wire = {.data = bytes_of_text("nothing in 5 s")}};
    hand_made_init(&made, "DX-CON-01", OPEN, "");
    ck_assert(journal_append(made.journal, &late));
    if (OWN[_i].broke_as_well) {
        const struct journal_entry wrong = {.kind = JOURNAL_OWN_ERROR,
                                            .wire = {.data = bytes_of_text("a bad frame")}};
        ck_assert(journal_append(made.journal, &wrong));
    }
    made.input.lateness_us = OWN[_i].lateness_us;
    judge_case(&made.input, &result);
    ck_assert_msg(result.verdict == OWN[_i].verdict, "%s: %s", OWN[_i].name, verdict_name(result.verdict));
    ck_assert_msg(judge_was_inconclusive(&result) == (OWN[_i].verdict == VERDICT_INCONCLUSIVE), "%s",
                  OWN[_i].name);
    ck_assert_str_eq(result.checks[0].name, "own");
    hand_made_free(&made);
}
END_TEST

/* ---- what was cut off by a time that the case sets ---- */

#define SENT OPEN ">speech#1/A >speech#2/A >speech#3/A "

/* An entry a millisecond. The plan ends with a wait and the leaving step. */
static const struct {
    const char *name;
    enum plan_step_kind leaves;
    const char *after; /* of that step */
    uint64_t wait_us;
    const char *journal, *observations;
    unsigned script_line;
    enum client_end end;
    enum verdict punctual, late; /* at one second of lateness, and a little more */
} CUT_OFF[] = {
    {"the last were not read", PLAN_CLOSE, "", 3000, SENT "<close=1000", "frame#1/A", 0, CLIENT_ENDED,
     VERDICT_FAIL, VERDICT_INCONCLUSIVE},
    {"one in the middle was not", PLAN_CLOSE, "", 3000, SENT "<close=1000", "frame#1/A frame#3/A", 0,
     CLIENT_ENDED, VERDICT_FAIL, VERDICT_FAIL},
    {"the limit was over", PLAN_CLOSE, "", 3000, SENT, "frame#1/A", 0, CLIENT_TIMED_OUT, VERDICT_FAIL,
     VERDICT_INCONCLUSIVE},
    {"the mock ended it", PLAN_CLOSE, "", 3000, SENT ">close=1000 <close=1000", "frame#1/A", 0, CLIENT_ENDED,
     VERDICT_FAIL, VERDICT_FAIL},
    {"it left long before its time", PLAN_CLOSE, "", 5000000, SENT "<close=1000", "frame#1/A", 0,
     CLIENT_ENDED, VERDICT_FAIL, VERDICT_FAIL},
    {"it left when it saw fit", PLAN_CLOSE, "idle", 3000, SENT "<close=1000", "frame#1/A", 0, CLIENT_ENDED,
     VERDICT_FAIL, VERDICT_FAIL},
    {"it did not wait by the clock", PLAN_CLOSE, "", 0, SENT "<close=1000", "frame#1/A", 0, CLIENT_ENDED,
     VERDICT_FAIL, VERDICT_FAIL},
    {"it reads all before it leaves", PLAN_END, "", 3000, SENT "<close=1000", "frame#1/A", 0, CLIENT_ENDED,
     VERDICT_FAIL, VERDICT_FAIL},
    {"all that was to be sent was not", PLAN_END, "", 3000, SENT "<close=1000", "frame#1/A", 12, CLIENT_ENDED,
     VERDICT_FAIL, VERDICT_INCONCLUSIVE},
    {"nothing was sent", PLAN_CLOSE, "", 1000, OPEN "<close=1000", "ready", 12, CLIENT_ENDED,
     VERDICT_NOT_REACHED, VERDICT_INCONCLUSIVE},
    {"nothing was sent to one that saw fit to leave", PLAN_CLOSE, "idle", 1000, OPEN "<close=1000", "ready",
     12, CLIENT_ENDED, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED},
    {"nothing was sent to one that gave up", PLAN_END, "", 0, OPEN "<close=1000", "ready error=FINAL_TIMEOUT",
     12, CLIENT_ENDED, VERDICT_NOT_REACHED, VERDICT_INCONCLUSIVE},
    {"nothing was sent to one that said so when the mock had closed", PLAN_END, "", 0,
     OPEN ">close=1000 <close=1000", "ready error=CLOSED", 12, CLIENT_ENDED, VERDICT_NOT_REACHED,
     VERDICT_NOT_REACHED},
};

START_TEST(what_was_cut_off_is_not_judged_on_a_machine_that_stood_still)
{
    struct hand_made made;
    struct case_result result;
    struct plan_step plan[] = {{.kind = PLAN_CONNECT},
                               {.kind = PLAN_WAIT, .wait_us = CUT_OFF[_i].wait_us},
                               {.kind = CUT_OFF[_i].leaves}};
    snprintf(plan[2].after.name, sizeof plan[2].after.name, "%s", CUT_OFF[_i].after);
    hand_made_init(&made, "OJ-OUT-01", CUT_OFF[_i].journal, CUT_OFF[_i].observations);
    hand_made_check(&made, CHECK_DELIVERED, "MUST", "sent:speech", NULL, NULL, NULL);
    made.script.plan = plan;
    made.script.plan_count = sizeof plan / sizeof plan[0];
    made.input.end = CUT_OFF[_i].end;
    made.input.script_line = CUT_OFF[_i].script_line;
    made.input.lateness_us = JUDGE_FROZEN_US;
    judge_case(&made.input, &result);
    ck_assert_msg(result.verdict == CUT_OFF[_i].punctual, "%s: %s", CUT_OFF[_i].name,
                  verdict_name(result.verdict));
    made.input.lateness_us = JUDGE_FROZEN_US + 1;
    judge_case(&made.input, &result);
    ck_assert_msg(result.verdict == CUT_OFF[_i].late, "%s, late: %s", CUT_OFF[_i].name,
                  verdict_name(result.verdict));
    hand_made_free(&made);
}
END_TEST

/* An entry a millisecond; the mark comes 4 ms after the request, or never. */
static const struct {
    const char *name;
    const char *after; /* of the wait before the last */
    uint64_t wait_us;
    enum plan_step_kind leaves;
    const char *journal, *observations;
    enum client_tier tier;
    enum verdict verdict;
} STAYS[] = {
    {"it stayed", "", 3000, PLAN_CLOSE, OPEN ">error=A +enough <close=1000", "ready", TIER_OBSERVE,
     VERDICT_PASS},
    {"its plan was over before the mark", "", 3000, PLAN_CLOSE, OPEN ">error=A <close=1000", "ready",
     TIER_OBSERVE, VERDICT_INCONCLUSIVE},
    {"the mark came later", "", 3000, PLAN_CLOSE, OPEN ">error=A <close=1000 +enough", "ready", TIER_OBSERVE,
     VERDICT_FAIL},
    {"it left before its plan was over", "", 5000, PLAN_CLOSE, OPEN ">error=A <close=1000", "ready",
     TIER_OBSERVE, VERDICT_FAIL},
    {"it broke off before its plan was over", "", 5000, PLAN_CLOSE, OPEN ">error=A <end", "ready",
     TIER_OBSERVE, VERDICT_FAIL},
    {"what it must not do before it left is not excused", "", 3000, PLAN_CLOSE,
     OPEN ">error=A <other <close=1000", "ready", TIER_OBSERVE, VERDICT_FAIL},
    {"its wait began as it was ready", "ready", 3000, PLAN_CLOSE, OPEN ">error=A <close=1000", "ready",
     TIER_OBSERVE, VERDICT_INCONCLUSIVE},
    {"it never was ready", "ready", 3000, PLAN_CLOSE, OPEN ">error=A <close=1000", "error=A", TIER_OBSERVE,
     VERDICT_FAIL},
    {"its wait began at what nobody knows", "idle", 3000, PLAN_CLOSE, OPEN ">error=A <close=1000", "ready",
     TIER_OBSERVE, VERDICT_FAIL},
    {"it leaves when all is answered", "", 3000, PLAN_END, OPEN ">error=A <close=1000", "ready", TIER_OBSERVE,
     VERDICT_FAIL},
    {"it knows no plan", "", 3000, PLAN_CLOSE, OPEN ">error=A <close=1000", "ready", TIER_WIRE, VERDICT_FAIL},
};

START_TEST(who_leaves_when_its_plan_is_over_did_not_leave_early)
{
    struct hand_made made;
    struct case_result result;
    struct plan_step plan[] = {{.kind = PLAN_CONNECT},
                               {.kind = PLAN_WAIT},
                               {.kind = PLAN_WAIT, .wait_us = STAYS[_i].wait_us},
                               {.kind = STAYS[_i].leaves}};
    snprintf(plan[1].after.name, sizeof plan[1].after.name, "%s", STAYS[_i].after);
    hand_made_init(&made, "OJ-OUT-01", STAYS[_i].journal, STAYS[_i].observations);
    hand_made_check(&made, CHECK_NONE, "MUST", "received:close,end,other", NULL, "sent:error", "mark:enough");
    made.script.plan = plan;
    made.script.plan_count = sizeof plan / sizeof plan[0];
    made.input.tier = STAYS[_i].tier;
    judge_case(&made.input, &result);
    ck_assert_msg(result.verdict == STAYS[_i].verdict, "%s: %s, %s", STAYS[_i].name,
                  verdict_name(result.verdict), result.checks[0].actual);
    ck_assert(result.verdict != VERDICT_INCONCLUSIVE ||
              strstr(result.checks[0].actual, "; but its plan was over then") != NULL);
    hand_made_free(&made);
}
END_TEST

/* Who had not come to it when another ended the session: what is missing may be on its way. */
static const struct {
    const char *name, *journal, *observations;
    enum client_end end;
    bool behind;
} BEHIND[] = {
    {"the mock closed", SENT ">close=1000 <close=1000", "frame#1/A", CLIENT_ENDED, true},
    {"the limit was over", SENT, "frame#1/A", CLIENT_TIMED_OUT, true},
    {"it closed by itself", SENT "<close=1000 >close=1000", "frame#1/A", CLIENT_ENDED, false},
    {"it had come to a later one", SENT ">close=1000 <close=1000", "frame#1/A frame#3/A", CLIENT_ENDED,
     false},
    {"of what is asked for, it had seen nothing", OPEN ">silence#0/0 >speech#1/A >close=1000 <close=1000",
     "frame#0/0", CLIENT_ENDED, true},
    {"it had seen another in its place", OPEN ">silence#0/0 >speech#1/A >close=1000 <close=1000",
     "frame#0/0 frame#1/A'", CLIENT_ENDED, false},
    {"nothing is missing", SENT ">close=1000 <close=1000", "frame#1/A frame#2/A frame#3/A", CLIENT_ENDED,
     false},
};

START_TEST(who_did_not_end_the_session_may_be_behind)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", BEHIND[_i].journal, BEHIND[_i].observations);
    hand_made_check(&made, CHECK_DELIVERED, "MUST", "sent:speech", NULL, NULL, NULL);
    made.input.end = BEHIND[_i].end;
    judge_case(&made.input, &result);
    const struct check_result *check = &result.checks[result.check_count - 1];
    ck_assert_str_eq(check->name, "the-check");
    ck_assert_msg(check->behind == BEHIND[_i].behind, "%s", BEHIND[_i].name);
    hand_made_free(&made);
}
END_TEST

#define SPOKEN OPEN "<audio "

/* Of a requirement that has nothing to do with time, on a machine that stood still. */
static const struct {
    const char *name, *journal, *until;
    enum client_end end;
    enum verdict verdict;
} TOO_LATE[] = {
    {"it came a little after the mark", SPOKEN "+late <endInteraction <close=1000", "mark:late", CLIENT_ENDED,
     VERDICT_INCONCLUSIVE},
    {"it came after another message of its own", OPEN "<audio <endInteraction <close=1000", "received:audio",
     CLIENT_ENDED, VERDICT_FAIL},
    {"it never came, and the client left", SPOKEN "+late <close=1000", "mark:late", CLIENT_ENDED,
     VERDICT_FAIL},
    {"it never came before the limit", SPOKEN "+late", "mark:late", CLIENT_TIMED_OUT, VERDICT_INCONCLUSIVE},
};

START_TEST(nor_what_was_late_for_an_act_of_the_mock)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", TOO_LATE[_i].journal, "");
    hand_made_check(&made, CHECK_SOME, "MUST", "received:endInteraction", "sent:ready", NULL,
                    TOO_LATE[_i].until);
    made.input.end = TOO_LATE[_i].end;
    made.input.lateness_us = JUDGE_FROZEN_US;
    judge_case(&made.input, &result);
    ck_assert_msg(result.verdict == VERDICT_FAIL, "%s: %s", TOO_LATE[_i].name, verdict_name(result.verdict));
    made.input.lateness_us = JUDGE_FROZEN_US + 1;
    judge_case(&made.input, &result);
    const struct check_result *check = &result.checks[result.check_count - 1];
    ck_assert_str_eq(check->name, "the-check");
    ck_assert_msg(check->verdict == TOO_LATE[_i].verdict, "%s, late: %s", TOO_LATE[_i].name,
                  verdict_name(check->verdict));
    hand_made_free(&made);
}
END_TEST

/* Of 45 seconds that a client had, and did not use. */
static const struct {
    uint64_t waited_long_us;
    enum verdict verdict;
} HAD[] = {{JUDGE_STARVED_US + 1, VERDICT_WARN}, {5000000, VERDICT_WARN}, {5000001, VERDICT_INCONCLUSIVE}};

START_TEST(two_seconds_do_not_explain_what_did_not_come_in_many)
{
    struct hand_made made;
    struct case_result result;
    const struct journal_entry late = {.kind = JOURNAL_MARK, .label = "late", .at_us = 45000000};
    hand_made_init(&made, "OJ-CON-08", OPEN, "");
    ck_assert(journal_append(made.journal, &late));
    hand_made_check(&made, CHECK_SOME, "MUST", "received:ping", NULL, "sent:ready", "mark:late");
    made.input.end = CLIENT_TIMED_OUT;
    made.input.waited_long_us = HAD[_i].waited_long_us;
    judge_case(&made.input, &result);
    const struct check_result *check = &result.checks[result.check_count - 1];
    ck_assert_str_eq(check->name, "the-check");
    ck_assert_str_eq(verdict_name(check->verdict), verdict_name(HAD[_i].verdict));
    hand_made_free(&made);
}
END_TEST

/* Who takes its leave by a message has left then, though the mock is the first to close. By the clock of its
 * plan, on a machine that stood still. */
static const struct {
    const char *name, *journal;
    enum verdict verdict;
} FAREWELLS[] = {
    {"it says goodbye, and the mock closes", OPEN "<goodbye >goodbye >close=1000 <close=1000",
     VERDICT_INCONCLUSIVE},
    {"the mock closes", OPEN ">close=1000 <close=1000", VERDICT_NOT_REACHED},
    {"it says goodbye to a mock that has closed", OPEN ">close=1000 <goodbye <close=1000",
     VERDICT_NOT_REACHED},
    {"what it says is no goodbye", OPEN "<hello >close=1000 <close=1000", VERDICT_NOT_REACHED},
};

START_TEST(a_goodbye_is_when_the_client_leaves)
{
    static const struct free_act ACTS[] = {{.requirement = "OJ-END-04",
                                            .step = "close",
                                            .message = "goodbye",
                                            .form = "",
                                            .brings = "sent:goodbye"},
                                           {.requirement = NULL}};
    struct plan_step plan[] = {
        {.kind = PLAN_CONNECT}, {.kind = PLAN_WAIT, .wait_us = 1000}, {.kind = PLAN_CLOSE}};
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", FAREWELLS[_i].journal, "ready");
    hand_made_check(&made, CHECK_NONE, "MUST", "received:ping", "mark:answered", NULL, NULL);
    struct rule_class rules = *made.script.class->family->rules;
    struct family family = *made.script.class->family;
    struct session_class class = *made.script.class;
    rules.free_acts = ACTS;
    family.rules = &rules;
    class.family = &family;
    made.script.class = &class;
    made.script.plan = plan;
    made.script.plan_count = sizeof plan / sizeof plan[0];
    made.input.lateness_us = JUDGE_FROZEN_US;
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].name, "the-check");
    ck_assert_int_eq(result.checks[0].verdict, VERDICT_NOT_REACHED);
    made.input.lateness_us = JUDGE_FROZEN_US + 1;
    judge_case(&made.input, &result);
    ck_assert_msg(result.checks[0].verdict == FAREWELLS[_i].verdict, "%s: %s", FAREWELLS[_i].name,
                  verdict_name(result.checks[0].verdict));
    hand_made_free(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("judge timing");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, who_leaves_when_its_plan_is_over_did_not_leave_early, 0,
                        (int)(sizeof STAYS / sizeof STAYS[0]));
    tcase_add_loop_test(cases, a_check_of_time_is_not_judged_then_either, 0,
                        (int)(sizeof TIMED / sizeof TIMED[0]));
    tcase_add_test(cases, times_that_do_not_grow_are_excused_by_no_more_than_they_lack);
    tcase_add_loop_test(cases, a_sound_that_was_never_played_was_not_late, 0,
                        (int)(sizeof UNPLAYED / sizeof UNPLAYED[0]));
    tcase_add_loop_test(cases, a_limit_does_not_count_on_a_machine_that_stood_still, 0,
                        (int)(sizeof FROZEN / sizeof FROZEN[0]));
    tcase_add_loop_test(cases, timing_is_not_judged_on_a_machine_that_is_late_itself, 0,
                        (int)(sizeof LATE / sizeof LATE[0]));
    tcase_add_loop_test(cases, nor_where_either_side_had_to_wait_for_a_core, 0,
                        (int)(sizeof WAITED / sizeof WAITED[0]));
    tcase_add_loop_test(cases, what_follows_from_timing_that_cannot_be_judged_cannot_either, 0,
                        (int)(sizeof ANSWERED / sizeof ANSWERED[0]));
    tcase_add_loop_test(cases, a_mock_that_was_late_itself_is_no_error, 0, (int)(sizeof OWN / sizeof OWN[0]));
    tcase_add_loop_test(cases, what_was_cut_off_is_not_judged_on_a_machine_that_stood_still, 0,
                        (int)(sizeof CUT_OFF / sizeof CUT_OFF[0]));
    tcase_add_loop_test(cases, who_did_not_end_the_session_may_be_behind, 0,
                        (int)(sizeof BEHIND / sizeof BEHIND[0]));
    tcase_add_loop_test(cases, nor_what_was_late_for_an_act_of_the_mock, 0,
                        (int)(sizeof TOO_LATE / sizeof TOO_LATE[0]));
    tcase_add_loop_test(cases, two_seconds_do_not_explain_what_did_not_come_in_many, 0,
                        (int)(sizeof HAD / sizeof HAD[0]));
    tcase_add_loop_test(cases, a_goodbye_is_when_the_client_leaves, 0,
                        (int)(sizeof FAREWELLS / sizeof FAREWELLS[0]));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
