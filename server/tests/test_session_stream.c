/* The stream of silence and speech: which frames come, when, and what is in them. */
#include "codec/tests/suite.h"
#include "server/tests/bench.h"

enum { SECOND_US = 1000000 };

static const char *const PROFILE_NAMES[] = {"oris-1.0", "oris-1.0-earlier", "flashhead-lite-1.0"};

/* Ready, and the opening silence where the profile wants one; a little silence goes out. */
static void start(struct bench *bench, const char *profile, bool pictures)
{
    bench_open(bench, profile, pictures);
    bench_run(bench, SECOND_US / 100);
    if (bench->config.profile->stream_start == OJIN_STREAM_ON_FIRST_INPUT)
        bench_zeros(bench, OJIN_FRAME_SAMPLES);
    bench_run(bench, SECOND_US);
}

static void check_joined_audio(const struct bench *bench, size_t samples)
{
    ck_assert_uint_eq(bench->speech.len % OJIN_FRAME_AUDIO_BYTES, 0);
    for (size_t i = 0; i < bench->speech.len / 2; i++) {
        const uint16_t got = (uint16_t)(bench->speech.data[2 * i] | bench->speech.data[2 * i + 1] << 8);
        const uint16_t expected = i < samples ? (uint16_t)bench_speech_sample(i) : 0;
        ck_assert_msg(got == expected, "sample %zu is %u, not %u", i, (unsigned)got, (unsigned)expected);
    }
}

START_TEST(the_stream_starts_as_the_profile_says)
{
    struct bench bench;
    bench_open(&bench, PROFILE_NAMES[_i], false);
    bench_run(&bench, SECOND_US - 1);
    const bool at_once = bench.config.profile->stream_start == OJIN_STREAM_ON_READY;
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
    start(&bench, PROFILE_NAMES[_i / lengths], false);
    bench_speech(&bench, samples);
    bench_run(&bench, 15 * SECOND_US);
    ck_assert_msg(bench_count_label(&bench, "speech") == LENGTHS[_i % lengths].frames, "%s: %zu frames",
                  LENGTHS[_i % lengths].name, bench_count_label(&bench, "speech"));
    ck_assert_uint_eq(bench_count_index(&bench, OJIN_INDEX_SPEECH), LENGTHS[_i % lengths].frames);
    check_joined_audio(&bench, samples);
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
    start(&bench, "oris-1.0", false);
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
        check_joined_audio(&bench, samples);
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
    start(&bench, "oris-1.0", false);
    bench_speech(&bench, OJIN_SAMPLE_RATE);
    bench_run(&bench, 3 * SECOND_US);
    for (size_t i = 0; i < bench.count; i++) {
        if (strcmp(bench.sent[i].label, "speech") != 0)
            continue;
        first_us = first_us == 0 ? bench.sent[i].at_us : first_us;
        last_us = bench.sent[i].at_us;
    }
    ck_assert_uint_eq(first_us, SECOND_US);
    ck_assert_uint_eq(last_us - first_us, 24 * 20000);
    bench_free(&bench);
}
END_TEST

START_TEST(short_speech_waits_200_ms_for_more)
{
    struct bench bench;
    start(&bench, "oris-1.0", false);
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
    bench_speech(&bench, 10 * OJIN_SAMPLE_RATE);
    bench_run_late(&bench, 12 * SECOND_US, 3 * SECOND_US);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), 250);
    check_joined_audio(&bench, 10 * OJIN_SAMPLE_RATE);
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
    start(&bench, "oris-1.0", false);
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
    start(&bench, "oris-1.0", false);
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

static const char END[] = "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}";
static const char CANCEL[] = "{\"type\":\"cancelInteraction\",\"payload\":{\"timestamp\":1}}";

static const struct {
    const char *name;
    size_t samples;   /* queued when it ends */
    uint64_t wait_us; /* from the speech to the end */
    size_t frames;    /* speech frames in all, the final one included */
    uint32_t final_index;
} ENDS[] = {
    {"with nothing due", 0, 0, 0, OJIN_INDEX_SILENCE},
    {"with less than a frame due", 10, 0, 1, OJIN_INDEX_SPEECH},
    {"with speech that has not begun", 16001, 0, 26, OJIN_INDEX_SPEECH},
    {"in the middle of speech", 16000, 200000, 25, OJIN_INDEX_SPEECH},
    {"in the wait for more, with a rest", 16001, 550000, 26, OJIN_INDEX_SPEECH},
    {"in the wait for more, without", 16000, 550000, 25, OJIN_INDEX_SILENCE},
    {"after speech", 16000, 2000000, 25, OJIN_INDEX_SILENCE},
};

START_TEST(the_last_and_only_the_last_frame_after_end_is_final)
{
    struct bench bench;
    start(&bench, "oris-1.0", false);
    if (ENDS[_i].samples > 0)
        bench_speech(&bench, ENDS[_i].samples);
    bench_run(&bench, bench.now_us + ENDS[_i].wait_us);
    bench_text(&bench, END);
    const uint64_t end_us = bench.now_us;
    bench_run(&bench, end_us + 3 * SECOND_US);
    const struct sent *last = &bench.sent[bench.count - 1];
    ck_assert_msg(bench_count_label(&bench, "final") == 1, "%s", ENDS[_i].name);
    ck_assert_str_eq(last->label, "final");
    ck_assert_uint_eq(last->is_final, 1);
    ck_assert_msg(last->index == ENDS[_i].final_index, "%s: index %u", ENDS[_i].name, (unsigned)last->index);
    ck_assert_uint_eq(bench_count_index(&bench, OJIN_INDEX_SPEECH), ENDS[_i].frames);
    for (size_t i = 0; i + 1 < bench.count; i++)
        ck_assert_uint_eq(bench.sent[i].is_final, 0);
    check_joined_audio(&bench, ENDS[_i].samples);
    const uint64_t final_us = last->at_us;
    bench_run(&bench, final_us + OJIN_FINAL_CLOSE_WAIT_US - 1);
    ck_assert_uint_eq(bench_count_label(&bench, "close"), 0);
    bench_run(&bench, final_us + OJIN_FINAL_CLOSE_WAIT_US);
    ck_assert_uint_eq(bench_latest(&bench, "close")->code, OJIN_CLOSE_NORMAL);
    bench_free(&bench);
}
END_TEST

START_TEST(end_before_the_stream_started_gives_a_final_frame)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    bench_run(&bench, 10);
    bench_text(&bench, END);
    bench_text(&bench, END);
    bench_run(&bench, SECOND_US);
    ck_assert_uint_eq(bench.count, 2);
    ck_assert_str_eq(bench.sent[1].label, "final");
    bench_free(&bench);
}
END_TEST

START_TEST(speed_shortens_the_wait_for_the_close)
{
    struct bench bench;
    bench_new(&bench, "oris-1.0", false);
    OJIN_SESSION_CLASS.destroy(bench.session);
    bench.config.speed = 10;
    bench.session = OJIN_SESSION_CLASS.create(&bench.config);
    bench_event(&bench, SESSION_OPENED, (struct bytes){0});
    bench_text(&bench, END);
    bench_run(&bench, OJIN_FINAL_CLOSE_WAIT_US / 10);
    ck_assert_uint_eq(bench_count_label(&bench, "close"), 1);
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    size_t samples;
    uint64_t wait_us;
    size_t frames;
    size_t turns;
} CANCELS[] = {
    {"with nothing due", 0, 0, 0, 0},
    {"before speech began", 16000, 0, 0, 0},
    {"in the middle of speech", 16000, 190000, 10, 1},
    {"in the wait for more", 16001, 550000, 25, 1},
    {"after speech", 16000, 2000000, 25, 1},
};

START_TEST(cancel_discards_what_is_due_and_gives_no_final_frame)
{
    struct bench bench;
    start(&bench, "oris-1.0", false);
    if (CANCELS[_i].samples > 0)
        bench_speech(&bench, CANCELS[_i].samples);
    if (CANCELS[_i].wait_us > 0)
        bench_run(&bench, bench.now_us + CANCELS[_i].wait_us);
    bench_text(&bench, CANCEL);
    const uint64_t cancel_us = bench.now_us;
    const size_t before = bench.count;
    bench_run(&bench, cancel_us + SECOND_US);
    ck_assert_msg(bench_count_index(&bench, OJIN_INDEX_SPEECH) == CANCELS[_i].frames, "%s: %zu frames",
                  CANCELS[_i].name, bench_count_index(&bench, OJIN_INDEX_SPEECH));
    for (size_t i = before; i < bench.count; i++)
        ck_assert_str_eq(bench.sent[i].label, "silence");
    ck_assert_uint_ge(bench.count - before, 25);
    ck_assert_uint_eq(bench_count_label(&bench, "final"), 0);
    ck_assert_uint_eq(OJIN_SESSION_CLASS.progress(bench.session)->turns_ended, CANCELS[_i].turns);
    ck_assert_uint_eq(OJIN_SESSION_CLASS.progress(bench.session)->cancels, 1);
    /* A new utterance is a new interaction. */
    bench_speech(&bench, 6400);
    bench_run(&bench, cancel_us + 3 * SECOND_US);
    ck_assert_uint_eq(bench_count_label(&bench, "speech"), CANCELS[_i].frames + 10);
    bench_free(&bench);
}
END_TEST

START_TEST(resuming_starts_now_and_catches_up_nothing)
{
    struct bench bench;
    start(&bench, "oris-1.0", false);
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
    start(bench, "oris-1.0", true);
    bench_speech(bench, 9001);
    bench_run(bench, bench->now_us + SECOND_US);
    bench_text(bench, CANCEL);
    bench_speech(bench, 7000);
    bench_text(bench, END);
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

int main(void)
{
    TCase *tcase = tcase_create("stream");
    tcase_set_timeout(tcase, 60);
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
    tcase_add_loop_test(tcase, the_last_and_only_the_last_frame_after_end_is_final, 0, TABLE_COUNT(ENDS));
    tcase_add_test(tcase, end_before_the_stream_started_gives_a_final_frame);
    tcase_add_test(tcase, speed_shortens_the_wait_for_the_close);
    tcase_add_loop_test(tcase, cancel_discards_what_is_due_and_gives_no_final_frame, 0, TABLE_COUNT(CANCELS));
    tcase_add_test(tcase, resuming_starts_now_and_catches_up_nothing);
    tcase_add_test(tcase, the_same_events_give_the_same_bytes);
    tcase_add_test(tcase, every_picture_is_unlike_the_others);
    return suite_run("session stream", tcase);
}
