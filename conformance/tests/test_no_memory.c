/*
 * Memory that runs out at every allocation in turn: a case from its text to its verdict, mock and client
 * joined in memory. Each time what fails says so, nothing is left over, and nobody is blamed.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/tests/scarce.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/judge/verdict.h"
#include "conformance/memory/memory.h"

enum { SPEECH_SAMPLES = 16000, STEPS_MAX = 200000 };

static const struct row {
    const char *name, *profile, *script;
} CASES[] = {
    {"ojin", "oris-1.0",
     "case ojin/test/memory\ntitle \"T\"\nexpect \"E\"\nclause OJ-OUT-01 MUST\nlimit 60s\n"
     "plan {\n speak \"a.wav\"\n end\n}\n"
     "server {\n accept\n serve until=speech:2\n send ping data=\"abc\"\n close code=1000\n}\n"
     "check pong MUST given=sent:ping some received:pong\n"
     "check closed MUST given=sent:close some seen:closed code=1000\n"},
    {"duplex", "video",
     "case duplex/test/memory\ntitle \"T\"\nexpect \"E\"\nclause DX-CON-01 MUST\nlimit 60s\n"
     "plan {\n speak \"a.wav\"\n end\n}\nserver {\n accept\n serve until=close\n}\n"
     "check ready MUST some seen:ready\n"},
    {"interview", "interview-1.0",
     "case interview/test/memory\ntitle \"T\"\nexpect \"E\"\nclause IV-CON-01 MUST\nlimit 60s\n"
     "plan {\n speak \"a.wav\"\n end\n}\nserver {\n accept\n serve until=close\n}\n"
     "check ready MUST some seen:ready\n"},
    {"refused", "oris-1.0",
     "case ojin/test/memory\ntitle \"T\"\nexpect \"E\"\nclause OJ-CON-04 MUST\nlimit 60s\n"
     "plan {\n speak \"a.wav\"\n end\n}\nserver {\n refuse status=401 error=AUTH_FAILED\n}\n"
     "check reports MUST given=sent:refusal some seen:error code=401\n"},
};

static int16_t speech[SPEECH_SAMPLES];

static struct case_script *script_of(const struct row *row, char error[SCRIPT_ERROR_MAX])
{
    error[0] = '\0';
    return case_script_parse("by-hand.session", bytes_of_text(row->script),
                             case_family_of_script(bytes_of_text(row->script)), error);
}

static bool plan_of(const struct case_script *script, const char *profile, struct client_plan *plan,
                    char error[200])
{
    struct buffer json;
    memcpy(error, "not written", sizeof "not written");
    buffer_init(&json, 65536);
    bool good = plan_write(script, profile, "/speech", &json);
    error[0] = good ? '\0' : error[0];
    good = good && client_plan_parse(buffer_bytes(&json), plan, error);
    buffer_free(&json);
    for (size_t i = 0; good && i < plan->step_count; i++) {
        if (plan->steps[i].what != DO_SPEAK)
            continue;
        plan->steps[i].samples = speech;
        plan->steps[i].sample_count = SPEECH_SAMPLES;
    }
    return good;
}

/* ---- the script and the plan ---- */

/* To be called with what was counted before any of Check's own: it allocates too. */
static void check_left(size_t n, long blocks)
{
    ck_assert_uint_lt(n, STEPS_MAX);
    ck_assert_msg(blocks == 0, "allocation %zu: %ld blocks are left", n, blocks);
}

START_TEST(a_script_is_refused_with_a_sentence)
{
    char error[SCRIPT_ERROR_MAX];
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        const long before = scarce_blocks();
        scarce_begin(n, _i % 2 == 1);
        struct case_script *script = script_of(&CASES[_i / 2], error);
        failed = scarce_end();
        const bool good = script != NULL;
        case_script_free(script);
        check_left(n, scarce_blocks() - before);
        ck_assert_msg(good || (failed && error[0] != '\0'), "allocation %zu: '%s'", n, error);
    }
}
END_TEST

START_TEST(a_plan_is_refused_with_a_sentence)
{
    char error[SCRIPT_ERROR_MAX];
    struct case_script *script = script_of(&CASES[_i], error);
    bool failed = true;
    ck_assert_msg(script != NULL, "%s", error);
    for (size_t n = 1; failed; n++) {
        struct client_plan plan;
        const long before = scarce_blocks();
        scarce_begin(n, false);
        const bool good = plan_of(script, CASES[_i].profile, &plan, error);
        failed = scarce_end();
        check_left(n, scarce_blocks() - before);
        ck_assert_msg(good || (failed && error[0] != '\0'), "allocation %zu: '%s'", n, error);
    }
    case_script_free(script);
}
END_TEST

/* ---- mock, client, recorder and rules ---- */

/* What came of a run: there is no result, we failed, or the client was judged. */
enum outcome { NO_RESULT, OWN_ERROR, FAILED, BLAMED, HANGS, PASSED, OUTCOME_COUNT };

/* Does the wire alone show a breach? What a client without memory does not do is no breach of the other's. */
static bool is_blamed(const struct case_result *result)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].verdict == VERDICT_FAIL && strcmp(result->checks[i].name, "wire") == 0)
            return true;
    return false;
}

static enum outcome play(const struct memory_case *given)
{
    static struct case_result result;
    struct memory_result *memory = memory_run(given);
    (void)scarce_end();
    if (memory == NULL)
        return NO_RESULT;
    struct judge_input input = {.script = given->script, .tier = TIER_OBSERVE, .inferred = true};
    memory_result_judge_input(memory, &input);
    judge_case(&input, &result);
    const enum outcome outcome = input.own_error[0] != '\0'       ? OWN_ERROR
                                 : is_blamed(&result)             ? BLAMED
                                 : input.end == CLIENT_TIMED_OUT  ? HANGS
                                 : result.verdict == VERDICT_FAIL ? FAILED
                                                                  : PASSED;
    memory_result_free(memory);
    return outcome;
}

static struct memory_case case_of(const struct case_script *script, const struct client_plan *plan,
                                  const char *profile)
{
    return (struct memory_case){.script = script,
                                .client = client_class_by_family(script->class->family->name),
                                .profile = family_profile(script->class->family, profile),
                                .seed = 1,
                                .key = "a-key",
                                .config_id = "persona/1",
                                .plan = plan,
                                .speech_exact = true};
}

START_TEST(a_session_ends_cleanly)
{
    char error[SCRIPT_ERROR_MAX];
    struct client_plan plan;
    size_t ended[OUTCOME_COUNT] = {0};
    size_t n = 1;
    bool failed = true;
    struct case_script *script = script_of(&CASES[_i], error);
    ck_assert_msg(script != NULL, "%s", error);
    ck_assert_msg(plan_of(script, CASES[_i].profile, &plan, error), "%s", error);
    const struct memory_case given = case_of(script, &plan, CASES[_i].profile);
    while (failed) {
        const long before = scarce_blocks();
        scarce_begin(n, false);
        const enum outcome outcome = play(&given);
        failed = scarce_end();
        check_left(n, scarce_blocks() - before);
        ck_assert_msg(failed || outcome == PASSED, "with all its memory it came to %d", (int)outcome);
        ck_assert_msg(outcome != BLAMED && outcome != HANGS, "%s, allocation %zu: %s", CASES[_i].name, n,
                      outcome == HANGS ? "the client hangs" : "the client is blamed");
        ended[outcome]++;
        n++;
    }
    ck_assert_uint_gt(n, 50);
    ck_assert_uint_gt(ended[NO_RESULT], 0);
    case_script_free(script);
}
END_TEST

START_TEST(a_session_is_followed_cleanly)
{
    char error[SCRIPT_ERROR_MAX];
    struct client_plan plan;
    bool failed = true;
    struct case_script *script = script_of(&CASES[_i], error);
    struct memory_track *track = memory_track_new();
    ck_assert_msg(script != NULL && track != NULL, "%s", error);
    ck_assert_msg(plan_of(script, CASES[_i].profile, &plan, error), "%s", error);
    struct memory_case given = case_of(script, &plan, CASES[_i].profile);
    given.track = track;
    memory_result_free(memory_run(&given));
    given.track = NULL;
    for (size_t n = 1; failed; n += 1 + n / 16) { /* it is one step again and again */
        const long before = scarce_blocks();
        scarce_begin(n, false);
        const bool same = memory_has_session(&given, track);
        failed = scarce_end();
        check_left(n, scarce_blocks() - before);
        ck_assert_msg(failed || same, "with all its memory the same client has another session");
    }
    memory_track_free(track);
    case_script_free(script);
}
END_TEST

int main(void)
{
    enum { COUNT = sizeof CASES / sizeof CASES[0] };
    Suite *suite = suite_create("no_memory");
    TCase *tcase = tcase_create("no_memory");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, a_script_is_refused_with_a_sentence, 0, 2 * COUNT);
    tcase_add_loop_test(tcase, a_plan_is_refused_with_a_sentence, 0, COUNT);
    tcase_add_loop_test(tcase, a_session_ends_cleanly, 0, COUNT);
    tcase_add_loop_test(tcase, a_session_is_followed_cleanly, 0, COUNT);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
