#include <check.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/text.h"
#include "codec/ws/deflate.h"

#define BYTES(literal) (literal), sizeof(literal) - 1

enum { MESSAGE_MAX = 100000, MUCH = 4096 };

static enum ws_unpack_status unpack(struct bytes data, size_t piece, uint64_t most, struct buffer *out,
                                    uint64_t *bytes)
{
    struct ws_unpacker *unpacker = ws_unpacker_new(most);
    ck_assert_ptr_nonnull(unpacker);
    enum ws_unpack_status status = WS_UNPACK_GOOD;
    while (data.len > 0 && status == WS_UNPACK_GOOD) {
        size_t len = data.len < piece ? data.len : piece;
        struct exact_copy copy = exact_copy_of(bytes_of(data.data, len));
        status = ws_unpacker_feed(unpacker, copy.bytes, out);
        exact_copy_free(copy);
        data = bytes_of(data.data + len, data.len - len);
    }
    if (status == WS_UNPACK_GOOD)
        status = ws_unpacker_end(unpacker, out);
    *bytes = ws_unpacker_bytes(unpacker);
    ws_unpacker_free(unpacker);
    return status;
}

/* The examples are those of RFC 7692 7.2.3. */
static const struct {
    const char *name;
    const char *packed;
    size_t len;
    enum ws_unpack_status status;
    const char *message;
} unpackings[] = {
    {"one block", BYTES("\xf2\x48\xcd\xc9\xc9\x07\x00"), WS_UNPACK_GOOD, "Hello"},
    {"a stored block", BYTES("\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00"), WS_UNPACK_GOOD, "Hello"},
    {"a last block", BYTES("\xf3\x48\xcd\xc9\xc9\x07\x00\x00"), WS_UNPACK_GOOD, "Hello"},
    {"two blocks", BYTES("\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00"), WS_UNPACK_GOOD, "Hello"},
    {"an empty message", BYTES("\x00"), WS_UNPACK_GOOD, ""},
    {"no bytes at all", BYTES(""), WS_UNPACK_BAD, NULL},
    {"a kind of block that there is not", BYTES("\x07\x00\x01"), WS_UNPACK_BAD, NULL},
    {"a stored length that is not", BYTES("\x00\x05\x00\x00\x00Hello"), WS_UNPACK_BAD, NULL},
    {"looking back before the beginning", BYTES("\xf2\x00\x11\x00\x00"), WS_UNPACK_BAD, NULL},
    {"the middle of a block", BYTES("\xf2\x48\xcd\xc9"), WS_UNPACK_BAD, NULL},
};

START_TEST(unpacks_what_the_rfc_shows)
{
    for (size_t piece = 1; piece < 16; piece += 7) {
        const struct bytes data = bytes_of(unpackings[_i].packed, unpackings[_i].len);
        struct buffer out;
        uint64_t bytes;
        buffer_init(&out, MESSAGE_MAX);
        enum ws_unpack_status status = unpack(data, piece, MESSAGE_MAX, &out, &bytes);
        ck_assert_msg(status == unpackings[_i].status, "%s: %d", unpackings[_i].name, (int)status);
        if (status == WS_UNPACK_GOOD) {
            ck_assert(bytes_equal_text(buffer_bytes(&out), unpackings[_i].message));
            ck_assert_uint_eq(bytes, out.len);
        }
        buffer_free(&out);
    }
}
END_TEST

/* Bytes that shrink in parts. */
static void fill(uint8_t *data, size_t len)
{
    uint32_t state = 7;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525 + 1013904223;
        data[i] = (i / 300) % 2 == 0 ? (uint8_t)(state >> 24) : (uint8_t)(i % 300 / 100);
    }
}

static const size_t lengths[] = {0, 1, 125, 126, 5000, 65536, MESSAGE_MAX};

START_TEST(packs_so_that_it_can_be_unpacked)
{
    static uint8_t message[MESSAGE_MAX];
    fill(message, sizeof message);
    struct bytes data = bytes_of(message, lengths[_i]);
    for (unsigned bits = WS_DEFLATE_WINDOW_BITS_MIN; bits <= WS_DEFLATE_WINDOW_BITS_MAX; bits++) {
        struct buffer packed, out;
        uint64_t bytes;
        buffer_init(&packed, 2 * MESSAGE_MAX);
        buffer_init(&out, MESSAGE_MAX);
        ck_assert(ws_deflate_pack(bits, data, &packed));
        ck_assert(data.len < 5000 || packed.len < data.len);
        ck_assert_int_eq(unpack(buffer_bytes(&packed), SIZE_MAX, MESSAGE_MAX, &out, &bytes), WS_UNPACK_GOOD);
        ck_assert(bytes_equal(buffer_bytes(&out), data));
        buffer_free(&packed);
        buffer_free(&out);
    }
}
END_TEST

START_TEST(packing_without_room_fails)
{
    static const uint8_t message[MUCH];
    struct buffer packed;
    buffer_init(&packed, 8);
    ck_assert(!ws_deflate_pack(WS_DEFLATE_WINDOW_BITS_MAX, bytes_of(message, sizeof message), &packed));
    buffer_free(&packed);
}
END_TEST

/* What grows is kept as far as there is room, counted up to the limit, and not followed beyond it. */
START_TEST(growth_has_a_limit)
{
    static const uint8_t message[MUCH];
    static const struct {
        uint64_t most;
        enum ws_unpack_status status;
    } limits[] = {{MUCH + 1, WS_UNPACK_GOOD},
                  {MUCH, WS_UNPACK_GOOD},
                  {MUCH - 1, WS_UNPACK_TOO_MUCH},
                  {0, WS_UNPACK_TOO_MUCH}};
    struct buffer packed;
    buffer_init(&packed, 2 * MUCH);
    ck_assert(ws_deflate_pack(WS_DEFLATE_WINDOW_BITS_MAX, bytes_of(message, sizeof message), &packed));
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct buffer out;
        uint64_t bytes;
        buffer_init(&out, 100);
        enum ws_unpack_status status = unpack(buffer_bytes(&packed), 1, limits[i].most, &out, &bytes);
        ck_assert_int_eq(status, limits[i].status);
        ck_assert_uint_le(out.len, 100);
        if (status == WS_UNPACK_GOOD) {
            ck_assert_uint_eq(bytes, MUCH);
            ck_assert_uint_eq(out.len, 100);
        }
        buffer_free(&out);
    }
    buffer_free(&packed);
}
END_TEST

#define ANSWER(lines)   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n" lines "\r\n"
#define EXTENSION(text) "Sec-WebSocket-Extensions: " text "\r\n"
#define TAKEN           "permessage-deflate; server_no_context_takeover"

/* RFC 7692 7.1: what may answer an offer of server_no_context_takeover and client_no_context_takeover. */
static const struct {
    const char *head;
    enum ws_deflate_answered expected;
} answers[] = {
    {ANSWER(""), WS_DEFLATE_DECLINED},
    {ANSWER(EXTENSION("")), WS_DEFLATE_DECLINED},
    {ANSWER(EXTENSION(TAKEN)), WS_DEFLATE_TAKEN},
    {ANSWER("sec-websocket-extensions:" TAKEN "\r\n"), WS_DEFLATE_TAKEN},
    {ANSWER(EXTENSION(TAKEN "; client_no_context_takeover")), WS_DEFLATE_TAKEN},
    {ANSWER(EXTENSION(TAKEN "; server_max_window_bits=8")), WS_DEFLATE_TAKEN},
    {ANSWER(EXTENSION(TAKEN ";server_max_window_bits=\"15\"")), WS_DEFLATE_TAKEN},
    {ANSWER(EXTENSION("permessage-deflate")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION("permessage-deflate; client_no_context_takeover")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION(TAKEN "; client_max_window_bits=10")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION(TAKEN "; server_max_window_bits=16")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION(TAKEN "; server_max_window_bits")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION(TAKEN "; server_no_context_takeover")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION(TAKEN "; unknown")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION("permessage-bzip2")), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION(TAKEN ", " TAKEN)), WS_DEFLATE_TAKEN_WRONGLY},
    {ANSWER(EXTENSION(TAKEN) EXTENSION(TAKEN)), WS_DEFLATE_TAKEN_WRONGLY},
    {"", WS_DEFLATE_DECLINED},
    {"HTTP/1.1 101", WS_DEFLATE_DECLINED},
};

START_TEST(an_answer_is_held_against_the_offer)
{
    struct exact_copy head = exact_copy_of(bytes_of_text(answers[_i].head));
    ck_assert_msg(ws_deflate_taken(head.bytes) == answers[_i].expected, "%s", answers[_i].head);
    exact_copy_free(head);
}
END_TEST

START_TEST(the_offer_is_one_that_the_server_side_takes)
{
    static const char BEGIN[] = "GET / HTTP/1.1\r\nUpgrade: websocket\r\n";
    char request[400], answer[400], line[WS_DEFLATE_ANSWER_BYTES_MAX];
    struct http_head head;
    struct ws_deflate_terms terms;
    struct text text = text_of(request, sizeof request);
    text_add(&text, BEGIN);
    text_add(&text, ws_deflate_offer());
    text_add(&text, "\r\n");
    ck_assert(http_head_parse(bytes_of(request, text.len), &head));
    ck_assert(ws_deflate_negotiate(&head, &terms));
    ws_deflate_answer(&terms, line);
    text = text_of(answer, sizeof answer);
    text_add(&text, "HTTP/1.1 101 Switching Protocols\r\n");
    text_add(&text, line);
    text_add(&text, "\r\n");
    ck_assert_int_eq(ws_deflate_taken(bytes_of(answer, text.len)), WS_DEFLATE_TAKEN);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ws_deflate");
    tcase_add_loop_test(tcase, unpacks_what_the_rfc_shows, 0, TABLE_COUNT(unpackings));
    tcase_add_loop_test(tcase, packs_so_that_it_can_be_unpacked, 0, TABLE_COUNT(lengths));
    tcase_add_test(tcase, packing_without_room_fails);
    tcase_add_test(tcase, growth_has_a_limit);
    tcase_add_loop_test(tcase, an_answer_is_held_against_the_offer, 0, TABLE_COUNT(answers));
    tcase_add_test(tcase, the_offer_is_one_that_the_server_side_takes);
    return suite_run("ws_deflate", tcase);
}
