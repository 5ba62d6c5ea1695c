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
    made.script.plan = NULL;
    made.script.plan_count = 0;
    hand_made_free(&made);
}
END_TEST

START_TEST(a_check_drops_out_when_its_if_never_came)
{
    static const struct {
        const char *journal;
        enum verdict verdict;
    } COURSES[] = {{OPEN, VERDICT_UNSUPPORTED}, {OPEN "<cancelInteraction", VERDICT_PASS}};
    for (size_t i = 0; i < sizeof COURSES / sizeof COURSES[0]; i++) {
        struct hand_made made;
        struct case_result result;
        hand_made_init(&made, "OJ-OUT-01", COURSES[i].journal, "");
        hand_made_check(&made, CHECK_NONE, "MUST", "seen:error", "received:cancelInteraction", NULL, NULL);
        made.check.clause = made.script.clauses[0].requirement;
        made.check.only_if = made.check.given;
        made.check.given.set = false;
        judge_case(&made.input, &result);
        ck_assert_int_eq(result.checks[0].verdict, COURSES[i].verdict);
        hand_made_free(&made);
    }
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
    hand_made_init(&made, "OJ-BUF-06", UNPLAYED[_i].journal, UNPLAYED[_i].observations);
    hand_made_check(&made, CHECK_HEARD, "MUST", "sent:speech", NULL, NULL, NULL);
    made.input.lateness_us = JUDGE_LATENESS_MAX_US + 1;
    judge_case(&made.input, &result);
    ck_assert_int_eq(result.verdict, UNPLAYED[_i].verdict);
    hand_made_free(&made);
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

START_TEST(what_follows_from_timing_that_cannot_be_judged_is_not_reached)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "!OJ-IN-08", "");
    made.input.lateness_us = JUDGE_LATENESS_MAX_US + 1;
    made.input.end = CLIENT_TIMED_OUT;
    made.input.script_line = 12;
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].name, "timeout");
    ck_assert_int_eq(result.checks[0].verdict, VERDICT_NOT_REACHED);
    ck_assert(judge_was_inconclusive(&result));
    hand_made_free(&made);
}
END_TEST

START_TEST(a_timeout_says_what_the_client_outlasted)
{
    struct hand_made made;
    struct case_result result;
    hand_made_init(&made, "OJ-OUT-01", OPEN "!OJ-IN-05", "");
    made.input.end = CLIENT_TIMED_OUT;
    memcpy(made.input.end_text, "still running past it", sizeof "still running past it");
    made.input.script_line = 12;
    judge_case(&made.input, &result);
    ck_assert_str_eq(result.checks[0].actual, "TIMEOUT: still running past it, after it broke OJ-IN-05");
    hand_made_free(&made);
}
END_TEST

static const struct {
    const char *clause, *given, *journal;
    bool strict;
    enum verdict timeout, whole;
} HANGS[] = {
    {"OJ-OUT-01", "sent:ready", OPEN, false, VERDICT_FAIL, VERDICT_FAIL}, /* in what the clause is about */
    {"OJ-OUT-01", "sent:error", OPEN, false, VERDICT_NOT_REACHED, VERDICT_NOT_REACHED}, /* before it */
    {"OJ-BUF-03 SHOULD", "sent:ready", OPEN, false, VERDICT_WARN, VERDICT_NOT_REACHED},
    {"OJ-BUF-03 SHOULD", "sent:ready", OPEN, true, VERDICT_FAIL, VERDICT_FAIL},
    /* once all was done */
    {"OJ-OUT-01", "sent:ready", OPEN "<close=1000 >close=1000", false, VERDICT_NOT_REACHED, VERDICT_FAIL},
    {"OJ-BUF-03 SHOULD", "sent:ready", OPEN "<close=1000", false, VERDICT_NOT_REACHED, VERDICT_FAIL},
    {"OJ-OUT-01", "sent:ready", OPEN "<close=1000 <upgrade", false, VERDICT_FAIL, VERDICT_FAIL},
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
    const char *behind; /* the broken rule, in the journal */
    enum verdict verdict;
} OBJECTIONS[] = {
    {"#5=serve !OJ-CON-11 >close=1002", VERDICT_NOT_REACHED},
    {"#5=serve !OJ-CON-11 >close=1009", VERDICT_NOT_REACHED},
    {"#5=serve !OJ-CON-11 >close=1000", VERDICT_FAIL},             /* it was content */
    {"#5=serve !OJ-CON-11 <close=4000 >close=4000", VERDICT_FAIL}, /* it answers */
    {"#5=serve >close=1002", VERDICT_FAIL},                        /* nothing was broken */
};

static const struct {
    const char *journal;
    enum verdict verdict;
} LEFT_EARLY[] = {
    {"#5=serve <endInteraction !OJ-IN-08 >error=RATE_LIMITED <close=1000", VERDICT_NOT_REACHED},
    {"#5=serve <endInteraction !OJ-IN-08 >error=RATE_LIMITED <close=1000 >final#0/0", VERDICT_FAIL},
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
    char journal[96];
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
    ck_assert_uint_eq(result.check_count, 1);
    ck_assert_str_eq(result.checks[0].name, BAD_OBSERVATION[_i].name);
    ck_assert_str_eq(result.checks[0].actual, BAD_OBSERVATION[_i].actual);
    if (BAD_OBSERVATION[_i].end == CLIENT_CRASHED)
        ck_assert_str_eq(result.note, "CRASH; the adapter's observation in line 3: no");
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
    {VERDICT_FAIL, VERDICT_ERROR, VERDICT_FAIL},
    {VERDICT_PASS, VERDICT_ERROR, VERDICT_ERROR},
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
        {.kind = PLAN_SPEAK, .file = "a.wav", .params = "{\"n\":1}", .after = {"sent", 1}},
        {.kind = PLAN_CLOSE},
    };
    struct script script = {.name = "ojin/test/plan",
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

int main(void)
{
    Suite *suite = suite_create("judge");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, a_case_gets_the_verdict_it_earned, 0, (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_test(cases, a_failure_of_our_own_outweighs_everything);
    tcase_add_test(cases, a_check_drops_out_when_its_if_never_came);
    tcase_add_test(cases, a_crash_says_how_and_a_finding_where);
    tcase_add_loop_test(cases, a_client_that_does_nothing_reaches_nothing_unless_it_had_its_reason, 0,
                        (int)(sizeof IDLE / sizeof IDLE[0]));
    tcase_add_loop_test(cases, a_crash_fails_the_case_and_no_requirement_that_is_judged_by_something_else, 0,
                        sizeof CRASHED / sizeof CRASHED[0]);
    tcase_add_loop_test(cases, timing_is_not_judged_on_a_machine_that_is_late_itself, 0,
                        (int)(sizeof LATE / sizeof LATE[0]));
    tcase_add_loop_test(cases, nor_where_either_side_had_to_wait_for_a_core, 0,
                        (int)(sizeof WAITED / sizeof WAITED[0]));
    tcase_add_loop_test(cases, a_check_of_time_is_not_judged_then_either, 0,
                        (int)(sizeof TIMED / sizeof TIMED[0]));
    tcase_add_loop_test(cases, a_sound_that_was_never_played_was_not_late, 0,
                        (int)(sizeof UNPLAYED / sizeof UNPLAYED[0]));
    tcase_add_loop_test(cases, a_limit_does_not_count_on_a_machine_that_stood_still, 0,
                        (int)(sizeof FROZEN / sizeof FROZEN[0]));
    tcase_add_test(cases, what_follows_from_timing_that_cannot_be_judged_is_not_reached);
    tcase_add_test(cases, a_timeout_says_what_the_client_outlasted);
    tcase_add_loop_test(cases, a_client_that_hangs_fails_the_case_but_no_more_than_it_broke, 0,
                        (int)(sizeof HANGS / sizeof HANGS[0]));
    tcase_add_loop_test(cases, a_client_that_leaves_when_the_mock_objected_left_no_earlier_than_it_may, 0,
                        (int)(sizeof LEFT_EARLY / sizeof LEFT_EARLY[0]));
    tcase_add_loop_test(cases, what_did_not_come_when_the_mock_closed_over_a_broken_rule_follows_from_that, 0,
                        (int)(sizeof OBJECTIONS / sizeof OBJECTIONS[0]));
    tcase_add_loop_test(cases, a_wrong_observation_is_the_adapters_fault_and_hides_no_crash, 0,
                        (int)(sizeof BAD_OBSERVATION / sizeof BAD_OBSERVATION[0]));
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
