#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/scarce.h"
#include "codec/wire/http_head.h"
#include "codec/wire/text.h"
#include "codec/ws/stream.h"

enum { TRANSCRIPT_MAX = 4096, KEPT_MAX = 300, SHOWN_MAX = 24 };

/* What a stream said, a line an event, without the times. */
struct transcript {
    char data[TRANSCRIPT_MAX];
    struct text text;
};

static const char *const KIND_NAMES[] = {"request", "response", "text",      "binary", "ping",
                                         "pong",    "close",    "violation", "end"};

static void transcript_init(struct transcript *transcript)
{
    transcript->text = text_of(transcript->data, sizeof transcript->data);
}

static void note_event(void *context, const struct wire_event *event)
{
    struct text *text = context;
    text_add(text, KIND_NAMES[event->kind]);
    text_add_char(text, ' ');
    text_add_u64(text, event->code);
    if (event->kind == WIRE_EVENT_VIOLATION) {
        ck_assert(bytes_equal_text(event->data, ws_violation_sentence((enum ws_violation)event->code)));
        ck_assert_uint_gt(event->data.len, 0);
    } else if (event->kind != WIRE_EVENT_END) {
        text_add_char(text, ' ');
        text_add_u64(text, event->data.len);
        if (event->kind == WIRE_EVENT_TEXT || event->kind == WIRE_EVENT_BINARY) {
            text_add_char(text, '/');
            text_add_u64(text, event->message_bytes);
        }
        size_t shown = event->data.len < SHOWN_MAX ? 0 : event->data.len - SHOWN_MAX;
        text_add_char(text, ' ');
        if (event->data.len > 0)
            text_add_printable(text, bytes_of(event->data.data + shown, event->data.len - shown), SHOWN_MAX);
    }
    text_add_char(text, '\n');
}

static void feed_copy(struct ws_stream *stream, struct bytes data)
{
    struct exact_copy copy = exact_copy_of(data);
    ws_stream_feed(stream, 7, copy.bytes);
    exact_copy_free(copy);
}

/* Feeds `data` in two pieces, or a byte at a time when `split` is SIZE_MAX. */
static void record(enum wire_direction direction, struct bytes data, size_t split, struct transcript *out)
{
    transcript_init(out);
    struct ws_stream *stream = ws_stream_new(direction, KEPT_MAX, note_event, &out->text);
    ck_assert_ptr_nonnull(stream);
    if (split == SIZE_MAX) {
        for (size_t i = 0; i < data.len; i++)
            feed_copy(stream, bytes_of(data.data + i, 1));
    } else {
        feed_copy(stream, bytes_of(data.data, split));
        feed_copy(stream, bytes_of(data.data + split, data.len - split));
    }
    ws_stream_end(stream, 8, false);
    ws_stream_end(stream, 9, false);
    ws_stream_free(stream);
    ck_assert(!out->text.cut);
}

#define CLIENT         "GET /realtime HTTP/1.1\r\nUpgrade: WebSocket\r\n\r\n"
#define SERVER         "HTTP/1.1 101 Switching Protocols\r\n\r\n"
#define REQUEST_LINE   "request 0 46 \\x0d\\x0aUpgrade: WebSocket\\x0d\\x0a\\x0d\\x0a\n"
#define RESPONSE_LINE  "response 101 36  Switching Protocols\\x0d\\x0a\\x0d\\x0a\n"
#define MASK           "\x01\x02\x03\x04"
#define BYTES(literal) (literal), sizeof(literal) - 1
#define TEN            "0123456789"
#define HUNDRED        TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const struct stream_case {
    const char *name;
    enum wire_direction direction;
    const char *data;
    size_t len;
    const char *expected; /* after the head's line, before the end's */
} STREAMS[] = {
    {"a masked text", WIRE_FROM_CLIENT, BYTES(CLIENT "\x81\x85" MASK "igohn"), "text 0 5/5 hello\n"},
    {"a masked binary", WIRE_FROM_CLIENT, BYTES(CLIENT "\x82\x82" MASK "\x01\x02"),
     "binary 0 2/2 \\x00\\x00\n"},
    {"an empty message", WIRE_FROM_CLIENT, BYTES(CLIENT "\x82\x80" MASK), "binary 0 0/0 \n"},
    {"ping, pong and close", WIRE_FROM_SERVER,
     BYTES(SERVER "\x89\x02hi\x8a\x00\x88\x05\x03\xe8"
                  "bye"),
     "ping 0 2 hi\npong 0 0 \nclose 1000 3 bye\n"},
    {"a close without a code", WIRE_FROM_SERVER, BYTES(SERVER "\x88\x00"), "close 1005 0 \n"},
    {"fragments with a ping between", WIRE_FROM_SERVER,
     BYTES(SERVER "\x01\x02"
                  "ab\x89\x01!\x00\x01"
                  "c\x80\x01"
                  "d"),
     "ping 0 1 !\ntext 0 4/4 abcd\n"},
    {"a character split over fragments", WIRE_FROM_SERVER, BYTES(SERVER "\x01\x01\xc3\x80\x01\xa9"),
     "text 0 2/2 \xc3\xa9\n"},
    {"126 bytes", WIRE_FROM_SERVER, BYTES(SERVER "\x82\x7e\x00\x7e" HUNDRED TEN TEN "abcdef"),
     "binary 0 126/126 234567890123456789abcdef\n"},
    {"the bound exactly", WIRE_FROM_SERVER, BYTES(SERVER "\x82\x7e\x01\x2c" HUNDRED HUNDRED HUNDRED),
     "binary 0 300/300 678901234567890123456789\n"},
    {"one byte above the bound", WIRE_FROM_SERVER,
     BYTES(SERVER "\x82\x7e\x01\x2d" HUNDRED HUNDRED HUNDRED "x\x8a\x00"),
     "binary 0 300/301 678901234567890123456789\npong 0 0 \n"},
    {"a text cut inside a character", WIRE_FROM_SERVER,
     BYTES(SERVER "\x81\x7e\x01\x2e" HUNDRED HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN
                  "012345678\xe2\x82\xac"),
     "text 0 300/302 67890123456789012345678\\xe2\n"},
    {"an unfinished message", WIRE_FROM_SERVER,
     BYTES(SERVER "\x81\x05"
                  "abcd"),
     ""},
    {"an unfinished fragment", WIRE_FROM_SERVER,
     BYTES(SERVER "\x01\x02"
                  "ab"),
     ""},
    /* violations: the number is that of enum ws_violation */
    {"an unmasked client frame is read", WIRE_FROM_CLIENT, BYTES(CLIENT "\x81\x02hi"),
     "violation 1\ntext 0 2/2 hi\n"},
    {"a masked server frame is read", WIRE_FROM_SERVER, BYTES(SERVER "\x81\x82" MASK "ik"),
     "violation 2\ntext 0 2/2 hi\n"},
    {"reserved bits cost their message", WIRE_FROM_SERVER, BYTES(SERVER "\xc1\x02hi\x81\x01x"),
     "violation 3\ntext 0 1/1 x\n"},
    {"reserved bits in a continuation", WIRE_FROM_SERVER, BYTES(SERVER "\x01\x02hi\x90\x01x\x81\x01y"),
     "violation 3\ntext 0 1/1 y\n"},
    {"reserved bits on a ping", WIRE_FROM_SERVER, BYTES(SERVER "\xa9\x02hi\x89\x01x"),
     "violation 3\nping 0 1 x\n"},
    {"a reserved data opcode is skipped", WIRE_FROM_SERVER, BYTES(SERVER "\x83\x02hi\x81\x01x"),
     "violation 4\ntext 0 1/1 x\n"},
    {"a reserved control opcode is skipped", WIRE_FROM_SERVER, BYTES(SERVER "\x8f\x00\x81\x01x"),
     "violation 4\ntext 0 1/1 x\n"},
    {"a 16-bit length for little", WIRE_FROM_SERVER, BYTES(SERVER "\x81\x7e\x00\x01x"),
     "violation 5\ntext 0 1/1 x\n"},
    {"a 64-bit length for 126", WIRE_FROM_SERVER,
     BYTES(SERVER "\x82\x7f\x00\x00\x00\x00\x00\x00\x00\x7e" HUNDRED TEN TEN "abcdef"),
     "violation 5\nbinary 0 126/126 234567890123456789abcdef\n"},
    {"a control frame of 125 bytes", WIRE_FROM_SERVER, BYTES(SERVER "\x89\x7d" HUNDRED TEN TEN "abcde"),
     "ping 0 125 1234567890123456789abcde\n"},
    {"a control frame of 126 bytes", WIRE_FROM_SERVER,
     BYTES(SERVER "\x89\x7e\x00\x7e" HUNDRED TEN TEN "abcdef\x81\x01x"), "violation 6\ntext 0 1/1 x\n"},
    {"a control frame with a 16-bit length for little", WIRE_FROM_SERVER,
     BYTES(SERVER "\x89\x7e\x00\x01x\x81\x01x"), "violation 5\nviolation 6\ntext 0 1/1 x\n"},
    {"a fragmented control frame", WIRE_FROM_SERVER, BYTES(SERVER "\x09\x01x"), "violation 7\nping 0 1 x\n"},
    {"a continuation of nothing", WIRE_FROM_SERVER, BYTES(SERVER "\x80\x02hi\x81\x01x"),
     "violation 8\ntext 0 1/1 x\n"},
    {"a new message inside another", WIRE_FROM_SERVER, BYTES(SERVER "\x01\x02hi\x81\x01x"),
     "violation 8\ntext 0 1/1 x\n"},
    {"a text that is no UTF-8", WIRE_FROM_SERVER, BYTES(SERVER "\x81\x02\xc3\x28\x81\x01x"),
     "violation 9\ntext 0 1/1 x\n"},
    {"a text that ends inside a character", WIRE_FROM_SERVER, BYTES(SERVER "\x81\x02y\xc3"), "violation 9\n"},
    {"a close of one byte", WIRE_FROM_SERVER, BYTES(SERVER "\x88\x01\x03"), "violation 10\nclose 1005 0 \n"},
    {"a close code that must not be sent", WIRE_FROM_SERVER, BYTES(SERVER "\x88\x02\x03\xee"),
     "violation 10\nclose 1006 0 \n"},
    {"a close reason that is no UTF-8", WIRE_FROM_SERVER, BYTES(SERVER "\x88\x03\x03\xe8\xff"),
     "violation 10\nclose 1000 1 \\xff\n"},
    {"a frame after the close", WIRE_FROM_SERVER, BYTES(SERVER "\x88\x00\x81\x01x\x81\x01y"),
     "close 1005 0 \nviolation 11\n"},
    {"a pong after the close", WIRE_FROM_CLIENT,
     BYTES(CLIENT "\x88\x80" MASK "\x8a\x81" MASK "y\x81\x81" MASK "y"),
     "close 1005 0 \npong 0 1 x\nviolation 11\n"},
    {"a ping after the close", WIRE_FROM_SERVER, BYTES(SERVER "\x88\x00\x89\x01x"),
     "close 1005 0 \nviolation 11\n"},
    {"an absurd length", WIRE_FROM_SERVER, BYTES(SERVER "\x82\x7f\x80\x00\x00\x00\x00\x00\x00\x01\x81\x01x"),
     "violation 12\n"},
    {"the longest length allowed", WIRE_FROM_SERVER,
     BYTES(SERVER "\x82\x7f\x7f\xff\xff\xff\xff\xff\xff\xff\x81\x01x"), ""},
};

static const struct {
    const char *name;
    enum wire_direction direction;
    const char *data;
    const char *expected; /* whole, but for the end's line */
} HEADS[] = {
    {"nothing at all", WIRE_FROM_CLIENT, "", ""},
    {"half a head", WIRE_FROM_CLIENT, "GET / HT", ""},
    {"no letter first", WIRE_FROM_CLIENT, "\x16\x03\x01", "violation 0\n"},
    {"no request line", WIRE_FROM_CLIENT, "hello\r\n\r\n", "violation 0\n"},
    {"no response", WIRE_FROM_SERVER, "HTTX/1.1 101\r\n\r\n", "violation 0\n"},
    {"no status", WIRE_FROM_SERVER, "HTTP/1.1 abc\r\n\r\n", "violation 0\n"},
    {"plain HTTP", WIRE_FROM_CLIENT, "GET / HTTP/1.1\r\n\r\nanything",
     "request 0 18 GET / HTTP/1.1\\x0d\\x0a\\x0d\\x0a\n"},
    {"an upgrade to websocket in a list", WIRE_FROM_CLIENT,
     "GET / HTTP/1.1\r\nUpgrade: h2c , WEBSOCKET\r\n\r\n\x81\x81\x01\x02\x03\x04y",
     "request 0 44 ade: h2c , WEBSOCKET\\x0d\\x0a\\x0d\\x0a\ntext 0 1/1 x\n"},
    {"an upgrade to something else", WIRE_FROM_CLIENT,
     "GET / HTTP/1.1\r\nUpgrade: websockets\r\n\r\n\x81\x01x",
     "request 0 39 \\x0aUpgrade: websockets\\x0d\\x0a\\x0d\\x0a\n"},
    {"a refusal with its length", WIRE_FROM_SERVER,
     "HTTP/1.1 401 No\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200",
     "response 401 43 ntent-Length: 5\\x0d\\x0a\\x0d\\x0ahello\n"},
    {"a refusal without", WIRE_FROM_SERVER, "HTTP/1.1 401 No\r\n\r\nhello",
     "response 401 24 HTTP/1.1 401 No\\x0d\\x0a\\x0d\\x0ahello\n"},
    {"a refusal cut short", WIRE_FROM_SERVER, "HTTP/1.1 401 No\r\nContent-Length: 5\r\n\r\nhel",
     "response 401 41 Content-Length: 5\\x0d\\x0a\\x0d\\x0ahel\n"},
    {"a refusal larger than the bound", WIRE_FROM_SERVER,
     "HTTP/1.1 401 No\r\n\r\n" HUNDRED HUNDRED HUNDRED "x", "response 401 319 678901234567890123456789\n"},
    {"an empty refusal", WIRE_FROM_SERVER, "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n",
     "response 401 38 o\\x0d\\x0aContent-Length: 0\\x0d\\x0a\\x0d\\x0a\n"},
    {"something before the answer", WIRE_FROM_SERVER, "HTTP/1.1 103 x\r\n\r\n" SERVER "\x81\x01x",
     "response 103 18 HTTP/1.1 103 x\\x0d\\x0a\\x0d\\x0a\n" RESPONSE_LINE "text 0 1/1 x\n"},
};

/* Every split of the stream into two, and one byte at a time, says the same. */
static void assert_every_split(const char *name, enum wire_direction direction, struct bytes data,
                               const char *expected)
{
    static struct transcript whole;
    static struct transcript split;
    record(direction, data, data.len, &whole);
    ck_assert_msg(strcmp(whole.data, expected) == 0, "%s: got\n%sexpected\n%s", name, whole.data, expected);
    for (size_t at = 0; at < data.len; at++) {
        record(direction, data, at, &split);
        ck_assert_msg(strcmp(split.data, expected) == 0, "%s, split at %zu: got\n%s", name, at, split.data);
    }
    record(direction, data, SIZE_MAX, &split);
    ck_assert_msg(strcmp(split.data, expected) == 0, "%s, byte by byte: got\n%s", name, split.data);
}

START_TEST(frames_give_the_same_events_however_they_are_split)
{
    const struct stream_case *stream = &STREAMS[_i];
    char expected[TRANSCRIPT_MAX];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, stream->direction == WIRE_FROM_CLIENT ? REQUEST_LINE : RESPONSE_LINE);
    text_add(&text, stream->expected);
    text_add(&text, "end 0\n");
    assert_every_split(stream->name, stream->direction, bytes_of(stream->data, stream->len), expected);
}
END_TEST

START_TEST(heads_and_refusals_give_the_same_events_however_they_are_split)
{
    char expected[TRANSCRIPT_MAX];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, HEADS[_i].expected);
    text_add(&text, "end 0\n");
    assert_every_split(HEADS[_i].name, HEADS[_i].direction, bytes_of_text(HEADS[_i].data), expected);
}
END_TEST

/* All frames of one direction behind each other: what one leaves behind must not change the next. */
START_TEST(a_long_recorded_session_gives_the_same_events_however_it_is_split)
{
    struct buffer session;
    static struct transcript whole;
    buffer_init(&session, 1 << 16);
    ck_assert(buffer_append(&session, bytes_of_text(SERVER)));
    for (size_t i = 0; i < sizeof STREAMS / sizeof STREAMS[0]; i++) {
        bool goes_on = strstr(STREAMS[i].expected, "close") == NULL &&
                       strstr(STREAMS[i].name, "length") == NULL &&
                       strstr(STREAMS[i].name, "unfinished") == NULL;
        size_t head = sizeof SERVER - 1;
        if (STREAMS[i].direction == WIRE_FROM_SERVER && goes_on)
            ck_assert(buffer_append(&session, bytes_of(STREAMS[i].data + head, STREAMS[i].len - head)));
    }
    record(WIRE_FROM_SERVER, buffer_bytes(&session), session.len, &whole);
    ck_assert_ptr_nonnull(strstr(whole.data, "violation 9\n"));
    static struct transcript expected;
    expected = whole;
    assert_every_split("session", WIRE_FROM_SERVER, buffer_bytes(&session), expected.data);
    buffer_free(&session);
}
END_TEST

static void feed_head_of(size_t len, struct transcript *out, bool *open)
{
    static const char start[] = "GET / HTTP/1.1\r\nUpgrade: websocket\r\nPad: ";
    static const char end[] = "\r\n\r\n";
    struct buffer head;
    buffer_init(&head, len);
    ck_assert(buffer_append(&head, bytes_of_text(start)));
    while (head.len < len - 4)
        ck_assert(buffer_append(&head, bytes_of("x", 1)));
    ck_assert(buffer_append(&head, bytes_of_text(end)));
    transcript_init(out);
    struct ws_stream *stream = ws_stream_new(WIRE_FROM_CLIENT, KEPT_MAX, note_event, &out->text);
    ck_assert_ptr_nonnull(stream);
    ck_assert(!ws_stream_is_open(stream));
    ws_stream_feed(stream, 1, buffer_bytes(&head));
    *open = ws_stream_is_open(stream);
    ws_stream_free(stream);
    buffer_free(&head);
}

START_TEST(a_head_of_the_largest_size_is_taken_and_one_byte_more_is_not)
{
    static struct transcript transcript;
    bool open;
    feed_head_of(HTTP_HEAD_BYTES_MAX, &transcript, &open);
    ck_assert(open);
    ck_assert_ptr_nonnull(strstr(transcript.data, "request 0 65536 "));
    feed_head_of(HTTP_HEAD_BYTES_MAX + 1, &transcript, &open);
    ck_assert(!open);
    ck_assert_str_eq(transcript.data, "violation 0\n");
}
END_TEST

static void note_time(void *context, const struct wire_event *event)
{
    uint64_t *last_us = context;
    *last_us = event->at_us;
    if (event->kind == WIRE_EVENT_END)
        ck_assert_uint_eq(event->code, 1);
}

START_TEST(events_carry_the_time_of_the_bytes_that_made_them_whole)
{
    uint64_t last_us = 0;
    struct ws_stream *stream = ws_stream_new(WIRE_FROM_SERVER, KEPT_MAX, note_time, &last_us);
    ck_assert_ptr_nonnull(stream);
    ws_stream_feed(stream, 10, bytes_of_text(SERVER "\x81\x02h"));
    ck_assert_uint_eq(last_us, 10);
    ws_stream_feed(stream, 20, bytes_of_text("i"));
    ck_assert_uint_eq(last_us, 20);
    ws_stream_end(stream, 30, true);
    ck_assert_uint_eq(last_us, 30);
    ws_stream_free(stream);
}
END_TEST

struct turns {
    struct ws_stream *stream;
    size_t events;
    bool pauses;
    struct ws_span last;
};

static void note_turn(void *context, const struct wire_event *event)
{
    struct turns *turns = context;
    (void)event;
    turns->events++;
    turns->last = ws_stream_span(turns->stream);
    if (turns->pauses)
        ws_stream_pause(turns->stream);
}

START_TEST(a_turn_ends_with_its_budget_or_with_a_pause)
{
    static const char DATA[] = SERVER "\x89\x02hi\x01\x01x\x80\x01y";
    const size_t head = sizeof SERVER - 1;
    struct turns turns = {.pauses = _i == 1};
    turns.stream = ws_stream_new(WIRE_FROM_SERVER, KEPT_MAX, note_turn, &turns);
    ck_assert_ptr_nonnull(turns.stream);
    struct bytes data = bytes_of(DATA, sizeof DATA - 1);
    const size_t ends[] = {head + 4, head + 7, head + 10}; /* behind the head a pause alone stops */
    for (size_t turn = 0; turn < 3; turn++) {
        struct ws_budget budget = {.frames = turns.pauses ? 9 : 1, .bytes = SIZE_MAX};
        const size_t used = ws_stream_feed_some(turns.stream, 1, data, &budget);
        data = bytes_of(data.data + used, data.len - used);
        if (!turns.pauses)
            ck_assert_uint_eq(ws_stream_position(turns.stream), ends[turn]);
        else
            ck_assert_uint_eq(turns.events, turn + 1);
    }
    ck_assert_uint_eq(data.len, 0);
    ck_assert_uint_eq(turns.events, 3);
    ck_assert_uint_eq(turns.last.begin, head + 4); /* of its first fragment */
    ck_assert_uint_eq(turns.last.end, head + 10);
    ws_stream_free(turns.stream);
}
END_TEST

static const struct {
    uint16_t code;
    bool legal;
} CLOSE_CODES[] = {{0, false},    {999, false}, {1000, true},  {1003, true},  {1004, false}, {1005, false},
                   {1006, false}, {1007, true}, {1013, true},  {1014, true},  {1015, false}, {2999, false},
                   {3000, true},  {4999, true}, {5000, false}, {65535, false}};

START_TEST(close_codes_that_may_be_sent_are_told_from_those_that_may_not)
{
    ck_assert_msg(ws_close_code_is_legal(CLOSE_CODES[_i].code) == CLOSE_CODES[_i].legal, "%d",
                  CLOSE_CODES[_i].code);
}
END_TEST

/* ---- one room for many ---- */

static void count_messages(void *context, const struct wire_event *event)
{
    size_t *bytes = context;
    if (event->kind == WIRE_EVENT_VIOLATION)
        ck_abort_msg("a violation: nobody broke a rule");
    if (event->kind == WIRE_EVENT_BINARY)
        *bytes += event->data.len;
}

static const uint8_t LONG[1024 * 1024];

/* A frame of a megabyte, of which the first `kept` bytes of payload come. */
static void feed_most(struct ws_stream *stream, size_t kept)
{
    static const uint8_t HEAD[] = {0x82, 127, 0, 0, 0, 0, 0, 0x10, 0, 0};
    enum { PIECE = 64 * 1024 };
    ws_stream_feed(stream, 7, bytes_of(HEAD, sizeof HEAD));
    for (size_t at = 0; at < kept; at += PIECE)
        ws_stream_feed(stream, 7, bytes_of(LONG + at, kept - at < PIECE ? kept - at : PIECE));
}

struct taker {
    struct ws_stream *stream;
    size_t count;
    struct ws_message messages[2];
    struct bytes data; /* of the last */
};

static struct ws_stream *stream_in(struct ws_room *room, size_t *bytes)
{
    struct ws_stream *stream = ws_stream_new(WIRE_FROM_SERVER, 1024 * 1024, count_messages, bytes);
    ck_assert_ptr_nonnull(stream);
    ws_stream_share(stream, room);
    ws_stream_feed(stream, 7, bytes_of_text(SERVER));
    return stream;
}

/* What two of them take above what is their own: just enough for both, then a byte less. */
START_TEST(messages_share_a_room_and_give_it_back)
{
    const size_t one = 1024 * 1024 - WS_MESSAGE_BYTES_OWN;
    struct ws_room room = {.bytes_max = 2 * one - (size_t)_i};
    size_t bytes = 0;
    struct ws_stream *a = stream_in(&room, &bytes), *b = stream_in(&room, &bytes);
    feed_most(a, 1024 * 1024 - 1);
    ck_assert_uint_eq(room.taken_bytes, one);
    feed_most(b, 1024 * 1024 - 1);
    ck_assert(!ws_stream_is_starved(a));
    ck_assert(ws_stream_is_starved(b) == (_i > 0));
    ck_assert_uint_eq(room.taken_bytes, _i > 0 ? one : 2 * one);
    ws_stream_feed(b, 8, bytes_of("\0", 1));
    ck_assert_uint_eq(bytes, _i > 0 ? 0 : 1024 * 1024);
    ck_assert_uint_eq(room.taken_bytes, one); /* a message that is whole takes nothing any more */
    ws_stream_free(a);
    ck_assert_uint_eq(room.taken_bytes, 0);
    ws_stream_free(b);
    ck_assert_uint_eq(room.taken_bytes, 0);
}
END_TEST

static void take_message(void *context, const struct wire_event *event)
{
    struct taker *taker = context;
    if (event->kind != WIRE_EVENT_BINARY)
        return;
    ws_stream_take(taker->stream, &taker->messages[taker->count++]);
    taker->data = event->data;
}

/* What is taken out keeps its share of the room, and the stream reads on without it. */
START_TEST(a_message_that_is_taken_out_takes_room_until_it_is_freed)
{
    const size_t one = 1024 * 1024 - WS_MESSAGE_BYTES_OWN;
    struct ws_room room = {.bytes_max = 2 * one};
    struct taker taker = {.count = 0};
    taker.stream = ws_stream_new(WIRE_FROM_SERVER, 1024 * 1024, take_message, &taker);
    ck_assert_ptr_nonnull(taker.stream);
    ws_stream_share(taker.stream, &room);
    ws_stream_feed(taker.stream, 7, bytes_of_text(SERVER));
    for (size_t n = 1; n <= 2; n++) {
        feed_most(taker.stream, 1024 * 1024 - 1);
        ws_stream_feed(taker.stream, 8, bytes_of("\x5a", 1));
        ck_assert_uint_eq(taker.count, n);
        ck_assert_uint_eq(room.taken_bytes, n * one);
    }
    ck_assert_uint_eq(taker.data.len, 1024 * 1024);
    ck_assert_uint_eq(taker.data.data[1024 * 1024 - 1], 0x5a);
    feed_most(taker.stream, 1024 * 1024 - 1);
    ck_assert(ws_stream_is_starved(taker.stream));
    ws_stream_free(taker.stream);
    ck_assert_uint_eq(taker.data.data[1024 * 1024 - 1], 0x5a);
    ws_message_free(&taker.messages[0]);
    ck_assert_uint_eq(room.taken_bytes, one);
    ws_message_free(&taker.messages[1]);
    ck_assert_uint_eq(room.taken_bytes, 0);
}
END_TEST

/* Who has a room is starved, and who only watches is told what there was memory for. */
START_TEST(memory_runs_out_in_the_middle_of_a_message)
{
    struct ws_room room = {.bytes_max = 1024 * 1024};
    size_t bytes = 0;
    struct ws_stream *stream = stream_in(&room, &bytes);
    if (_i == 0)
        ws_stream_share(stream, NULL);
    feed_most(stream, 64 * 1024);
    scarce_begin(1, true);
    ws_stream_feed(stream, 7, bytes_of(LONG, sizeof LONG - 64 * 1024));
    ck_assert(scarce_end());
    ck_assert(ws_stream_is_starved(stream) == (_i > 0));
    ck_assert_uint_eq(bytes, _i > 0 ? 0 : 64 * 1024);
    ck_assert_uint_eq(room.taken_bytes, 0);
    ws_stream_free(stream);
}
END_TEST

/* A message that needs no more than each may have alone is taken where there is no room at all. */
START_TEST(what_is_a_streams_own_needs_no_room)
{
    struct ws_room room = {.bytes_max = 0};
    size_t bytes = 0;
    struct ws_stream *stream = stream_in(&room, &bytes);
    feed_most(stream, WS_MESSAGE_BYTES_OWN);
    ck_assert(!ws_stream_is_starved(stream));
    ws_stream_feed(stream, 8, bytes_of("\0", 1));
    ck_assert(ws_stream_is_starved(stream));
    ck_assert_uint_eq(room.taken_bytes, 0);
    ws_stream_free(stream);
}
END_TEST

START_TEST(server_headers_grow_with_the_payload)
{
    ck_assert_uint_eq(ws_server_header_bytes(0), 2);
    ck_assert_uint_eq(ws_server_header_bytes(125), 2);
    ck_assert_uint_eq(ws_server_header_bytes(126), 4);
    ck_assert_uint_eq(ws_server_header_bytes(65535), 4);
    ck_assert_uint_eq(ws_server_header_bytes(65536), 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ws_stream");
    TCase *tcase = tcase_create("ws_stream");
    tcase_add_loop_test(tcase, frames_give_the_same_events_however_they_are_split, 0,
                        (int)(sizeof STREAMS / sizeof STREAMS[0]));
    tcase_add_loop_test(tcase, heads_and_refusals_give_the_same_events_however_they_are_split, 0,
                        (int)(sizeof HEADS / sizeof HEADS[0]));
    tcase_add_test(tcase, a_long_recorded_session_gives_the_same_events_however_it_is_split);
    tcase_add_test(tcase, a_head_of_the_largest_size_is_taken_and_one_byte_more_is_not);
    tcase_add_test(tcase, events_carry_the_time_of_the_bytes_that_made_them_whole);
    tcase_add_loop_test(tcase, a_turn_ends_with_its_budget_or_with_a_pause, 0, 2);
    tcase_add_loop_test(tcase, close_codes_that_may_be_sent_are_told_from_those_that_may_not, 0,
                        (int)(sizeof CLOSE_CODES / sizeof CLOSE_CODES[0]));
    tcase_add_loop_test(tcase, messages_share_a_room_and_give_it_back, 0, 2);
    tcase_add_test(tcase, a_message_that_is_taken_out_takes_room_until_it_is_freed);
    tcase_add_loop_test(tcase, memory_runs_out_in_the_middle_of_a_message, 0, 2);
    tcase_add_test(tcase, what_is_a_streams_own_needs_no_room);
    tcase_add_test(tcase, server_headers_grow_with_the_payload);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
