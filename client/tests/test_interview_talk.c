/* What the interview client says, and what it plays while a session runs: 004 Message Protocol, Rate
 * Limiting. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/tests/interview_simulation.h"

enum { SECOND_US = 1000000, MARGIN_US = INTERVIEW_CLIENT_MARGIN_US };

static const char *const PROFILES[] = {"interview-1.0", "interview-deployed"};
enum { PROFILE_COUNT = sizeof PROFILES / sizeof PROFILES[0] };

/* ---- what is said ---- */

/* The answer's samples in `chunks` chunks from the n-th message on, and commit_audio behind them. Returns the
 * number of the message after that. */
static size_t expect_answer(const struct simulation *simulation, size_t n, uint32_t first, size_t samples,
                            size_t chunks)
{
    uint32_t position = first;
    uint64_t before_us = 0, at_us = 0;
    for (size_t c = 0; c < chunks; c++) {
        struct interview_message chunk = interview_nth_sent(simulation, INTERVIEW_MESSAGE_OTHER, n++, &at_us);
        ck_assert_int_eq(chunk.type, INTERVIEW_MESSAGE_AUDIO_CHUNK);
        ck_assert_uint_eq(chunk.faults.count, 0);
        const size_t count = interview_sample_count(chunk.audio);
        ck_assert(count <= INTERVIEW_CHUNK_SAMPLES_MAX);
        ck_assert(count >= INTERVIEW_CHUNK_SAMPLES_MIN || samples < INTERVIEW_CHUNK_SAMPLES_MIN);
        ck_assert(before_us == 0 || at_us - before_us >= 100000);
        for (size_t i = 0; i < count; i++, position++)
            ck_assert_int_eq(interview_sample_at(chunk.audio, i), interview_simulation_sample(position));
        before_us = at_us;
        interview_message_free(&chunk);
    }
    ck_assert_uint_eq(position, first + samples);
    struct interview_message commit = interview_nth_sent(simulation, INTERVIEW_MESSAGE_OTHER, n++, &at_us);
    ck_assert_int_eq(commit.type, INTERVIEW_MESSAGE_COMMIT_AUDIO);
    ck_assert_uint_eq(at_us, before_us);
    interview_message_free(&commit);
    return n;
}

static const struct {
    size_t samples;
    size_t chunks;
    uint64_t last_us;
} ANSWERS[] = {
    {1, 1, 42},        {2400, 1, 100000}, {4800, 1, 200000}, {4801, 2, 200042},   {5999, 2, 249959},
    {6000, 2, 250000}, {8400, 2, 350000}, {8401, 3, 350042}, {24000, 7, 1000000}, {36000, 10, 1500000},
};

START_TEST(an_answer_is_said_at_its_own_pace_and_committed_once)
{
    struct simulation simulation = interview_simulation_of(PROFILES[_i % PROFILE_COUNT], 0);
    const size_t row = (size_t)_i / PROFILE_COUNT;
    uint64_t at_us = 0;
    interview_simulation_answer(&simulation, 0, ANSWERS[row].samples);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 3 * SECOND_US);
    ck_assert_uint_eq(expect_answer(&simulation, 0, 0, ANSWERS[row].samples, ANSWERS[row].chunks),
                      interview_count_sent(&simulation, INTERVIEW_MESSAGE_OTHER));
    struct interview_message commit =
        interview_nth_sent(&simulation, INTERVIEW_MESSAGE_COMMIT_AUDIO, 0, &at_us);
    interview_message_free(&commit);
    ck_assert(at_us >= ANSWERS[row].last_us && at_us <= ANSWERS[row].last_us + 10);
    simulation_end(&simulation);
}
END_TEST

START_TEST(answers_follow_each_other_each_with_its_commit)
{
    struct simulation simulation = interview_simulation_of(PROFILES[_i], 0);
    interview_simulation_answer(&simulation, 0, 12000);
    interview_simulation_answer(&simulation, 50000, 3600);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 2 * SECOND_US);
    const size_t n = expect_answer(&simulation, 0, 0, 12000, 3);
    ck_assert_uint_eq(expect_answer(&simulation, n, 50000, 3600, 1),
                      interview_count_sent(&simulation, INTERVIEW_MESSAGE_OTHER));
    simulation_end(&simulation);
}
END_TEST

START_TEST(nothing_is_said_before_the_status_connected)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_answer(&simulation, 0, 2400);
    simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_text(&simulation, "{\"type\":\"status\",\"status\":\"connecting\",\"message\":\"wait\"}");
    simulation_run(&simulation, 9 * SECOND_US);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_OTHER), 0);
    simulation_text(&simulation, "{\"type\":\"status\",\"status\":\"connected\",\"message\":\"go\"}");
    simulation_run(&simulation, 10 * SECOND_US);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_OTHER), 2);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_STATUS, 0)->observation.code, "connecting");
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_STATUS, 1)->observation.code, "connected");
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_READY, 0)->observation.text, "go");
    simulation_end(&simulation);
}
END_TEST

START_TEST(times_are_whole_and_in_the_dialects_unit)
{
    static const int64_t EXPECTED[] = {1700000009, INT64_C(1700000009650)};
    struct simulation simulation = interview_simulation_of(PROFILES[_i], 0);
    uint64_t at_us = 0;
    simulation.now_us = 9500000;
    interview_simulation_answer(&simulation, 0, 3600 + 2400);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 11 * SECOND_US);
    struct interview_message chunk =
        interview_nth_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK, 0, &at_us);
    ck_assert_int_eq(chunk.timestamp, EXPECTED[_i]);
    interview_message_free(&chunk);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_host_that_stalls_sends_no_burst_afterwards)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    static const uint64_t DUE_US[] = {150000, 2000000, 2150000, 2300000};
    interview_simulation_answer(&simulation, 0, 24000);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 200000);
    simulation.now_us = 2000000; /* nobody ticked */
    simulation_run(&simulation, 2400000);
    for (size_t n = 0; n < 4; n++) {
        uint64_t at_us = 0;
        struct interview_message chunk =
            interview_nth_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK, n, &at_us);
        interview_message_free(&chunk);
        ck_assert_uint_eq(at_us, DUE_US[n]);
    }
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_server_that_does_not_read_is_waited_for_and_no_sample_is_lost)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_answer(&simulation, 0, 24000);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 310000);
    simulation.unsent = 1;
    simulation_run(&simulation, 8 * SECOND_US);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK), 2);
    simulation.unsent = 0;
    simulation_run(&simulation, 10 * SECOND_US);
    (void)expect_answer(&simulation, 0, 0, 24000, 7);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_server_that_never_reads_is_left)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_answer(&simulation, 0, 24000);
    interview_simulation_connected(&simulation);
    simulation.unsent = 1;
    simulation_run(&simulation, 15 * SECOND_US);
    ck_assert_uint_eq(interview_count_errors(&simulation, "NOT_READING"), 1);
    ck_assert_int_eq(interview_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(more_than_a_client_holds_is_refused)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    int16_t *samples = calloc(INTERVIEW_CLIENT_ANSWER_SAMPLES_MAX, sizeof *samples);
    ck_assert_ptr_nonnull(samples);
    ck_assert(interview_client_answer(simulation.client, samples, INTERVIEW_CLIENT_ANSWER_SAMPLES_MAX));
    ck_assert(!interview_client_answer(simulation.client, samples, 1));
    free(samples);
    simulation_end(&simulation);
}
END_TEST

START_TEST(what_was_said_is_told_with_its_place)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    uint64_t at = 0;
    struct bytes pcm;
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, SECOND_US);
    interview_simulation_answer(&simulation, 0, 7200);
    simulation_run(&simulation, SECOND_US);
    for (uint64_t n = 0; n < 2; n++) {
        simulation.now_us = SECOND_US + (n + 1) * 150000;
        simulation_event(&simulation, CLIENT_TICK, 0, (struct bytes){0});
        ck_assert(interview_client_said(simulation.client, &at, &pcm));
        ck_assert_uint_eq(at, 24000 + n * 3600);
        ck_assert_int_eq(interview_sample_at(pcm, 0), interview_simulation_sample((uint32_t)n * 3600));
    }
    simulation_event(&simulation, CLIENT_TICK, 0, (struct bytes){0});
    ck_assert(!interview_client_said(simulation.client, &at, &pcm));
    simulation_end(&simulation);
}
END_TEST

/* ---- what is heard ---- */

/* Everything heard, in order and without gaps from sample `at` on; returns how much. */
static uint32_t expect_heard(const struct simulation *simulation, uint32_t at, uint32_t first)
{
    uint32_t heard = 0;
    const struct recorded *record = NULL;
    for (size_t n = 0; (record = nth_seen(simulation, OBSERVED_HEARD, n)) != NULL; n++) {
        ck_assert_uint_eq(record->observation.at, at + heard);
        const struct bytes pcm = bytes_of(record->data, record->len);
        ck_assert_uint_eq(interview_sample_count(pcm), record->observation.samples);
        for (size_t i = 0; i < interview_sample_count(pcm); i++, heard++)
            ck_assert_int_eq(interview_sample_at(pcm, i), interview_simulation_sample(first + heard));
    }
    return heard;
}

START_TEST(a_reply_is_played_in_order_and_without_gaps)
{
    struct simulation simulation = interview_simulation_of(PROFILES[_i], 0);
    interview_simulation_connected(&simulation);
    for (uint32_t n = 0; n < 10; n++) { /* faster than it is played */
        simulation_run(&simulation, SECOND_US + n * 50000);
        interview_simulation_chunk(&simulation, n * 4000, 4000,
                                   n == 0   ? "Thank"
                                   : n == 9 ? "Thank you."
                                            : NULL,
                                   n == 9);
    }
    simulation_run(&simulation, 4 * SECOND_US);
    /* 4,000 samples are less than the margin, 8,000 more. */
    ck_assert_uint_eq(expect_heard(&simulation, 24000 + 1200, 0), 40000);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_DELTA), 10);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_TURN), 1);
    const struct observation *turn = &nth_seen(&simulation, OBSERVED_TURN, 0)->observation;
    ck_assert(turn->is_final && turn->samples == 40000);
    ck_assert_str_eq(turn->text, "Thank you.");
    ck_assert_uint_eq(interview_client_summary(simulation.client)->gaps, 0);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_TRANSCRIPT), 2);
    const struct observation *words = &nth_seen(&simulation, OBSERVED_TRANSCRIPT, 0)->observation;
    ck_assert(!words->is_final);
    ck_assert_str_eq(words->code, "ai");
    simulation_end(&simulation);
}
END_TEST

START_TEST(words_results_and_errors_are_told_as_they_came)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    static const char *const RESULTS[] = {"{\"score\":8}", "null", "[1,\"two\"]", "\"good\"", "7", "true"};
    enum { RESULT_COUNT = sizeof RESULTS / sizeof RESULTS[0] };
    interview_simulation_connected(&simulation);
    interview_simulation_transcript(&simulation, INTERVIEW_SPEAKER_CANDIDATE, "My name is Ada.");
    interview_simulation_transcript(&simulation, INTERVIEW_SPEAKER_AI, "Welcome, Ada.");
    for (size_t i = 0; i < RESULT_COUNT; i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "{\"type\":\"function_result\",\"function_name\":\"evaluate\",\"result\":%s}", RESULTS[i]);
        simulation_text(&simulation, message);
        ck_assert_str_eq(nth_seen(&simulation, OBSERVED_RESULT, i)->observation.text, RESULTS[i]);
        ck_assert_str_eq(nth_seen(&simulation, OBSERVED_RESULT, i)->observation.code, "evaluate");
    }
    for (size_t i = 0; i < 2; i++) {
        const struct observation *words = &nth_seen(&simulation, OBSERVED_TRANSCRIPT, i)->observation;
        ck_assert(words->is_final);
        ck_assert_str_eq(words->code, i == 0 ? "candidate" : "ai");
        ck_assert_str_eq(words->text, i == 0 ? "My name is Ada." : "Welcome, Ada.");
    }
    simulation_text(
        &simulation,
        "{\"type\":\"error\",\"code\":\"OPENAI_API_ERROR\",\"message\":\"down\",\"details\":{\"a\":1}}");
    simulation_text(&simulation, "{\"type\":\"error\",\"code\":\"NEW_CODE\",\"message\":\"odd\"}");
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.text, "down");
    ck_assert_uint_eq(interview_count_errors(&simulation, "NEW_CODE"), 1);
    simulation_run(&simulation, 60 * SECOND_US);
    ck_assert_int_eq(interview_client_life(simulation.client)->stage, INTERVIEW_CLIENT_TALKING);
    simulation_end(&simulation);
}
END_TEST

START_TEST(what_is_not_known_or_damaged_is_survived)
{
    static const char *const MESSAGES[] = {
        "{\"type\":\"mood\",\"mood\":5}",
        "{}",
        "[1]",
        "plain text",
        "{\"type\":\"ai_audio_chunk\",\"audio\":\"A-_=\",\"is_final\":false}",
        "{\"type\":\"ai_audio_chunk\",\"audio\":\"AAAA\",\"is_final\":false}",
        "{\"type\":\"ai_audio_chunk\",\"is_final\":false,\"transcript\":null}",
        "{\"type\":\"transcript\",\"speaker\":\"robot\",\"text\":\"beep\",\"timestamp\":1}",
        "{\"type\":\"transcript\"}",
        "{\"type\":\"status\",\"status\":\"dancing\",\"message\":\"\"}",
        "{\"type\":\"function_result\"}",
    };
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_connected(&simulation);
    for (size_t i = 0; i < sizeof MESSAGES / sizeof MESSAGES[0]; i++)
        simulation_text(&simulation, MESSAGES[i]);
    simulation_event(&simulation, CLIENT_BINARY, 0, bytes_of_text("\x01\x02"));
    ck_assert_uint_eq(interview_count_errors(&simulation, "BAD_CHUNK"), 3);
    ck_assert_uint_eq(interview_client_summary(simulation.client)->unknown, 5);
    interview_simulation_chunk(&simulation, 0, 4800, NULL, true);
    simulation_run(&simulation, SECOND_US);
    ck_assert_uint_eq(expect_heard(&simulation, 0, 0), 4800);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_ping_message_is_answered_where_the_dialect_has_it)
{
    struct simulation simulation = interview_simulation_of("interview-deployed", 0);
    interview_simulation_connected(&simulation);
    simulation_text(&simulation, "{\"type\":\"ping\"}");
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_PONG), 1);
    simulation_end(&simulation);
}
END_TEST

START_TEST(sound_beyond_what_is_held_ends_the_session)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_connected(&simulation);
    for (uint32_t n = 0; n <= 20; n++)
        interview_simulation_chunk(&simulation, 0, 15 * INTERVIEW_RATE, NULL, false);
    ck_assert_uint_eq(interview_count_errors(&simulation, "BUFFER_FULL"), 1);
    simulation_end(&simulation);
}
END_TEST

/* ---- interruptions ---- */

START_TEST(an_interruption_drops_what_is_queued_and_ignores_the_rest_of_the_reply)
{
    struct simulation simulation = interview_simulation_of(PROFILES[_i], 0);
    interview_simulation_answer(&simulation, 0, 2400);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, SECOND_US);
    interview_simulation_chunk(&simulation, 0, 24000, "One", false);
    interview_simulation_chunk(&simulation, 24000, 24000, "One two", false);
    simulation_run(&simulation, SECOND_US + 500000); /* half a second of it */
    interview_client_cancel(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_CANCEL_RESPONSE), 1);
    const struct observation *cancelled = &nth_seen(&simulation, OBSERVED_CANCELLED, 0)->observation;
    ck_assert_uint_eq(cancelled->at, 36000);
    ck_assert_uint_eq(cancelled->samples, 36000);
    const struct observation *turn = &nth_seen(&simulation, OBSERVED_TURN, 0)->observation;
    ck_assert(!turn->is_final && turn->samples == 12000);
    ck_assert_str_eq(turn->text, "One");
    interview_simulation_chunk(&simulation, 48000, 4800, "One two three", false);
    interview_simulation_chunk(&simulation, 52800, 4800, NULL, true);
    simulation_run(&simulation, 3 * SECOND_US);
    ck_assert_uint_eq(expect_heard(&simulation, 24000, 0), 12000);
    ck_assert_uint_eq(interview_client_summary(simulation.client)->chunks_ignored, 2);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_TURN), 1);
    /* What comes behind its is_final is another reply. */
    interview_simulation_chunk(&simulation, 100, 4800, NULL, true);
    simulation_run(&simulation, 4 * SECOND_US);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_TURN), 2);
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_next_commit_ends_an_interruption)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_answer(&simulation, 0, 2400);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, SECOND_US);
    interview_simulation_chunk(&simulation, 0, 2400, NULL, false);
    interview_client_cancel(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    interview_simulation_answer(&simulation, 0, 2400);
    simulation_run(&simulation, 1050000);
    interview_simulation_chunk(&simulation, 0, 2400, NULL, false); /* still of the first */
    simulation_run(&simulation, 2 * SECOND_US);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_HEARD), 0);
    interview_simulation_chunk(&simulation, 7, 4800, NULL, true);
    simulation_run(&simulation, 3 * SECOND_US);
    ck_assert_uint_eq(expect_heard(&simulation, 48000, 7), 4800);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_second_interruption_lets_nothing_of_the_reply_through)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_answer(&simulation, 0, 2400);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, SECOND_US); /* committed, and nothing of the reply is there */
    for (int i = 0; i < 2; i++) {
        interview_client_cancel(simulation.client, simulation.now_us, simulation.actions);
        simulation_record(&simulation);
    }
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_CANCEL_RESPONSE), 2);
    interview_simulation_chunk(&simulation, 0, 2400, NULL, false);
    interview_simulation_chunk(&simulation, 2400, 2400, NULL, true);
    simulation_run(&simulation, 3 * SECOND_US);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_HEARD), 0);
    ck_assert_uint_eq(interview_client_summary(simulation.client)->chunks_ignored, 2);
    simulation_end(&simulation);
}
END_TEST

START_TEST(an_interruption_of_what_is_all_there_lets_the_next_reply_through)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_connected(&simulation);
    interview_simulation_chunk(&simulation, 0, 24000, NULL, true);
    simulation_run(&simulation, 500000);
    interview_client_cancel(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    interview_simulation_chunk(&simulation, 12000, 4800, NULL, true);
    simulation_run(&simulation, 2 * SECOND_US);
    ck_assert_uint_eq(expect_heard(&simulation, 0, 0), 12000 + 4800);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interview_talk");
    TCase *said = tcase_create("said");
    tcase_set_timeout(said, 60); /* an hour of sound */
    tcase_add_loop_test(said, an_answer_is_said_at_its_own_pace_and_committed_once, 0,
                        (int)(PROFILE_COUNT * (sizeof ANSWERS / sizeof ANSWERS[0])));
    tcase_add_loop_test(said, answers_follow_each_other_each_with_its_commit, 0, PROFILE_COUNT);
    tcase_add_test(said, nothing_is_said_before_the_status_connected);
    tcase_add_loop_test(said, times_are_whole_and_in_the_dialects_unit, 0, PROFILE_COUNT);
    tcase_add_test(said, a_host_that_stalls_sends_no_burst_afterwards);
    tcase_add_test(said, a_server_that_does_not_read_is_waited_for_and_no_sample_is_lost);
    tcase_add_test(said, a_server_that_never_reads_is_left);
    tcase_add_test(said, more_than_a_client_holds_is_refused);
    tcase_add_test(said, what_was_said_is_told_with_its_place);
    suite_add_tcase(suite, said);
    TCase *heard = tcase_create("heard");
    tcase_add_loop_test(heard, a_reply_is_played_in_order_and_without_gaps, 0, PROFILE_COUNT);
    tcase_add_test(heard, words_results_and_errors_are_told_as_they_came);
    tcase_add_test(heard, what_is_not_known_or_damaged_is_survived);
    tcase_add_test(heard, a_ping_message_is_answered_where_the_dialect_has_it);
    tcase_add_test(heard, sound_beyond_what_is_held_ends_the_session);
    tcase_add_loop_test(heard, an_interruption_drops_what_is_queued_and_ignores_the_rest_of_the_reply, 0,
                        PROFILE_COUNT);
    tcase_add_test(heard, the_next_commit_ends_an_interruption);
    tcase_add_test(heard, a_second_interruption_lets_nothing_of_the_reply_through);
    tcase_add_test(heard, an_interruption_of_what_is_all_there_lets_the_next_reply_through);
    suite_add_tcase(suite, heard);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
