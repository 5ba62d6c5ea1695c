/* A server's end: what comes of bytes, whole and in pieces, and what it answers. The client's end and both
 * together: test_ws_pair.c. */
#include "codec/tests/suite.h"
#include "codec/tests/ws_rig.h"

#define AFTER_FAILURE                                                                                        \
    "\x81\x81" MASK "y"                                                                                      \
    "\x89\x80" MASK

static const struct incoming {
    const char *name;
    const char *data; /* behind the request */
    size_t len;
    const char *told;
    const char *sent; /* behind the 101 */
    size_t sent_len;
    enum ws_state state;
} INCOMING[] = {
    /* RFC 6455 5.7 */
    {"a masked text of the document", BYTES("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"),
     "text 0 5 Hello\n", BYTES(""), WS_OPEN},
    {"a ping of the document", BYTES("\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"),
     "ping 0 5 Hello\nown pong 0 5 Hello\n", BYTES("\x8a\x05Hello"), WS_OPEN},
    {"a pong of the document", BYTES("\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"), "pong 0 5 Hello\n",
     BYTES(""), WS_OPEN},
    {"fragments with a ping between", BYTES("\x01\x82" MASK "``\x89\x80" MASK "\x80\x81" MASK "b"),
     "ping 0 0 \nown pong 0 0 \ntext 0 3 abc\n", BYTES("\x8a\x00"), WS_OPEN},
    {"a character over two fragments", BYTES("\x01\x81" MASK "\xc2\x80\x81" MASK "\xa8"),
     "text 0 2 \xc3\xa9\n", BYTES(""), WS_OPEN},
    {"two pings", BYTES("\x89\x81" MASK "`\x89\x81" MASK "c"),
     "ping 0 1 a\nown pong 0 1 a\nping 0 1 b\nown pong 0 1 b\n",
     BYTES("\x8a\x01"
           "a\x8a\x01"
           "b"),
     WS_OPEN},
    {"a message of the largest size kept",
     BYTES("\x82\xfe\x01\x2c"
           "\0\0\0\0" HUNDRED HUNDRED HUNDRED),
     "binary 0 300 012345678901234567890123\n", BYTES(""), WS_OPEN},
    {"one byte more is counted",
     BYTES("\x82\xfe\x01\x2d"
           "\0\0\0\0" HUNDRED HUNDRED HUNDRED "x"),
     "binary 0 301 012345678901234567890123\n", BYTES(""), WS_OPEN},
    /* the closing handshake */
    {"a close is answered with its code", BYTES("\x88\x82" MASK "\x02\xea" AFTER_FAILURE),
     "close 1000 0 \nown close 1000 0 \nignored violation 11\n", BYTES("\x88\x02\x03\xe8"), WS_CLOSED},
    {"a close with a reason",
     BYTES("\x88\x85" MASK "\x02\xea"
           "a}d"),
     "close 1000 3 bye\nown close 1000 3 bye\n",
     BYTES("\x88\x05\x03\xe8"
           "bye"),
     WS_CLOSED},
    {"a close of nothing", BYTES("\x88\x80" MASK), "close 1005 0 \nown close 1005 0 \n", BYTES("\x88\x00"),
     WS_CLOSED},
    {"a close of one byte", BYTES("\x88\x81" MASK "\x02"), "violation 10\nclose 1005 0 \nown close 1002 0 \n",
     BYTES("\x88\x02\x03\xea"), WS_CLOSED},
    {"a close code that must not be sent", BYTES("\x88\x82" MASK "\x02\xec"),
     "violation 10\nclose 1006 0 \nown close 1002 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSED},
    {"a close reason that is no UTF-8", BYTES("\x88\x83" MASK "\x02\xea\xfc"),
     "violation 10\nclose 1000 1 \\xff\nown close 1007 0 \n", BYTES("\x88\x02\x03\xef"), WS_CLOSED},
    {"a pong after the close", BYTES("\x88\x80" MASK "\x8a\x80" MASK),
     "close 1005 0 \nown close 1005 0 \nignored pong 0 0 \n", BYTES("\x88\x00"), WS_CLOSED},
    /* violations: the number is that of enum ws_violation */
    {"an unmasked frame", BYTES("\x81\x02hi" AFTER_FAILURE),
     "violation 1\nown close 1002 0 \nignored text 0 2 hi\nignored text 0 1 x\nignored ping 0 0 \n",
     BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a reserved bit", BYTES("\xa1\x80" MASK AFTER_FAILURE),
     "violation 3\nown close 1002 0 \nignored text 0 1 x\nignored ping 0 0 \n", BYTES("\x88\x02\x03\xea"),
     WS_CLOSING},
    {"a compressed message that was not agreed on", BYTES("\xc1\x80" MASK),
     "violation 3\nown close 1002 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a reserved opcode", BYTES("\x83\x80" MASK AFTER_FAILURE),
     "violation 4\nown close 1002 0 \nignored text 0 1 x\nignored ping 0 0 \n", BYTES("\x88\x02\x03\xea"),
     WS_CLOSING},
    {"a reserved control opcode", BYTES("\x8b\x80" MASK), "violation 4\nown close 1002 0 \n",
     BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a longer length than it needs is read", BYTES("\x81\xfe\x00\x01" MASK "y"), "violation 5\ntext 0 1 x\n",
     BYTES(""), WS_OPEN},
    {"a ping of 125 bytes",
     BYTES("\x89\xfd"
           "\0\0\0\0" HUNDRED TEN TEN "abcde"),
     "ping 0 125 012345678901234567890123\nown pong 0 125 012345678901234567890123\n",
     BYTES("\x8a\x7d" HUNDRED TEN TEN "abcde"), WS_OPEN},
    {"a ping of 126 bytes",
     BYTES("\x89\xfe\x00\x7e"
           "\0\0\0\0" HUNDRED TEN TEN "abcdef"),
     "violation 6\nown close 1002 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a ping in fragments", BYTES("\x09\x80" MASK), "violation 7\nown close 1002 0 \nignored ping 0 0 \n",
     BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a continuation of nothing", BYTES("\x80\x80" MASK), "violation 8\nown close 1002 0 \n",
     BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a message within another", BYTES("\x01\x80" MASK "\x81\x81" MASK "y"),
     "violation 8\nown close 1002 0 \nignored text 0 1 x\n", BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a text that is no UTF-8", BYTES("\x81\x81" MASK "\xfe" AFTER_FAILURE),
     "violation 9\nown close 1007 0 \nignored text 0 1 x\nignored ping 0 0 \n", BYTES("\x88\x02\x03\xef"),
     WS_CLOSING},
    {"a length with its top bit set", BYTES("\x82\xff\x80\0\0\0\0\0\0\0" MASK AFTER_FAILURE),
     "violation 12\nown close 1002 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a close after a failure", BYTES("\x83\x80" MASK "\x88\x82" MASK "\x02\xea"),
     "violation 4\nown close 1002 0 \nignored close 1000 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSED},
};

static void check(const struct rig *rig, const struct incoming *row)
{
    ck_assert_msg(strncmp(rig->lines, "request 0\n", 10) == 0 && strcmp(rig->lines + 10, row->told) == 0,
                  "%s: told\n%s", row->name, rig->lines);
    ck_assert_msg(bytes_equal(buffer_bytes(&rig->sent), bytes_of(row->sent, row->sent_len)), "%s: sent",
                  row->name);
    ck_assert_msg(ws_endpoint_state(rig->endpoint) == row->state, "%s: state", row->name);
    ck_assert_msg(ws_endpoint_is_over(rig->endpoint) == (row->state == WS_CLOSED), "%s: over", row->name);
}

START_TEST(what_comes_is_told_and_answered_however_it_is_split)
{
    static struct rig rig;
    const struct incoming *row = &INCOMING[_i];
    const size_t whole = sizeof RIG_REQUEST - 1 + row->len;
    for (size_t split = 1; split <= whole + 1; split++) {
        rig_init(&rig);
        rig.pauses = split % 2 == 0;
        rig_play(&rig, bytes_of(row->data, row->len), split > whole ? SIZE_MAX : split);
        rig_skip_head(&rig);
        check(&rig, row);
        rig_free(&rig);
    }
}
END_TEST

/* Cut off anywhere: an end, and no more than was there. */
START_TEST(every_prefix_ends_cleanly)
{
    static struct rig rig;
    const struct incoming *row = &INCOMING[_i];
    for (size_t len = 0; len <= row->len; len++) {
        rig_init(&rig);
        rig_play(&rig, bytes_of(row->data, len), SIZE_MAX);
        const size_t told = rig.text.len;
        ck_assert_uint_ge(told, 10);
        ck_assert_msg(strncmp(rig.lines + 10, row->told, told - 10) == 0, "%s", row->name);
        ws_endpoint_end(rig.endpoint, 2, false);
        ws_endpoint_end(rig.endpoint, 2, false);
        ck_assert_msg(strcmp(rig.lines + told, "ignored end 0\n") == 0 ||
                          strcmp(rig.lines + told, "end 0\n") == 0,
                      "%s: %s", row->name, rig.lines + told);
        ck_assert_int_eq(ws_endpoint_state(rig.endpoint), WS_CLOSED);
        ck_assert(ws_endpoint_is_over(rig.endpoint));
        ck_assert_uint_eq(ws_endpoint_deadline_us(rig.endpoint), UINT64_MAX);
        rig_free(&rig);
    }
}
END_TEST

/* ---- compressed messages ---- */

static const struct incoming COMPRESSED[] = {
    /* RFC 7692 7.2.3.1 to 7.2.3.4 */
    {"one block",
     BYTES("\xc1\x87"
           "\0\0\0\0"
           "\xf2\x48\xcd\xc9\xc9\x07\x00"),
     "text 0 5 Hello\n", BYTES(""), WS_OPEN},
    {"fragments",
     BYTES("\x41\x83"
           "\0\0\0\0"
           "\xf2\x48\xcd\x80\x84"
           "\0\0\0\0"
           "\xc9\xc9\x07\x00"),
     "text 0 5 Hello\n", BYTES(""), WS_OPEN},
    {"a block that is not compressed",
     BYTES("\xc1\x8b"
           "\0\0\0\0"
           "\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00"),
     "text 0 5 Hello\n", BYTES(""), WS_OPEN},
    {"a last block",
     BYTES("\xc1\x88"
           "\0\0\0\0"
           "\xf3\x48\xcd\xc9\xc9\x07\x00\x00"),
     "text 0 5 Hello\n", BYTES(""), WS_OPEN},
    {"two blocks",
     BYTES("\xc1\x8d"
           "\0\0\0\0"
           "\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00"),
     "text 0 5 Hello\n", BYTES(""), WS_OPEN},
    {"a message that is not compressed", BYTES("\x81\x81" MASK "y"), "text 0 1 x\n", BYTES(""), WS_OPEN},
    {"a continuation with RSV1",
     BYTES("\x41\x83"
           "\0\0\0\0"
           "\xf2\x48\xcd\xc0\x84"
           "\0\0\0\0"
           "\xc9\xc9\x07\x00"),
     "violation 3\nown close 1002 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"a compressed ping", BYTES("\xc9\x80" MASK), "violation 3\nown close 1002 0 \n",
     BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"what is no DEFLATE",
     BYTES("\xc1\x82"
           "\0\0\0\0"
           "\xff\xff"),
     "violation 13\nown close 1002 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSING},
    {"half a block",
     BYTES("\xc1\x82"
           "\0\0\0\0"
           "\xf2\x48"),
     "violation 13\nown close 1002 0 \n", BYTES("\x88\x02\x03\xea"), WS_CLOSING},
};

START_TEST(compressed_messages_are_read_however_they_are_split)
{
    static struct rig rig;
    const struct incoming *row = &COMPRESSED[_i];
    const size_t whole = sizeof RIG_DEFLATE_REQUEST - 1 + row->len;
    for (size_t split = sizeof RIG_DEFLATE_REQUEST - 1; split <= whole + 1; split++) {
        rig_init(&rig);
        rig.answer = RIG_COMPRESSES;
        rig_play(&rig, bytes_of(row->data, row->len), split > whole ? SIZE_MAX : split);
        ck_assert(ws_endpoint_compresses(rig.endpoint));
        rig_skip_head(&rig);
        check(&rig, row);
        rig_free(&rig);
    }
}
END_TEST

/* ---- pings ---- */

START_TEST(of_many_pings_the_newest_is_answered_when_there_is_room)
{
    static struct rig rig;
    rig_open(&rig, RIG_ACCEPTS);
    for (unsigned n = 0; n < WS_PONGS_MAX + 3; n++) {
        const uint8_t ping[] = {0x89, 0x81, 0, 0, 0, 0, (uint8_t)n};
        rig_feed(&rig, 1, bytes_of(ping, sizeof ping));
    }
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), 3 * (size_t)WS_PONGS_MAX);
    rig_drain(&rig, 1, 2); /* not a whole one: no room yet */
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), 3 * (size_t)WS_PONGS_MAX - 2);
    rig_drain(&rig, 1, SIZE_MAX);
    ck_assert_uint_eq(rig.sent.len, 3 * (size_t)(WS_PONGS_MAX + 1));
    for (unsigned n = 0; n < WS_PONGS_MAX; n++)
        ck_assert_uint_eq(rig.sent.data[3 * n + 2], n);
    ck_assert_uint_eq(rig.sent.data[rig.sent.len - 1], WS_PONGS_MAX + 2);
    rig_forget(&rig);
    ws_endpoint_answer_pings(rig.endpoint, false);
    rig_feed(&rig, 1, bytes_of(BYTES("\x89\x80" MASK)));
    ck_assert_str_eq(rig.lines, "ping 0 0 \n");
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), 0);
    rig_free(&rig);
}
END_TEST

/* ---- the handshake ---- */

START_TEST(what_comes_before_the_answer_is_told_as_early)
{
    static struct rig rig;
    rig_init(&rig);
    rig.answer = RIG_WAITS;
    rig_play(&rig, bytes_of(BYTES("\x81\x81" MASK "y\x89\x80" MASK)), SIZE_MAX);
    ck_assert_str_eq(rig.lines, "request 0\nearly text 0 1 x\nearly ping 0 0 \n");
    ck_assert_uint_eq(ws_endpoint_unsent(rig.endpoint), 0);
    ck_assert_uint_eq(ws_endpoint_deadline_us(rig.endpoint), UINT64_MAX); /* the owner may take its time */
    ck_assert(ws_endpoint_accept(rig.endpoint, bytes_of(NULL, 0), false));
    ck_assert(!ws_endpoint_accept(rig.endpoint, bytes_of(NULL, 0), false));
    ck_assert(!ws_endpoint_refuse(rig.endpoint, bytes_of_text("HTTP/1.1 403 No\r\n\r\n")));
    rig_free(&rig);
}
END_TEST

START_TEST(a_connection_that_failed_early_is_closed_once_it_is_open)
{
    static struct rig rig;
    rig_init(&rig);
    rig.answer = RIG_WAITS;
    rig_play(&rig, bytes_of(BYTES("\x81\x01x")), SIZE_MAX);
    ck_assert_str_eq(rig.lines, "request 0\nearly violation 1\nearly ignored text 0 1 x\n");
    rig_forget(&rig);
    ck_assert(ws_endpoint_accept(rig.endpoint, bytes_of(NULL, 0), false));
    ck_assert_str_eq(rig.lines, "own close 1002 0 \n");
    rig_drain(&rig, 1, SIZE_MAX);
    rig_skip_head(&rig);
    rig_assert_sent(&rig, BYTES("\x88\x02\x03\xea"));
    rig_free(&rig);
}
END_TEST

START_TEST(a_close_frame_that_came_early_is_answered_behind_the_101)
{
    static struct rig rig;
    rig_init(&rig);
    rig.answer = RIG_WAITS;
    rig_play(&rig, bytes_of(BYTES("\x88\x82" MASK "\x02\xea")), SIZE_MAX);
    ck_assert_str_eq(rig.lines, "request 0\nearly close 1000 0 \n");
    rig_forget(&rig);
    ck_assert(ws_endpoint_accept(rig.endpoint, bytes_of(NULL, 0), false));
    ck_assert_str_eq(rig.lines, "own close 1000 0 \n");
    ck_assert_int_eq(ws_endpoint_state(rig.endpoint), WS_CLOSED);
    rig_drain(&rig, 1, SIZE_MAX);
    rig_skip_head(&rig);
    rig_assert_sent(&rig, BYTES("\x88\x02\x03\xe8"));
    ck_assert(ws_endpoint_is_over(rig.endpoint));
    rig_free(&rig);
}
END_TEST

START_TEST(a_request_can_be_refused_and_what_is_none_taken_over)
{
    static struct rig rig;
    static const char PLAIN[] = "GET /__mock/health HTTP/1.1\r\nHost: a\r\n\r\nbody";
    static const char NO[] = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
    rig_init(&rig);
    rig.answer = RIG_WAITS;
    rig_play(&rig, bytes_of(NULL, 0), SIZE_MAX);
    ck_assert(ws_endpoint_refuse(rig.endpoint, bytes_of_text(NO)));
    ck_assert(!ws_endpoint_refuse(rig.endpoint, bytes_of_text(NO)));
    ck_assert(!ws_endpoint_accept(rig.endpoint, bytes_of(NULL, 0), false));
    ck_assert(!ws_endpoint_is_over(rig.endpoint));
    rig_assert_sent(&rig, NO, sizeof NO - 1);
    ck_assert(ws_endpoint_is_over(rig.endpoint));
    rig_free(&rig);
    rig_init(&rig);
    rig.pauses = true;
    rig_start(&rig);
    struct ws_budget budget = {.frames = 10, .bytes = 1000};
    const size_t used = ws_endpoint_feed(rig.endpoint, 1, bytes_of(PLAIN, sizeof PLAIN - 1), &budget);
    ck_assert_uint_eq(used, sizeof PLAIN - 1 - 4);
    ck_assert_str_eq(rig.lines, "request 0 flaws 90\n");
    ck_assert(!ws_endpoint_accept(rig.endpoint, bytes_of(NULL, 0), false));
    rig_free(&rig);
}
END_TEST

START_TEST(what_is_no_request_can_be_refused)
{
    static struct rig rig;
    rig_init(&rig);
    rig_start(&rig);
    rig_feed(&rig, 1, bytes_of_text("\x16\x03\x01"));
    ck_assert_str_eq(rig.lines, "early violation 0\n");
    ck_assert(!ws_endpoint_accept(rig.endpoint, bytes_of(NULL, 0), false));
    ck_assert(ws_endpoint_refuse(rig.endpoint, bytes_of_text("HTTP/1.1 400 Bad Request\r\n\r\n")));
    rig_free(&rig);
}
END_TEST

/* ---- time ---- */

START_TEST(what_lasts_too_long_is_told_once)
{
    static struct rig rig;
    rig_init(&rig);
    rig_start(&rig);
    rig_feed(&rig, 5, bytes_of_text("GET / HT"));
    ck_assert_uint_eq(ws_endpoint_deadline_us(rig.endpoint), RIG_WAIT_US);
    ck_assert_int_eq(ws_endpoint_tick(rig.endpoint, RIG_WAIT_US - 1), WS_LATE_NOT);
    ck_assert_int_eq(ws_endpoint_tick(rig.endpoint, RIG_WAIT_US), WS_LATE_HANDSHAKE);
    ck_assert_int_eq(ws_endpoint_tick(rig.endpoint, RIG_WAIT_US), WS_LATE_NOT);
    ck_assert(ws_endpoint_refuse(rig.endpoint, bytes_of_text("HTTP/1.1 408 Request Timeout\r\n\r\n")));
    ck_assert(!ws_endpoint_is_over(rig.endpoint));
    rig_drain(&rig, 1, SIZE_MAX);
    ck_assert(ws_endpoint_is_over(rig.endpoint));
    rig_free(&rig);
    rig_open(&rig, RIG_ACCEPTS);
    ck_assert_uint_eq(ws_endpoint_deadline_us(rig.endpoint), UINT64_MAX);
    ck_assert_int_eq(ws_endpoint_tick(rig.endpoint, UINT64_MAX - 1), WS_LATE_NOT);
    ck_assert(ws_endpoint_close(rig.endpoint, 100, WS_CLOSE_NORMAL, bytes_of(NULL, 0)));
    ck_assert_int_eq(ws_endpoint_tick(rig.endpoint, 100 + RIG_WAIT_US - 1), WS_LATE_NOT);
    ck_assert(!ws_endpoint_is_over(rig.endpoint));
    ck_assert_int_eq(ws_endpoint_tick(rig.endpoint, 100 + RIG_WAIT_US), WS_LATE_CLOSE);
    ck_assert_int_eq(ws_endpoint_state(rig.endpoint), WS_CLOSED);
    ck_assert(ws_endpoint_is_over(rig.endpoint)); /* whatever is not out */
    rig_free(&rig);
}
END_TEST

/* ---- reading in turns, and where things lie ---- */

START_TEST(a_turn_of_reading_ends_with_its_budget)
{
    static struct rig rig;
    static const char FRAMES[] = "\x81\x81" MASK "y\x01\x81" MASK "`\x80\x81" MASK "c\x89\x80" MASK;
    const struct bytes all = bytes_of(FRAMES, sizeof FRAMES - 1);
    for (size_t frames = 1; frames <= 4; frames++) {
        for (size_t bytes = 1; bytes <= all.len; bytes++) {
            rig_open(&rig, RIG_ACCEPTS);
            size_t done = 0, turns = 0;
            while (done < all.len) {
                struct ws_budget budget = {.frames = frames, .bytes = bytes};
                const size_t used =
                    ws_endpoint_feed(rig.endpoint, 1, bytes_of(all.data + done, all.len - done), &budget);
                ck_assert(used > 0 && used <= bytes && budget.bytes == bytes - used);
                ck_assert_msg(budget.frames == 0 || budget.bytes == 0 || done + used == all.len, "%zu %zu",
                              frames, bytes);
                done += used;
                turns++;
            }
            ck_assert_uint_ge(turns, (4 + frames - 1) / frames);
            ck_assert_str_eq(rig.lines, "text 0 1 x\ntext 0 2 ab\nping 0 0 \nown pong 0 0 \n");
            rig_free(&rig);
        }
    }
    rig_open(&rig, RIG_ACCEPTS);
    struct ws_budget none = {.frames = 0, .bytes = 100};
    ck_assert_uint_eq(ws_endpoint_feed(rig.endpoint, 1, all, &none), 0);
    rig_free(&rig);
}
END_TEST

START_TEST(offsets_tell_where_everything_lies)
{
    static struct rig rig;
    static const char FRAMES[] = "\x81\x81" MASK "y"         /* 0 to 7 */
                                 "\x01\x81" MASK "`"         /* 7 to 14 */
                                 "\x89\x80" MASK             /* 14 to 20 */
                                 "\x80\x81" MASK "c"         /* 20 to 27 */
                                 "\x81\xfe\x00\x01" MASK "y" /* 27 to 36, its header to 35 */
                                 "\x81\x82" MASK "y\xfd"     /* 36 to 44 */
                                 "\x88\x80" MASK;            /* 44 to 50 */
    const size_t head = sizeof RIG_REQUEST - 1;
    static const struct {
        const char *what;
        uint64_t begin, end;
    } expected[] = {{"text 0 1 x", 0, 7},
                    {"ping 0 0 ", 14, 20},
                    {"text 0 2 ab", 7, 27},
                    {"violation 5", 27, 35},
                    {"text 0 1 x", 27, 36},
                    {"violation 9", 36, 44},
                    {"ignored close 1005 0 ", 44, 50}};
    for (size_t split = 1; split < head + sizeof FRAMES; split++) {
        char told[1024];
        struct text text = text_of(told, sizeof told);
        rig_init(&rig);
        rig.spans = true;
        rig_play(&rig, bytes_of(FRAMES, sizeof FRAMES - 1), split);
        text_add(&text, "request 0 @0-");
        text_add_u64(&text, head);
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
            text_add(&text, "\n");
            text_add(&text, expected[i].what);
            text_add(&text, " @");
            text_add_u64(&text, head + expected[i].begin);
            text_add(&text, "-");
            text_add_u64(&text, head + expected[i].end);
        }
        text_add(&text, "\n");
        /* What it says by itself lies in the other direction. */
        for (char *line = strstr(rig.lines, "own "); line != NULL; line = strstr(rig.lines, "own "))
            memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n')));
        ck_assert_str_eq(rig.lines, told);
        rig_free(&rig);
    }
    rig_open(&rig, RIG_ACCEPTS);
    rig.spans = true;
    const uint64_t at = ws_endpoint_queued(rig.endpoint);
    rig_feed(&rig, 1, bytes_of(BYTES("\x89\x80" MASK)));
    char own[64];
    struct text text = text_of(own, sizeof own);
    text_add(&text, "own pong 0 0  @");
    text_add_u64(&text, at);
    text_add(&text, "-");
    text_add_u64(&text, at + 2);
    ck_assert_ptr_nonnull(strstr(rig.lines, own));
    rig_free(&rig);
}
END_TEST

START_TEST(another_bound_counts_from_the_next_message_on)
{
    static struct rig rig;
    rig_open(&rig, RIG_ACCEPTS);
    rig_feed(&rig, 1, bytes_of(BYTES("\x01\x81" MASK "`")));
    ws_endpoint_limit(rig.endpoint, 1, 0);
    rig_feed(&rig, 1, bytes_of(BYTES("\x80\x81" MASK "c\x81\x82" MASK "``\x81\x81" MASK "`")));
    ck_assert_str_eq(rig.lines, "text 0 2 ab\ntext 0 2 a\ntext 0 1 a\n");
    rig_free(&rig);
}
END_TEST

START_TEST(lenient_it_tells_and_goes_on)
{
    static struct rig rig;
    rig_init(&rig);
    rig.options.lenient = true;
    rig_play(&rig, bytes_of(BYTES("\x81\x01x\x83\x80" MASK "\x81\x81" MASK "\xfe\x88\x82" MASK "\x02\xec")),
             SIZE_MAX);
    ck_assert_str_eq(rig.lines, "request 0\nviolation 1\ntext 0 1 x\nviolation 4\nviolation 9\nviolation 10\n"
                                "close 1006 0 \nown close 1005 0 \n");
    rig_free(&rig);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ws_endpoint");
    tcase_add_loop_test(tcase, what_comes_is_told_and_answered_however_it_is_split, 0, TABLE_COUNT(INCOMING));
    tcase_add_loop_test(tcase, every_prefix_ends_cleanly, 0, TABLE_COUNT(INCOMING));
    tcase_add_loop_test(tcase, compressed_messages_are_read_however_they_are_split, 0,
                        TABLE_COUNT(COMPRESSED));
    tcase_add_test(tcase, of_many_pings_the_newest_is_answered_when_there_is_room);
    tcase_add_test(tcase, what_comes_before_the_answer_is_told_as_early);
    tcase_add_test(tcase, a_connection_that_failed_early_is_closed_once_it_is_open);
    tcase_add_test(tcase, a_close_frame_that_came_early_is_answered_behind_the_101);
    tcase_add_test(tcase, a_request_can_be_refused_and_what_is_none_taken_over);
    tcase_add_test(tcase, what_is_no_request_can_be_refused);
    tcase_add_test(tcase, what_lasts_too_long_is_told_once);
    tcase_add_test(tcase, a_turn_of_reading_ends_with_its_budget);
    tcase_add_test(tcase, offsets_tell_where_everything_lies);
    tcase_add_test(tcase, another_bound_counts_from_the_next_message_on);
    tcase_add_test(tcase, lenient_it_tells_and_goes_on);
    return suite_run("ws_endpoint", tcase);
}
