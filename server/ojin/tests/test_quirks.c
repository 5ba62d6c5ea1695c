/* Every quirk of the class changes what it says and, switched off, nothing; and how quirks combine. */
#include <string.h>

#include "codec/tests/suite.h"
#include "server/ojin/quirk.h"
#include "server/ojin/tests/quirk_checks.h"

static size_t count_rows(const struct quirk_row *rows)
{
    size_t count = 0;
    while (rows[count].quirk != NULL)
        count++;
    return count;
}

static size_t count_all(void)
{
    return count_rows(FRAME_QUIRKS) + count_rows(SESSION_QUIRKS) + count_rows(ADMISSION_QUIRKS);
}

static const struct quirk_row *row_of(size_t n)
{
    const size_t frames = count_rows(FRAME_QUIRKS);
    const size_t sessions = count_rows(SESSION_QUIRKS);
    if (n < frames)
        return &FRAME_QUIRKS[n];
    return n < frames + sessions ? &SESSION_QUIRKS[n - frames] : &ADMISSION_QUIRKS[n - frames - sessions];
}

static struct bytes name_of(const char *quirk)
{
    return bytes_of(quirk, strcspn(quirk, "="));
}

static void check_quirk(const struct quirk_row *row)
{
    struct bench off;
    struct bench on;
    talk(&off, "", row->pictures);
    talk(&on, row->quirk, row->pictures);
    row->check(&off, &on);
    bench_free(&off);
    bench_free(&on);
}

START_TEST(each_quirk_changes_what_it_says)
{
    check_quirk(row_of((size_t)_i));
}
END_TEST

START_TEST(every_quirk_of_the_class_is_checked)
{
    const size_t rows = count_all();
    for (int quirk = 0; quirk < OJIN_QUIRK_COUNT; quirk++) {
        size_t checks = 0;
        for (size_t n = 0; n < rows; n++)
            checks += quirk_row(OJIN_QUIRKS, name_of(row_of(n)->quirk)) == quirk ? 1u : 0u;
        ck_assert_msg(checks > 0, "no check for %s", OJIN_QUIRKS[quirk].name);
    }
    for (size_t n = 0; n < rows; n++)
        ck_assert_int_ge(quirk_row(OJIN_QUIRKS, name_of(row_of(n)->quirk)), 0);
}
END_TEST

START_TEST(a_quirk_switched_off_leaves_every_byte_as_it_was)
{
    struct bench plain;
    struct bench off;
    char text[80];
    struct text out = text_of(text, sizeof text);
    const struct bytes name = name_of(row_of((size_t)_i)->quirk);
    text_add_bytes(&out, name);
    text_add(&out, " ");
    text_add_bytes(&out, name);
    text_add(&out, "=off");
    talk(&plain, "", true);
    talk(&off, text, true);
    ck_assert_uint_eq(plain.count, off.count);
    for (size_t i = 0; i < plain.count; i++) {
        ck_assert_uint_eq(plain.sent[i].whole_crc, off.sent[i].whole_crc);
        ck_assert_uint_eq(plain.sent[i].at_us, off.sent[i].at_us);
    }
    bench_free(&plain);
    bench_free(&off);
}
END_TEST

/* ---- combinations ---- */

START_TEST(a_late_cancel_settles_then_is_acknowledged_fades_and_ends)
{
    struct bench bench;
    talk_open(&bench, "cancel-late=800ms fade=3 cancelled stray-final stray-start frame-type-byte", false);
    bench_speech(&bench, 100 * OJIN_FRAME_SAMPLES);
    bench_run(&bench, 500000);
    bench_text(&bench, BENCH_CANCEL);
    bench_run(&bench, 1310000);
    bench_speech(&bench, 6400); /* while it fades: discarded */
    bench_run(&bench, 2000000);
    bench_speech(&bench, 6400);
    bench_run(&bench, 3000000);
    static const char *const order[] = {"speech", "error", "silence", "fade",
                                        "fade",   "fade",  "final",   "silence"};
    static const uint8_t types[] = {1, 0, 3, 2, 2, 2, 0, 0};
    size_t i = 0;
    while (strcmp(bench.sent[i].label, "error") != 0)
        i++;
    ck_assert_uint_eq(bench.sent[i].at_us, 1300000);
    for (size_t n = 0; n < sizeof order / sizeof order[0]; n++) {
        ck_assert_str_eq(bench.sent[i - 1 + n].label, order[n]);
        ck_assert_uint_eq(bench.sent[i - 1 + n].frame_type, types[n]);
    }
    ck_assert_uint_eq(talk_count(&bench, "speech", 1300000, 2000000), 0);
    ck_assert_uint_eq(talk_count(&bench, "speech", 2000000, 3000000), 10);
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    const char *quirks;
    size_t frames;      /* of speech, sent at 0 */
    uint64_t cancel_us; /* when it is cancelled */
} SETTLED[] = {
    {"in speech, for its time", "cancel-late=800ms", 100, 500000},
    {"in speech that ends before its time", "cancel-late=8s", 30, 500000},
    {"in speech that ends inside a frame", "cancel-late=8s cancelled", 20, 300000},
    {"in speech that starves", "cancel-late=800ms starve=5", 100, 500000},
    {"before the first frame", "cancel-late=800ms", 8, 0},
    {"while idle", "cancel-late=800ms cancelled", 10, 3000000},
};

/* A client that waits for the first idle frame after its cancel, and then speaks, is heard whole. */
START_TEST(the_first_idle_frame_says_that_a_cancel_is_settled)
{
    struct bench bench;
    talk_open(&bench, SETTLED[_i].quirks, false);
    bench_speech(&bench, SETTLED[_i].frames * OJIN_FRAME_SAMPLES - 100);
    bench_run(&bench, SETTLED[_i].cancel_us);
    bench_text(&bench, BENCH_CANCEL);
    const size_t before = bench_count_label(&bench, "silence");
    const uint64_t cancel_us = bench.now_us;
    while (bench_count_label(&bench, "silence") == before) {
        ck_assert_msg(bench.now_us < cancel_us + 2000000, "%s", SETTLED[_i].name);
        bench_run(&bench, bench.now_us + 1000);
    }
    const uint64_t idle_us = bench.now_us;
    bench_speech(&bench, 10 * OJIN_FRAME_SAMPLES);
    bench_run(&bench, idle_us + 10000000);
    ck_assert_msg(talk_count(&bench, "speech", idle_us, bench.now_us) == 10, "%s: %zu frames",
                  SETTLED[_i].name, talk_count(&bench, "speech", idle_us, bench.now_us));
    bench_free(&bench);
}
END_TEST

START_TEST(an_end_while_a_cancel_settles_is_carried_out_after_it)
{
    struct bench bench;
    talk_open(&bench, "cancel-late=800ms fade=3", false);
    bench_speech(&bench, 100 * OJIN_FRAME_SAMPLES);
    bench_run(&bench, 500000);
    bench_text(&bench, BENCH_CANCEL);
    bench_text(&bench, BENCH_CANCEL);
    bench_run(&bench, 600000);
    bench_text(&bench, BENCH_END);
    bench_run(&bench, 10000000);
    ck_assert_uint_eq(bench_count_label(&bench, "final"), 1);
    ck_assert_uint_gt(talk_nth(&bench, "final", 0)->at_us, talk_nth(&bench, "fade", 2)->at_us);
    ck_assert_int_eq(bench.sent[bench.count - 1].kind, ACTION_CLOSE);
    bench_free(&bench);
}
END_TEST

START_TEST(quirks_change_a_session_that_runs)
{
    struct bench bench;
    talk_open(&bench, "", false);
    bench_zeros(&bench, OJIN_FRAME_SAMPLES);
    bench_run(&bench, 1000000);
    bench_quirks(&bench, "slow-silence=10 session-ping=1s frame-type-byte");
    bench_run(&bench, 3000000);
    ck_assert_uint_eq(talk_count(&bench, "silence", 1100000, 2100000), 10);
    ck_assert_uint_eq(bench_count_label(&bench, "text"), 2);
    ck_assert_uint_eq(bench_latest(&bench, "silence")->trailing_bytes, 1);
    bench_quirks(&bench, "slow-silence=off session-ping=off frame-type-byte=off");
    bench_run(&bench, 4000000);
    ck_assert_uint_ge(talk_count(&bench, "silence", 3000000, 4000000), 25);
    ck_assert_uint_eq(bench_count_label(&bench, "text"), 2);
    ck_assert_uint_eq(bench_latest(&bench, "silence")->trailing_bytes, 0);
    bench_free(&bench);
}
END_TEST

/* What comes does not depend on when the host looks. */
START_TEST(late_ticks_change_no_order)
{
    static const char quirks[] = "cancel-late=300ms fade=4 cancelled stall=100ms starve=7 pause=1s group=10 "
                                 "session-ping=700ms unknown-types stray-start stray-final metadata-frames=3";
    struct bench punctual;
    struct bench late;
    struct bench *benches[] = {&punctual, &late};
    for (size_t n = 0; n < 2; n++) {
        talk_open(benches[n], quirks, false);
        bench_speech(benches[n], 40 * OJIN_FRAME_SAMPLES);
        if (n == 0)
            bench_run(benches[n], 510000);
        else
            bench_run_late(benches[n], 510000, 125000);
        bench_text(benches[n], BENCH_CANCEL);
        if (n == 0)
            bench_run(benches[n], 6010000);
        else
            bench_run_late(benches[n], 6010000, 125000);
    }
    ck_assert_uint_eq(punctual.count, late.count);
    for (size_t i = 0; i < punctual.count; i++)
        ck_assert_str_eq(punctual.sent[i].label, late.sent[i].label);
    bench_free(&punctual);
    bench_free(&late);
}
END_TEST

/* All at once must neither stop the service nor break what decodes. */
START_TEST(everything_at_once_still_ends)
{
    struct bench bench;
    char text[4000];
    struct text all = text_of(text, sizeof text);
    for (int quirk = 0; quirk < OJIN_QUIRK_COUNT; quirk++) {
        static const char *const without[] = {"forbidden",    "no-backend", "backend-lost", "queue-full",
                                              "slow-backend", "queue",      "cold-start"};
        bool left_out = false;
        for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
            left_out = left_out || strcmp(without[i], OJIN_QUIRKS[quirk].name) == 0;
        text_add(&all, left_out ? "" : OJIN_QUIRKS[quirk].name);
        text_add(&all, " ");
    }
    ck_assert(!all.cut);
    talk_open(&bench, text, true);
    bench_speech(&bench, 16000);
    bench_run(&bench, 3000000);
    bench_text(&bench, BENCH_CANCEL);
    bench_run(&bench, 20000000);
    bench_text(&bench, BENCH_END);
    bench_run(&bench, 60000000);
    ck_assert_int_eq(bench.sent[bench.count - 1].kind, ACTION_CLOSE);
    bench_free(&bench);
}
END_TEST

/* 000 InteractionInputMessage params: the frame that the client shows moves the transition. */
START_TEST(client_frame_index_moves_the_head)
{
    static const char *const params[] = {NULL, "{\"client_frame_index\":0}", "{\"client_frame_index\":40}",
                                         "{\"client_frame_index\":75}", "{\"client_frame_index\":-3}"};
    uint32_t pictures[5];
    static const int16_t loud[6400] = {[0] = 30000, [100] = -30000};
    for (size_t n = 0; n < 5; n++) {
        struct bench bench;
        bench_start(&bench, "oris-1.0", true);
        bench_audio(&bench, loud, 6400, params[n]);
        bench_run(&bench, 1500000);
        pictures[n] = talk_nth(&bench, "speech", 0)->image_crc;
        bench_free(&bench);
    }
    ck_assert_uint_eq(pictures[0], pictures[1]);
    ck_assert_uint_eq(pictures[0], pictures[4]);
    ck_assert_uint_ne(pictures[0], pictures[2]);
    ck_assert_uint_ne(pictures[2], pictures[3]);
}
END_TEST

int main(void)
{
    const int rows = (int)count_all();
    TCase *tcase = tcase_create("quirks");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, each_quirk_changes_what_it_says, 0, rows);
    tcase_add_test(tcase, every_quirk_of_the_class_is_checked);
    tcase_add_loop_test(tcase, a_quirk_switched_off_leaves_every_byte_as_it_was, 0, rows);
    tcase_add_test(tcase, a_late_cancel_settles_then_is_acknowledged_fades_and_ends);
    tcase_add_loop_test(tcase, the_first_idle_frame_says_that_a_cancel_is_settled, 0, TABLE_COUNT(SETTLED));
    tcase_add_test(tcase, an_end_while_a_cancel_settles_is_carried_out_after_it);
    tcase_add_test(tcase, quirks_change_a_session_that_runs);
    tcase_add_test(tcase, late_ticks_change_no_order);
    tcase_add_test(tcase, everything_at_once_still_ends);
    tcase_add_test(tcase, client_frame_index_moves_the_head);
    return suite_run("quirks", tcase);
}
