/* What follows a lost or refused connection: OJ-CON-04, OJ-CON-05, OJ-ERR-08, OJ-CLS-04, OJ-FLD-02,
 * OJ-FLD-07. */
#include <check.h>
#include <stdlib.h>

#include "client/core/reconnect.h"
#include "client/tests/ojin_simulation.h"
#include "codec/ojin/profile.h"

static const struct frame_spec SPEECH = {.index = 1, .id = SIMULATION_SPEECH_ID};
static const struct bytes NOTHING = {0};

enum { SECOND_US = 1000000, TIMES = 3 };

static struct simulation start(const char *profile)
{
    struct ojin_client_config config = {.profile = ojin_profile_by_name(profile),
                                        .life.reconnect_times = TIMES};
    return simulation_start(&config);
}

static void refuse(struct simulation *simulation, uint16_t status, const char *retry_after)
{
    struct client_event event = {.kind = CLIENT_REFUSED,
                                 .now_us = simulation->now_us,
                                 .code = status,
                                 .data = bytes_of_text("no"),
                                 .retry_after = bytes_of_text(retry_after)};
    ojin_client_step(simulation->client, &event, simulation->actions);
    simulation_record(simulation);
}

static size_t connects(const struct simulation *simulation)
{
    return count_kind(simulation, CLIENT_CONNECT);
}

static bool reported(const struct simulation *simulation, const char *code)
{
    const struct recorded *error = NULL;
    for (size_t n = 0; (error = nth_seen(simulation, OBSERVED_ERROR, n)) != NULL; n++)
        if (strcmp(error->observation.code, code) == 0)
            return true;
    return false;
}

/* ---- which losses are tried again ---- */

enum loss { REFUSED, CLOSED, ERROR_TEXT, PLAIN_TEXT };

static const struct {
    const char *name;
    enum loss loss;
    uint16_t code;
    const char *text;
    bool again;
} LOSSES[] = {
    {"no connection", REFUSED, 0, NULL, true},
    {"HTTP 401", REFUSED, 401, NULL, false},
    {"HTTP 403", REFUSED, 403, NULL, false},
    {"HTTP 404", REFUSED, 404, NULL, false},
    {"HTTP 429", REFUSED, 429, NULL, true},
    {"HTTP 500", REFUSED, 500, NULL, true},
    {"HTTP 501", REFUSED, 501, NULL, false},
    {"HTTP 503", REFUSED, 503, NULL, true},
    {"close 1000", CLOSED, 1000, NULL, false},
    {"close 1001", CLOSED, 1001, NULL, true},
    {"close 1006", CLOSED, 1006, NULL, true},
    {"close 1008", CLOSED, 1008, NULL, false},
    {"close 1011", CLOSED, 1011, NULL, true},
    {"close 1012", CLOSED, 1012, NULL, true},
    {"close 1013", CLOSED, 1013, NULL, true},
    {"close 4001", CLOSED, 4001, NULL, false},
    {"close 4401", CLOSED, 4401, NULL, false},
    {"AUTH_FAILED", ERROR_TEXT, 1006, "AUTH_FAILED", false},
    {"UNAUTHORIZED", ERROR_TEXT, 1006, "UNAUTHORIZED", false},
    {"MISSING_CONFIG_ID", ERROR_TEXT, 1006, "MISSING_CONFIG_ID", false},
    {"INVALID_HEADERS", ERROR_TEXT, 1006, "INVALID_HEADERS", false},
    {"MODEL_NOT_FOUND", ERROR_TEXT, 1006, "MODEL_NOT_FOUND", false},
    {"BACKEND_UNAVAILABLE", ERROR_TEXT, 1013, "BACKEND_UNAVAILABLE", true},
    {"a plain text, then 1013", PLAIN_TEXT, 1013, "No backend servers available.", true},
    {"a plain text, then 1008", PLAIN_TEXT, 1008, "Model not found", false},
};

static void lose(struct simulation *simulation, size_t row)
{
    char line[200];
    struct text text = text_of(line, sizeof line);
    switch (LOSSES[row].loss) {
    case REFUSED:
        refuse(simulation, LOSSES[row].code, "");
        return;
    case CLOSED:
        simulation_ready(simulation);
        break;
    case ERROR_TEXT:
        simulation_event(simulation, CLIENT_OPENED, 0, NOTHING);
        text_add(&text, "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"");
        text_add(&text, LOSSES[row].text);
        text_add(&text, "\",\"message\":\"m\"}}");
        simulation_text(simulation, line);
        break;
    case PLAIN_TEXT:
        simulation_event(simulation, CLIENT_OPENED, 0, NOTHING);
        simulation_text(simulation, LOSSES[row].text);
        break;
    }
    simulation_event(simulation, CLIENT_CLOSED, LOSSES[row].code, NOTHING);
}

START_TEST(only_what_may_pass_is_tried_again)
{
    struct simulation simulation = start("oris-1.0");
    lose(&simulation, (size_t)_i);
    simulation_run(&simulation, SECOND_US);
    ck_assert_msg(connects(&simulation) == (LOSSES[_i].again ? 1 : 0), "%s", LOSSES[_i].name);
    ck_assert((ojin_client_life(simulation.client)->standing == CLIENT_STANDS_OVER) == !LOSSES[_i].again);
    simulation_end(&simulation);
}
END_TEST

START_TEST(nothing_is_tried_again_without_being_told_to)
{
    struct simulation simulation = simulation_of("oris-1.0");
    lose(&simulation, (size_t)_i);
    simulation_run(&simulation, SECOND_US);
    ck_assert_uint_eq(connects(&simulation), 0);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_certificate_that_is_refused_is_not_tried_again)
{
    struct simulation simulation = start("oris-1.0");
    struct client_event event = {
        .kind = CLIENT_REFUSED, .data = bytes_of_text("TLS failed: expired"), .lasting = true};
    ojin_client_step(simulation.client, &event, simulation.actions);
    simulation_record(&simulation);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    ck_assert(reported(&simulation, "NO_CONNECTION"));
    simulation_end(&simulation);
}
END_TEST

/* ---- delays and limit ---- */

/* Loses each session as it is ready. Returns how many connections there were. */
static size_t lose_all(struct simulation *simulation, size_t most)
{
    size_t sessions = 0;
    while (ojin_client_life(simulation->client)->standing != CLIENT_STANDS_OVER && sessions < most) {
        simulation_ready(simulation);
        sessions++;
        simulation_event(simulation, CLIENT_CLOSED, 1006, NOTHING);
        while (ojin_client_life(simulation->client)->standing == CLIENT_STANDS_WAITING)
            simulation_run(simulation, ojin_client_deadline_us(simulation->client));
    }
    return sessions;
}

START_TEST(delays_grow_to_a_limit_then_it_gives_up_and_says_so)
{
    struct simulation simulation = start("oris-1.0");
    ck_assert_uint_eq(lose_all(&simulation, 99), 1 + TIMES);
    for (size_t n = 0; n < TIMES; n++) {
        const struct recorded *waiting = nth_seen(&simulation, OBSERVED_STATE, 2 * n);
        ck_assert_str_eq(waiting->observation.code, "backing-off");
        ck_assert_uint_eq(waiting->observation.delay_ms, 500U << n);
        ck_assert_uint_eq(nth_kind(&simulation, CLIENT_CONNECT, n)->at_us, waiting->at_us + (500000U << n));
    }
    ck_assert(reported(&simulation, "GAVE_UP"));
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CLOSED), 1 + TIMES);
    ck_assert(ojin_client_deadline_us(simulation.client) == UINT64_MAX);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_session_that_held_begins_the_count_anew)
{
    struct simulation simulation = start("oris-1.0");
    for (size_t n = 0; n < 2 * TIMES; n++) {
        simulation_ready(&simulation);
        simulation_run(&simulation, simulation.now_us + RECONNECT_HEALTHY_US);
        simulation_event(&simulation, CLIENT_CLOSED, 1006, NOTHING);
        ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_STATE, 2 * n)->observation.delay_ms, 500);
        simulation_run(&simulation, simulation.now_us + 500000);
    }
    simulation_end(&simulation);
}
END_TEST

START_TEST(jitter_is_bounded_and_the_same_for_a_seed)
{
    struct reconnect a = {.times = 50, .random = 7};
    struct reconnect b = a;
    struct reconnect plain = {.times = 50};
    for (int n = 0; n < 50; n++) {
        uint64_t delay_a = 0, delay_b = 0, delay = 0;
        ck_assert(reconnect_next(&a, 0, &delay_a) && reconnect_next(&b, 0, &delay_b));
        ck_assert(reconnect_next(&plain, 0, &delay));
        ck_assert_uint_eq(delay_a, delay_b);
        ck_assert(delay_a >= delay && delay_a < delay + delay / 4 && delay <= RECONNECT_DELAY_MAX_US);
    }
    uint64_t delay = 0;
    ck_assert(!reconnect_next(&a, 0, &delay));
}
END_TEST

/* ---- Retry-After ---- */

static const struct {
    const char *value;
    bool good;
    uint64_t wait_ms; /* from 1994-11-06 08:49:30.500 GMT */
} RETRY_AFTERS[] = {
    {"0", true, 0},
    {"2", true, 2000},
    {"120", true, 120000},
    {"Sun, 06 Nov 1994 08:49:37 GMT", true, 6500},
    {"Sunday, 06-Nov-94 08:49:37 GMT", true, 6500},
    {"Sun Nov  6 08:49:37 1994", true, 6500},
    {"Sun, 06 Nov 1994 08:49:30 GMT", true, 0},
    {"Thu, 01 Jan 1970 00:00:00 GMT", true, 0},
    {"Tue, 29 Feb 2000 00:00:00 GMT", true, 167670629500},
    {"", false, 0},
    {"soon", false, 0},
    {"-1", false, 0},
    {"1.5", false, 0},
    {"Sun, 06 Nov 1994 08:49:37 CET", false, 0},
    {"Sun, 06 Nov 1994 28:49:37 GMT", false, 0},
    {"Sun, 06 Now 1994 08:49:37 GMT", false, 0},
    {"Sun, 46 Nov 1994 08:49:37 GMT", false, 0},
    {"a b c d e f g h i j", false, 0},
};

START_TEST(retry_after_is_seconds_or_a_date)
{
    enum { NOW_S = 784111770 };
    size_t len = strlen(RETRY_AFTERS[_i].value);
    uint8_t *copy = malloc(len > 0 ? len : 1);
    ck_assert(copy != NULL);
    memcpy(copy, RETRY_AFTERS[_i].value, len);
    uint64_t wait_us = 0;
    bool good = retry_after_read(bytes_of(copy, len), (uint64_t)NOW_S * 1000 + 500, &wait_us);
    ck_assert_msg(good == RETRY_AFTERS[_i].good, "%s", RETRY_AFTERS[_i].value);
    ck_assert_msg(wait_us == RETRY_AFTERS[_i].wait_ms * 1000, "%s", RETRY_AFTERS[_i].value);
    free(copy);
}
END_TEST

START_TEST(retry_after_is_waited_for_and_too_long_a_one_is_not)
{
    static const char *const LONG[] = {"301", "99999999999999999999"};
    struct simulation simulation = start("oris-1.0");
    refuse(&simulation, 429, "2");
    simulation_run(&simulation, 2 * SECOND_US - 1);
    ck_assert_uint_eq(connects(&simulation), 0);
    simulation_run(&simulation, 2 * SECOND_US);
    ck_assert_uint_eq(connects(&simulation), 1);
    /* Shorter than its own delay, which stands. */
    refuse(&simulation, 503, "0");
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_STATE, 2)->observation.delay_ms, 1000);
    simulation_end(&simulation);
    for (size_t n = 0; n < 2; n++) {
        simulation = start("oris-1.0");
        refuse(&simulation, 503, LONG[n]);
        ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
        ck_assert(reported(&simulation, "GAVE_UP"));
        simulation_end(&simulation);
    }
}
END_TEST

/* ---- the new session ---- */

static const char *const PROFILES[] = {"oris-1.0", "oris-1.0-earlier", "flashhead-lite-1.0"};

START_TEST(the_new_session_begins_cleanly_and_repeats_nothing)
{
    struct simulation simulation = start(PROFILES[_i]);
    bool opens = ojin_profile_of(ojin_profile_by_name(PROFILES[_i]))->opening_silence_rule != NULL;
    int16_t *speech = simulation_ramp(16000 * 20);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 16000 * 20);
    simulation_run(&simulation, SECOND_US / 2);
    simulation_frames(&simulation, 40, 0, &SPEECH); /* more than it has played when the end comes */
    size_t sent = count_kind(&simulation, CLIENT_SEND_BINARY);
    ck_assert(sent > 1);
    simulation_event(&simulation, CLIENT_CLOSED, 1006, NOTHING);
    ck_assert(reported(&simulation, "SPEECH_LOST"));
    size_t played = count_seen(&simulation, OBSERVED_PLAYED);
    simulation_run(&simulation, simulation.now_us + SECOND_US);
    ck_assert_uint_eq(connects(&simulation), 1);
    simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
    simulation_run(&simulation, simulation.now_us + SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), sent); /* sessionReady is awaited */
    simulation_ready(&simulation);
    simulation_run(&simulation, simulation.now_us + 3 * SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), sent + (opens ? 1 : 0));
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), played);
    struct client_progress progress;
    ojin_client_progress(simulation.client, &progress);
    ck_assert(progress.ready && progress.readies == 2 && progress.closed == 1 && !progress.over);
    simulation_speak(&simulation, speech, 6400);
    simulation_run(&simulation, simulation.now_us + SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), sent + (opens ? 2 : 1));
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(speech_that_nobody_heard_is_said_in_the_new_session)
{
    struct simulation simulation = start("oris-1.0");
    int16_t *speech = simulation_ramp(6400);
    simulation_speak(&simulation, speech, 6400);
    simulation_client_end(&simulation);
    refuse(&simulation, 503, "");
    simulation_run(&simulation, SECOND_US);
    simulation_ready(&simulation);
    simulation_run(&simulation, 3 * SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 2);
    ck_assert_uint_eq(count_sent_type(&simulation, "endInteraction"), 1);
    ck_assert(!reported(&simulation, "SPEECH_LOST"));
    free(speech);
    simulation_end(&simulation);
}
END_TEST

/* ---- closing ---- */

enum closing { WHILE_CONNECTING, WHILE_WAITING, WHILE_BACKING_OFF, CLOSING_COUNT };

START_TEST(closing_leaves_no_later_connection)
{
    struct simulation simulation = start("oris-1.0");
    if (_i == WHILE_WAITING)
        simulation_event(&simulation, CLIENT_OPENED, 0, NOTHING);
    if (_i == WHILE_BACKING_OFF)
        refuse(&simulation, 503, "");
    simulation_close(&simulation);
    if (_i == WHILE_WAITING)
        simulation_event(&simulation, CLIENT_CLOSED, 1006, NOTHING);
    simulation_run(&simulation, 60 * SECOND_US);
    ck_assert_uint_eq(connects(&simulation), 0);
    ck_assert_int_eq(ojin_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

START_TEST(nothing_of_the_old_session_comes_along)
{
    struct simulation simulation = start("oris-1.0");
    int16_t *speech = simulation_ramp(32000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 32000);
    simulation_run(&simulation, SECOND_US);
    simulation_frames(&simulation, 40, 0, &SPEECH);
    size_t played = count_seen(&simulation, OBSERVED_PLAYED);
    size_t sent = count_kind(&simulation, CLIENT_SEND_BINARY);
    simulation_event(&simulation, CLIENT_CLOSED, 1006, NOTHING);
    simulation_run(&simulation, simulation.now_us + SECOND_US);
    simulation_ready(&simulation);
    simulation_run(&simulation, simulation.now_us + 3 * SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), sent + 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), played);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_reconnect");
    TCase *tcase = tcase_create("client_reconnect");
    int losses = (int)(sizeof LOSSES / sizeof LOSSES[0]);
    tcase_add_loop_test(tcase, only_what_may_pass_is_tried_again, 0, losses);
    tcase_add_loop_test(tcase, nothing_is_tried_again_without_being_told_to, 0, losses);
    tcase_add_test(tcase, a_certificate_that_is_refused_is_not_tried_again);
    tcase_add_test(tcase, delays_grow_to_a_limit_then_it_gives_up_and_says_so);
    tcase_add_test(tcase, a_session_that_held_begins_the_count_anew);
    tcase_add_test(tcase, jitter_is_bounded_and_the_same_for_a_seed);
    tcase_add_loop_test(tcase, retry_after_is_seconds_or_a_date, 0,
                        (int)(sizeof RETRY_AFTERS / sizeof RETRY_AFTERS[0]));
    tcase_add_test(tcase, retry_after_is_waited_for_and_too_long_a_one_is_not);
    tcase_add_loop_test(tcase, the_new_session_begins_cleanly_and_repeats_nothing, 0, 3);
    tcase_add_test(tcase, speech_that_nobody_heard_is_said_in_the_new_session);
    tcase_add_loop_test(tcase, closing_leaves_no_later_connection, 0, CLOSING_COUNT);
    tcase_add_test(tcase, nothing_of_the_old_session_comes_along);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
