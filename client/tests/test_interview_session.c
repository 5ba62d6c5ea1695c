/* How sessions of the interview client begin, end and follow each other: 004 WebSocket Close Codes, field
 * notes. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/plan/plan_runner.h"
#include "client/tests/interview_simulation.h"

enum { SECOND_US = 1000000 };

static void lose(struct simulation *simulation, uint16_t code)
{
    simulation_event(simulation, CLIENT_CLOSED, code, (struct bytes){0});
}

/* ---- after a loss ---- */

static const struct {
    uint16_t code;
    uint64_t wait_us; /* until the next attempt; 0: there is none */
} CODES[] = {
    {1000, 0}, {1001, 500000}, {1006, 500000}, {1008, 0}, {1011, 500000}, {1012, 5000000}, {4001, 0},
};

START_TEST(the_close_code_says_whether_and_when_to_try_again)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, SECOND_US);
    lose(&simulation, CODES[_i].code);
    if (CODES[_i].wait_us == 0) {
        ck_assert_int_eq(interview_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    } else {
        simulation_run(&simulation, SECOND_US + CODES[_i].wait_us - 1);
        ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), 0);
        simulation_run(&simulation, SECOND_US + CODES[_i].wait_us);
    }
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), CODES[_i].wait_us == 0 ? 0 : 1);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.close_code, CODES[_i].code);
    simulation_end(&simulation);
}
END_TEST

START_TEST(delays_grow_while_no_session_holds)
{
    static const uint64_t DELAYS_US[] = {500000, 1000000, 2000000};
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    for (size_t n = 0; n < 3; n++) {
        const uint64_t lost_us = simulation.now_us;
        lose(&simulation, 1011);
        simulation_run(&simulation, lost_us + DELAYS_US[n] - 1);
        ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), n);
        simulation_run(&simulation, lost_us + DELAYS_US[n]);
        ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), n + 1);
        simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    }
    lose(&simulation, 1011);
    ck_assert_uint_eq(interview_count_errors(&simulation, "GAVE_UP"), 1);
    simulation_end(&simulation);
}
END_TEST

static const uint16_t REFUSALS[] = {401, 403, 404};

START_TEST(a_refusal_that_cannot_pass_is_told_and_not_tried_again)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    char code[8];
    snprintf(code, sizeof code, "%u", (unsigned)REFUSALS[_i]);
    simulation_event(&simulation, CLIENT_REFUSED, REFUSALS[_i],
                     bytes_of_text("{\"type\":\"error\",\"code\":\"SESSION_NOT_FOUND\",\"message\":\"no\"}"));
    ck_assert_uint_eq(interview_count_errors(&simulation, code), 1);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.text, "SESSION_NOT_FOUND: no");
    ck_assert_int_eq(interview_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_committed_answer_is_never_said_again)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    uint64_t at_us = 0;
    interview_simulation_answer(&simulation, 0, 3600);
    interview_simulation_answer(&simulation, 1000, 3600);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 200000); /* the first is committed, the second begun */
    lose(&simulation, 1006);
    ck_assert_uint_eq(interview_count_errors(&simulation, "REPLY_LOST"), 1);
    simulation_run(&simulation, SECOND_US);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 3 * SECOND_US);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK), 2);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_COMMIT_AUDIO), 2);
    struct interview_message chunk =
        interview_nth_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, &at_us);
    ck_assert_int_eq(interview_sample_at(chunk.audio, 0), interview_simulation_sample(1000));
    interview_message_free(&chunk);
    simulation_end(&simulation);
}
END_TEST

START_TEST(an_answer_that_was_broken_off_is_said_from_its_beginning)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    uint64_t at_us = 0;
    interview_simulation_answer(&simulation, 0, 9600);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 310000);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK), 2);
    lose(&simulation, 1012);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_run(&simulation, 6 * SECOND_US);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, 8 * SECOND_US);
    struct interview_message chunk =
        interview_nth_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK, 2, &at_us);
    ck_assert_int_eq(interview_sample_at(chunk.audio, 0), interview_simulation_sample(0));
    interview_message_free(&chunk);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_COMMIT_AUDIO), 1);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_AUDIO_CHUNK), 5);
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_clock_runs_on_over_a_reconnect)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, SECOND_US);
    lose(&simulation, 1006);
    simulation_run(&simulation, 2 * SECOND_US);
    interview_simulation_connected(&simulation);
    interview_simulation_chunk(&simulation, 0, 4800, NULL, true);
    simulation_run(&simulation, 3 * SECOND_US);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_HEARD, 0)->observation.at, 48000);
    simulation_end(&simulation);
}
END_TEST

START_TEST(what_was_queued_when_the_connection_went_for_good_is_played)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_connected(&simulation);
    interview_simulation_chunk(&simulation, 0, 24000, NULL, true);
    lose(&simulation, 1006);
    simulation_run(&simulation, 2 * SECOND_US);
    ck_assert_uint_eq(interview_client_summary(simulation.client)->samples_heard, 24000);
    ck_assert_int_eq(interview_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

/* ---- what does not come ---- */

START_TEST(no_status_connected_in_time_is_told_and_the_session_left)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_run(&simulation, INTERVIEW_CLIENT_CONNECTED_WAIT_US - 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_run(&simulation, INTERVIEW_CLIENT_CONNECTED_WAIT_US);
    ck_assert_uint_eq(interview_count_errors(&simulation, "CONNECTED_TIMEOUT"), 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_end(&simulation);
}
END_TEST

static const struct {
    const char *name;
    bool chunk; /* of the reply, but not the last */
    bool error; /* in its place */
    uint64_t told_us;
} SILENCES[] = {
    {"nothing", false, false, 100000 + 20000000},
    {"an error", false, true, SECOND_US + 5000000},
    {"a part", true, false, SECOND_US + 20000000},
};

START_TEST(a_reply_that_does_not_come_is_told_and_waited_for_no_longer)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    interview_simulation_answer(&simulation, 0, 2400);
    interview_simulation_connected(&simulation);
    simulation_run(&simulation, SECOND_US);
    interview_client_end(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    if (SILENCES[_i].chunk)
        interview_simulation_chunk(&simulation, 0, 4800, NULL, false);
    if (SILENCES[_i].error)
        interview_simulation_error(&simulation, "OPENAI_API_ERROR");
    simulation_run(&simulation, SILENCES[_i].told_us - 1);
    ck_assert_uint_eq(interview_count_errors(&simulation, "NO_REPLY"), 0);
    simulation_run(&simulation, SILENCES[_i].told_us);
    ck_assert_uint_eq(interview_count_errors(&simulation, "NO_REPLY"), 1);
    simulation_run(&simulation, SILENCES[_i].told_us + 2 * SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_end(&simulation);
}
END_TEST

/* ---- the end ---- */

START_TEST(it_ends_once_the_reply_was_heard_and_nothing_more_comes)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    interview_simulation_answer(&simulation, 0, 2400);
    interview_simulation_connected(&simulation);
    interview_client_end(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    simulation_run(&simulation, SECOND_US);
    interview_simulation_chunk(&simulation, 0, 24000, NULL, true);
    simulation_run(&simulation, 2 * SECOND_US + INTERVIEW_CLIENT_SETTLE_US - 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 0);
    simulation_run(&simulation, 2 * SECOND_US + INTERVIEW_CLIENT_SETTLE_US);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_CLOSE, 0)->code, 1000);
    lose(&simulation, 1000);
    ck_assert_int_eq(interview_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_close_stops_the_sound_at_once)
{
    struct simulation simulation = interview_simulation_of("interview-1.0", 3);
    interview_simulation_connected(&simulation);
    interview_simulation_chunk(&simulation, 0, 24000, NULL, true);
    simulation_run(&simulation, 500000);
    interview_client_close(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_CLOSE, 0)->code, 1000);
    lose(&simulation, 1000);
    ck_assert_uint_eq(interview_client_summary(simulation.client)->samples_heard, 12000);
    ck_assert_int_eq(interview_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

/* ---- plans ---- */

static const struct {
    const char *name;
    struct client_plan_step step;
    bool can;
} STEPS[] = {
    {"speak", {.what = DO_SPEAK}, true},
    {"speak with params", {.what = DO_SPEAK, .params = "{}"}, false},
    {"cancel", {.what = DO_CANCEL, .after = AFTER_SPEECH}, true},
    {"end after a turn", {.what = DO_END, .after = AFTER_TURN}, true},
    {"reconnect", {.what = DO_RECONNECT}, true},
    {"force-listen", {.what = DO_FORCE_LISTEN}, false},
    {"after listen", {.what = DO_CLOSE, .after = AFTER_LISTEN}, false},
};

START_TEST(a_step_that_it_cannot_do_is_declined)
{
    const struct client_plan plan = {.step_count = 1, .steps = {STEPS[_i].step}};
    ck_assert_msg(client_plan_can_follow(&INTERVIEW_PLAN_CLASS, &plan) == STEPS[_i].can, "%s",
                  STEPS[_i].name);
}
END_TEST

static void tick(struct simulation *simulation, struct plan_runner *runner, uint64_t to_us)
{
    while (simulation->now_us < to_us) {
        simulation_run(simulation, simulation->now_us + 50000);
        while (plan_runner_step(runner, simulation->now_us, simulation->actions)) {
            simulation_record(simulation);
            simulation_event(simulation, CLIENT_TICK, 0, (struct bytes){0});
        }
        simulation_record(simulation);
    }
}

START_TEST(a_plan_waits_for_replies)
{
    static const int16_t SPEECH[4800] = {1};
    const struct client_plan plan = {
        .step_count = 5,
        .steps = {{.what = DO_CONNECT},
                  {.what = DO_SPEAK, .samples = SPEECH, .sample_count = 4800, .after = AFTER_READY},
                  {.what = DO_CANCEL, .after = AFTER_SPEECH, .after_count = 2},
                  {.what = DO_SPEAK, .samples = SPEECH, .sample_count = 4800, .after = AFTER_TURN},
                  {.what = DO_END, .after = AFTER_SENT}}};
    struct plan_runner runner;
    struct simulation simulation = interview_simulation_of("interview-1.0", 0);
    plan_runner_init(&runner, &plan, &INTERVIEW_PLAN_CLASS, simulation.client);
    interview_simulation_connected(&simulation);
    tick(&simulation, &runner, SECOND_US);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_COMMIT_AUDIO), 1);
    interview_simulation_chunk(&simulation, 0, 4800, NULL, false);
    interview_simulation_chunk(&simulation, 4800, 4800, NULL, false);
    tick(&simulation, &runner, 2 * SECOND_US);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_CANCEL_RESPONSE), 1);
    ck_assert_uint_eq(interview_count_sent(&simulation, INTERVIEW_MESSAGE_COMMIT_AUDIO), 2);
    interview_simulation_chunk(&simulation, 0, 4800, NULL, true);
    tick(&simulation, &runner, 5 * SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    ck_assert(plan_runner_is_done(&runner));
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interview_session");
    TCase *tcase = tcase_create("session");
    tcase_add_loop_test(tcase, the_close_code_says_whether_and_when_to_try_again, 0,
                        (int)(sizeof CODES / sizeof CODES[0]));
    tcase_add_test(tcase, delays_grow_while_no_session_holds);
    tcase_add_loop_test(tcase, a_refusal_that_cannot_pass_is_told_and_not_tried_again, 0,
                        (int)(sizeof REFUSALS / sizeof REFUSALS[0]));
    tcase_add_test(tcase, a_committed_answer_is_never_said_again);
    tcase_add_test(tcase, an_answer_that_was_broken_off_is_said_from_its_beginning);
    tcase_add_test(tcase, the_clock_runs_on_over_a_reconnect);
    tcase_add_test(tcase, what_was_queued_when_the_connection_went_for_good_is_played);
    tcase_add_test(tcase, no_status_connected_in_time_is_told_and_the_session_left);
    tcase_add_loop_test(tcase, a_reply_that_does_not_come_is_told_and_waited_for_no_longer, 0,
                        (int)(sizeof SILENCES / sizeof SILENCES[0]));
    tcase_add_test(tcase, it_ends_once_the_reply_was_heard_and_nothing_more_comes);
    tcase_add_test(tcase, a_close_stops_the_sound_at_once);
    tcase_add_loop_test(tcase, a_step_that_it_cannot_do_is_declined, 0,
                        (int)(sizeof STEPS / sizeof STEPS[0]));
    tcase_add_test(tcase, a_plan_waits_for_replies);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
