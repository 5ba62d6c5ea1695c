/* How sessions of the full-duplex client begin and end: 002 Setup, Close, Error Codes. */
#include <check.h>
#include <stdlib.h>

#include "client/tests/duplex_simulation.h"

static const struct bytes NOTHING = {0};
static const char *const PROFILES[] = {"video", "audio", "duplex-later", "duplex-later-audio"};

enum { PROFILE_COUNT = sizeof PROFILES / sizeof PROFILES[0] };

/* ---- the queue and session.update ---- */

START_TEST(nothing_is_sent_before_queue_done_and_one_update_after_it)
{
    struct simulation simulation = duplex_simulation_of(PROFILES[_i]);
    duplex_simulation_talk(&simulation, 16000);
    simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
    simulation_text(&simulation, "{\"type\":\"session.queued\",\"position\":3,\"extra\":[1],"
                                 "\"estimated_wait_s\":45.5,\"ticket_id\":\"t\"}");
    for (int i = 0; i < 10; i++)
        simulation_text(&simulation, "{\"type\":\"session.queue_update\",\"position\":4}");
    simulation_run(&simulation, 10000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_TEXT), 0);
    for (int i = 0; i < 3; i++)
        simulation_text(&simulation, "{\"type\":\"session.queue_done\"}");
    simulation_run(&simulation, 25000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_TEXT), 1);
    struct duplex_message update = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_UPDATE, 0, NULL);
    ck_assert_int_eq(update.type, DUPLEX_MESSAGE_UPDATE);
    ck_assert_uint_eq(update.faults.count, 0);
    ck_assert_uint_gt(update.instructions.len, 0);
    ck_assert(!update.has_max_slices);
    duplex_message_free(&update);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_QUEUE), 12);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_QUEUE, 0)->observation.position, 3);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_QUEUE, 0)->observation.text,
                     "place 3 in the queue, about 45.5 s");
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_QUEUE, 11)->observation.position, 0);
    simulation_text(&simulation, "{\"type\":\"session.created\",\"session_id\":\"rt_1\",\"more\":{}}");
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 1);
    ck_assert_str_eq(duplex_client_summary(simulation.client)->session_id, "rt_1");
    simulation_text(&simulation, "{\"type\":\"session.created\",\"session_id\":\"rt_2\"}");
    ck_assert_str_eq(duplex_client_summary(simulation.client)->session_id, "rt_1");
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_UPDATE), 1);
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_update_holds_what_the_user_gave_where_the_mode_has_it)
{
    static const uint8_t WAV[] = "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\x3e\0\0\0\x7d\0\0\2\0\x10\0"
                                 "data\4\0\0\0\1\0\2";
    const struct duplex_client_config config = {.profile = duplex_profile_by_name(PROFILES[_i]),
                                                .instructions = bytes_of_text("Be \"brief\"."),
                                                .max_slices = 4,
                                                .ref_audio = bytes_of(WAV, sizeof WAV)};
    struct simulation simulation = duplex_simulation_start(&config);
    duplex_simulation_created(&simulation);
    struct duplex_message update = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_UPDATE, 0, NULL);
    ck_assert_uint_eq(update.faults.count, 0);
    ck_assert(bytes_equal_text(update.instructions, "Be \"brief\"."));
    ck_assert(bytes_equal(update.ref_audio, bytes_of(WAV, sizeof WAV)));
    ck_assert_uint_eq(update.tts_ref_audio.len, 0);
    ck_assert_int_eq(update.has_max_slices, config.profile->slices);
    ck_assert(!update.has_max_slices || update.max_slices == 4);
    duplex_message_free(&update);
    simulation_end(&simulation);
}
END_TEST

static const struct {
    const char *name;
    uint64_t waits_us; /* until it gives up */
    bool opens, queues, done;
    const char *error;    /* event that comes in place of session.created; NULL: none */
    const char *reported; /* code */
} WAITS[] = {
    {"no upgrade", DUPLEX_CLIENT_UPGRADE_WAIT_US, false, false, false, NULL, "NO_CONNECTION"},
    {"no word", DUPLEX_CLIENT_QUEUE_WAIT_US, true, false, false, NULL, "QUEUE_TIMEOUT"},
    {"queued without end", DUPLEX_SESSION_SECONDS_VIDEO *UINT64_C(1000000), true, true, false, NULL,
     "QUEUE_TIMEOUT"},
    {"no session.created", DUPLEX_CLIENT_CREATED_WAIT_US, true, false, true, NULL, "CREATED_TIMEOUT"},
    {"an error in its place", DUPLEX_CLIENT_CREATED_ERROR_WAIT_US, true, false, true, "invalid_payload",
     "CREATED_TIMEOUT"},
};

START_TEST(what_does_not_come_is_given_up_in_time_and_not_before)
{
    struct simulation simulation = duplex_simulation_of("video");
    if (WAITS[_i].opens)
        simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
    if (WAITS[_i].queues)
        simulation_text(&simulation, "{\"type\":\"session.queued\"}");
    if (WAITS[_i].done)
        simulation_text(&simulation, "{\"type\":\"session.queue_done\"}");
    if (WAITS[_i].error != NULL)
        duplex_simulation_error(&simulation, WAITS[_i].error);
    simulation_run(&simulation, WAITS[_i].waits_us - 1);
    ck_assert_uint_eq(duplex_count_errors(&simulation, WAITS[_i].reported), 0);
    simulation_run(&simulation, WAITS[_i].waits_us);
    ck_assert_uint_eq(duplex_count_errors(&simulation, WAITS[_i].reported), 1);
    simulation_run(&simulation, WAITS[_i].waits_us + CLIENT_CLOSE_WAIT_US);
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CLOSED), 1);
    simulation_end(&simulation);
}
END_TEST

START_TEST(it_waits_as_long_as_updates_repeat)
{
    struct simulation simulation = duplex_simulation_of("video");
    simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
    for (uint64_t s = 0; s < 1800; s += 3) {
        simulation_run(&simulation, s * 1000000);
        simulation_text(&simulation, "{\"type\":\"session.queue_update\",\"position\":1}");
    }
    ck_assert_int_eq(duplex_client_life(simulation.client)->stage, DUPLEX_CLIENT_QUEUED);
    simulation_text(&simulation, "{\"type\":\"session.queue_done\"}");
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_UPDATE), 1);
    simulation_end(&simulation);
}
END_TEST

/* ---- errors ---- */

static const struct {
    const char *code;
    bool closes;
} ERRORS[] = {
    {"not_ready", false},        {"invalid_event", false},   {"unknown_event", false},
    {"missing_field", false},    {"invalid_payload", false}, {"inference_error", false},
    {"inference_failed", false}, {"never_heard_of", false},  {"service_unavailable", true},
    {"queue_full", true},        {"worker_busy", true},      {"worker_connect_failed", true},
};

START_TEST(an_error_is_reported_and_ends_the_session_only_where_the_document_says_so)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    duplex_simulation_error(&simulation, ERRORS[_i].code);
    ck_assert_uint_eq(duplex_count_errors(&simulation, ERRORS[_i].code), 1);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.text,
                     "that is wrong (client_error)");
    simulation_run(&simulation, 3000000);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), ERRORS[_i].closes ? 1 : 4);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), ERRORS[_i].closes ? 1 : 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(messages_nobody_knows_are_ignored)
{
    static const char *const TEXTS[] = {"{\"type\":\"session.mood\",\"payload\":{\"a\":[1,2]}}",
                                        "{\"type\":12}",
                                        "{}",
                                        "[]",
                                        "null",
                                        "12",
                                        "\"x\"",
                                        "{\"type\":\"session.update\"}",
                                        "{\"type\":\"error\"}"};
    struct simulation simulation = duplex_simulation_of(PROFILES[_i]);
    duplex_simulation_created(&simulation);
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        simulation_text(&simulation, TEXTS[i]);
    simulation_event(&simulation, CLIENT_BINARY, 0, bytes_of("\0\1", 2));
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 1); /* the last, which is one */
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->unknown, 9);
    simulation_text(&simulation, "Service is starting.");
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 1)->observation.text, "Service is starting.");
    simulation_run(&simulation, 5000000);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 6);
    simulation_end(&simulation);
}
END_TEST

/* ---- the end ---- */

START_TEST(the_user_ends_with_a_message_and_waits_for_the_answer)
{
    struct simulation simulation = duplex_simulation_of(PROFILES[_i]);
    duplex_simulation_created(&simulation);
    simulation_run(&simulation, 2500000);
    duplex_client_close(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    struct duplex_message close = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_CLOSE, 0, NULL);
    ck_assert_int_eq(close.type, DUPLEX_MESSAGE_CLOSE);
    ck_assert(bytes_equal_text(close.reason, "user_stop"));
    duplex_message_free(&close);
    simulation_run(&simulation, 4000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 0);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 3);
    duplex_simulation_closed(&simulation, "stopped");
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_CLOSE, 0)->code, 1000);
    simulation_event(&simulation, CLIENT_CLOSED, 1000, NOTHING);
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    ck_assert_str_eq(duplex_client_summary(simulation.client)->reason, "stopped");
    simulation_end(&simulation);
}
END_TEST

START_TEST(without_session_closed_it_ends_all_the_same)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    duplex_client_close(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    simulation_run(&simulation, DUPLEX_CLIENT_CLOSED_WAIT_US - 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 0);
    simulation_run(&simulation, DUPLEX_CLIENT_CLOSED_WAIT_US);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "CLOSED_TIMEOUT"), 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_run(&simulation, DUPLEX_CLIENT_CLOSED_WAIT_US + CLIENT_CLOSE_WAIT_US);
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(closing_before_there_is_a_session_sends_no_message)
{
    struct simulation simulation = duplex_simulation_of("video");
    simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
    if (_i == 1)
        simulation_text(&simulation, "{\"type\":\"session.queue_done\"}");
    duplex_client_close(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_TEXT), (size_t)_i);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_end(&simulation);
}
END_TEST

static const struct {
    const char *reason;
    bool error; /* it is reported as one */
    bool again; /* another session may go better */
} REASONS[] = {
    {"stopped", false, false},       {"timeout", false, false}, {"context_full", false, false},
    {"server_shutdown", true, true}, {"error", true, true},     {"tired", true, true},
};

START_TEST(each_reason_of_session_closed_is_told_and_nothing_is_sent_after_it)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_client_set_reconnect(simulation.client, 3);
    duplex_simulation_created(&simulation);
    duplex_simulation_closed(&simulation, REASONS[_i].reason);
    const struct recorded *state = nth_seen(&simulation, OBSERVED_STATE, 0);
    ck_assert_str_eq(state->observation.code, "session-closed");
    ck_assert_str_eq(state->observation.text, REASONS[_i].reason);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "SESSION_CLOSED"), REASONS[_i].error ? 1 : 0);
    duplex_simulation_delta(&simulation, 0, 24000, "late", true);
    simulation_run(&simulation, 1800000);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_event(&simulation, CLIENT_CLOSED, 1000, NOTHING);
    simulation_run(&simulation, simulation.now_us + 1000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), REASONS[_i].again ? 1 : 0);
    simulation_end(&simulation);
}
END_TEST

/* ---- lost connections ---- */

static const struct {
    uint16_t code;
    bool again;
} CLOSES[] = {{1006, true},  {1013, true},  {1012, true}, {1011, true},
              {1003, false}, {1008, false}, {1000, false}};

START_TEST(a_lost_connection_is_reported_and_tried_again_where_that_can_help)
{
    struct simulation simulation = duplex_simulation_of("audio");
    duplex_client_set_reconnect(simulation.client, 3);
    duplex_simulation_talk(&simulation, 48000);
    duplex_simulation_created(&simulation);
    simulation_event(&simulation, CLIENT_CLOSED, CLOSES[_i].code, NOTHING);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.close_code, CLOSES[_i].code);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), 0);
    simulation_run(&simulation, simulation.now_us + 1000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), CLOSES[_i].again ? 1 : 0);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "SPEECH_LOST"), CLOSES[_i].again ? 1 : 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(attempts_come_with_growing_delays_and_go_through_the_queue)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_client_set_reconnect(simulation.client, 3);
    duplex_simulation_talk(&simulation, 16000);
    uint64_t before_us = 0;
    for (size_t n = 0; n < 3; n++) {
        simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
        duplex_simulation_error(&simulation, "queue_full");
        simulation_event(&simulation, CLIENT_CLOSED, 1013, NOTHING);
        const uint64_t lost_us = simulation.now_us;
        ck_assert_int_eq(DUPLEX_CLIENT_CLASS.life(simulation.client)->standing, CLIENT_STANDS_WAITING);
        simulation_run(&simulation, DUPLEX_CLIENT_CLASS.deadline_us(simulation.client));
        ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), n + 1);
        ck_assert_uint_gt(simulation.now_us - lost_us, before_us);
        before_us = simulation.now_us - lost_us;
    }
    ck_assert_uint_ge(before_us, 2000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_TEXT), 0);
    duplex_simulation_created(&simulation);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_UPDATE), 1);
    /* Nothing was said so far, so it is said now. */
    struct duplex_message append = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_APPEND, 0, NULL);
    ck_assert(float32_at(append.audio, 0) > 0);
    duplex_message_free(&append);
    simulation_event(&simulation, CLIENT_CLOSED, 1013, NOTHING);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "GAVE_UP"), 1);
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(closing_while_it_backs_off_is_the_end)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_client_set_reconnect(simulation.client, 3);
    simulation_event(&simulation, CLIENT_REFUSED, 503, bytes_of_text("busy"));
    ck_assert_uint_eq(duplex_count_errors(&simulation, "503"), 1);
    duplex_client_close(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    simulation_run(&simulation, 60000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), 0);
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_refusal_that_stands_is_not_tried_again)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_client_set_reconnect(simulation.client, 3);
    simulation_event(&simulation, CLIENT_REFUSED, 403,
                     bytes_of_text("{\"type\":\"error\",\"error\":{\"code\":\"service_unavailable\","
                                   "\"message\":\"not yet\",\"type\":\"server_error\"}}"));
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.text,
                     "service_unavailable: not yet");
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_peer_that_answers_no_ping_is_given_up)
{
    struct simulation simulation = duplex_simulation_of("video");
    simulation.no_pongs = true;
    duplex_simulation_created(&simulation);
    simulation_run(&simulation, 39999999);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "PONG_TIMEOUT"), 0);
    simulation_run(&simulation, 42000000);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "PONG_TIMEOUT"), 1);
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void)
{
    Suite *suite = suite_create("duplex_session");
    TCase *tcase = tcase_create("duplex_session");
    tcase_add_loop_test(tcase, nothing_is_sent_before_queue_done_and_one_update_after_it, 0, PROFILE_COUNT);
    tcase_add_loop_test(tcase, the_update_holds_what_the_user_gave_where_the_mode_has_it, 0, PROFILE_COUNT);
    tcase_add_loop_test(tcase, what_does_not_come_is_given_up_in_time_and_not_before, 0, COUNT(WAITS));
    tcase_add_test(tcase, it_waits_as_long_as_updates_repeat);
    tcase_add_loop_test(tcase, an_error_is_reported_and_ends_the_session_only_where_the_document_says_so, 0,
                        COUNT(ERRORS));
    tcase_add_loop_test(tcase, messages_nobody_knows_are_ignored, 0, PROFILE_COUNT);
    tcase_add_loop_test(tcase, the_user_ends_with_a_message_and_waits_for_the_answer, 0, PROFILE_COUNT);
    tcase_add_test(tcase, without_session_closed_it_ends_all_the_same);
    tcase_add_loop_test(tcase, closing_before_there_is_a_session_sends_no_message, 0, 2);
    tcase_add_loop_test(tcase, each_reason_of_session_closed_is_told_and_nothing_is_sent_after_it, 0,
                        COUNT(REASONS));
    tcase_add_loop_test(tcase, a_lost_connection_is_reported_and_tried_again_where_that_can_help, 0,
                        COUNT(CLOSES));
    tcase_add_test(tcase, attempts_come_with_growing_delays_and_go_through_the_queue);
    tcase_add_test(tcase, closing_while_it_backs_off_is_the_end);
    tcase_add_test(tcase, a_refusal_that_stands_is_not_tried_again);
    tcase_add_test(tcase, a_peer_that_answers_no_ping_is_given_up);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
