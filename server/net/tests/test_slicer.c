/* Where the server's stream is cut. */
#include <check.h>
#include <stdlib.h>

#include "server/net/slicer.h"

enum { CUTS_MAX = 256, START = 57, HEADER = 4, GAP_US = 5 };

/* The cuts met by a writer that takes all it may; the frames' ends among them do no harm and are left out. */
static size_t cuts_of(struct slicer *slicer, uint64_t end, uint64_t cuts[CUTS_MAX], uint32_t gap_wanted)
{
    size_t count = 0;
    for (uint64_t position = 0; position < end;) {
        uint32_t gap_us;
        uint64_t cut = slicer_next_cut(slicer, position, &gap_us);
        ck_assert_uint_gt(cut, position);
        if (cut == UINT64_MAX)
            break;
        if (gap_us == gap_wanted) {
            ck_assert_uint_lt(count, CUTS_MAX);
            cuts[count++] = cut;
        }
        position = cut;
    }
    return count;
}

static const struct {
    const char *name;
    struct delivery delivery;
    size_t payload;
    size_t cut_count;
    uint64_t cuts[8]; /* from the frame's first byte */
} CASES[] = {
    {"every byte of the first four", {.slice_every = 1, .slice_for = 4}, 300, 4, {1, 2, 3, 4}},
    {"every hundred bytes", {.slice_every = 100}, 300, 3, {100, 200, 300}},
    {"only whole slices of the part", {.slice_every = 3, .slice_for = 8}, 300, 2, {3, 6}},
    {"a part beyond the end", {.slice_every = 2, .slice_for = 100}, 3, 3, {2, 4, 6}},
    {"one cut in the payload", {.slice_at = 7}, 300, 1, {4 + 7}},
    {"one cut in a short frame", {.slice_at = 1}, 2, 1, {4 + 1}},
    {"no cut at the payload's end", {.slice_at = 300}, 300, 0, {0}},
    {"no cut past it", {.slice_at = 301}, 300, 0, {0}},
    {"both", {.slice_every = 2, .slice_for = 4, .slice_at = 37}, 300, 3, {2, 4, 4 + 37}},
};

START_TEST(test_a_frame_is_cut_where_its_delivery_says)
{
    struct slicer slicer;
    uint64_t cuts[CUTS_MAX];
    struct sliced_frame frame = {.delivery = CASES[_i].delivery,
                                 .start = START,
                                 .header_bytes = HEADER,
                                 .payload_bytes = CASES[_i].payload};
    frame.delivery.gap_us = GAP_US;
    slicer_init(&slicer);
    slicer_add(&slicer, &frame);
    size_t count = cuts_of(&slicer, START + HEADER + CASES[_i].payload + 500, cuts, GAP_US);
    ck_assert_msg(count == CASES[_i].cut_count, "%s: %zu cuts", CASES[_i].name, count);
    for (size_t n = 0; n < count; n++)
        ck_assert_msg(cuts[n] - START == CASES[_i].cuts[n], "%s: cut %zu", CASES[_i].name, n);
    ck_assert_uint_eq(slicer.count, 0);
}
END_TEST

/* Once all is out there is room for as many again, whether or not more is to be cut. */
START_TEST(test_what_is_out_leaves_its_room)
{
    struct slicer slicer;
    const struct sliced_frame frame = {
        .delivery = {.slice_every = 1}, .start = START, .header_bytes = HEADER, .payload_bytes = 1};
    slicer_init(&slicer);
    slicer_add(&slicer, &frame);
    slicer_forget(&slicer, START + HEADER);
    ck_assert(!slicer_has_room(&slicer, SLICER_FRAMES_MAX));
    slicer_forget(&slicer, START + HEADER + 1);
    ck_assert(slicer_has_room(&slicer, SLICER_FRAMES_MAX));
}
END_TEST

START_TEST(test_frames_that_follow_each_other_are_each_cut)
{
    enum { FRAME = 12, EXTRA = 7 };
    struct slicer slicer;
    uint64_t cuts[CUTS_MAX];
    slicer_init(&slicer);
    for (size_t n = 0; n < SLICER_FRAMES_MAX; n++) {
        struct sliced_frame frame = {.delivery = {.slice_every = 1, .slice_for = 2, .gap_us = GAP_US},
                                     .start = START + n * (FRAME + EXTRA), /* with a pong before each */
                                     .header_bytes = 2,
                                     .payload_bytes = FRAME - 2};
        ck_assert(slicer_has_room(&slicer, 1));
        slicer_add(&slicer, &frame);
    }
    ck_assert(!slicer_has_room(&slicer, 1));
    size_t count = cuts_of(&slicer, START + (uint64_t)SLICER_FRAMES_MAX * (FRAME + EXTRA), cuts, GAP_US);
    ck_assert_uint_eq(count, (size_t)2 * SLICER_FRAMES_MAX);
    for (size_t n = 0; n < count; n++)
        ck_assert_uint_eq(cuts[n], START + n / 2 * (FRAME + EXTRA) + n % 2 + 1);
}
END_TEST

START_TEST(test_raw_bytes_are_cut_from_their_first)
{
    struct slicer slicer;
    uint64_t cuts[CUTS_MAX];
    struct sliced_frame raw = {
        .delivery = {.slice_at = 3, .gap_us = GAP_US}, .start = START, .payload_bytes = 8};
    slicer_init(&slicer);
    slicer_add(&slicer, &raw);
    ck_assert_uint_eq(cuts_of(&slicer, START + 8, cuts, GAP_US), 1);
    ck_assert_uint_eq(cuts[0], START + 3);
}
END_TEST

START_TEST(test_without_frames_there_is_no_cut)
{
    static const struct delivery plain = {.gap_us = 5, .fragment_at = 3, .delay_us = 9};
    struct slicer slicer;
    uint32_t gap_us;
    slicer_init(&slicer);
    ck_assert_uint_eq(slicer_next_cut(&slicer, 0, &gap_us), UINT64_MAX);
    ck_assert_uint_eq(gap_us, 0);
    ck_assert(!slicer_is_needed(&plain));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slicer");
    TCase *cuts = tcase_create("cuts");
    tcase_add_loop_test(cuts, test_a_frame_is_cut_where_its_delivery_says, 0,
                        (int)(sizeof CASES / sizeof CASES[0]));
    tcase_add_test(cuts, test_what_is_out_leaves_its_room);
    tcase_add_test(cuts, test_frames_that_follow_each_other_are_each_cut);
    tcase_add_test(cuts, test_raw_bytes_are_cut_from_their_first);
    tcase_add_test(cuts, test_without_frames_there_is_no_cut);
    suite_add_tcase(suite, cuts);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
