/* How an interaction ends: endInteraction to the final frame, cancelInteraction to silence. */
#include "codec/tests/suite.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/bench.h"

static const uint64_t SECOND_US = 1000000;

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
    bench_start(&bench, "oris-1.0", false);
    if (ENDS[_i].samples > 0)
        bench_speech(&bench, ENDS[_i].samples);
    bench_run(&bench, bench.now_us + ENDS[_i].wait_us);
    bench_text(&bench, BENCH_END);
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
    bench_check_joined(&bench, ENDS[_i].samples);
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
    bench_text(&bench, BENCH_END);
    bench_text(&bench, BENCH_END);
    bench_run(&bench, SECOND_US);
    ck_assert_uint_eq(bench.count, 2);
    ck_assert_str_eq(bench.sent[1].label, "final");
    bench_free(&bench);
}
END_TEST

/* Neither an error nor a second final frame comes of it, and the final frame is due when it was. */
START_TEST(a_repeated_end_changes_nothing)
{
    struct bench bench;
    bench_start(&bench, "oris-1.0", false);
    bench_speech(&bench, 16001);
    bench_run(&bench, bench.now_us + 550000);
    bench_text(&bench, BENCH_END);
    const uint64_t due_us = OJIN_SESSION_CLASS.deadline_us(bench.session);
    ck_assert_uint_eq(due_us, bench.now_us);
    bench.now_us += 20000; /* before the tick that sends the rest */
    bench_text(&bench, BENCH_END);
    ck_assert_uint_eq(OJIN_SESSION_CLASS.deadline_us(bench.session), due_us);
    bench_run(&bench, bench.now_us + SECOND_US);
    ck_assert_uint_eq(bench_count_label(&bench, "final"), 1);
    ck_assert_str_eq(bench.sent[bench.count - 1].label, "final");
    ck_assert_uint_eq(OJIN_SESSION_CLASS.progress(bench.session)->ends, 2);
    bench_text(&bench, BENCH_END); /* after the final frame */
    bench_run(&bench, bench.now_us + OJIN_FINAL_CLOSE_WAIT_US);
    ck_assert_uint_eq(bench_count_label(&bench, "final"), 1);
    ck_assert_uint_eq(bench_count_label(&bench, "error"), 0);
    ck_assert_str_eq(bench.sent[bench.count - 1].label, "close");
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
    bench_text(&bench, BENCH_END);
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
    bench_start(&bench, "oris-1.0", false);
    if (CANCELS[_i].samples > 0)
        bench_speech(&bench, CANCELS[_i].samples);
    if (CANCELS[_i].wait_us > 0)
        bench_run(&bench, bench.now_us + CANCELS[_i].wait_us);
    bench_text(&bench, BENCH_CANCEL);
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

static const struct {
    const char *name;
    size_t samples;     /* spoken before the end */
    const char *quirk;  /* NULL: none */
    bool speaks_again;  /* 4.9 s after the cancel */
    bool ends_again;    /* then too */
    uint64_t settle_us; /* by the quirk */
} RETAKEN[] = {
    {"speech is due", 32000, NULL, false, false, 0},
    {"the cancel settles late", 32000, "cancel-late=800ms", false, false, 800000},
    {"the client speaks again", 32000, NULL, true, false, 0},
    {"the client ends again", 32000, NULL, false, true, 0},
};

START_TEST(a_cancel_takes_the_end_back_for_a_bounded_time)
{
    struct bench bench;
    char error[QUIRK_ERROR_MAX];
    struct quirks quirks = {{0}};
    bench_start(&bench, "oris-1.0", false);
    if (RETAKEN[_i].quirk != NULL)
        ck_assert(quirk_set(&quirks, OJIN_SESSION_CLASS.quirks, bytes_of_text(RETAKEN[_i].quirk), error));
    OJIN_SESSION_CLASS.set_quirks(bench.session, &quirks);
    bench_speech(&bench, RETAKEN[_i].samples);
    bench_run(&bench, bench.now_us + 190000);
    bench_text(&bench, BENCH_END);
    bench_text(&bench, BENCH_CANCEL);
    const uint64_t due_us = bench.now_us + RETAKEN[_i].settle_us + OJIN_FINAL_CLOSE_WAIT_US;
    bench_run(&bench, due_us - 100000);
    ck_assert_msg(bench_count_label(&bench, "final") == 0, "%s", RETAKEN[_i].name);
    const size_t spoken = bench_count_label(&bench, "speech");
    if (RETAKEN[_i].speaks_again)
        bench_speech(&bench, 6400);
    if (RETAKEN[_i].ends_again)
        bench_text(&bench, BENCH_END);
    bench_run(&bench, due_us - 1);
    ck_assert_uint_eq(bench_count_label(&bench, "close"), 0);
    bench_run(&bench, due_us);
    const bool goes_on = RETAKEN[_i].speaks_again || RETAKEN[_i].ends_again;
    ck_assert_msg(bench_count_label(&bench, "close") == (goes_on ? 0u : 1u), "%s", RETAKEN[_i].name);
    bench_run(&bench, due_us + 2 * OJIN_FINAL_CLOSE_WAIT_US);
    ck_assert_uint_eq(bench_count_label(&bench, "speech") - spoken, RETAKEN[_i].speaks_again ? 10 : 0);
    ck_assert_uint_eq(bench_count_label(&bench, "close"), RETAKEN[_i].speaks_again ? 0 : 1);
    ck_assert_uint_eq(bench_count_label(&bench, "final"), RETAKEN[_i].ends_again ? 1 : 0);
    bench_free(&bench);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ending");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, the_last_and_only_the_last_frame_after_end_is_final, 0, TABLE_COUNT(ENDS));
    tcase_add_test(tcase, end_before_the_stream_started_gives_a_final_frame);
    tcase_add_test(tcase, a_repeated_end_changes_nothing);
    tcase_add_test(tcase, speed_shortens_the_wait_for_the_close);
    tcase_add_loop_test(tcase, cancel_discards_what_is_due_and_gives_no_final_frame, 0, TABLE_COUNT(CANCELS));
    tcase_add_loop_test(tcase, a_cancel_takes_the_end_back_for_a_bounded_time, 0, TABLE_COUNT(RETAKEN));
    return suite_run("session ending", tcase);
}
