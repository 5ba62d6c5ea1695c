/* Where the server's stream is cut, however the library's bytes come. */
#include <check.h>
#include <stdlib.h>

#include "server/net/slicer.h"

enum { STREAM_BYTES_MAX = 4096, CUTS_MAX = 256 };

static const char HEAD[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

struct stream {
    uint8_t data[STREAM_BYTES_MAX];
    size_t len;
};

static void add(struct stream *stream, const void *data, size_t len)
{
    ck_assert_uint_le(stream->len + len, sizeof stream->data);
    memcpy(stream->data + stream->len, data, len);
    stream->len += len;
}

/* A frame of `len` bytes (below 65536) of payload. */
static void add_frame(struct stream *stream, uint8_t opcode, size_t len)
{
    static const uint8_t payload[2000];
    uint8_t header[4] = {(uint8_t)(0x80 | opcode)};
    size_t header_len = 2;
    if (len < 126) {
        header[1] = (uint8_t)len;
    } else {
        header[1] = 126;
        header[2] = (uint8_t)(len >> 8);
        header[3] = (uint8_t)len;
        header_len = 4;
    }
    add(stream, header, header_len);
    add(stream, payload, len);
}

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

/* Feeds the stream in pieces of `piece` bytes, each an exact-size heap block. */
static void feed(struct slicer *slicer, const struct stream *stream, size_t piece)
{
    for (size_t at = 0; at < stream->len; at += piece) {
        size_t len = stream->len - at < piece ? stream->len - at : piece;
        uint8_t *copy = malloc(len);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, stream->data + at, len);
        slicer_feed(slicer, bytes_of(copy, len));
        free(copy);
    }
}

enum { START = sizeof HEAD - 1, GAP_US = 5 };

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
    {"a part beyond the end", {.slice_every = 2, .slice_for = 100}, 3, 2, {2, 4}},
    {"one cut in the payload", {.slice_at = 7}, 300, 1, {4 + 7}},
    {"one cut in a short frame", {.slice_at = 1}, 2, 1, {2 + 1}},
    {"no cut at the payload's end", {.slice_at = 300}, 300, 0, {0}},
    {"no cut past it", {.slice_at = 301}, 300, 0, {0}},
    {"both", {.slice_every = 2, .slice_for = 4, .slice_at = 37}, 300, 3, {2, 4, 4 + 37}},
};

START_TEST(test_a_frame_is_cut_where_its_delivery_says)
{
    static const struct delivery plain = {0};
    struct delivery delivery = CASES[_i].delivery;
    delivery.gap_us = GAP_US;
    struct stream stream = {.len = 0};
    add(&stream, HEAD, START);
    add_frame(&stream, 0x1, 50); /* ours, plain */
    add_frame(&stream, 0xA, 5);  /* a pong of the library */
    uint64_t start = stream.len;
    add_frame(&stream, 0x2, CASES[_i].payload);
    add_frame(&stream, 0x2, 500);
    for (size_t piece = 1; piece <= stream.len; piece += 1 + piece / 3) {
        struct slicer slicer;
        uint64_t cuts[CUTS_MAX];
        slicer_init(&slicer);
        slicer_expect(&slicer, &plain);
        slicer_expect(&slicer, &delivery);
        slicer_expect(&slicer, &plain);
        feed(&slicer, &stream, piece);
        ck_assert_uint_eq(slicer.position, stream.len);
        size_t count = cuts_of(&slicer, stream.len, cuts, GAP_US);
        ck_assert_msg(count == CASES[_i].cut_count, "%s: %zu cuts", CASES[_i].name, count);
        for (size_t n = 0; n < count; n++)
            ck_assert_msg(cuts[n] - start == CASES[_i].cuts[n], "%s: cut %zu", CASES[_i].name, n);
        ck_assert_uint_eq(slicer.count, 0);
    }
}
END_TEST

START_TEST(test_frames_that_follow_each_other_are_each_cut)
{
    static const struct delivery delivery = {.slice_every = 1, .slice_for = 2, .gap_us = GAP_US};
    struct stream stream = {.len = 0};
    struct slicer slicer;
    uint64_t cuts[CUTS_MAX];
    add(&stream, HEAD, START);
    slicer_init(&slicer);
    for (size_t n = 0; n < SLICER_FRAMES_MAX; n++) {
        ck_assert(slicer_has_room(&slicer));
        slicer_expect(&slicer, &delivery);
        add_frame(&stream, 0x2, 10);
    }
    ck_assert(!slicer_has_room(&slicer));
    feed(&slicer, &stream, 7);
    size_t count = cuts_of(&slicer, stream.len, cuts, GAP_US);
    ck_assert_uint_eq(count, (size_t)2 * SLICER_FRAMES_MAX);
    for (size_t n = 0; n < count; n++)
        ck_assert_uint_eq(cuts[n], START + n / 2 * 12 + n % 2 + 1);
}
END_TEST

START_TEST(test_a_frame_that_has_not_come_asks_for_no_cut)
{
    static const struct delivery delivery = {.slice_every = 1};
    struct slicer slicer;
    uint32_t gap_us;
    slicer_init(&slicer);
    slicer_expect(&slicer, &delivery);
    ck_assert_uint_eq(slicer_next_cut(&slicer, 0, &gap_us), UINT64_MAX);
    slicer_feed(&slicer, bytes_of(HEAD, START));
    ck_assert_uint_eq(slicer_next_cut(&slicer, 0, &gap_us), UINT64_MAX);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slicer");
    TCase *cuts = tcase_create("cuts");
    tcase_add_loop_test(cuts, test_a_frame_is_cut_where_its_delivery_says, 0,
                        (int)(sizeof CASES / sizeof CASES[0]));
    tcase_add_test(cuts, test_frames_that_follow_each_other_are_each_cut);
    tcase_add_test(cuts, test_a_frame_that_has_not_come_asks_for_no_cut);
    suite_add_tcase(suite, cuts);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
