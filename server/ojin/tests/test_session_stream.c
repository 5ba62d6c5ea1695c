/* The stream of silence and speech: which frames come, when, and what is in them. */
#include "codec/ojin/profile.h"
#include "codec/tests/suite.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/bench.h"

static const uint64_t SECOND_US = 1000000;

static const char *const PROFILE_NAMES[] = {"oris-1.0", "oris-1.0-earlier", "flashhead-lite-1.0"};

START_TEST(the_stream_starts_as_the_profile_says)
{
    struct bench bench;
    bench_open(&bench, PROFILE_NAMES[_i], false);
    bench_run(&bench, SECOND_US - 1);
    const bool at_once = ojin_profile_of(bench.config.profile)->stream_start == OJIN_STREAM_ON_READY;
    ck_assert_uint_eq(bench_count_label(&bench, "ready"), 1);
    ck_assert_str_eq(bench.sent[0].label, "ready");
    ck_assert_uint_eq(bench_count_label(&bench, "silence"), at_once ? 26 : 0);
    bench_zeros(&bench, OJIN_FRAME_SAMPLES);
    bench_run(&bench, 2 * SECOND_US);
    ck_assert_uint_gt(bench_count_label(&bench, "silence"), 25);
    ck_assert_uint_eq(bench_count_label(&bench, "ready"), 1);
    bench_free(&bench);
}
END_TEST

START_TEST(nothing_is_sent_before_the_first_tick)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    bench_zeros(&bench, OJIN_FRAME_SAMPLES);
    bench_speech(&bench, OJIN_SAMPLE_RATE);
    ck_assert_uint_eq(bench.count, 0);
    bench_event(&bench, SESSION_TICK, (struct bytes){0});
    ck_assert_str_eq(bench.sent[0].label, "ready");
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    size_t samples;
    size_t frames;
} LENGTHS[] = {
    {"one sample", 1, 1},
    {"a frame less one sample", 639, 1},
    {"a frame", 640, 1},
    {"a frame and a sample", 641, 2},
    {"less than 400 ms", 6399, 10},
    {"400 ms", 6400, 10},
    {"a second", 16000, 25},
    {"a second and a sample", 16001, 26},
    {"ten seconds", 160000, 250},
};

START_TEST(speech_comes_back_whole_in_frames_of_640_samples)
{
    const int lengths = TABLE_COUNT(LENGTHS);
    const size_t samples = LENGTHS[_i % lengths].samples;
    struct bench bench;
    bench_start(&bench, PROFILE_NAMES[_i / lengths], false);
    bench_speech(&bench, samples);
    bench_run(&bench, 15 * SECOND_US);
    ck_assert_msg(bench_count_label(&bench, "speech") == LENGTHS[_i % lengths].frames, "%s: %zu frames",
                  LENGTHS[_i % lengths].name, bench_count_label(&bench, "speech"));
    ck_assert_uint_eq(bench_count_index(&bench, OJIN_INDEX_SPEECH), LENGTHS[_i % lengths].frames);
    bench_check_joined(&bench, samples);
    ck_assert_uint_eq(OJIN_SESSION_CLASS.progress(bench.session)->turns_ended, 1);
    ck_assert_str_eq(bench.sent[bench.count - 1].label, "silence");
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    size_t chunk;
    uint64_t gap_us;
    size_t turns;
} ARRIVALS[] = {
    {"at once", 16000, 0, 1},           {"in thirds", 5334, 170000, 1},
    {"in real time", 3200, 200000, 1},  {"faster than real time", 3200, 170000, 1},
    {"in odd pieces", 2999, 180000, 1}, {"with a pause after it fell silent", 8000, 800000, 2},
};

START_TEST(speech_that_arrives_in_pieces_comes_back_whole)
{
    const size_t samples = 16000;
    int16_t piece[16000];
    struct bench bench;
    size_t sent = 0;
    bench_start(&bench, "oris-1.0", false);
    while (sent < samples) {
        const size_t left = samples - sent;
        const size_t count = ARRIVALS[_i].chunk < left ? ARRIVALS[_i].chunk : left;
        for (size_t i = 0; i < count; i++)
            piece[i] = bench_speech_sample(sent + i);
        bench_audio(&bench, piece, count, NULL);
        sent += count;
        bench_run(&bench, bench.now_us + ARRIVALS[_i].gap_us);
    }
    bench_run(&bench, bench.now_us + 3 * SECOND_US);
    const uint64_t turns = OJIN_SESSION_CLASS.progress(bench.session)->turns_ended;
    ck_assert_msg(turns == ARRIVALS[_i].turns, "%s: %u turns", ARRIVALS[_i].name, (unsigned)turns);
    if (ARRIVALS[_i].turns == 1)
        bench_check_joined(&bench, samples);
    ck_assert_uint_ge(bench_count_label(&bench, "speech"), 25);
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    uint32_t percent;
    size_t frames; /* in ten seconds */
} PACES[] = {{"default", 104, 260}, {"exact", 100, 250}, {"a third slower", 75, 188}, {"odd", 107, 268}};

START_TEST(silence_keeps_its_pace_without_drift)
{
    struct bench bench;
    bench_new(&bench, "oris-1.0-earlier", false);
    OJIN_SESSION_CLASS.destroy(bench.session);
    bench.config.silence_percent = PACES[_i].percent;
    bench.session = OJIN_SESSION_CLASS.create(&bench.config);
    bench_event(&bench, SESSION_OPENED, (struct bytes){0});
    bench_run(&bench, 10 * SECOND_US - 1);
    ck_assert_msg(bench_count_label(&bench, "silence") == PACES[_i].frames, "%s: %zu frames", PACES[_i].name,
                  bench_count_label(&bench, "silence"));
    bench_free(&bench);
}
END_TEST

START_TEST(speech_goes_out_at_twice_real_time)
{
    struct bench bench;
    uint64_t first_us = 0;
    uint64_t last_us = 0;
    bench_start(&bench, "oris-1.0", false);
    bench_speech(&bench, OJIN_SAMPLE_RATE);
    bench_run(&bench, 3 * SECOND_US);
    for (size_t i = 0; i < bench.count; i++) {
        if (strcmp(bench.sent[i].label, "speech") != 0)
            continue;
        first_us = first_us == 0 ? bench.sent[i].at_us : first_us;
        last_us = bench.sent[i].at_us;
    }
    ck_assert_uint_eq(first_us, SECOND_US);
    ck_assert_uint_eq(last_us - first_us, (uint64_t)24 * 20000);
    bench_free(&bench);
}
END_TEST

START_TEST(short_speech_waits_200_ms_for_more)
{
    struct bench bench;
    bench_start(&bench, "oris-1.0", false);
    bench_speech(&bench, 6399);
    bench_run(&bench, SECOND_US + OJIN_SPEECH_START_WAIT_US - 1);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), 0);
    bench_run(&bench, SECOND_US + OJIN_SPEECH_START_WAIT_US);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), 1);
    bench_free(&bench);
}
END_TEST

START_TEST(late_ticks_lose_no_frame)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    bench_zeros(&bench, OJIN_FRAME_SAMPLES);
    bench_speech(&bench, (size_t)10 * OJIN_SAMPLE_RATE);
    bench_run_late(&bench, 12 * SECOND_US, 3 * SECOND_US);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), 250);
    bench_check_joined(&bench, (size_t)10 * OJIN_SAMPLE_RATE);
    /* Speech ends after 5 s and 0.2 s of waiting: 6.8 s of silence are left. */
    ck_assert_uint_eq(bench_count_label(&bench, "silence"), 177);
    bench_free(&bench);
}
END_TEST

START_TEST(each_utterance_has_an_id_of_its_own_and_silence_the_nil_id)
{
    static const uint8_t nil[UUID_BYTES] = {0};
    uint8_t ids[2][UUID_BYTES];
    struct bench bench;
    bench_start(&bench, "oris-1.0", false);
    for (int turn = 0; turn < 2; turn++) {
        bench_speech(&bench, OJIN_SAMPLE_RATE);
        bench_run(&bench, bench.now_us + 2 * SECOND_US);
        memcpy(ids[turn], bench_latest(&bench, "speech")->interaction, UUID_BYTES);
    }
    ck_assert_mem_ne(ids[0], ids[1], UUID_BYTES);
    uint32_t speech = 0;
    for (size_t i = 0; i < bench.count; i++) {
        if (!bench.sent[i].decodes)
            continue;
        const bool speaks = bench.sent[i].index == OJIN_INDEX_SPEECH;
        ck_assert_mem_eq(bench.sent[i].interaction, speaks ? ids[speech / 25] : nil, UUID_BYTES);
        speech += speaks ? 1 : 0;
        ck_assert_uint_eq(bench.sent[i].usage, speech);
        ck_assert(speaks || bench.sent[i].audio_is_zero);
        ck_assert_uint_eq(bench.sent[i].timestamp_ms, BENCH_EPOCH_MS + bench.sent[i].at_us / 1000);
    }
    ck_assert_uint_eq(speech, 50);
    bench_free(&bench);
}
END_TEST

START_TEST(silence_is_not_rendered_unless_speech_is_going_on)
{
    struct bench bench;
    bench_start(&bench, "oris-1.0", false);
    bench_zeros(&bench, OJIN_SAMPLE_RATE);
    bench_run(&bench, 3 * SECOND_US);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), 0);
    bench_speech(&bench, 6400);
    bench_zeros(&bench, 6400);
    bench_run(&bench, 6 * SECOND_US);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), 20);
    bench_free(&bench);
}
END_TEST

START_TEST(resuming_starts_now_and_catches_up_nothing)
{
    struct bench bench;
    bench_start(&bench, "oris-1.0", false);
    const size_t before = bench.count;
    bench.now_us = 60 * (uint64_t)SECOND_US;
    bench_event(&bench, SESSION_RESUMED, (struct bytes){0});
    ck_assert_uint_eq(bench.count, before + 1);
    ck_assert_uint_gt(OJIN_SESSION_CLASS.deadline_us(bench.session), bench.now_us);
    bench_free(&bench);
}
END_TEST

static void live(struct bench *bench)
{
    bench_start(bench, "oris-1.0", true);
    bench_speech(bench, 9001);
    bench_run(bench, bench->now_us + SECOND_US);
    bench_text(bench, BENCH_CANCEL);
    bench_speech(bench, 7000);
    bench_text(bench, BENCH_END);
    bench_run(bench, bench->now_us + SECOND_US);
}

START_TEST(the_same_events_give_the_same_bytes)
{
    struct bench first;
    struct bench second;
    live(&first);
    live(&second);
    ck_assert_uint_eq(first.count, second.count);
    ck_assert_uint_gt(first.count, 40);
    for (size_t i = 0; i < first.count; i++)
        ck_assert_uint_eq(first.sent[i].whole_crc, second.sent[i].whole_crc);
    bench_free(&first);
    bench_free(&second);
}
END_TEST

START_TEST(every_picture_is_unlike_the_others)
{
    struct bench bench;
    live(&bench);
    for (size_t i = 0; i < bench.count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (bench.sent[i].decodes && bench.sent[k].decodes)
                ck_assert_uint_ne(bench.sent[i].image_crc, bench.sent[k].image_crc);
        }
    }
    bench_free(&bench);
}
END_TEST

/* The machine slept for an hour: what comes then has the time of then. */
START_TEST(timestamps_follow_a_clock_that_was_set)
{
    struct bench bench;
    bench_start(&bench, "oris-1.0", false);
    const size_t before = bench.count - 1;
    OJIN_SESSION_CLASS.set_epoch_ms(bench.session, bench.config.epoch_ms + 3600000);
    bench_run(&bench, 2000000);
    const struct sent *old = &bench.sent[before], *new = &bench.sent[bench.count - 1];
    ck_assert_uint_eq(old->timestamp_ms, bench.config.epoch_ms + old->at_us / 1000);
    ck_assert_uint_eq(new->timestamp_ms, bench.config.epoch_ms + 3600000 + new->at_us / 1000);
    bench_free(&bench);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("stream");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, timestamps_follow_a_clock_that_was_set);
    tcase_add_loop_test(tcase, the_stream_starts_as_the_profile_says, 0, TABLE_COUNT(PROFILE_NAMES));
    tcase_add_test(tcase, nothing_is_sent_before_the_first_tick);
    tcase_add_loop_test(tcase, speech_comes_back_whole_in_frames_of_640_samples, 0,
                        TABLE_COUNT(LENGTHS) * TABLE_COUNT(PROFILE_NAMES));
    tcase_add_loop_test(tcase, speech_that_arrives_in_pieces_comes_back_whole, 0, TABLE_COUNT(ARRIVALS));
    tcase_add_loop_test(tcase, silence_keeps_its_pace_without_drift, 0, TABLE_COUNT(PACES));
    tcase_add_test(tcase, speech_goes_out_at_twice_real_time);
    tcase_add_test(tcase, short_speech_waits_200_ms_for_more);
    tcase_add_test(tcase, late_ticks_lose_no_frame);
    tcase_add_test(tcase, each_utterance_has_an_id_of_its_own_and_silence_the_nil_id);
    tcase_add_test(tcase, silence_is_not_rendered_unless_speech_is_going_on);
    tcase_add_test(tcase, resuming_starts_now_and_catches_up_nothing);
    tcase_add_test(tcase, the_same_events_give_the_same_bytes);
    tcase_add_test(tcase, every_picture_is_unlike_the_others);
    return suite_run("session stream", tcase);
}
