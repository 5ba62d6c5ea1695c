/* Each way to a verdict: levels, bases, options, tiers, how the client ended, rules kept, broken and noted.
 */
#include <check.h>
#include <stdio.h>

#include "codec/wire/buffer.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/judge/verdict.h"
#include "conformance/tests/hand_made.h"

#define OPEN "<upgrade >ready "

struct expected_check {
    const char *name, *requirement; /* NULL name: no more */
    enum verdict verdict;
};

/* In the order in which a row reads. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct row {
    const char *name;
    const char *clause;
    const char *level; /* of a check `none seen:error`; NULL: the script has no check */
    const char *given; /* what that check depends on; NULL: on a connection */
    const char *journal, *observations;
    enum verdict verdict;
    struct expected_check checks[4];
    enum client_end end;
    bool inferred, strict;
    unsigned script_line;
    enum client_tier script_tier, tier_taken; /* taken off TIER_OBSERVE */
    const char *note;                         /* what the note must hold */
    enum check_expect expect;
    const char *says; /* what the last of the checks must say */
};

#define ONE(verdict)                                                                                         \
    {                                                                                                        \
        {                                                                                                    \
            "the-check", NULL, verdict                                                                       \
        }                                                                                                    \
    }

static const struct row ROWS[] = {
#include "conformance/tests/judge_rows.def"
};

static void judge_row(const struct row *row, struct hand_made *made, struct case_result *result)
{
    hand_made_init(made, row->clause, row->journal, row->observations);
    if (row->level != NULL)
        hand_made_check(made, row->expect, row->level, "seen:error", row->given, NULL, NULL);
    made->script.tier = row->script_tier;
    made->input.tier = (enum client_tier)(TIER_OBSERVE - row->tier_taken);
    made->input.end = row->end;
    made->input.inferred = row->inferred;
    made->input.strict = row->strict;
    made->input.script_line = row->script_line;
    judge_case(&made->input, result);
}

START_TEST(a_case_gets_the_verdict_it_earned)
{
    const struct row *row = &ROWS[_i];
    struct hand_made made;
    struct case_result result;
    judge_row(row, &made, &result);
    size_t count = 0;
    for (; count < 4 && row->checks[count].name != NULL; count++) {
        const struct expected_check *expected = &row->checks[count];
        ck_assert_msg(count < result.check_count, "%s: only %zu results", row->name, result.check_count);
        const struct check_result *check = &result.checks[count];
        ck_assert_msg(strcmp(check->name, expected->name) == 0, "%s: %s", row->name, check->name);
        ck_assert_msg(check->verdict == expected->verdict, "%s: %s is %s", row->name, check->name,
                      verdict_name(check->verdict));
        const char *id =
            expected->requirement != NULL ? expected->requirement : made.script.clauses[0].requirement->id;
        ck_assert_msg(strcmp(check->requirement->id, id) == 0, "%s: %s", row->name, check->requirement->id);
        ck_assert_msg(check->expected[0] != '\0' && check->actual[0] != '\0', "%s: says nothing", row->name);
    }
    ck_assert_msg(result.check_count == count, "%s: %zu results", row->name, result.check_count);
    ck_assert_msg(result.verdict == row->verdict, "%s: %s", row->name, verdict_name(result.verdict));
    if (row->says != NULL)
        ck_assert_msg(strstr(result.checks[count - 1].actual, row->says) != NULL, "%s: %s", row->name,
                      result.checks[count - 1].actual);
    if (row->note != NULL)
        ck_assert_msg(strstr(result.note, row->note) != NULL, "%s: %s", row->name, result.note);
    hand_made_free(&made);
}
END_TEST

START_TEST(a_failure_of_our_own_outweighs_everything)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "!OJ-IN-05", "");
    made.input.end = CLIENT_CRASHED;
    memcpy(made.input.own_error, "no port", sizeof "no port");
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, VERDICT_ERROR);
    ck_assert_uint_eq(result.check_count, 1);
    ck_assert_str_eq(result.checks[0].actual, "no port");
    hand_made_free(&made);
}
END_TEST

START_TEST(a_check_drops_out_when_its_if_never_came)
{
    static const struct {
        const char *journal;
        enum verdict verdict;
    } COURSES[] = {{OPEN, VERDICT_UNSUPPORTED},
                   {OPEN "<cancelInteraction", VERDICT_PASS},
                   /* it may have had to do with what the mock answered a breach with */
                   {OPEN "#5=serve !OJ-CON-11 >error=X", VERDICT_NOT_REACHED},
                   {OPEN "#5=serve ?OJ-IN-08=28 >error=X", VERDICT_NOT_REACHED},
                   {OPEN "#5=serve ?OJ-IN-07 >error=X", VERDICT_UNSUPPORTED}, /* the service takes that */
                   {OPEN "#5=serve >error=X", VERDICT_UNSUPPORTED},
                   {OPEN "#5=serve !OJ-CON-11 >error=X <cancelInteraction", VERDICT_PASS}};
    for (size_t i = 0; i < sizeof COURSES / sizeof COURSES[0]; i++) {
        struct hand_made made;
        struct case_result result;
        hand_made_init(&made, "OJ-OUT-01", COURSES[i].journal, "");
        hand_made_check(&made, CHECK_NONE, "MUST", "seen:error", "received:cancelInteraction", NULL, NULL);
        made.check.clause = made.script.clauses[0].requirement;
        made.check.only_if = made.check.given;
        made.check.given.set = false;
        judge_case(&made.input, &result);
        const struct check_result *check = &result.checks[result.check_count - 1];
        ck_assert_str_eq(check->requirement->id, "OJ-OUT-01");
        ck_assert_msg(check->verdict == COURSES[i].verdict, "%s: %s", COURSES[i].journal,
                      verdict_name(check->verdict));
        hand_made_free(&made);
    }
}
END_TEST

static const struct {
    const char *behind; /* the broken rule, in the journal */
    enum verdict verdict;
} OBJECTIONS[] = {
    {"#5=serve !OJ-CON-11 >close=1002", VERDICT_NOT_REACHED},
    {"#5=serve !OJ-CON-11 >close=1009", VERDICT_NOT_REACHED},
    {"#5=serve !OJ-CON-11 >close=1000", VERDICT_FAIL},             /* it was content */
    {"#5=serve !OJ-CON-11 <close=4000 >close=4000", VERDICT_FAIL}, /* it answers */
    {"#5=serve >close=1002", VERDICT_FAIL},                        /* nothing was broken */
    {"#5=wait !OJ-CON-11 >close=1002", VERDICT_NOT_REACHED},       /* no step told it to */
    {"#5=close !OJ-CON-11 >close=1002", VERDICT_FAIL},
    /* it had another connection to do it in */
    {"#5=serve !OJ-CON-11 >close=1002 <end <upgrade >ready", VERDICT_FAIL},
    {"#5=serve <close=1000 <end <upgrade >ready !OJ-CON-11 >close=1002", VERDICT_NOT_REACHED},
};

static const struct {
    const char *journal;
    enum verdict verdict;
} CLOSES[] = {
    {OPEN ">close=1011 <close=1011", VERDICT_PASS},
    {OPEN ">close=1011 <end", VERDICT_FAIL},
    {OPEN "<close=1000 >close=1000", VERDICT_NOT_REACHED},
    {OPEN "<close=1000 >close=1000 <end <upgrade >ready >close=1011 <close=1011", VERDICT_PASS},
    {OPEN "<close=1000 >close=1000 <end <upgrade >ready >close=1011 <end", VERDICT_FAIL},
};

START_TEST(the_answer_to_the_clients_close_is_no_close_of_the_mocks)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-CLS-01", CLOSES[_i].journal, "ready");
    hand_made_check(&made, CHECK_SOME, "MUST", "received:close", NULL, "sent:close", NULL);
    judge_case(&made.input, &result);
    ck_assert_msg(result.verdict == CLOSES[_i].verdict, "%s: %s", CLOSES[_i].journal,
                  verdict_name(result.verdict));
    hand_made_free(&made);
}
END_TEST

/* The plan says: close after=… */
static const struct {
    const char *after, *journal;
    enum verdict verdict;
} AT_AN_ERROR[] = {
    {"error", "#5=serve !OJ-CON-11 >error=X <close=1000 +early", VERDICT_NOT_REACHED},
    {"error", "#5=serve !OJ-CON-11 >error=X <end +early", VERDICT_NOT_REACHED},
    {"closed", "#5=serve !OJ-CON-11 >close=1002 <close=1002 +early", VERDICT_NOT_REACHED},
    {"error", "#5=serve ?OJ-IN-08=28 >error=X <close=1000 +early", VERDICT_NOT_REACHED},
    {"error", "#5=serve ?OJ-IN-07 >error=X <close=1000 +early", VERDICT_FAIL},  /* not over that */
    {"error", "#5=serve >error=X <close=1000 +early", VERDICT_FAIL},            /* it broke nothing */
    {"error", "#5=serve <close=1000 !OJ-CON-11 >error=X +early", VERDICT_FAIL}, /* it came later */
    {"error", "#5=serve !OJ-CON-11 >error=X <other <close=1000 +early", VERDICT_FAIL},
    {"speech", "#5=serve !OJ-CON-11 >error=X <close=1000 +early", VERDICT_FAIL},
    {"", "#5=serve !OJ-CON-11 >error=X <close=1000 +early", VERDICT_FAIL},
};

START_TEST(who_leaves_at_errors_as_its_plan_says_may_leave_at_the_answer_to_a_breach)
{
    struct hand_made made;
    struct case_result result;
    char journal[128];
    struct plan_step plan[] = {{.kind = PLAN_CONNECT}, {.kind = PLAN_CLOSE}};
    snprintf(plan[1].after.name, sizeof plan[1].after.name, "%s", AT_AN_ERROR[_i].after);
    snprintf(journal, sizeof journal, OPEN "%s", AT_AN_ERROR[_i].journal);
    hand_made_init(&made, "OJ-CAN-04", journal, "ready");
    hand_made_check(&made, CHECK_NONE, "MUST", "received:other,close,end", NULL, NULL, "mark:early");
    made.script.plan = plan;
    made.script.plan_count = sizeof plan / sizeof plan[0];
    judge_case(&made.input, &result);
    const struct check_result *last = &result.checks[result.check_count - 1];
    ck_assert_str_eq(last->requirement->id, "OJ-CAN-04");
    ck_assert_msg(last->verdict == AT_AN_ERROR[_i].verdict, "%s, %s: %s", AT_AN_ERROR[_i].after, journal,
                  verdict_name(last->verdict));
    made.script.plan = NULL;
    made.script.plan_count = 0;
    hand_made_free(&made);
}
END_TEST

static const struct {
    const char *journal;
    enum verdict verdict;
} LEFT_EARLY[] = {
    {"#5=serve <endInteraction !OJ-IN-08 >error=RATE_LIMITED <close=1000", VERDICT_NOT_REACHED},
    {"#5=serve <endInteraction !OJ-IN-08 >error=RATE_LIMITED <close=1000 >final#0/0", VERDICT_FAIL},
    /* refused for so little that it may be the network's */
    {"#5=serve <endInteraction ?OJ-IN-08=28 >error=RATE_LIMITED <close=1000", VERDICT_NOT_REACHED},
    /* the second answer is the one to a breach */
    {"#5=serve >error=X <endInteraction !OJ-IN-08 >error=RATE_LIMITED <close=1000", VERDICT_NOT_REACHED},
    {"#5=serve <endInteraction <close=1000", VERDICT_FAIL}, /* over nothing that it broke */
};

START_TEST(a_client_that_leaves_when_the_mock_objected_left_no_earlier_than_it_may)
{
    struct hand_made made;
    struct case_result result;
    char journal[128];
    snprintf(journal, sizeof journal, OPEN "%s", LEFT_EARLY[_i].journal);
    hand_made_init(&made, "OJ-CAN-04", journal, "");
    hand_made_check(&made, CHECK_NONE, "MUST", "received:close", NULL, "received:endInteraction",
                    "sent:final");
    judge_case(&made.input, &result);
    const struct check_result *last = &result.checks[result.check_count - 1];
    ck_assert_str_eq(last->requirement->id, "OJ-CAN-04");
    ck_assert_int_eq(last->verdict, LEFT_EARLY[_i].verdict);
    hand_made_free(&made);
}
END_TEST

START_TEST(what_did_not_come_when_the_mock_closed_over_a_broken_rule_follows_from_that)
{
    struct hand_made made;
    struct case_result result;
    char journal[160];
    snprintf(journal, sizeof journal, OPEN "<cancelInteraction %s", OBJECTIONS[_i].behind);
    hand_made_init(&made, "OJ-CAN-04", journal, "");
    hand_made_check(&made, CHECK_SOME, "MUST", "received:audio", NULL, "received:cancelInteraction", NULL);
    judge_case(&made.input, &result);
    const struct check_result *last = &result.checks[result.check_count - 1];
    ck_assert_str_eq(last->requirement->id, "OJ-CAN-04");
    ck_assert_int_eq(last->verdict, OBJECTIONS[_i].verdict);
    hand_made_free(&made);
}
END_TEST

/* The mock acted on a breach in a case that is not about it. */
static const struct {
    const char *breach; /* what it broke, and the answer */
    enum client_end end;
    enum verdict verdict;
    bool fails; /* the case does */
    const char *answer;
} ANSWERED[] = {
    {"!OJ-IN-05 >error=INVALID_MESSAGE", CLIENT_ENDED, VERDICT_NOT_REACHED, false,
     "answered with an error: {\"type\":\"errorResponse\",\"payload\":{\"code\":\"INVALID_MESSAGE\"}}"},
    {"!OJ-IN-05 >close=1008", CLIENT_TIMED_OUT, VERDICT_NOT_REACHED, false,
     "closed the connection with 1008"},
    {"!OJ-CON-13 >close=1008", CLIENT_ENDED, VERDICT_NOT_REACHED, false, "closed the connection with 1008"},
    {"!OJ-IN-05 >error=INVALID_MESSAGE", CLIENT_CRASHED, VERDICT_FAIL, true, NULL},
    {"!OJ-IN-05", CLIENT_ENDED, VERDICT_FAIL, true, ""},
};

START_TEST(a_case_does_not_fail_by_what_the_mock_did_about_another_requirement)
{
    struct hand_made made;
    struct case_result result;
    char journal[128];
    snprintf(journal, sizeof journal, OPEN "#5=serve %s", ANSWERED[_i].breach);
    hand_made_init(&made, "OJ-CAN-04", journal, "");
    hand_made_check(&made, CHECK_SOME, "MUST", "received:audio", NULL, NULL, NULL);
    made.input.end = ANSWERED[_i].end;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, ANSWERED[_i].verdict);
    ck_assert_int_eq(case_fails(&result), ANSWERED[_i].fails);
    if (ANSWERED[_i].answer != NULL)
        ck_assert_str_eq(result.answer, ANSWERED[_i].answer);
    for (size_t i = 0; i < result.check_count; i++) /* also of a hang */
        if (result.checks[i].verdict == VERDICT_NOT_REACHED && result.end != CLIENT_CRASHED)
            ck_assert_ptr_eq(result.checks[i].cause, result.answered);
    hand_made_free(&made);
}
END_TEST

static const struct {
    enum verdict one, other, of_case;
    bool binding, fails;
} WORST[] = {
    {VERDICT_PASS, VERDICT_PASS, VERDICT_PASS, true, false},
    {VERDICT_PASS, VERDICT_INFO, VERDICT_INFO, true, false},
    {VERDICT_PASS, VERDICT_UNSUPPORTED, VERDICT_UNSUPPORTED, true, false},
    {VERDICT_UNSUPPORTED, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE, true, false},
    {VERDICT_INCONCLUSIVE, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED, false, false},
    {VERDICT_NOT_REACHED, VERDICT_WARN, VERDICT_WARN, false, false},
    {VERDICT_NOT_REACHED, VERDICT_DISPUTED, VERDICT_DISPUTED, false, false},
    {VERDICT_NOT_REACHED, VERDICT_WARN, VERDICT_NOT_REACHED, true, true},
    {VERDICT_NOT_REACHED, VERDICT_DISPUTED, VERDICT_NOT_REACHED, true, true},
    {VERDICT_NOT_REACHED, VERDICT_FAIL, VERDICT_FAIL, true, true},
    {VERDICT_FAIL, VERDICT_ERROR, VERDICT_ERROR, true, true},
    {VERDICT_PASS, VERDICT_XPASS, VERDICT_XPASS, true, true},
};

START_TEST(a_case_has_the_worst_of_its_own_checks)
{
    struct case_result result = {.check_count = 3};
    result.checks[0] = (struct check_result){.verdict = WORST[_i].one, .binding = WORST[_i].binding};
    result.checks[1] = (struct check_result){.verdict = WORST[_i].other, .binding = WORST[_i].binding};
    result.checks[2] = (struct check_result){.verdict = VERDICT_FAIL, .scope = SCOPE_RUN, .binding = true};
    case_take_worst(&result, VERDICT_PASS);
    ck_assert_int_eq(result.verdict, WORST[_i].of_case);
    ck_assert(case_fails(&result) == WORST[_i].fails);
}
END_TEST

START_TEST(a_plan_is_written_as_the_client_reads_it)
{
    struct plan_step steps[] = {
        {.kind = PLAN_SPEAK, .file = "hello-3s.wav"},
        {.kind = PLAN_CANCEL, .after = {"speech", 1}},
        {.kind = PLAN_WAIT, .after = {"idle", 1}},
        {.kind = PLAN_WAIT, .wait_us = 1500000},
        {.kind = PLAN_SPEAK, .file = "/else/where \"quoted\".wav", .after = {"error", 2}},
        {.kind = PLAN_SPEAK, .file = "a.wav", .params = "{\"n\":1}", .after = {"sent", 1}},
        {.kind = PLAN_CLOSE},
    };
    struct case_script script = {.name = "ojin/test/plan",
                                 .limit_us = 6000000,
                                 .plan = steps,
                                 .plan_count = sizeof steps / sizeof steps[0]};
    static const char EXPECTED[] =
        "{\"conform\":1,\"case\":\"ojin/test/plan\",\"profile\":\"oris-1.0\",\"limit_ms\":6000,\"steps\":["
        "{\"do\":\"speak\",\"file\":\"/speech/hello-3s.wav\"},{\"do\":\"cancel\",\"after\":\"speech:1\"},"
        "{\"do\":\"wait\",\"after\":\"idle\",\"ms\":0},{\"do\":\"wait\",\"ms\":1500},"
        "{\"do\":\"speak\",\"file\":\"/else/where \\\"quoted\\\".wav\",\"after\":\"error:2\"},"
        "{\"do\":\"speak\",\"file\":\"/speech/a.wav\",\"params\":{\"n\":1},\"after\":\"sent\"},"
        "{\"do\":\"close\"}]}";
    struct buffer out;
    buffer_init(&out, sizeof EXPECTED - 1);
    ck_assert(plan_write(&script, "oris-1.0", "/speech", &out));
    ck_assert_uint_eq(out.len, sizeof EXPECTED - 1);
    ck_assert_mem_eq(out.data, EXPECTED, out.len);
    buffer_free(&out);
    buffer_init(&out, sizeof EXPECTED - 2);
    ck_assert(!plan_write(&script, "oris-1.0", "/speech", &out));
    buffer_free(&out);
}
END_TEST

/* A client that cannot report a close. */
static const struct {
    enum check_expect expect;
    const char *pattern, *observations;
    enum verdict verdict;
} UNSAID[] = {
    {CHECK_SOME, "seen:closed", "", VERDICT_UNSUPPORTED},
    {CHECK_SOME, "seen:closed,error", "", VERDICT_UNSUPPORTED},
    {CHECK_SOME, "seen:closed,error", "error=X", VERDICT_PASS},
    {CHECK_NONE, "seen:closed,error", "", VERDICT_UNSUPPORTED},
    {CHECK_NONE, "seen:closed,error", "error=X", VERDICT_FAIL},
    {CHECK_SOME, "seen:error", "", VERDICT_FAIL},
    {CHECK_DELIVERED, "sent:speech", "", VERDICT_FAIL},
};

START_TEST(a_sound_that_a_client_never_tells_of_is_not_held_against_it)
{
    static const struct {
        const char *observations;
        enum verdict verdict;
        unsigned unsaid;
    } rows[] = {{"played#1/A_ played#2/A_", VERDICT_UNSUPPORTED, UNSAID_SOUND},
                {"played#1/A_ played#2/A", VERDICT_FAIL, 0},
                {"", VERDICT_FAIL, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hand_made made;
        struct case_result result;
        hand_made_init(&made, "OJ-OUT-01", OPEN ">speech#1/A >speech#2/A", rows[i].observations);
        hand_made_check(&made, CHECK_SOUNDED, "MUST", "sent:speech", NULL, NULL, NULL);
        judge_case(&made.input, &result);
        ck_assert_int_eq(result.verdict, rows[i].verdict);
        ck_assert_uint_eq(result.checks[0].unsaid, rows[i].unsaid);
        if (rows[i].unsaid != 0)
            ck_assert_str_eq(result.checks[0].actual, "this client does not report the sound it plays");
        hand_made_free(&made);
    }
}
END_TEST

START_TEST(what_a_client_cannot_report_is_not_held_against_it)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN ">speech#1/A", UNSAID[_i].observations);
    hand_made_check(&made, UNSAID[_i].expect, "MUST", UNSAID[_i].pattern, NULL, NULL, NULL);
    made.input.unsaid = 1U << (unsigned)OBSERVED_CLOSED;
    judge_case(&made.input, &result);
    const bool unsaid = UNSAID[_i].verdict == VERDICT_UNSUPPORTED;
    ck_assert_int_eq(result.verdict, UNSAID[_i].verdict);
    ck_assert_uint_eq(result.checks[0].unsaid, unsaid ? made.input.unsaid : 0);
    if (unsaid)
        ck_assert_str_eq(result.checks[0].actual, "this client does not report closed");
    hand_made_free(&made);
}
END_TEST

/* Of a plan with `end`, in a case about OJ-OUT-16: what hangs on the client's own endInteraction. */
static const struct {
    const char *name;
    const char *journal, *observations;
    int exit_code;
    const char *given;
    enum verdict verdict;
} LEFT_OUT[] = {
    {"it left without", "<audio <close=1000", "", 0, "sent:final", VERDICT_UNSUPPORTED},
    {"the message itself", "<audio <close=1000", "", 0, "received:endInteraction", VERDICT_UNSUPPORTED},
    {"a place of the script", "<audio <close=1000", "", 0, "mark:ended", VERDICT_UNSUPPORTED},
    {"a step of the script", "<audio <close=1000", "", 0, "sent:speech[step=last]", VERDICT_UNSUPPORTED},
    {"what needs none", "<audio <close=1000", "", 0, "sent:speech", VERDICT_NOT_REACHED},
    {"it was sent", "<audio <endInteraction <close=1000", "", 0, "sent:final", VERDICT_NOT_REACHED},
    {"it tells an error", "<audio <close=1000", "error=X", 0, "sent:final", VERDICT_NOT_REACHED},
    {"it ends as if there were one", "<audio <close=1000", "", 1, "sent:final", VERDICT_NOT_REACHED},
    {"the mock ended it", "<audio >close=1000 <close=1000", "", 0, "sent:final", VERDICT_NOT_REACHED},
    {"it did nothing", "<close=1000", "", 0, "sent:final", VERDICT_NOT_REACHED},
};

START_TEST(what_hangs_on_an_act_that_a_client_is_free_to_leave_out_is_not_asked_of_it)
{
    struct plan_step steps[] = {{.kind = PLAN_SPEAK, .file = "a.wav"}, {.kind = PLAN_END}};
    struct hand_made made;
    struct case_result result;
    char journal[128];
    for (size_t with = 0; with < 2; with++) {
        snprintf(journal, sizeof journal, OPEN ">accept %s", LEFT_OUT[_i].journal);
        hand_made_init(&made, "OJ-OUT-16", journal, LEFT_OUT[_i].observations);
        hand_made_check(&made, CHECK_SOME, "MUST", "received:close", LEFT_OUT[_i].given, NULL, NULL);
        made.script.plan = steps;
        made.script.plan_count = 1 + with;
        made.input.exit_code = LEFT_OUT[_i].exit_code;
        judge_case(&made.input, &result);
        const enum verdict expected = with == 1 ? LEFT_OUT[_i].verdict : VERDICT_NOT_REACHED;
        ck_assert_msg(result.checks[0].verdict == expected, "%s: %s", LEFT_OUT[_i].name,
                      verdict_name(result.checks[0].verdict));
        ck_assert((strstr(result.checks[0].actual, "OJ-END-04") != NULL) ==
                  (expected == VERDICT_UNSUPPORTED));
        made.script.plan = NULL;
        made.script.plan_count = 0;
        hand_made_free(&made);
    }
}
END_TEST

/* Speeches that were said whole, in plans with the act after a number of them, and with more after it. */
static const struct {
    enum plan_step_kind act;
    size_t before, behind, said;
    const char *given;
    enum verdict verdict;
} SAID[] = {
    {PLAN_END, 1, 0, 0, "sent:final", VERDICT_NOT_REACHED},
    {PLAN_END, 1, 0, 0, "received:endInteraction", VERDICT_NOT_REACHED},
    {PLAN_END, 1, 0, 1, "sent:final", VERDICT_UNSUPPORTED},
    {PLAN_END, 2, 0, 1, "sent:final", VERDICT_NOT_REACHED},
    {PLAN_END, 2, 0, 2, "sent:final", VERDICT_UNSUPPORTED},
    {PLAN_END, 1, 1, 1, "sent:final", VERDICT_UNSUPPORTED},
    {PLAN_END, 1, 0, RULE_SPEECHES_UNKNOWN, "sent:final", VERDICT_UNSUPPORTED},
    {PLAN_CANCEL, 1, 0, 0, "seen:cancelled", VERDICT_UNSUPPORTED},
};

START_TEST(who_leaves_before_all_is_said_is_not_free_to_leave_out_the_end)
{
    struct plan_step steps[4];
    struct hand_made made;
    struct case_result result;
    size_t count = 0;
    while (count < SAID[_i].before)
        steps[count++] = (struct plan_step){.kind = PLAN_SPEAK, .file = "a.wav"};
    steps[count++] = (struct plan_step){.kind = SAID[_i].act};
    while (count < SAID[_i].before + 1 + SAID[_i].behind)
        steps[count++] = (struct plan_step){.kind = PLAN_SPEAK, .file = "a.wav"};
    hand_made_init(&made, "OJ-OUT-16", OPEN ">accept <audio <close=1000", "");
    hand_made_check(&made, CHECK_SOME, "MUST", "received:close", SAID[_i].given, NULL, NULL);
    made.script.plan = steps;
    made.script.plan_count = count;
    made.input.speeches_said = SAID[_i].said;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.checks[0].verdict, SAID[_i].verdict);
    ck_assert(case_fails(&result) == (SAID[_i].verdict == VERDICT_NOT_REACHED));
    made.script.plan = NULL;
    made.script.plan_count = 0;
    hand_made_free(&made);
}
END_TEST

START_TEST(the_form_of_a_message_that_a_client_is_free_not_to_send_is_not_asked_of_it)
{
    struct plan_step steps[] = {{.kind = PLAN_END}};
    static const struct {
        const char *clause;
        enum verdict verdict;
    } FORMS[] = {{"OJ-END-01", VERDICT_UNSUPPORTED}, {"OJ-CAN-01", VERDICT_NOT_REACHED}};
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        struct hand_made made;
        struct case_result result;
        hand_made_init(&made, FORMS[i].clause, OPEN "<audio <close=1000", "");
        made.script.plan = steps;
        made.script.plan_count = 1;
        judge_case(&made.input, &result);
        ck_assert_int_eq(result.checks[0].verdict, FORMS[i].verdict);
        made.script.plan = NULL;
        made.script.plan_count = 0;
        hand_made_free(&made);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("judge");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, a_case_gets_the_verdict_it_earned, 0, (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_test(cases, a_failure_of_our_own_outweighs_everything);
    tcase_add_test(cases, a_check_drops_out_when_its_if_never_came);
    tcase_add_loop_test(cases, the_answer_to_the_clients_close_is_no_close_of_the_mocks, 0,
                        (int)(sizeof CLOSES / sizeof CLOSES[0]));
    tcase_add_loop_test(cases, who_leaves_at_errors_as_its_plan_says_may_leave_at_the_answer_to_a_breach, 0,
                        (int)(sizeof AT_AN_ERROR / sizeof AT_AN_ERROR[0]));
    tcase_add_loop_test(cases, a_client_that_leaves_when_the_mock_objected_left_no_earlier_than_it_may, 0,
                        (int)(sizeof LEFT_EARLY / sizeof LEFT_EARLY[0]));
    tcase_add_loop_test(cases, what_did_not_come_when_the_mock_closed_over_a_broken_rule_follows_from_that, 0,
                        (int)(sizeof OBJECTIONS / sizeof OBJECTIONS[0]));
    tcase_add_loop_test(cases, a_case_does_not_fail_by_what_the_mock_did_about_another_requirement, 0,
                        (int)(sizeof ANSWERED / sizeof ANSWERED[0]));
    tcase_add_loop_test(cases, a_case_has_the_worst_of_its_own_checks, 0,
                        (int)(sizeof WORST / sizeof WORST[0]));
    tcase_add_test(cases, a_plan_is_written_as_the_client_reads_it);
    tcase_add_test(cases, a_sound_that_a_client_never_tells_of_is_not_held_against_it);
    tcase_add_loop_test(cases, what_a_client_cannot_report_is_not_held_against_it, 0,
                        (int)(sizeof UNSAID / sizeof UNSAID[0]));
    tcase_add_loop_test(cases, what_hangs_on_an_act_that_a_client_is_free_to_leave_out_is_not_asked_of_it, 0,
                        (int)(sizeof LEFT_OUT / sizeof LEFT_OUT[0]));
    tcase_add_loop_test(cases, who_leaves_before_all_is_said_is_not_free_to_leave_out_the_end, 0,
                        (int)(sizeof SAID / sizeof SAID[0]));
    tcase_add_test(cases, the_form_of_a_message_that_a_client_is_free_not_to_send_is_not_asked_of_it);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
