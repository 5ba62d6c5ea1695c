/* What the causes of a run are, and in what order. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/judge/verdict.h"
#include "conformance/report/causes.h"
#include "conformance/report/followers.h"
#include "conformance/report/picture_rows.h"
#include "conformance/tests/hand_made.h"
#include "conformance/tests/run_of_checks.h"

static void headline_is(const struct causes *causes, const char *expected)
{
    char line[RUN_REASON_MAX];
    struct text text = text_of(line, sizeof line);
    causes_headline(causes, &text);
    ck_assert_str_eq(line, expected);
}

START_TEST(rules_that_find_the_same_words_are_one_cause)
{
    struct run *run = run_of_nothing(3);
    struct causes causes;
    check_set(run, 0, "wire", "OJ-IN-02", VERDICT_FAIL, SCOPE_RUN,
              "timestamp 1795: seconds, not milliseconds");
    check_set(run, 1, "wire", "OJ-IN-02", VERDICT_FAIL, SCOPE_RUN,
              "timestamp 1799: seconds, not milliseconds");
    check_set(run, 1, "wire", "OJ-END-01", VERDICT_FAIL, SCOPE_CHECK,
              "timestamp 1799: seconds, not milliseconds in {\"type\": \"endInteraction\"}");
    run->cases[1].result.verdict = VERDICT_FAIL;
    check_set(run, 2, "wire", "OJ-IN-02", VERDICT_PASS, SCOPE_RUN, "kept");
    check_set(run, 2, "wire", "OJ-IN-01", VERDICT_FAIL, SCOPE_RUN, "payload type 7");
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 2);
    ck_assert_uint_eq(causes.failing_count, 2);
    const struct cause *clock = &causes.list[0];
    ck_assert_uint_eq(clock->requirement_count, 2);
    ck_assert_str_eq(clock->requirements[1]->id, "OJ-END-01");
    ck_assert_uint_eq(clock->broken_count, 2);
    ck_assert_uint_eq(clock->session_count, 3);
    ck_assert_uint_eq(clock->case_count, 1);
    ck_assert_uint_eq(clock->way_count, 0);
    ck_assert_str_eq(causes.list[1].requirements[0]->id, "OJ-IN-01");
    headline_is(&causes,
                "2 causes: timestamp 1795: seconds, not milliseconds (OJ-IN-02); payload type 7 (OJ-IN-01)");
    ck_assert_int_eq(run_exit_code(&run->result), 1);
    causes_free(&causes);
    free(run);
}
END_TEST

START_TEST(what_was_not_reached_belongs_to_what_kept_it_from_that)
{
    struct run *run = run_of_nothing(4);
    struct causes causes;
    char line[JUDGE_TEXT_MAX];
    struct text answer = text_of(line, sizeof line);
    for (size_t i = 0; i < 3; i++) {
        check_set(run, i, "wire", "OJ-CON-02", VERDICT_FAIL, SCOPE_RUN,
                  "Authorization is \"Bearer \" and <key>");
        check_set(run, i, "the-check", i == 0 ? "OJ-OUT-01" : "OJ-OUT-02", VERDICT_NOT_REACHED, SCOPE_CHECK,
                  "no ready message came from the mock");
        run->cases[i].result.checks[1].cause = requirement_by_id("OJ-CON-02");
        run->cases[i].result.verdict = VERDICT_NOT_REACHED;
        run->cases[i].result.binding = true;
        run->cases[i].result.answered = requirement_by_id("OJ-CON-02");
        copy(run->cases[i].result.answer, JUDGE_TEXT_MAX, "refused the request with HTTP 401");
    }
    check_set(run, 2, "timeout", "OJ-OUT-02", VERDICT_NOT_REACHED, SCOPE_CASE, "TIMEOUT: still running");
    run->cases[2].result.checks[2].cause = requirement_by_id("OJ-CON-02");
    run->cases[2].result.end = CLIENT_TIMED_OUT;
    check_set(run, 3, "the-check", "OJ-OUT-03", VERDICT_NOT_REACHED, SCOPE_CHECK,
              "no final frame came from the mock");
    run->cases[3].result.verdict = VERDICT_NOT_REACHED;
    run->cases[3].result.binding = true;
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 2);
    ck_assert_int_eq(causes.list[0].kind, CAUSE_BROKEN);
    ck_assert_uint_eq(causes.list[0].case_count, 3);
    ck_assert_uint_eq(causes.list[0].blocked_count, 2);
    ck_assert_uint_eq(causes.list[0].unreached_count, 3);
    ck_assert_uint_eq(causes.list[0].hung_count, 1);
    cause_answer(&causes.list[0], &answer);
    ck_assert_str_eq(line,
                     "refused the request with HTTP 401; 3 cases were not reached, or in part; the client "
                     "then hung in 1");
    ck_assert_int_eq(causes.list[1].kind, CAUSE_UNREACHED);
    ck_assert_str_eq(causes.list[1].sentence, "no final frame came from the mock");
    ck_assert_uint_eq(causes.list[1].case_count, 1);
    headline_is(
        &causes,
        "2 causes: Authorization is \"Bearer \" and <key> (OJ-CON-02); no final frame came from the mock; "
        "3 requirements not reached, or in part");
    causes_free(&causes);
    free(run);
}
END_TEST

START_TEST(a_hang_says_where_the_mock_stood)
{
    struct run *run = run_of_nothing(1);
    struct causes causes;
    char line[2 * JUDGE_TEXT_MAX];
    struct text answer = text_of(line, sizeof line);
    check_set(run, 0, "timeout", "OJ-OUT-02", VERDICT_NOT_REACHED, SCOPE_CASE, "TIMEOUT: still running");
    run->cases[0].result.end = CLIENT_TIMED_OUT;
    run->cases[0].result.verdict = VERDICT_NOT_REACHED;
    run->cases[0].result.binding = true;
    copy(run->cases[0].result.stood, JUDGE_TEXT_MAX, "line 24: serve until=close");
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 1);
    ck_assert_int_eq(causes.list[0].kind, CAUSE_END);
    cause_answer(&causes.list[0], &answer);
    ck_assert_str_eq(line, "stood in line 24: serve until=close");
    causes_free(&causes);
    free(run);
}
END_TEST

START_TEST(what_follows_from_notes_is_one_cause_that_fails_nobody)
{
    struct run *run = run_of_nothing(3);
    struct causes causes;
    for (size_t i = 0; i < 2; i++) {
        check_set(run, i, "closes", i == 0 ? "OJ-OUT-16" : "OJ-END-02", VERDICT_NOT_REACHED, SCOPE_CHECK,
                  i == 0 ? "no final frame came from the mock" : "the case never reached mark ended");
        check_set(run, i, "wire", "OJ-IN-08", VERDICT_INFO, SCOPE_RUN, "28 ms less than a second");
        run->cases[i].result.checks[0].cause = requirement_by_id("OJ-IN-08");
        run->cases[i].result.checks[0].binding = true;
        run->cases[i].result.checks[0].excused = true;
        run->cases[i].result.answered = requirement_by_id("OJ-IN-08");
        case_take_worst(&run->cases[i].result, VERDICT_PASS);
    }
    check_set(run, 2, "the-check", "OJ-OUT-02", VERDICT_PASS, SCOPE_CHECK, "it came");
    run_tell_followers(&run->result);
    ck_assert_int_eq(run_exit_code(&run->result), 0);
    ck_assert_str_eq(run_case_unjudged_reason(&run->result, &run->cases[0]),
                     "not reached, as the mock refused what is too little for a breach");
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 1);
    ck_assert_int_eq(causes.list[0].kind, CAUSE_UNREACHED);
    ck_assert_str_eq(causes.list[0].word, "NOTREACHED");
    ck_assert(!causes.list[0].fails);
    ck_assert_str_eq(causes.list[0].sentence,
                     "OJ-IN-08 by too little for a breach: 28 ms less than a second");
    ck_assert_uint_eq(causes.list[0].broken_count, 2);
    ck_assert_uint_eq(causes.list[0].blocked_count, 2);
    causes_free(&causes);
    free(run);
}
END_TEST

/* A case fails by two requirements, and only one of them by a message. */
START_TEST(a_cause_shows_no_message_that_another_is_about)
{
    struct run *run = run_of_nothing(1);
    struct run_case *run_case = &run->cases[0];
    struct causes causes;
    check_set(run, 0, "wire", "OJ-IN-02", VERDICT_FAIL, SCOPE_CHECK,
              "timestamp 17: seconds, not milliseconds");
    check_set(run, 0, "closes", "OJ-OUT-16", VERDICT_FAIL, SCOPE_CHECK,
              "no close frame came from the client");
    case_take_worst(&run_case->result, VERDICT_PASS);
    copy(run_case->wire_tail, sizeof run_case->wire_tail,
         "0.1 s  client  audio\n^ OJ-IN-02 wire  timestamp >17<\n");
    copy(run_case->evidence.wire_last, EVIDENCE_TAIL_MAX, "0.1 s  client  audio\n");
    struct evidence_item *item = &run_case->evidence.items[0];
    item->requirement = requirement_by_id("OJ-IN-02");
    copy(item->check, sizeof item->check, "wire");
    copy(item->wire, sizeof item->wire, "0.1 s  client  audio\ntimestamp >17<");
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 2);
    for (size_t i = 0; i < causes.count; i++) {
        const bool by_message = strcmp(causes.list[i].requirements[0]->id, "OJ-IN-02") == 0;
        ck_assert_int_eq(cause_shows_message(&causes.list[i]), by_message);
        ck_assert_str_eq(cause_wire(&causes.list[i]),
                         by_message ? "0.1 s  client  audio\ntimestamp >17<" : "0.1 s  client  audio\n");
    }
    causes_free(&causes);
    free(run);
}
END_TEST

/* A case that is about OJ-FLD-08, a SHOULD, breaks it, and does not reach something of another requirement.
 */
static const struct {
    const char *name, *unreached;
    enum verdict breach;
    size_t causes;
} BESIDE_A_BREACH[] = {
    {"a SHOULD", "OJ-ERR-09", VERDICT_WARN, 1},
    {"a MUST, which fails the run", "OJ-OUT-06", VERDICT_WARN, 2},
    {"a MUST beside a FAIL", "OJ-OUT-06", VERDICT_FAIL, 1},
    {"a SHOULD, and nothing is broken", "OJ-ERR-09", VERDICT_PASS, 1},
};

START_TEST(what_fails_nobody_is_told_under_a_breach_of_its_case)
{
    const bool broken = BESIDE_A_BREACH[_i].breach != VERDICT_PASS;
    struct run *run = run_of_nothing(1);
    struct causes causes;
    check_set(run, 0, "stays", "OJ-FLD-08", BESIDE_A_BREACH[_i].breach, SCOPE_CHECK, "a close came");
    check_set(run, 0, "goes-on", BESIDE_A_BREACH[_i].unreached, VERDICT_NOT_REACHED, SCOPE_CHECK,
              "the case never reached its end");
    run->cases[0].result.checks[1].binding = strcmp(BESIDE_A_BREACH[_i].unreached, "OJ-OUT-06") == 0;
    case_take_worst(&run->cases[0].result, VERDICT_PASS);
    causes_init(&run->result, &causes);
    ck_assert_msg(causes.count == BESIDE_A_BREACH[_i].causes, "%s: %zu", BESIDE_A_BREACH[_i].name,
                  causes.count);
    size_t told_under = 0;
    for (size_t i = 0; i < causes.count; i++)
        told_under += causes.list[i].kind == CAUSE_BROKEN ? causes.list[i].blocked_count : 0;
    ck_assert_uint_eq(told_under, broken && causes.count == 1);
    causes_free(&causes);
    free(run);
}
END_TEST

START_TEST(exceptions_at_one_place_are_one_cause)
{
    static const char *const ENDS[] = {"AttributeError: 'dict' object has no attribute 'x' (x.py:3 in f)",
                                       "TypeError: 'list' object is not an integer (x.py:3 in f)",
                                       "killed by SIGSEGV"};
    struct run *run = run_of_nothing(3);
    struct causes causes;
    for (size_t i = 0; i < 3; i++) {
        run->cases[i].result.end = CLIENT_CRASHED;
        run->cases[i].result.verdict = VERDICT_FAIL;
        copy(run->cases[i].result.end_text, JUDGE_TEXT_MAX, ENDS[i]);
        copy(run->cases[i].result.raised, JUDGE_RAISED_MAX,
             i == 0   ? "AttributeError at x.py:3 in f"
             : i == 1 ? "TypeError at x.py:3 in f"
                      : "");
        copy(run->cases[i].result.note, JUDGE_TEXT_MAX,
             i == 0 ? "CRASH: so it was; stopped in line 14: serve"
                    : "CRASH: so it was; run again alone, since the machine was late");
        check_set(run, i, "crash", "OJ-OUT-01", VERDICT_NOT_REACHED, SCOPE_CASE, "CRASH: somehow");
        check_set(run, i, "the-check", "OJ-OUT-02", VERDICT_NOT_REACHED, SCOPE_CHECK,
                  "no ready report came from the client");
    }
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 2);
    ck_assert_int_eq(causes.list[0].kind, CAUSE_END);
    ck_assert_str_eq(causes.list[0].word, "CRASH");
    ck_assert_str_eq(causes.list[0].sentence, ENDS[0]);
    ck_assert_uint_eq(causes.list[0].case_count, 2);
    ck_assert_uint_eq(causes.list[0].broken_count, 2);
    ck_assert_uint_eq(causes.list[0].blocked_count, 1);
    ck_assert_str_eq(causes.list[1].sentence, "killed by SIGSEGV");
    causes_free(&causes);
    free(run);
}
END_TEST

/* A rule that asks a client to go on found the end of its connection: that is the same crash, in all cases.
 */
START_TEST(a_crash_that_is_a_breach_is_one_cause_with_it)
{
    static const char CRASH[] = "TypeError: null is no object (x.mjs:3 in f)";
    struct run *run = run_of_nothing(3);
    struct causes causes;
    for (size_t i = 0; i < 3; i++) {
        run->cases[i].result.end = CLIENT_CRASHED;
        run->cases[i].result.verdict = VERDICT_FAIL;
        copy(run->cases[i].result.end_text, JUDGE_TEXT_MAX, i < 2 ? CRASH : "killed by SIGSEGV");
        copy(run->cases[i].result.raised, JUDGE_RAISED_MAX, i < 2 ? "TypeError at x.mjs:3 in f" : "");
        check_set(run, i, "crash", "OJ-OUT-01", VERDICT_NOT_REACHED, SCOPE_CASE, "CRASH: somehow");
    }
    check_set(run, 1, "wire", "IV-OUT-04", VERDICT_FAIL, SCOPE_CHECK, "CRASH: so; it ended the connection");
    run->cases[1].result.checks[1].by_crash = true;
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 2);
    ck_assert_int_eq(causes.list[0].kind, CAUSE_BROKEN);
    ck_assert_str_eq(causes.list[0].requirements[0]->id, "IV-OUT-04");
    ck_assert_uint_eq(causes.list[0].case_count, 2);
    ck_assert_int_eq(causes.list[1].kind, CAUSE_END);
    ck_assert_str_eq(causes.list[1].sentence, "killed by SIGSEGV");
    ck_assert_uint_eq(causes.list[1].case_count, 1);
    causes_free(&causes);
    free(run);
}
END_TEST

/* A crash fails the run whatever it breaks: the heading says so, and the sentence does not say it again. */
START_TEST(a_crash_over_what_is_no_must_is_headed_by_what_decides_the_exit)
{
    struct run *run = run_of_nothing(1);
    struct causes causes;
    run->cases[0].result.end = CLIENT_CRASHED;
    run->cases[0].result.verdict = VERDICT_FAIL;
    copy(run->cases[0].result.end_text, JUDGE_TEXT_MAX, "killed by SIGSEGV");
    check_set(run, 0, "goes-on", "OJ-ERR-09", VERDICT_WARN, SCOPE_CHECK,
              "CRASH: killed by SIGSEGV; no report");
    check_set(run, 0, "crash", "OJ-ERR-09", VERDICT_FAIL, SCOPE_CASE, "CRASH: killed by SIGSEGV");
    run->cases[0].result.checks[0].by_crash = true;
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 1);
    ck_assert(causes.list[0].fails);
    ck_assert_str_eq(causes.list[0].word, "CRASH");
    headline_is(&causes, "1 cause: killed by SIGSEGV (OJ-ERR-09)");
    ck_assert_int_eq(run_exit_code(&run->result), 1);
    causes_free(&causes);
    free(run);
}
END_TEST

START_TEST(the_exit_names_the_first_cases_and_counts_the_others)
{
    struct run *run = run_of_nothing(4);
    char line[JUDGE_TEXT_MAX];
    struct text reason = text_of(line, sizeof line);
    for (size_t i = 0; i < 4; i++) {
        run->cases[i].result.end = CLIENT_CRASHED;
        run->cases[i].result.verdict = VERDICT_FAIL;
        check_set(run, i, "crash", "OJ-ERR-09", VERDICT_WARN, SCOPE_CASE, "CRASH: killed by SIGSEGV");
    }
    run_exit_reason(&run->result, &reason);
    ck_assert_str_eq(line,
                     "CRASH ojin/test/some; CRASH ojin/test/some; CRASH ojin/test/some and 1 case more");
    free(run);
}
END_TEST

/* "<end" is the last of the connection, and says nothing of what was wrong before. */
START_TEST(a_finding_shows_the_event_that_it_is_about)
{
    static const struct {
        uint64_t event;
        size_t entry; /* in the journal, with a mark between */
    } ROWS[] = {{0, 0}, {1, 1}, {2, 3}, {3, 4}, {99, 4}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct hand_made made;
        hand_made_init(&made, "OJ-IN-12", "<upgrade >ready +mark <audio <end", "");
        struct journal_entry finding = {.kind = JOURNAL_FINDING,
                                        .connection = journal_at(made.journal, 4)->connection,
                                        .finding = {.requirement = "OJ-IN-12", .event = ROWS[i].event}};
        ck_assert(journal_append(made.journal, &finding));
        ck_assert_uint_eq(picture_entry_of(made.journal, 5), ROWS[i].entry);
        hand_made_free(&made);
    }
}
END_TEST

static const struct {
    struct run_totals totals;
    const char *words, *rest;
} TOTALS[] = {
    {{.passed = 2, .failed = 1}, "2 passed, 1 failed", ""},
    {{.passed = 38, .disputed = 18}, "38 passed, 0 failed; 18 of the passed disputed", ""},
    {{.passed = 3, .warned = 1, .unsupported = 4, .not_run = 5, .tolerated = 6},
     "3 passed, 0 failed",
     ", 4 unsupported, 5 not judged, 6 known, new or flaky; 1 of the passed with warnings"},
    {{.passed = 3, .broken = 1}, "NOT MET: 1 requirement; 3 passed, 0 failed", ""},
    {{.passed = 3, .failed = 1, .broken = 1}, "3 passed, 1 failed; besides, 1 requirement not met", ""},
    {{.passed = 3, .disputed = 1, .broken = 2},
     "NOT MET: 2 requirements; 3 passed, 0 failed; 1 of the passed disputed",
     ""},
};

START_TEST(all_cases_are_counted_once)
{
    char words[200], rest[200];
    struct text text = text_of(words, sizeof words), more = text_of(rest, sizeof rest);
    run_totals_write(&TOTALS[_i].totals, &text);
    run_totals_rest_write(&TOTALS[_i].totals, &more);
    ck_assert_str_eq(words, TOTALS[_i].words);
    ck_assert_str_eq(rest, TOTALS[_i].rest);
}
END_TEST

START_TEST(a_crash_is_told_by_itself_where_its_requirement_is_broken_without_it_too)
{
    static const char CRASH[] = "TypeError: null is no text (x.mjs:3 in f)";
    struct run *run = run_of_nothing(2);
    struct causes causes;
    check_set(run, 0, "heard", "IV-OUT-06", VERDICT_WARN, SCOPE_CHECK, "nothing was played");
    check_set(run, 1, "crash", "IV-OUT-06", VERDICT_NOT_REACHED, SCOPE_CASE, "CRASH: so");
    check_set(run, 1, "heard", "IV-OUT-06", VERDICT_WARN, SCOPE_CHECK, "CRASH: so; nothing was played");
    run->cases[1].result.checks[1].by_crash = true;
    run->cases[1].result.end = CLIENT_CRASHED;
    run->cases[1].result.verdict = VERDICT_FAIL;
    copy(run->cases[1].result.end_text, JUDGE_TEXT_MAX, CRASH);
    copy(run->cases[1].result.raised, JUDGE_RAISED_MAX, "TypeError at x.mjs:3 in f");
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 2);
    ck_assert_int_eq(causes.list[0].kind, CAUSE_END);
    ck_assert_str_eq(causes.list[0].sentence, CRASH);
    ck_assert_uint_eq(causes.list[0].case_count, 1);
    ck_assert_int_eq(causes.list[1].kind, CAUSE_BROKEN);
    ck_assert_uint_eq(causes.list[1].case_count, 0);
    causes_free(&causes);
    free(run);
}
END_TEST

START_TEST(a_client_that_refuses_what_it_may_did_not_end_badly)
{
    struct run *run = run_of_nothing(1);
    struct causes causes;
    check_set(run, 0, "the-check", "OJ-IN-12", VERDICT_UNSUPPORTED, SCOPE_CHECK, "it refuses the sound");
    run->cases[0].result.end = CLIENT_NEVER_CAME;
    run->cases[0].result.verdict = VERDICT_UNSUPPORTED;
    copy(run->cases[0].result.note, JUDGE_TEXT_MAX, "NOCONNECT: ended with exit 1 and never connected");
    causes_init(&run->result, &causes);
    ck_assert_uint_eq(causes.count, 0);
    causes_free(&causes);
    free(run);
}
END_TEST

START_TEST(what_fails_the_run_comes_first_and_no_failing_case_is_left_out)
{
    struct run *run = run_of_nothing(4);
    struct causes causes;
    check_set(run, 0, "wire", "OJ-OUT-01", VERDICT_WARN, SCOPE_RUN, "slow");
    check_set(run, 1, "wire", "OJ-OUT-02", VERDICT_XFAIL, SCOPE_RUN, "as known");
    check_set(run, 2, "wire", "OJ-OUT-03", VERDICT_FAIL, SCOPE_RUN, "wrong");
    run->cases[3].result.verdict = VERDICT_FAIL; /* nothing says why but its note */
    copy(run->cases[3].result.note, JUDGE_TEXT_MAX, "so it ended");
    causes_init(&run->result, &causes);
    static const char *const EXPECTED[] = {"so it ended",
                                           "wrong; expected: ", "slow; expected: ", "as known; expected: "};
    ck_assert_uint_eq(causes.count, 4);
    ck_assert_uint_eq(causes.failing_count, 2);
    for (size_t i = 0; i < causes.count; i++)
        ck_assert_str_eq(causes.list[i].sentence, EXPECTED[i]);
    causes_free(&causes);
    free(run);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("causes");
    TCase *causes = tcase_create("causes");
    tcase_add_test(causes, rules_that_find_the_same_words_are_one_cause);
    tcase_add_test(causes, what_was_not_reached_belongs_to_what_kept_it_from_that);
    tcase_add_test(causes, a_cause_shows_no_message_that_another_is_about);
    tcase_add_test(causes, a_hang_says_where_the_mock_stood);
    tcase_add_test(causes, what_follows_from_notes_is_one_cause_that_fails_nobody);
    tcase_add_loop_test(causes, what_fails_nobody_is_told_under_a_breach_of_its_case, 0,
                        (int)(sizeof BESIDE_A_BREACH / sizeof BESIDE_A_BREACH[0]));
    tcase_add_test(causes, exceptions_at_one_place_are_one_cause);
    tcase_add_test(causes, a_crash_that_is_a_breach_is_one_cause_with_it);
    tcase_add_test(causes, a_crash_is_told_by_itself_where_its_requirement_is_broken_without_it_too);
    tcase_add_test(causes, the_exit_names_the_first_cases_and_counts_the_others);
    tcase_add_test(causes, a_crash_over_what_is_no_must_is_headed_by_what_decides_the_exit);
    tcase_add_test(causes, a_finding_shows_the_event_that_it_is_about);
    tcase_add_loop_test(causes, all_cases_are_counted_once, 0, sizeof TOTALS / sizeof TOTALS[0]);
    tcase_add_test(causes, a_client_that_refuses_what_it_may_did_not_end_badly);
    tcase_add_test(causes, what_fails_the_run_comes_first_and_no_failing_case_is_left_out);
    suite_add_tcase(suite, causes);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
