/* How sessions begin and end, and what goes wrong in between. */
#include <check.h>
#include <stdlib.h>

#include "client/tests/ojin_simulation.h"
#include "codec/ojin/profile.h"

static const struct frame_spec SILENCE = {.index = 0};
static const struct frame_spec SPEECH = {.index = 1, .id = SIMULATION_SPEECH_ID};

/* ---- the end ---- */

static const struct {
    const char *name;
    struct frame_spec final;
    size_t played;
} FINALS[] = {
    {"a silence frame", {.index = 0, .final = true}, 6},
    {"a speech frame", {.index = 1, .id = SIMULATION_SPEECH_ID, .final = true}, 6},
    {"an empty frame", {.index = 0, .final = true, .empty = true}, 5},
};

START_TEST(the_end_waits_for_the_final_frame_and_plays_what_is_held)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(3200);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 3200);
    simulation_client_end(&simulation);
    ck_assert_uint_eq(count_sent_type(&simulation, "endInteraction"), 1);
    simulation_frames(&simulation, 5, 20000, &SPEECH);
    simulation_run(&simulation, 1000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 0);
    simulation_frame(&simulation, &FINALS[_i].final);
    simulation_run(&simulation, 1000000 + 7 * OJIN_FRAME_US);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), FINALS[_i].played);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_CLOSE, 0)->code, OJIN_CLOSE_NORMAL);
    simulation_event(&simulation, CLIENT_CLOSED, OJIN_CLOSE_NORMAL, (struct bytes){0});
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.close_code, 1000);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(what_is_held_is_played_when_the_server_closes_after_the_final_frame)
{
    static const struct frame_spec FINAL = {.index = 0, .final = true};
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_client_end(&simulation);
    simulation_frames(&simulation, 50, 0, &SPEECH);
    simulation_frame(&simulation, &FINAL);
    simulation_event(&simulation, CLIENT_CLOSED, OJIN_CLOSE_NORMAL, (struct bytes){0});
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_CLOSING);
    simulation_run(&simulation, 3000000);
    ck_assert_uint_eq(count_played(&simulation, 1), 50);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_final_frame_that_never_comes_is_given_up)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_client_end(&simulation);
    simulation_frames(&simulation, 240, 40000, &SILENCE);
    simulation_run(&simulation, OJIN_CLIENT_FINAL_WAIT_US - 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_run(&simulation, OJIN_CLIENT_FINAL_WAIT_US);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.code, "FINAL_TIMEOUT");
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_run(&simulation, OJIN_CLIENT_FINAL_WAIT_US + CLIENT_CLOSE_WAIT_US);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.close_code, 1006);
    simulation_end(&simulation);
}
END_TEST

START_TEST(closing_before_the_connection_is_there_closes_it_when_it_comes)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_close(&simulation);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 0);
    simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_lost_connection_ends_the_session_with_its_code)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 5, 0, &SPEECH);
    simulation_event(&simulation, CLIENT_CLOSED, 1006, (struct bytes){0});
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.close_code, 1006);
    ck_assert(ojin_client_deadline_us(simulation.client) == UINT64_MAX);
    simulation_end(&simulation);
}
END_TEST

static const struct {
    const char *name;
    bool opened;
    uint64_t wait_us; /* 0: as the documents have it */
    const char *said;
} WAITS[] = {{"the upgrade", false, 0, "the upgrade was not answered within 10 s"},
             {"sessionReady", true, 0, "no sessionReady came within 10 s"},
             {"the upgrade, for longer", false, 120000000, "the upgrade was not answered within 120 s"},
             {"sessionReady, for longer", true, 120000000, "no sessionReady came within 120 s"}};

START_TEST(waiting_for_the_server_has_an_end)
{
    const struct ojin_client_config config = {.profile = ojin_profile_by_name("oris-1.0"),
                                              .ready_wait_us = WAITS[_i].wait_us};
    const uint64_t wait_us = WAITS[_i].wait_us == 0 ? OJIN_CLIENT_READY_WAIT_US : WAITS[_i].wait_us;
    struct simulation simulation = simulation_start(&config);
    if (WAITS[_i].opened)
        simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_run(&simulation, wait_us - 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_run(&simulation, wait_us + CLIENT_CLOSE_WAIT_US);
    const struct observation *error = &nth_seen(&simulation, OBSERVED_ERROR, 0)->observation;
    ck_assert_str_eq(error->code, "READY_TIMEOUT");
    ck_assert_str_eq(error->text, WAITS[_i].said);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

static const struct {
    uint16_t status;
    const char *body;
    const char *code;
    const char *text;
} REFUSALS[] = {
    {401,
     "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"AUTH_FAILED\",\"message\":\"Invalid API key\"}}",
     "401", "AUTH_FAILED: Invalid API key"},
    {503, "busy", "503", "busy"},
    {0, "cannot connect to 127.0.0.1:7999: connection refused", "NO_CONNECTION",
     "cannot connect to 127.0.0.1:7999: connection refused"},
};

START_TEST(a_refusal_is_reported_with_status_and_body_and_ends_the_session)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_event(&simulation, CLIENT_REFUSED, REFUSALS[_i].status, bytes_of_text(REFUSALS[_i].body));
    const struct recorded *error = nth_seen(&simulation, OBSERVED_ERROR, 0);
    ck_assert_str_eq(error->observation.code, REFUSALS[_i].code);
    ck_assert_str_eq(error->observation.text, REFUSALS[_i].text);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

/* ---- text ---- */

static const struct {
    const char *name;
    const char *text;
    bool ready;       /* sent in mid-stream, else in place of sessionReady */
    const char *code; /* of the error observed; NULL: none */
    const char *seen; /* its text */
    bool over;
} TEXTS[] = {
    {"plain text first", "No backend servers available.", false, "", "No backend servers available.", true},
    {"the empty text first", "", false, "", "", true},
    {"plain text in mid-stream", "Model not found", true, "", "Model not found", false},
    {"a list", "[]", true, NULL, NULL, false},
    {"a list first", "[]", false, NULL, NULL, false},
    {"a string", "\"x\"", true, NULL, NULL, false},
    {"null", "null", true, NULL, NULL, false},
    {"no type", "{}", true, NULL, NULL, false},
    {"a type of another kind", "{\"type\":5}", true, NULL, NULL, false},
    {"a type nobody knows", "{\"type\":\"sessionPing\"}", true, NULL, NULL, false},
    {"an unknown code", "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"ODD\",\"message\":\"m\"}}", true,
     "ODD", "m", false},
#define ERROR_TEXT(code) "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"" code "\",\"message\":\"m\"}}"
    {"AUTH_FAILED", ERROR_TEXT("AUTH_FAILED"), false, "AUTH_FAILED", "m", true},
    {"UNAUTHORIZED", ERROR_TEXT("UNAUTHORIZED"), false, "UNAUTHORIZED", "m", true},
    {"MISSING_CONFIG_ID", ERROR_TEXT("MISSING_CONFIG_ID"), false, "MISSING_CONFIG_ID", "m", true},
    {"INVALID_HEADERS", ERROR_TEXT("INVALID_HEADERS"), false, "INVALID_HEADERS", "m", true},
    {"MODEL_NOT_FOUND", ERROR_TEXT("MODEL_NOT_FOUND"), false, "MODEL_NOT_FOUND", "m", true},
    {"BACKEND_UNAVAILABLE", ERROR_TEXT("BACKEND_UNAVAILABLE"), false, "BACKEND_UNAVAILABLE", "m", true},
    {"INVALID_MESSAGE", ERROR_TEXT("INVALID_MESSAGE"), true, "INVALID_MESSAGE", "m", false},
    {"RATE_LIMITED", ERROR_TEXT("RATE_LIMITED"), true, "RATE_LIMITED", "m", false},
    {"TIMEOUT", ERROR_TEXT("TIMEOUT"), true, "TIMEOUT", "m", false},
    {"CANCELLED", ERROR_TEXT("CANCELLED"), true, "CANCELLED", "m", false},
    {"INTERNAL_ERROR", ERROR_TEXT("INTERNAL_ERROR"), true, "INTERNAL_ERROR", "m", false},
    {"FRAME_SIZE_EXCEEDED", ERROR_TEXT("FRAME_SIZE_EXCEEDED"), true, "FRAME_SIZE_EXCEEDED", "m", false},
};

START_TEST(each_text_is_reported_ignored_or_the_end_as_it_should_be)
{
    struct simulation simulation = simulation_of("oris-1.0");
    if (TEXTS[_i].ready)
        simulation_ready(&simulation);
    else
        simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_text(&simulation, TEXTS[_i].text);
    simulation_run(&simulation, 1000000);
    const struct recorded *error = nth_seen(&simulation, OBSERVED_ERROR, 0);
    ck_assert_msg((error != NULL) == (TEXTS[_i].code != NULL), "%s", TEXTS[_i].name);
    if (error != NULL) {
        ck_assert_str_eq(error->observation.code, TEXTS[_i].code);
        ck_assert_str_eq(error->observation.text, TEXTS[_i].seen);
    } else {
        ck_assert_uint_eq(ojin_client_summary(simulation.client)->text_ignored, 1);
    }
    ck_assert_msg((ojin_client_life(simulation.client)->standing == CLIENT_STANDS_CLOSING) == TEXTS[_i].over,
                  "%s", TEXTS[_i].name);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), TEXTS[_i].over ? 1 : 0);
    if (!TEXTS[_i].over && TEXTS[_i].ready) {
        simulation_frame(&simulation, &SPEECH);
        ck_assert_uint_eq(count_seen(&simulation, OBSERVED_FRAME), 1);
    }
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_close_code_of_a_refusing_server_is_reported)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_text(&simulation, "No backend servers available.");
    simulation_event(&simulation, CLIENT_CLOSED, OJIN_CLOSE_TRY_AGAIN, bytes_of_text("later"));
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.close_code, 1013);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_CLOSED, 0)->observation.text, "later");
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

/* ---- frames ---- */

START_TEST(every_prefix_of_a_frame_is_reported_and_the_next_frame_is_read)
{
    struct bytes whole = simulation_frame_bytes(&SPEECH, 1);
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    for (size_t len = 0; len < whole.len; len++) {
        simulation_event(&simulation, CLIENT_BINARY, 0, bytes_of(whole.data, len));
        ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), len + 1);
        ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, len)->observation.code, "BAD_FRAME");
        ck_assert_str_ne(nth_seen(&simulation, OBSERVED_ERROR, len)->observation.text, "");
    }
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_FRAME), 0);
    simulation_frame(&simulation, &SPEECH);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_FRAME), 1);
    ck_assert_uint_eq(ojin_client_summary(simulation.client)->undecodable, whole.len);
    free((void *)(uintptr_t)whole.data);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_frame_of_another_index_is_shown_and_is_neither_speech_nor_dropped)
{
    static const struct frame_spec ODD = {.index = 77};
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 40, 0, &ODD);
    simulation_run(&simulation, 2000000);
    ck_assert_uint_eq(count_played(&simulation, 77), 40);
    ck_assert_uint_eq(ojin_client_summary(simulation.client)->frames[2], 40);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_session");
    TCase *tcase = tcase_create("client_session");
    tcase_add_loop_test(tcase, the_end_waits_for_the_final_frame_and_plays_what_is_held, 0,
                        (int)(sizeof FINALS / sizeof FINALS[0]));
    tcase_add_test(tcase, what_is_held_is_played_when_the_server_closes_after_the_final_frame);
    tcase_add_test(tcase, a_final_frame_that_never_comes_is_given_up);
    tcase_add_test(tcase, closing_before_the_connection_is_there_closes_it_when_it_comes);
    tcase_add_test(tcase, a_lost_connection_ends_the_session_with_its_code);
    tcase_add_loop_test(tcase, waiting_for_the_server_has_an_end, 0, (int)(sizeof WAITS / sizeof WAITS[0]));
    tcase_add_loop_test(tcase, a_refusal_is_reported_with_status_and_body_and_ends_the_session, 0,
                        (int)(sizeof REFUSALS / sizeof REFUSALS[0]));
    tcase_add_loop_test(tcase, each_text_is_reported_ignored_or_the_end_as_it_should_be, 0,
                        (int)(sizeof TEXTS / sizeof TEXTS[0]));
    tcase_add_test(tcase, the_close_code_of_a_refusing_server_is_reported);
    tcase_add_test(tcase, every_prefix_of_a_frame_is_reported_and_the_next_frame_is_read);
    tcase_add_test(tcase, a_frame_of_another_index_is_shown_and_is_neither_speech_nor_dropped);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
