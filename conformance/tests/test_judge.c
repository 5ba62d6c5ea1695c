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
};

#define ONE(verdict)                                                                                         \
    {                                                                                                        \
        {                                                                                                    \
            "the-check", NULL, verdict                                                                       \
        }                                                                                                    \
    }

static const struct row ROWS[] = {
    /* levels and bases of a check that does not hold */
    {.name = "it holds", "OJ-OUT-01", "MUST", NULL, OPEN, "", VERDICT_PASS, ONE(VERDICT_PASS)},
    {.name = "MUST of a document",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN,
     "error=X",
     VERDICT_FAIL,
     ONE(VERDICT_FAIL)},
    {.name = "MUST of RFC 6455", "OJ-OUT-12", "MUST", NULL, OPEN, "error=X", VERDICT_FAIL, ONE(VERDICT_FAIL)},
    {.name = "MUST inferred",
     "OJ-OUT-02",
     "MUST",
     NULL,
     OPEN,
     "error=X",
     VERDICT_DISPUTED,
     ONE(VERDICT_DISPUTED)},
    {.name = "MUST inferred, asked for",
     "OJ-OUT-02",
     "MUST",
     NULL,
     OPEN,
     "error=X",
     VERDICT_FAIL,
     ONE(VERDICT_FAIL),
     .inferred = true},
    {.name = "SHOULD of a document",
     "OJ-BUF-03",
     "SHOULD",
     NULL,
     OPEN,
     "error=X",
     VERDICT_WARN,
     ONE(VERDICT_WARN)},
    {.name = "SHOULD, strictly",
     "OJ-BUF-03",
     "SHOULD",
     NULL,
     OPEN,
     "error=X",
     VERDICT_FAIL,
     ONE(VERDICT_FAIL),
     .strict = true},
    {.name = "SHOULD is no inferred MUST",
     "OJ-OUT-05",
     "SHOULD",
     NULL,
     OPEN,
     "error=X",
     VERDICT_WARN,
     ONE(VERDICT_WARN),
     .inferred = true},
    {.name = "SHOULD from practice",
     "OJ-OUT-11",
     "SHOULD",
     NULL,
     OPEN,
     "error=X",
     VERDICT_WARN,
     ONE(VERDICT_WARN)},
    {.name = "a check asks for less than its requirement",
     "OJ-OUT-01",
     "SHOULD",
     NULL,
     OPEN,
     "error=X",
     VERDICT_WARN,
     ONE(VERDICT_WARN)},
    {.name = "a check cannot ask for more",
     "OJ-BUF-03",
     "MUST",
     NULL,
     OPEN,
     "error=X",
     VERDICT_WARN,
     ONE(VERDICT_WARN)},
    {.name = "a clause asks for less than its check",
     "OJ-OUT-01 SHOULD",
     "MUST",
     NULL,
     OPEN,
     "error=X",
     VERDICT_WARN,
     ONE(VERDICT_WARN)},
    {.name = "INFO",
     "OJ-OUT-01",
     "INFO",
     NULL,
     OPEN,
     "error=X",
     VERDICT_INFO,
     ONE(VERDICT_INFO),
     .inferred = true,
     .strict = true},
    {.name = "what it depends on never came",
     "OJ-OUT-01",
     "MUST",
     "sent:speech",
     OPEN,
     "error=X",
     VERDICT_NOT_REACHED,
     ONE(VERDICT_NOT_REACHED)},
    {.name = "what a SHOULD depends on never came",
     "OJ-BUF-03",
     "SHOULD",
     "sent:speech",
     OPEN,
     "",
     VERDICT_NOT_REACHED,
     ONE(VERDICT_NOT_REACHED)},

    {.name = "what an INFO depends on never came",
     "OJ-OUT-01",
     "INFO",
     "sent:speech",
     OPEN,
     "",
     VERDICT_INFO,
     ONE(VERDICT_INFO)},

    /* rules */
    {.name = "a kept rule passes",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "=OJ-IN-05",
     "",
     VERDICT_PASS,
     {{"wire", "OJ-IN-05", VERDICT_PASS}, {"the-check", NULL, VERDICT_PASS}}},
    {.name = "a broken rule fails under its own requirement",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-05", VERDICT_FAIL}, {"the-check", NULL, VERDICT_PASS}}},
    {.name = "a broken rule of basis inferred is disputed",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-06",
     "",
     VERDICT_DISPUTED,
     {{"wire", "OJ-IN-06", VERDICT_DISPUTED}, {"the-check", NULL, VERDICT_PASS}}},
    {.name = "or fails when asked for",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-06",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-06", VERDICT_FAIL}, {"the-check", NULL, VERDICT_PASS}},
     .inferred = true},
    {.name = "a clause may ask a rule for less",
     "OJ-IN-05 SHOULD",
     NULL,
     NULL,
     OPEN "!OJ-IN-05",
     "",
     VERDICT_WARN,
     {{"wire", "OJ-IN-05", VERDICT_WARN}}},
    {.name = "a note is INFO beside the rule it came from",
     "OJ-IN-07",
     NULL,
     NULL,
     OPEN "=OJ-IN-07 ?OJ-IN-07",
     "",
     VERDICT_INFO,
     {{"wire", "OJ-IN-07", VERDICT_PASS}, {"wire", "OJ-IN-07", VERDICT_INFO}}},
    {.name = "a rule that is a clause was not reached",
     "OJ-IN-05",
     NULL,
     NULL,
     OPEN,
     "",
     VERDICT_NOT_REACHED,
     {{"wire", "OJ-IN-05", VERDICT_NOT_REACHED}}},
    {.name = "or is judged by a check", "OJ-IN-05", "MUST", NULL, OPEN, "", VERDICT_PASS, ONE(VERDICT_PASS)},
    {.name = "what follows from a broken rule is not reached",
     "OJ-OUT-01",
     "MUST",
     "sent:speech",
     OPEN "!OJ-IN-05",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-05", VERDICT_FAIL}, {"the-check", NULL, VERDICT_NOT_REACHED}},
     .script_line = 12},
    {.name = "so is what did not come when the script broke off",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-05", VERDICT_FAIL}, {"the-check", NULL, VERDICT_NOT_REACHED}},
     .script_line = 12,
     .expect = CHECK_SOME},
    {.name = "but not when the script went on",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-05", VERDICT_FAIL}, {"the-check", NULL, VERDICT_FAIL}},
     .expect = CHECK_SOME},
    {.name = "nor when no rule was broken",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN,
     "",
     VERDICT_FAIL,
     ONE(VERDICT_FAIL),
     .script_line = 12,
     .expect = CHECK_SOME},

    {.name = "steps that were left out broke it off too",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05 *12",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-05", VERDICT_FAIL}, {"the-check", NULL, VERDICT_NOT_REACHED}},
     .expect = CHECK_SOME},
    {.name = "a condition that was met stands",
     "OJ-OUT-01",
     "MUST",
     "sent:ready",
     OPEN "!OJ-IN-05 *12",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-05", VERDICT_FAIL}, {"the-check", NULL, VERDICT_FAIL}},
     .expect = CHECK_SOME},
    {.name = "unless the mock objected to what was broken",
     "OJ-OUT-01",
     "MUST",
     "sent:error",
     OPEN "#5=serve !OJ-IN-07 >error=FRAME_SIZE_EXCEEDED",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-07", VERDICT_FAIL}, {"the-check", NULL, VERDICT_NOT_REACHED}},
     .expect = CHECK_SOME},
    {.name = "an error that the script asked for is no objection",
     "OJ-OUT-01",
     "MUST",
     "sent:error",
     OPEN "#5=serve #6=send !OJ-IN-07 >error=INTERNAL_ERROR",
     "",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-07", VERDICT_FAIL}, {"the-check", NULL, VERDICT_FAIL}},
     .expect = CHECK_SOME},
    {.name = "a timeout after an objection follows from it",
     "OJ-OUT-01",
     NULL,
     NULL,
     OPEN "#5=serve !OJ-IN-07 >error=FRAME_SIZE_EXCEEDED",
     "",
     VERDICT_FAIL,
     {{"timeout", "OJ-OUT-01", VERDICT_NOT_REACHED}, {"wire", "OJ-IN-07", VERDICT_FAIL}},
     .end = CLIENT_TIMED_OUT},

    /* clauses that neither a check nor a rule judges */
    {.name = "coming through keeps the first clause",
     "OJ-CLS-03",
     NULL,
     NULL,
     OPEN,
     "",
     VERDICT_PASS,
     {{"survives", "OJ-CLS-03", VERDICT_PASS}}},
    {.name = "not coming through does not reach it",
     "OJ-CLS-03",
     NULL,
     NULL,
     OPEN,
     "",
     VERDICT_NOT_REACHED,
     {{"survives", "OJ-CLS-03", VERDICT_NOT_REACHED}},
     .script_line = 12,
     .note = "stopped in line 12: send speech"},

    /* how the client ended */
    {.name = "a crash fails the first clause",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN,
     "",
     VERDICT_FAIL,
     {{"crash", "OJ-OUT-01", VERDICT_FAIL}, {"the-check", NULL, VERDICT_PASS}},
     .end = CLIENT_CRASHED,
     .note = "CRASH"},
    {.name = "a crash fails whatever the level",
     "OJ-OUT-11 INFO",
     "INFO",
     NULL,
     OPEN,
     "",
     VERDICT_FAIL,
     {{"crash", "OJ-OUT-11", VERDICT_FAIL}, {"the-check", NULL, VERDICT_PASS}},
     .end = CLIENT_CRASHED},
    {.name = "a timeout fails the first clause",
     "OJ-OUT-02",
     "MUST",
     NULL,
     OPEN,
     "",
     VERDICT_FAIL,
     {{"timeout", "OJ-OUT-02", VERDICT_FAIL}, {"the-check", NULL, VERDICT_PASS}},
     .end = CLIENT_TIMED_OUT},
    {.name = "a timeout that follows from a broken rule",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05",
     "",
     VERDICT_FAIL,
     {{"timeout", "OJ-OUT-01", VERDICT_NOT_REACHED},
      {"wire", "OJ-IN-05", VERDICT_FAIL},
      {"the-check", NULL, VERDICT_PASS}},
     .end = CLIENT_TIMED_OUT,
     .script_line = 12},
    {.name = "a timeout after the script had ended is its own fault",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05",
     "",
     VERDICT_FAIL,
     {{"timeout", "OJ-OUT-01", VERDICT_FAIL},
      {"wire", "OJ-IN-05", VERDICT_FAIL},
      {"the-check", NULL, VERDICT_PASS}},
     .end = CLIENT_TIMED_OUT},
    {.name = "no connection: nothing is reached",
     "OJ-OUT-01",
     "MUST",
     NULL,
     "",
     "",
     VERDICT_NOT_REACHED,
     ONE(VERDICT_NOT_REACHED),
     .end = CLIENT_NEVER_CAME,
     .note = "NOCONNECT"},
    {.name = "no connection: the clause without a check neither",
     "OJ-IN-05",
     NULL,
     NULL,
     "",
     "",
     VERDICT_NOT_REACHED,
     {{"connect", "OJ-IN-05", VERDICT_NOT_REACHED}},
     .end = CLIENT_NEVER_CAME},
    {.name = "a declined case is unsupported",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05",
     "error=X",
     VERDICT_UNSUPPORTED,
     ONE(VERDICT_UNSUPPORTED),
     .end = CLIENT_DECLINED},
    {.name = "a broken adapter is an error",
     "OJ-OUT-01",
     "MUST",
     NULL,
     "",
     "",
     VERDICT_ERROR,
     {{"own", "OJ-OUT-01", VERDICT_ERROR}},
     .end = CLIENT_BROKEN,
     .note = "adapter"},
    {.name = "a client that cannot be started is an error",
     "OJ-OUT-01",
     "MUST",
     NULL,
     "",
     "",
     VERDICT_ERROR,
     {{"own", "OJ-OUT-01", VERDICT_ERROR}},
     .end = CLIENT_NOT_STARTED,
     .note = "could not be started"},
    {.name = "a breach of our own is an error, not a verdict",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "~ !OJ-IN-05",
     "error=X",
     VERDICT_ERROR,
     {{"own", "OJ-OUT-01", VERDICT_ERROR}},
     .note = "a bad frame"},
    {.name = "a step that could not be done is named",
     "OJ-OUT-01",
     "MUST",
     "sent:speech",
     OPEN "*12",
     "",
     VERDICT_NOT_REACHED,
     ONE(VERDICT_NOT_REACHED),
     .script_line = 12,
     .note = "line 12: it cannot be done"},

    /* tiers */
    {.name = "a case above the client's tier",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN,
     "error=X",
     VERDICT_UNSUPPORTED,
     ONE(VERDICT_UNSUPPORTED),
     .script_tier = TIER_OBSERVE,
     .tier_taken = 1},
    {.name = "its rules are judged all the same",
     "OJ-OUT-01",
     "MUST",
     NULL,
     OPEN "!OJ-IN-05",
     "error=X",
     VERDICT_FAIL,
     {{"wire", "OJ-IN-05", VERDICT_FAIL}, {"the-check", NULL, VERDICT_UNSUPPORTED}},
     .script_tier = TIER_OBSERVE,
     .tier_taken = 2},
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

START_TEST(a_crash_says_how_and_a_finding_where)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "!OJ-IN-05", "");
    made.input.end = CLIENT_CRASHED;
    memcpy(made.input.end_text, "killed by SIGSEGV", sizeof "killed by SIGSEGV");
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].actual, "CRASH: killed by SIGSEGV");
    ck_assert_str_eq(result.note, "CRASH: killed by SIGSEGV");
    ck_assert_str_eq(result.checks[1].expected, "what the rule asks for");
    ck_assert_str_eq(result.checks[1].actual, "what came instead");
    ck_assert_uint_eq(result.checks[1].journal_sequence, 2);
    hand_made_free(&made);
}
END_TEST

static const struct {
    enum verdict a, b, both;
} COMBINED[] = {
    {VERDICT_PASS, VERDICT_UNSUPPORTED, VERDICT_PASS},
    {VERDICT_PASS, VERDICT_NOT_REACHED, VERDICT_PASS},
    {VERDICT_UNSUPPORTED, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED},
    {VERDICT_NOT_REACHED, VERDICT_WARN, VERDICT_WARN},
    {VERDICT_NOT_REACHED, VERDICT_FAIL, VERDICT_FAIL},
    {VERDICT_PASS, VERDICT_INFO, VERDICT_INFO},
    {VERDICT_WARN, VERDICT_DISPUTED, VERDICT_DISPUTED},
    {VERDICT_FAIL, VERDICT_ERROR, VERDICT_ERROR},
    {VERDICT_PASS, VERDICT_PASS, VERDICT_PASS},
};

START_TEST(a_requirement_that_one_case_reached_was_reached)
{
    ck_assert_int_eq(verdict_combine(COMBINED[_i].a, COMBINED[_i].b), COMBINED[_i].both);
    ck_assert_int_eq(verdict_combine(COMBINED[_i].b, COMBINED[_i].a), COMBINED[_i].both);
}
END_TEST

START_TEST(within_a_case_not_reached_outweighs_what_fails_nobody)
{
    static const enum verdict MILDER[] = {VERDICT_PASS,         VERDICT_INFO, VERDICT_UNSUPPORTED,
                                          VERDICT_INCONCLUSIVE, VERDICT_WARN, VERDICT_DISPUTED};
    for (size_t i = 0; i < sizeof MILDER / sizeof MILDER[0]; i++) {
        ck_assert_int_eq(verdict_worse(MILDER[i], VERDICT_NOT_REACHED), VERDICT_NOT_REACHED);
        ck_assert(!verdict_fails(MILDER[i]));
    }
    ck_assert(verdict_fails(VERDICT_NOT_REACHED));
    ck_assert(verdict_fails(VERDICT_FAIL));
    ck_assert(verdict_fails(VERDICT_ERROR));
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
        {.kind = PLAN_CLOSE},
    };
    struct script script = {.name = "ojin/test/plan",
                            .limit_us = 6000000,
                            .plan = steps,
                            .plan_count = sizeof steps / sizeof steps[0]};
    static const char EXPECTED[] =
        "{\"conform\":1,\"case\":\"ojin/test/plan\",\"profile\":\"oris-1.0\",\"limit_ms\":6000,\"steps\":["
        "{\"do\":\"speak\",\"file\":\"/speech/hello-3s.wav\"},{\"do\":\"cancel\",\"after\":\"speech:1\"},"
        "{\"do\":\"wait\",\"after\":\"idle\"},{\"do\":\"wait\",\"ms\":1500},"
        "{\"do\":\"speak\",\"file\":\"/else/where \\\"quoted\\\".wav\",\"after\":\"error:2\"},"
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

int main(void)
{
    Suite *suite = suite_create("judge");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, a_case_gets_the_verdict_it_earned, 0, (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_test(cases, a_failure_of_our_own_outweighs_everything);
    tcase_add_test(cases, a_crash_says_how_and_a_finding_where);
    tcase_add_loop_test(cases, a_requirement_that_one_case_reached_was_reached, 0,
                        (int)(sizeof COMBINED / sizeof COMBINED[0]));
    tcase_add_test(cases, within_a_case_not_reached_outweighs_what_fails_nobody);
    tcase_add_test(cases, a_plan_is_written_as_the_client_reads_it);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
