/* What does not come in time, and what the client says of it: OJ-CON-08, OJ-CON-10, OJ-END-03, OJ-ERR-10,
 * OJ-FLD-04; and what sessionReady tells its user: OJ-RDY-06. */
#include <check.h>
#include <stdlib.h>

#include "client/tests/ojin_simulation.h"
#include "codec/ojin/profile.h"

static const struct frame_spec SILENCE = {.index = 0};
static const struct frame_spec SPEECH = {.index = 1, .id = SIMULATION_SPEECH_ID};
static const struct bytes NOTHING = {0};

enum { SECOND_US = 1000000 };

static size_t count_reported(const struct simulation *simulation, const char *code)
{
    const struct recorded *error = NULL;
    size_t count = 0;
    for (size_t n = 0; (error = nth_seen(simulation, OBSERVED_ERROR, n)) != NULL; n++)
        count += strcmp(error->observation.code, code) == 0 ? 1 : 0;
    return count;
}

static void speak(struct simulation *simulation, size_t count)
{
    int16_t *speech = simulation_ramp(count);
    simulation_speak(simulation, speech, count);
    free(speech);
}

/* Silence as a server sends it. */
static void stream_silence(struct simulation *simulation, uint64_t for_us)
{
    simulation_frames(simulation, (size_t)(for_us / OJIN_FRAME_US), OJIN_FRAME_US, &SILENCE);
}

/* ---- pongs ---- */

START_TEST(a_server_that_answers_is_pinged_every_thirty_seconds)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_run(&simulation, 30 * SECOND_US - 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_PING), 0);
    simulation_run(&simulation, 300 * SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_PING), 10);
    ck_assert_uint_eq(ojin_client_life(simulation.client)->progress.pings_sent, 10);
    ck_assert_int_eq(ojin_client_life(simulation.client)->stage, OJIN_CLIENT_STREAMING);
    simulation_end(&simulation);
}
END_TEST

static const struct {
    uint64_t interval_us; /* 0: the documents' */
    uint64_t ping_us;
    uint64_t given_up_us;
} INTERVALS[] = {{0, 30 * SECOND_US, 40 * SECOND_US}, {3 * SECOND_US, 3 * SECOND_US, 4 * SECOND_US}};

START_TEST(a_dead_server_is_given_up)
{
    struct ojin_client_config config = {.profile = ojin_profile_by_name("oris-1.0"),
                                        .life.ping_interval_us = INTERVALS[_i].interval_us};
    struct simulation simulation = simulation_start(&config);
    simulation.no_pongs = true;
    simulation_ready(&simulation);
    simulation_run(&simulation, INTERVALS[_i].given_up_us - 1);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_PING, 0)->at_us, INTERVALS[_i].ping_us);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_run(&simulation, INTERVALS[_i].given_up_us);
    ck_assert_uint_eq(count_reported(&simulation, "PONG_TIMEOUT"), 1);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_CLOSE, 0)->code, OJIN_CLOSE_GOING_AWAY);
    simulation_run(&simulation, INTERVALS[_i].given_up_us + CLIENT_CLOSE_WAIT_US);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.close_code, 1006);
    simulation_end(&simulation);
}
END_TEST

/* ---- stalls ---- */

START_TEST(silence_alone_after_speech_is_reported_once_as_a_stall)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    speak(&simulation, 6400);
    stream_silence(&simulation, 9 * SECOND_US);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    stream_silence(&simulation, 30 * SECOND_US);
    ck_assert_uint_eq(count_reported(&simulation, "STALLED"), 1);
    ck_assert_uint_eq(ojin_client_summary(simulation.client)->stalls, 1);
    ck_assert_int_eq(ojin_client_life(simulation.client)->stage, OJIN_CLIENT_STREAMING);
    simulation_frame(&simulation, &SPEECH); /* late, and welcome */
    simulation_run(&simulation, simulation.now_us + SECOND_US);
    ck_assert_uint_eq(count_played(&simulation, 1), 1);
    simulation_end(&simulation);
}
END_TEST

START_TEST(nothing_at_all_in_the_middle_of_speech_is_a_stall)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    speak(&simulation, 32000);
    simulation_frames(&simulation, 20, OJIN_FRAME_US, &SPEECH);
    simulation_run(&simulation, simulation.now_us + OJIN_CLIENT_STALL_WAIT_US);
    ck_assert_uint_eq(count_reported(&simulation, "STALLED"), 1);
    simulation_end(&simulation);
}
END_TEST

enum no_stall { NOTHING_SAID, ZEROS_SAID, ANSWERED, CANCELLED, ENDED_BY_ERROR, NO_STALL_COUNT };

START_TEST(what_is_not_due_is_no_stall)
{
    struct simulation simulation = simulation_of("oris-1.0");
    static const int16_t ZEROS[6400] = {0};
    simulation_ready(&simulation);
    if (_i == ZEROS_SAID)
        simulation_speak(&simulation, ZEROS, 6400);
    else if (_i != NOTHING_SAID)
        speak(&simulation, 6400);
    simulation_run(&simulation, SECOND_US);
    if (_i == ANSWERED)
        simulation_frames(&simulation, 10, 20000, &SPEECH);
    if (_i == CANCELLED)
        simulation_cancel(&simulation);
    if (_i == ENDED_BY_ERROR)
        simulation_text(&simulation, "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"TIMEOUT\","
                                     "\"message\":\"m\"}}");
    stream_silence(&simulation, 60 * SECOND_US);
    ck_assert_uint_eq(count_reported(&simulation, "STALLED"), 0);
    simulation_end(&simulation);
}
END_TEST

/* ---- errors that end an interaction ---- */

static const char *const ENDING[] = {"INTERNAL_ERROR", "TIMEOUT"};

START_TEST(an_error_in_mid_interaction_leaves_no_waiter)
{
    struct simulation simulation = simulation_of("oris-1.0");
    char line[120];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"");
    text_add(&text, ENDING[_i]);
    text_add(&text, "\",\"message\":\"m\"}}");
    struct client_progress progress;
    simulation_ready(&simulation);
    speak(&simulation, 6400);
    ojin_client_progress(simulation.client, &progress);
    ck_assert(!progress.idle);
    simulation_text(&simulation, line);
    ojin_client_progress(simulation.client, &progress);
    ck_assert(progress.idle && !progress.over);
    ck_assert_uint_eq(count_reported(&simulation, ENDING[_i]), 1);
    /* The session goes on: what is said next is answered. */
    speak(&simulation, 6400);
    simulation_frames(&simulation, 12, 20000, &SPEECH);
    simulation_run(&simulation, simulation.now_us + SECOND_US);
    ck_assert_uint_eq(count_played(&simulation, 1), 12);
    simulation_end(&simulation);
}
END_TEST

/* ---- sessionReady ---- */

static const struct {
    const char *payload;
    bool has_load;
    double load;
    const char *parameters;
} READIES[] = {
    {"\"trace_id\":\"t\",\"status\":\"success\",\"load\":0.25", true, 0.25, ""},
    {"\"trace_id\":\"t\",\"status\":\"success\",\"load\":0,\"parameters\":null", true, 0, ""},
    {"\"trace_id\":\"t\",\"status\":\"success\",\"load\":1,\"parameters\":{}", true, 1, ""},
    {"\"trace_id\":\"t\",\"status\":\"success\",\"load\":5e-1,\"parameters\":{ \"a\" : [1, \"b\"] }", true,
     0.5, "{\"a\":[1,\"b\"]}"},
    {"\"trace_id\":\"t\",\"status\":\"success\"", false, 0, ""},
};

START_TEST(load_and_parameters_are_there_for_the_user)
{
    struct simulation simulation = simulation_of("oris-1.0");
    char line[300];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "{\"type\":\"sessionReady\",\"payload\":{");
    text_add(&text, READIES[_i].payload);
    text_add(&text, "}}");
    simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
    simulation_text(&simulation, line);
    const struct ojin_client_summary *summary = ojin_client_summary(simulation.client);
    const struct recorded *ready = nth_seen(&simulation, OBSERVED_READY, 0);
    ck_assert_int_eq(summary->has_load, READIES[_i].has_load);
    ck_assert(summary->load == READIES[_i].load);
    ck_assert_str_eq(summary->parameters, READIES[_i].parameters);
    ck_assert_int_eq(ready->observation.has_load, READIES[_i].has_load);
    ck_assert_str_eq(ready->observation.text, line);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_waits");
    TCase *tcase = tcase_create("client_waits");
    tcase_add_test(tcase, a_server_that_answers_is_pinged_every_thirty_seconds);
    tcase_add_loop_test(tcase, a_dead_server_is_given_up, 0, (int)(sizeof INTERVALS / sizeof INTERVALS[0]));
    tcase_add_test(tcase, silence_alone_after_speech_is_reported_once_as_a_stall);
    tcase_add_test(tcase, nothing_at_all_in_the_middle_of_speech_is_a_stall);
    tcase_add_loop_test(tcase, what_is_not_due_is_no_stall, 0, NO_STALL_COUNT);
    tcase_add_loop_test(tcase, an_error_in_mid_interaction_leaves_no_waiter, 0, 2);
    tcase_add_loop_test(tcase, load_and_parameters_are_there_for_the_user, 0,
                        (int)(sizeof READIES / sizeof READIES[0]));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
