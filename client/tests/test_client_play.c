#include <check.h>
#include <stdlib.h>

#include "client/tests/ojin_simulation.h"
#include "codec/wire/crc32.h"

static const struct frame_spec SILENCE = {.index = 0};
static const struct frame_spec SPEECH = {.index = 1, .id = SIMULATION_SPEECH_ID, .fill = 7};
static const struct frame_spec OTHER = {.index = 1, .id = SIMULATION_OTHER_ID, .fill = 9};

START_TEST(playing_starts_when_the_target_is_held_and_keeps_a_clock_of_40_ms)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 9, 1000, &SPEECH);
    simulation_run(&simulation, 500000);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), 0);
    simulation_frame(&simulation, &SPEECH);
    simulation_run(&simulation, 1000000);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), 10);
    for (size_t i = 0; i < 10; i++)
        ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_PLAYED, i)->at_us, 500000 + i * OJIN_FRAME_US);
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_clock_keeps_its_beat_however_late_it_is_looked_at)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 100, 0, &SPEECH);
    for (int i = 0; i < 40; i++) {
        simulation.now_us += 47000;
        simulation_event(&simulation, CLIENT_TICK, 0, (struct bytes){0});
    }
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), 1 + 40 * 47 / 40);
    simulation_end(&simulation);
}
END_TEST

START_TEST(frames_are_played_in_the_order_they_came_each_with_its_picture)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 40, 20000, &SPEECH);
    simulation_frames(&simulation, 32, 20000, &OTHER);
    simulation_run(&simulation, simulation.now_us + 5000000);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), 72);
    for (uint32_t i = 0; i < 72; i++) {
        const struct recorded *played = nth_seen(&simulation, OBSERVED_PLAYED, i);
        uint8_t number[4] = {0, 0, 0, (uint8_t)i};
        ck_assert_uint_eq(played->len, sizeof number);
        ck_assert_mem_eq(played->data, number, sizeof number);
        ck_assert_uint_eq(played->observation.image_crc, crc32_of(bytes_of(number, sizeof number)));
    }
    simulation_end(&simulation);
}
END_TEST

START_TEST(after_a_stall_playing_goes_on_with_the_first_frame_that_comes)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 10, 0, &SPEECH);
    simulation_run(&simulation, 700000);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), 10);
    simulation_frame(&simulation, &SPEECH);
    simulation_frame(&simulation, &SPEECH);
    simulation_run(&simulation, 800000);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_PLAYED, 10)->at_us, 700000);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_PLAYED, 11)->at_us, 740000);
    simulation_end(&simulation);
}
END_TEST

START_TEST(above_the_target_exactly_one_of_two_silence_frames_is_dropped)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 30, 0, &SILENCE);
    simulation_run(&simulation, 1000000);
    /* The first is played when ten are held. Above that every second one is shown and the one before it is
     * not, until no more than ten are held; from there all are. */
    static const uint8_t SHOWN[] = {0,  1,  3,  5,  7,  9,  11, 13, 15, 17, 19,
                                    20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_PLAYED), sizeof SHOWN);
    for (size_t i = 0; i < sizeof SHOWN; i++)
        ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_PLAYED, i)->data[3], SHOWN[i]);
    ck_assert_uint_eq(ojin_client_summary(simulation.client)->silence_dropped, 9);
    simulation_end(&simulation);
}
END_TEST

START_TEST(speech_is_never_dropped_and_the_first_silence_after_it_is_shown)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 100, 0, &SPEECH);
    simulation_frames(&simulation, 40, 0, &SILENCE);
    simulation_run(&simulation, 10000000);
    ck_assert_uint_eq(count_played(&simulation, 1), 100);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_PLAYED, 100)->data[3], 100);
    ck_assert_uint_gt(ojin_client_summary(simulation.client)->silence_dropped, 10);
    simulation_end(&simulation);
}
END_TEST

static size_t held(const struct simulation *simulation)
{
    const struct ojin_client_summary *summary = ojin_client_summary(simulation->client);
    return (size_t)(summary->frames[0] - summary->played[0] - summary->silence_dropped);
}

START_TEST(the_buffer_stays_bounded_over_ten_minutes_of_silence_at_104_percent)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    for (uint64_t i = 0; i < 10 * 60 * 26; i++) {
        simulation_run(&simulation, i * 1000000 / 26);
        simulation_frame(&simulation, &SILENCE);
        ck_assert_uint_le(held(&simulation), OJIN_BUFFER_TARGET_FRAMES + 3);
    }
    ck_assert_uint_gt(ojin_client_summary(simulation.client)->silence_dropped, 500);
    ck_assert_uint_le(ojin_client_summary(simulation.client)->silence_dropped, 620);
    ck_assert_uint_le(ojin_client_summary(simulation.client)->buffer_high_water,
                      OJIN_BUFFER_TARGET_FRAMES + 3);
    simulation_end(&simulation);
}
END_TEST

START_TEST(more_frames_than_the_buffer_holds_end_the_session_with_an_error)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    for (int i = 0; i < OJIN_CLIENT_BUFFER_FRAMES_MAX + 1; i++)
        simulation_frame(&simulation, &SPEECH);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_frame(&simulation, &SPEECH);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.code, "BUFFER_FULL");
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_end(&simulation);
}
END_TEST

/* ---- the sound that goes with it ---- */

START_TEST(own_speech_plays_from_the_first_speech_frame_to_the_first_silence)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(16000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 16000);
    simulation_frames(&simulation, 10, 40000, &SILENCE);
    simulation_frames(&simulation, 25, 20000, &SPEECH);
    simulation_frames(&simulation, 20, 40000, &SILENCE);
    simulation_run(&simulation, 5000000);
    size_t heard = 0;
    for (size_t i = 0; i < simulation.count; i++) {
        const struct recorded *record = &simulation.records[i];
        if (record->kind != CLIENT_OBSERVE || record->observation.kind != OBSERVED_PLAYED)
            continue;
        ck_assert(record->has_samples == (record->observation.index == 1));
        ck_assert(record->observation.has_audio == record->has_samples);
        if (!record->has_samples)
            continue;
        ck_assert_mem_eq(record->samples, speech + heard, sizeof record->samples);
        heard += OJIN_FRAME_SAMPLES;
    }
    ck_assert_uint_eq(heard, 16000);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(an_idle_frame_inside_speech_does_not_pull_sound_and_picture_apart)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(16000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 16000);
    simulation_frames(&simulation, 12, 40000, &SPEECH);
    simulation_frame(&simulation, &SILENCE);
    simulation_frames(&simulation, 13, 40000, &SPEECH);
    simulation_run(&simulation, 5000000);
    const struct recorded *idle = nth_seen(&simulation, OBSERVED_PLAYED, 12);
    const struct recorded *next = nth_seen(&simulation, OBSERVED_PLAYED, 13);
    ck_assert(!idle->has_samples);
    ck_assert_mem_eq(next->samples, speech + 12 * OJIN_FRAME_SAMPLES, sizeof next->samples);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_turn_begins_with_its_own_first_sample_and_ends_in_padding)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(2000);
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, 1000);
    simulation_frames(&simulation, 2, 20000, &SPEECH);
    simulation_frames(&simulation, 30, 40000, &SILENCE);
    simulation_speak(&simulation, speech + 1000, 1000);
    simulation_run(&simulation, simulation.now_us + 100000);
    simulation_frames(&simulation, 2, 20000, &OTHER);
    simulation_run(&simulation, 9000000);
    const struct recorded *turns[4];
    size_t found = 0;
    for (size_t i = 0; i < simulation.count && found < 4; i++)
        if (simulation.records[i].has_samples)
            turns[found++] = &simulation.records[i];
    ck_assert_uint_eq(found, 4);
    ck_assert_mem_eq(turns[0]->samples, speech, sizeof turns[0]->samples);
    ck_assert_int_eq(turns[1]->samples[359], speech[999]);
    ck_assert_int_eq(turns[1]->samples[360], 0);
    ck_assert_mem_eq(turns[2]->samples, speech + 1000, sizeof turns[2]->samples);
    ck_assert_int_eq(turns[3]->samples[360], 0);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_earlier_profile_plays_the_audio_of_the_frames)
{
    struct simulation simulation = simulation_of("oris-1.0-earlier");
    simulation_ready(&simulation);
    simulation_frames(&simulation, 12, 40000, &SPEECH);
    simulation_run(&simulation, 5000000);
    const struct recorded *frame = nth_seen(&simulation, OBSERVED_FRAME, 3);
    const struct recorded *played = nth_seen(&simulation, OBSERVED_PLAYED, 3);
    ck_assert(played->has_samples);
    ck_assert_int_eq(played->samples[0], 7);
    ck_assert_int_eq(played->samples[639], 7);
    ck_assert_uint_eq(played->observation.audio_crc, frame->observation.audio_crc);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client_play");
    TCase *tcase = tcase_create("client_play");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, playing_starts_when_the_target_is_held_and_keeps_a_clock_of_40_ms);
    tcase_add_test(tcase, the_clock_keeps_its_beat_however_late_it_is_looked_at);
    tcase_add_test(tcase, frames_are_played_in_the_order_they_came_each_with_its_picture);
    tcase_add_test(tcase, after_a_stall_playing_goes_on_with_the_first_frame_that_comes);
    tcase_add_test(tcase, above_the_target_exactly_one_of_two_silence_frames_is_dropped);
    tcase_add_test(tcase, speech_is_never_dropped_and_the_first_silence_after_it_is_shown);
    tcase_add_test(tcase, the_buffer_stays_bounded_over_ten_minutes_of_silence_at_104_percent);
    tcase_add_test(tcase, more_frames_than_the_buffer_holds_end_the_session_with_an_error);
    tcase_add_test(tcase, own_speech_plays_from_the_first_speech_frame_to_the_first_silence);
    tcase_add_test(tcase, an_idle_frame_inside_speech_does_not_pull_sound_and_picture_apart);
    tcase_add_test(tcase, a_turn_begins_with_its_own_first_sample_and_ends_in_padding);
    tcase_add_test(tcase, the_earlier_profile_plays_the_audio_of_the_frames);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
