#include <check.h>
#include <stdlib.h>

#include "client/ojin/sender.h"
#include "client/tests/ojin_simulation.h"
#include "codec/ojin/input.h"
#include "codec/ojin/profile.h"
#include "codec/tests/exact_copy.h"

static struct ojin_input input_of(const struct recorded *record)
{
    struct ojin_input input;
    struct wire_error error = ojin_input_decode(bytes_of(record->data, record->len), &input);
    ck_assert_int_eq(error.status, WIRE_OK);
    return input;
}

static bool is_silence(const struct recorded *record)
{
    struct ojin_input input = input_of(record);
    for (size_t i = 0; i < input.audio.len; i++)
        if (input.audio.data[i] != 0)
            return false;
    return input.audio.len == OJIN_FRAME_AUDIO_BYTES;
}

static const struct {
    const char *profile;
    bool opens_with_silence;
} OPENINGS[] = {{"oris-1.0", true}, {"flashhead-lite-1.0", true}, {"oris-1.0-earlier", false}};

START_TEST(the_stream_opens_as_the_profile_has_it)
{
    struct simulation simulation = simulation_of(OPENINGS[_i].profile);
    int16_t *speech = simulation_ramp(6400);
    simulation_speak(&simulation, speech, 6400);
    simulation_ready(&simulation);
    simulation_run(&simulation, 2000000);
    const struct recorded *first = nth_kind(&simulation, CLIENT_SEND_BINARY, 0);
    ck_assert_ptr_nonnull(first);
    ck_assert(is_silence(first) == OPENINGS[_i].opens_with_silence);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), OPENINGS[_i].opens_with_silence ? 2 : 1);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(nothing_is_sent_before_session_ready)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(64000);
    simulation_speak(&simulation, speech, 64000);
    simulation_cancel(&simulation);
    simulation_speak(&simulation, speech, 64000);
    simulation_client_end(&simulation);
    simulation_event(&simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_run(&simulation, 5000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 0);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_TEXT), 0);
    simulation_ready(&simulation);
    simulation_run(&simulation, 9000000);
    ck_assert_uint_gt(count_kind(&simulation, CLIENT_SEND_BINARY), 1);
    ck_assert_uint_eq(count_sent_type(&simulation, "cancelInteraction"), 0);
    ck_assert_uint_eq(count_sent_type(&simulation, "endInteraction"), 1);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_second_session_ready_disturbs_nothing)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_ready(&simulation);
    simulation_run(&simulation, 3000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_READY), 1);
    ck_assert_uint_eq(ojin_client_summary(simulation.client)->text_ignored, 1);
    simulation_end(&simulation);
}
END_TEST

static bool is_message(const struct recorded *record)
{
    return record->kind == CLIENT_SEND_BINARY || record->kind == CLIENT_SEND_TEXT;
}

/* The most messages of any window of that length. */
static size_t busiest(const struct simulation *simulation, uint64_t window_us, bool audio_only)
{
    size_t most = 0;
    for (size_t i = 0; i < simulation->count; i++) {
        size_t count = 0;
        for (size_t k = i; k < simulation->count; k++) {
            const struct recorded *record = &simulation->records[k];
            bool counts = audio_only ? record->kind == CLIENT_SEND_BINARY : is_message(record);
            if (counts && record->at_us < simulation->records[i].at_us + window_us)
                count++;
        }
        most = count > most ? count : most;
    }
    return most;
}

static const struct {
    const char *name;
    const char *profile;
    uint32_t chunk;
    size_t piece; /* handed over at once */
    size_t pieces;
    uint64_t every_us;
} LOADS[] = {
    {"40 s at once", "oris-1.0", 0, 640000, 1, 0},
    {"40 s at once, earlier", "oris-1.0-earlier", 0, 640000, 1, 0},
    {"40 s at once in chunks of 3 samples", "oris-1.0", 3, 100, 1, 0},
    {"a chunk past any message", "oris-1.0", UINT32_MAX, 1200000, 1, 0},
    {"a hundred tiny pieces at once", "oris-1.0", 0, 7, 100, 0},
    {"20 ms every 20 ms", "oris-1.0", 0, 320, 400, 20000},
    {"20 ms every 20 ms, earlier", "oris-1.0-earlier", 0, 320, 400, 20000},
    {"one sample", "oris-1.0-earlier", 0, 1, 1, 0},
};

START_TEST(speech_arrives_whole_and_in_order_within_every_limit)
{
    struct ojin_client_config config = {.profile = ojin_profile_by_name(LOADS[_i].profile),
                                        .chunk_samples = LOADS[_i].chunk};
    struct simulation simulation = simulation_start(&config);
    size_t total = LOADS[_i].piece * LOADS[_i].pieces;
    int16_t *speech = simulation_ramp(total);
    simulation_ready(&simulation);
    for (size_t i = 0; i < LOADS[_i].pieces; i++) {
        simulation_run(&simulation, i * LOADS[_i].every_us);
        simulation_speak(&simulation, speech + i * LOADS[_i].piece, LOADS[_i].piece);
    }
    simulation_run(&simulation, simulation.now_us + 60000000);
    size_t at = 0;
    for (size_t i = 0; i < simulation.count; i++) {
        const struct recorded *record = &simulation.records[i];
        if (record->kind != CLIENT_SEND_BINARY || is_silence(record))
            continue;
        struct ojin_input input = input_of(record);
        ck_assert_uint_le(record->len, OJIN_MESSAGE_BYTES_NOTED);
        ck_assert_uint_eq(input.payload_type, OJIN_PAYLOAD_AUDIO);
        ck_assert_uint_eq(input.params.len, 0);
        ck_assert_uint_eq(input.timestamp_ms, SIMULATION_EPOCH_MS + record->at_us / 1000);
        ck_assert_uint_gt(input.audio.len, 0);
        for (size_t k = 0; k + 1 < input.audio.len; k += 2, at++)
            ck_assert_int_eq((int16_t)(uint16_t)(input.audio.data[k] | input.audio.data[k + 1] << 8),
                             speech[at]);
    }
    ck_assert_uint_eq(at, total);
    ck_assert_uint_le(busiest(&simulation, 1000000, false), OJIN_REQUESTS_PER_SECOND);
    ck_assert_uint_le(busiest(&simulation, 1000000, true), OJIN_REQUESTS_PER_SECOND - 1);
    struct client_progress progress;
    ojin_client_progress(simulation.client, &progress);
    ck_assert(progress.sent);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

enum { HELD_UP_US = 700000 };

/* `taken_us` is when the connection took the first burst, that was made at once. */
static const struct {
    const char *name;
    uint64_t looked_at_us; /* a step sees that it is still not taken; 0: none does */
    uint64_t taken_us;
    uint64_t next_us; /* the first message after it, at the soonest */
} HOLD_UPS[] = {
    {"taken at once", 0, 0, SENDER_WINDOW_US},
    {"held up between two steps", 0, HELD_UP_US, HELD_UP_US + SENDER_WINDOW_US},
    {"held up and looked at meanwhile", HELD_UP_US / 2, HELD_UP_US, HELD_UP_US + SENDER_WINDOW_US},
    {"not taken when the next would be due", SENDER_WINDOW_US, SENDER_WINDOW_US + 1,
     SENDER_WINDOW_US + 1 + SENDER_WINDOW_US},
};

START_TEST(a_message_counts_from_when_the_connection_took_it)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(640000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 640000);
    const size_t burst = count_kind(&simulation, CLIENT_SEND_BINARY);
    ck_assert_uint_eq(burst, OJIN_REQUESTS_PER_SECOND - 1);
    simulation.unsent = HOLD_UPS[_i].looked_at_us > 0 ? 1 : 0;
    if (simulation.unsent > 0)
        simulation_run(&simulation, HOLD_UPS[_i].looked_at_us);
    simulation.unsent = 0;
    simulation.taken_us = HOLD_UPS[_i].taken_us;
    simulation_run(&simulation, HOLD_UPS[_i].next_us - 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), burst);
    simulation_run(&simulation, HOLD_UPS[_i].next_us);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 2 * burst);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_earlier_profile_sends_multiples_of_its_chunk_but_for_the_last)
{
    struct simulation simulation = simulation_of("oris-1.0-earlier");
    int16_t *speech = simulation_ramp(640100);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 640100);
    simulation_run(&simulation, 60000000);
    size_t messages = count_kind(&simulation, CLIENT_SEND_BINARY);
    ck_assert_uint_gt(messages, 5);
    for (size_t i = 0; i + 1 < messages; i++) {
        const struct recorded *record = nth_kind(&simulation, CLIENT_SEND_BINARY, i);
        ck_assert_uint_eq(input_of(record).audio.len % (2 * OJIN_CHUNK_EARLIER_SAMPLES), 0);
    }
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_control_message_finds_its_slot_while_audio_waits)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(640000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 640000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), OJIN_REQUESTS_PER_SECOND - 1);
    simulation_run(&simulation, 100000);
    simulation_cancel(&simulation);
    ck_assert_uint_eq(count_sent_type(&simulation, "cancelInteraction"), 1);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_TEXT, 0)->at_us, 100000);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_second_control_message_in_the_same_second_waits_for_the_rate)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(640000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 640000);
    simulation_cancel(&simulation);
    simulation_client_end(&simulation);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_TEXT), 1);
    simulation_run(&simulation, 5000000);
    ck_assert_uint_eq(count_sent_type(&simulation, "endInteraction"), 1);
    ck_assert_uint_gt(nth_kind(&simulation, CLIENT_SEND_TEXT, 1)->at_us, 1000000);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(rate_limited_is_reported_and_answered_by_a_pause_that_grows)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(640000);
    static const char REFUSAL[] =
        "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"RATE_LIMITED\",\"message\":\"slow down\"}}";
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 640000);
    size_t before = count_kind(&simulation, CLIENT_SEND_BINARY);
    simulation_run(&simulation, 1000000);
    simulation_text(&simulation, REFUSAL);
    simulation_run(&simulation, 1999999);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), before);
    simulation_run(&simulation, 2000000);
    ck_assert_uint_gt(count_kind(&simulation, CLIENT_SEND_BINARY), before);
    before = count_kind(&simulation, CLIENT_SEND_BINARY);
    simulation_text(&simulation, REFUSAL);
    simulation_run(&simulation, 3999999);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), before);
    simulation_run(&simulation, 4000000);
    ck_assert_uint_gt(count_kind(&simulation, CLIENT_SEND_BINARY), before);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 2);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.code, "RATE_LIMITED");
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.text, "slow down");
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(more_speech_than_a_client_holds_is_refused_whole)
{
    struct simulation simulation = simulation_of("oris-1.0");
    size_t most = OJIN_CLIENT_SPEECH_SAMPLES_MAX;
    int16_t *speech = calloc(most, sizeof *speech);
    ck_assert_ptr_nonnull(speech);
    ck_assert(ojin_client_speak(simulation.client, 0, speech, most, simulation.actions));
    ck_assert(!ojin_client_speak(simulation.client, 0, speech, 1, simulation.actions));
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_first_message_of_a_later_turn_tells_which_frame_is_shown)
{
    static const struct frame_spec SILENCE = {.index = 0};
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(20000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 640);
    simulation_frames(&simulation, 25, OJIN_FRAME_US, &SILENCE);
    simulation_run(&simulation, 12000000);
    size_t before = count_kind(&simulation, CLIENT_SEND_BINARY);
    size_t shown = count_seen(&simulation, OBSERVED_PLAYED);
    ck_assert_uint_gt(shown, 0);
    simulation_speak(&simulation, speech, 20000);
    simulation_run(&simulation, 14000000);
    ck_assert_uint_ge(count_kind(&simulation, CLIENT_SEND_BINARY), before + 2);
    for (size_t n = 0; n < before + 2; n++) {
        const struct recorded *sent = nth_kind(&simulation, CLIENT_SEND_BINARY, n);
        struct ojin_params params = OJIN_PARAMS_DEFAULT;
        struct ojin_input input;
        ck_assert_int_eq(ojin_input_decode(bytes_of(sent->data, sent->len), &input).status, WIRE_OK);
        ck_assert_int_eq(input.params.len > 0, n == before);
        if (n != before)
            continue;
        ck_assert_int_eq(ojin_params_read(input.params, &params).status, WIRE_OK);
        ck_assert_int_eq(params.client_frame_index, (int64_t)shown - 1);
    }
    free(speech);
    simulation_end(&simulation);
}
END_TEST

static void speak_with(struct simulation *simulation, const int16_t *speech, size_t count, const char *params)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(params));
    ck_assert(ojin_client_speak_with(simulation->client, simulation->now_us, speech, count, copy.bytes,
                                     simulation->actions));
    exact_copy_free(copy);
    simulation_record(simulation);
}

START_TEST(params_go_with_their_own_speech_and_no_other)
{
    static const struct {
        const char *params;
        size_t samples;
    } PARTS[] = {
        {"", 20000}, {"{\"speech_filter_amount\":7.5}", 20000}, {"{\"speech_filter_amount\":7.5}", 4000},
        {"{}", 100}, {"{\"idle_filter_amount\":1}", 1},         {"", 700},
    };
    enum { PART_COUNT = sizeof PARTS / sizeof PARTS[0] };
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(20000);
    size_t sent[PART_COUNT] = {0};
    size_t part = 0;
    for (size_t i = 0; i < PART_COUNT; i++)
        speak_with(&simulation, speech, PARTS[i].samples, PARTS[i].params);
    simulation_ready(&simulation);
    simulation_run(&simulation, 20000000);
    size_t count = count_kind(&simulation, CLIENT_SEND_BINARY);
    for (size_t n = 1; n < count; n++) { /* the opening silence is the first */
        const struct recorded *message = nth_kind(&simulation, CLIENT_SEND_BINARY, n);
        struct ojin_input input;
        ck_assert_int_eq(ojin_input_decode(bytes_of(message->data, message->len), &input).status, WIRE_OK);
        while (part < PART_COUNT && sent[part] == PARTS[part].samples)
            part++;
        ck_assert_uint_lt(part, PART_COUNT);
        ck_assert(bytes_equal_text(input.params, PARTS[part].params));
        for (size_t left = input.audio.len / OJIN_SAMPLE_BYTES; left > 0;) {
            size_t room = PARTS[part].samples - sent[part];
            size_t taken = left < room ? left : room;
            sent[part] += taken;
            left -= taken;
            if (left > 0) /* only where the next part has the same params */
                ck_assert_str_eq(PARTS[++part].params, PARTS[part - 1].params);
        }
    }
    for (size_t i = 0; i < PART_COUNT; i++)
        ck_assert_uint_eq(sent[i], PARTS[i].samples);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(which_frame_is_shown_joins_the_params_unless_they_say_it)
{
    static const struct {
        const char *params;
        const char *expected; /* NULL: one more member than that */
    } ROWS[] = {
        {"{\"client_frame_index\":7}", "{\"client_frame_index\":7}"},
        {"{ }", NULL},
        {"{\"speech_filter_amount\":7.5} ", NULL},
    };
    static const struct frame_spec SILENCE = {.index = 0};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct simulation simulation = simulation_of("oris-1.0");
        int16_t *speech = simulation_ramp(640);
        simulation_ready(&simulation);
        simulation_frames(&simulation, 25, OJIN_FRAME_US, &SILENCE);
        simulation_run(&simulation, 2000000);
        speak_with(&simulation, speech, 640, ROWS[i].params);
        const struct recorded *message = nth_kind(&simulation, CLIENT_SEND_BINARY, 1);
        struct ojin_params given = OJIN_PARAMS_DEFAULT;
        struct ojin_params params = OJIN_PARAMS_DEFAULT;
        struct ojin_input input;
        ck_assert_int_eq(ojin_input_decode(bytes_of(message->data, message->len), &input).status, WIRE_OK);
        ck_assert_int_eq(ojin_params_read(input.params, &params).status, WIRE_OK);
        ck_assert_int_eq(ojin_params_read(bytes_of_text(ROWS[i].params), &given).status, WIRE_OK);
        ck_assert_double_eq(params.speech_filter_amount, given.speech_filter_amount);
        if (ROWS[i].expected != NULL)
            ck_assert(bytes_equal_text(input.params, ROWS[i].expected));
        else
            ck_assert_int_gt(params.client_frame_index, 0);
        free(speech);
        simulation_end(&simulation);
    }
}
END_TEST

START_TEST(what_are_no_params_is_refused)
{
    static const char *const BAD[] = {"[]", "1", "{", "{\"a\":1}x", "null"};
    struct simulation simulation = simulation_of("oris-1.0");
    static const int16_t SAMPLES[640] = {0};
    char longest[OJIN_CLIENT_PARAMS_BYTES_MAX + 2];
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        ck_assert(!ojin_client_speak_with(simulation.client, 0, SAMPLES, 640, bytes_of_text(BAD[i]),
                                          simulation.actions));
    memset(longest, ' ', sizeof longest);
    longest[0] = '{';
    longest[OJIN_CLIENT_PARAMS_BYTES_MAX - 1] = '}';
    ck_assert(ojin_client_speak_with(simulation.client, 0, SAMPLES, 640,
                                     bytes_of(longest, OJIN_CLIENT_PARAMS_BYTES_MAX), simulation.actions));
    ck_assert(!ojin_client_speak_with(simulation.client, 0, SAMPLES, 640,
                                      bytes_of(longest, OJIN_CLIENT_PARAMS_BYTES_MAX + 1),
                                      simulation.actions));
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_send");
    TCase *tcase = tcase_create("client_send");
    tcase_add_loop_test(tcase, the_stream_opens_as_the_profile_has_it, 0,
                        (int)(sizeof OPENINGS / sizeof OPENINGS[0]));
    tcase_add_test(tcase, nothing_is_sent_before_session_ready);
    tcase_add_test(tcase, a_second_session_ready_disturbs_nothing);
    tcase_add_loop_test(tcase, speech_arrives_whole_and_in_order_within_every_limit, 0,
                        (int)(sizeof LOADS / sizeof LOADS[0]));
    tcase_add_loop_test(tcase, a_message_counts_from_when_the_connection_took_it, 0,
                        sizeof HOLD_UPS / sizeof HOLD_UPS[0]);
    tcase_add_test(tcase, the_earlier_profile_sends_multiples_of_its_chunk_but_for_the_last);
    tcase_add_test(tcase, a_control_message_finds_its_slot_while_audio_waits);
    tcase_add_test(tcase, a_second_control_message_in_the_same_second_waits_for_the_rate);
    tcase_add_test(tcase, rate_limited_is_reported_and_answered_by_a_pause_that_grows);
    tcase_add_test(tcase, more_speech_than_a_client_holds_is_refused_whole);
    tcase_add_test(tcase, the_first_message_of_a_later_turn_tells_which_frame_is_shown);
    tcase_add_test(tcase, params_go_with_their_own_speech_and_no_other);
    tcase_add_test(tcase, which_frame_is_shown_joins_the_params_unless_they_say_it);
    tcase_add_test(tcase, what_are_no_params_is_refused);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
