#include <check.h>
#include <stdlib.h>

#include "client/tests/ojin_simulation.h"

static const struct frame_spec SILENCE = {.index = 0};
static const struct frame_spec SPEECH = {.index = 1, .id = SIMULATION_SPEECH_ID};

struct counts {
    size_t outgoing;
    size_t incoming;
    size_t decoded;
    size_t observed;
};

static bool change_outgoing(void *context, bool binary, struct buffer *message)
{
    struct counts *counts = context;
    counts->outgoing++;
    if (!binary)
        return false; /* drops every control message */
    message->data[0] = 9;
    static const uint8_t MORE[3] = {1, 2, 3};
    return buffer_append(message, bytes_of(MORE, sizeof MORE));
}

START_TEST(outgoing_may_change_replace_and_drop_messages)
{
    struct counts counts = {0};
    struct ojin_client_seams seams = {.life.context = &counts, .outgoing = change_outgoing};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    simulation_ready(&simulation);
    simulation_client_end(&simulation);
    const struct recorded *opening = nth_kind(&simulation, CLIENT_SEND_BINARY, 0);
    ck_assert_uint_eq(opening->len, OJIN_INPUT_HEADER_BYTES + OJIN_FRAME_AUDIO_BYTES + 3);
    ck_assert_uint_eq(opening->data[0], 9);
    ck_assert_uint_eq(opening->data[opening->len - 1], 3);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_TEXT), 0);
    ck_assert_uint_eq(counts.outgoing, 2);
    simulation_end(&simulation);
}
END_TEST

static enum client_taking hide_binary(void *context, bool *binary, struct bytes message)
{
    struct counts *counts = context;
    ck_assert_uint_gt(message.len, 0);
    counts->incoming++;
    return *binary ? CLIENT_HIDE : CLIENT_TAKE;
}

START_TEST(incoming_may_hide_messages)
{
    struct counts counts = {0};
    struct ojin_client_seams seams = {.life.context = &counts, .incoming = hide_binary};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    simulation_ready(&simulation);
    simulation_frame(&simulation, &SPEECH);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_READY), 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_FRAME), 0);
    ck_assert_uint_eq(counts.incoming, 2);
    simulation_end(&simulation);
}
END_TEST

static struct wire_error decode_as_silence(void *context, struct bytes message, struct ojin_frame *out)
{
    struct counts *counts = context;
    counts->decoded++;
    struct wire_error error = ojin_frame_decode(message, out);
    out->index = 0;
    return error;
}

START_TEST(decode_stands_in_for_the_codec)
{
    struct counts counts = {0};
    struct ojin_client_seams seams = {.life.context = &counts, .decode = decode_as_silence};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    simulation_ready(&simulation);
    simulation_frame(&simulation, &SPEECH);
    ck_assert_uint_eq(counts.decoded, 1);
    ck_assert_int_eq(nth_seen(&simulation, OBSERVED_FRAME, 0)->observation.index, 0);
    simulation_end(&simulation);
}
END_TEST

static bool lie(void *context, struct observation *observation)
{
    struct counts *counts = context;
    counts->observed++;
    observation->index = 5;
    return observation->kind != OBSERVED_READY;
}

START_TEST(observe_may_change_and_keep_back_observations)
{
    struct counts counts = {0};
    struct ojin_client_seams seams = {.life.context = &counts, .life.observe = lie};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    simulation_ready(&simulation);
    simulation_frame(&simulation, &SPEECH);
    ck_assert_uint_eq(counts.observed, 2);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_READY), 0);
    ck_assert_int_eq(nth_seen(&simulation, OBSERVED_FRAME, 0)->observation.index, 5);
    simulation_end(&simulation);
}
END_TEST

START_TEST(no_opening_silence_leaves_it_out)
{
    struct ojin_client_seams seams = {.no_opening_silence = true};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    simulation_ready(&simulation);
    simulation_run(&simulation, 1000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(no_rate_limit_sends_everything_at_once)
{
    struct ojin_client_seams seams = {.no_rate_limit = true};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    int16_t *speech = simulation_ramp(640000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 640000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 41);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(keep_buffer_on_cancel_plays_the_cancelled_frames)
{
    struct ojin_client_seams seams = {.keep_buffer_on_cancel = true};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    int16_t *speech = simulation_ramp(16000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 16000);
    simulation_frames(&simulation, 12, 0, &SPEECH);
    simulation_cancel(&simulation);
    simulation_frames(&simulation, 3, 0, &SPEECH);
    simulation_run(&simulation, 2000000);
    ck_assert_uint_eq(count_played(&simulation, 1), 15);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CANCELLED), 1);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(no_silence_dropping_plays_every_frame)
{
    struct ojin_client_seams seams = {.no_silence_dropping = true};
    struct simulation simulation = simulation_of("oris-1.0", &seams);
    simulation_ready(&simulation);
    simulation_frames(&simulation, 60, 0, &SILENCE);
    simulation_run(&simulation, 3000000);
    ck_assert_uint_eq(count_played(&simulation, 0), 60);
    ck_assert_uint_eq(ojin_client_summary(simulation.client)->silence_dropped, 0);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ojin_client_seams");
    TCase *tcase = tcase_create("ojin_client_seams");
    tcase_add_test(tcase, outgoing_may_change_replace_and_drop_messages);
    tcase_add_test(tcase, incoming_may_hide_messages);
    tcase_add_test(tcase, decode_stands_in_for_the_codec);
    tcase_add_test(tcase, observe_may_change_and_keep_back_observations);
    tcase_add_test(tcase, no_opening_silence_leaves_it_out);
    tcase_add_test(tcase, no_rate_limit_sends_everything_at_once);
    tcase_add_test(tcase, keep_buffer_on_cancel_plays_the_cancelled_frames);
    tcase_add_test(tcase, no_silence_dropping_plays_every_frame);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
