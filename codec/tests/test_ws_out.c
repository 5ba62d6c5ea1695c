#include "codec/tests/suite.h"
#include "codec/wire/buffer.h"
#include "codec/ws/out.h"

enum { BYTES_MAX = 64 };

static struct ws_part passing(const char *text)
{
    return (struct ws_part){.bytes = bytes_of_text(text), .life = WS_PART_PASSING};
}

static void take(struct ws_out *out, size_t len, struct buffer *taken)
{
    struct bytes pieces[2];
    while (len > 0) {
        const size_t count = ws_out_pieces(out, pieces, 2);
        ck_assert_uint_gt(count, 0);
        const size_t n = pieces[0].len < len ? pieces[0].len : len;
        ck_assert(buffer_append(taken, bytes_of(pieces[0].data, n)));
        ws_out_sent(out, n);
        len -= n;
    }
}

/* Whatever leaves before the caller's bytes change, and however the rest is taken: the same stream. */
START_TEST(what_passes_is_kept_wherever_the_socket_stopped)
{
    static const char EXPECTED[] = "H1abcdeH2fixedH3shared";
    const size_t len = sizeof EXPECTED - 1;
    for (size_t first = 0; first <= len; first++) {
        char changing[] = "abcde";
        struct ws_out out;
        struct buffer taken;
        ws_out_init(&out, BYTES_MAX);
        buffer_init(&taken, BYTES_MAX);
        struct ws_block *block = ws_block_new(bytes_of_text("shared"));
        const struct ws_part parts[] = {
            {.bytes = bytes_of(changing, 2), .life = WS_PART_PASSING},
            {.bytes = bytes_of(NULL, 0), .life = WS_PART_PASSING},
            {.bytes = bytes_of(changing + 2, 3), .life = WS_PART_PASSING},
        };
        const struct ws_part fixed = {.bytes = bytes_of_text("fixed"), .life = WS_PART_LASTING};
        const struct ws_part shared = {
            .bytes = ws_block_bytes(block), .life = WS_PART_SHARED, .block = block};
        ck_assert(ws_out_add(&out, WS_OUT_DATA, bytes_of_text("H1"), parts, 3));
        ck_assert(ws_out_add(&out, WS_OUT_DATA, bytes_of_text("H2"), &fixed, 1));
        ck_assert(ws_out_add(&out, WS_OUT_DATA, bytes_of_text("H3"), &shared, 1));
        ws_block_drop(block); /* the queue holds it */
        take(&out, first, &taken);
        ck_assert(ws_out_keep(&out));
        memset(changing, '?', sizeof changing);
        ck_assert_uint_eq(out.bytes, len - first);
        ck_assert_uint_eq(out.queued, len);
        take(&out, len - first, &taken);
        ck_assert(bytes_equal_text(buffer_bytes(&taken), EXPECTED));
        ck_assert_uint_eq(out.frames, 0);
        struct bytes piece;
        ck_assert_uint_eq(ws_out_pieces(&out, &piece, 1), 0);
        buffer_free(&taken);
        ws_out_free(&out);
    }
}
END_TEST

START_TEST(a_block_lives_as_long_as_somebody_holds_it)
{
    struct ws_out first, second;
    ws_out_init(&first, BYTES_MAX);
    ws_out_init(&second, BYTES_MAX);
    struct ws_block *block = ws_block_new(bytes_of_text("abc"));
    const struct ws_part part = {.bytes = ws_block_bytes(block), .life = WS_PART_SHARED, .block = block};
    struct bytes a, b;
    ck_assert(ws_out_add(&first, WS_OUT_DATA, bytes_of(NULL, 0), &part, 1));
    ck_assert(ws_out_add(&second, WS_OUT_DATA, bytes_of(NULL, 0), &part, 1));
    ws_block_drop(block);
    ck_assert_uint_eq(ws_out_pieces(&first, &a, 1), 1);
    ck_assert_uint_eq(ws_out_pieces(&second, &b, 1), 1);
    ck_assert_ptr_eq(a.data, b.data); /* one copy for both */
    ws_out_sent(&first, 3);
    ws_out_free(&first);
    ck_assert(bytes_equal_text(b, "abc"));
    ws_out_free(&second);
    ws_block_drop(NULL);
}
END_TEST

START_TEST(bytes_are_bounded_and_control_frames_go_beyond)
{
    struct ws_out out;
    char fill[BYTES_MAX + 1];
    memset(fill, 'x', sizeof fill);
    ws_out_init(&out, BYTES_MAX);
    const struct ws_part all = {.bytes = bytes_of(fill, BYTES_MAX - 2), .life = WS_PART_LASTING};
    const struct ws_part more = {.bytes = bytes_of(fill, BYTES_MAX - 1), .life = WS_PART_LASTING};
    const struct ws_part one = passing("y");
    ck_assert(!ws_out_add(&out, WS_OUT_DATA, bytes_of_text("HH"), &more, 1));
    ck_assert_uint_eq(out.bytes, 0);
    ck_assert(ws_out_has_room(&out, BYTES_MAX, 1) && !ws_out_has_room(&out, BYTES_MAX + 1, 1));
    ck_assert(ws_out_add(&out, WS_OUT_DATA, bytes_of_text("HH"), &all, 1));
    ck_assert(!ws_out_add(&out, WS_OUT_DATA, bytes_of(NULL, 0), &one, 1));
    ck_assert(ws_out_add(&out, WS_OUT_PONG, bytes_of(NULL, 0), &one, 1));
    ck_assert(ws_out_add(&out, WS_OUT_CONTROL, bytes_of(NULL, 0), &one, 1));
    ck_assert_uint_eq(out.bytes, BYTES_MAX + 2);
    ck_assert_uint_eq(out.pongs, 1);
    ck_assert(!ws_out_has_room(&out, 0, 1));
    ws_out_sent(&out, BYTES_MAX + 1);
    ck_assert_uint_eq(out.pongs, 0);
    ck_assert(ws_out_has_room(&out, BYTES_MAX - 1, 1) && !ws_out_has_room(&out, BYTES_MAX, 1));
    ws_out_free(&out);
    ck_assert_uint_eq(out.bytes, 0);
}
END_TEST

START_TEST(frames_are_bounded)
{
    struct ws_out out;
    const struct ws_part one = passing("y");
    ws_out_init(&out, (size_t)2 * WS_OUT_FRAMES_MAX);
    for (size_t n = 0; n < WS_OUT_FRAMES_MAX; n++)
        ck_assert(ws_out_add(&out, WS_OUT_DATA, bytes_of(NULL, 0), &one, 1));
    ck_assert(!ws_out_add(&out, WS_OUT_DATA, bytes_of(NULL, 0), &one, 1));
    ck_assert(ws_out_add(&out, WS_OUT_CONTROL, bytes_of(NULL, 0), &one, 1));
    ws_out_sent(&out, 2);
    ck_assert(ws_out_add(&out, WS_OUT_DATA, bytes_of(NULL, 0), &one, 1));
    ws_out_free(&out);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ws_out");
    tcase_add_test(tcase, what_passes_is_kept_wherever_the_socket_stopped);
    tcase_add_test(tcase, a_block_lives_as_long_as_somebody_holds_it);
    tcase_add_test(tcase, bytes_are_bounded_and_control_frames_go_beyond);
    tcase_add_test(tcase, frames_are_bounded);
    return suite_run("ws_out", tcase);
}
