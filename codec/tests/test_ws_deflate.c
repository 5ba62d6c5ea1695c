#include <check.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/ws_deflate.h"

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
        const struct ws_deflate_terms terms = {.server_window_bits = bits};
        struct buffer packed, out;
        uint64_t bytes;
        buffer_init(&packed, 2 * MESSAGE_MAX);
        buffer_init(&out, MESSAGE_MAX);
        ck_assert(ws_deflate_pack(&terms, data, &packed));
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
    const struct ws_deflate_terms terms = {.server_window_bits = WS_DEFLATE_WINDOW_BITS_MAX};
    struct buffer packed;
    buffer_init(&packed, 8);
    ck_assert(!ws_deflate_pack(&terms, bytes_of(message, sizeof message), &packed));
    buffer_free(&packed);
}
END_TEST

/* What grows is kept as far as there is room, counted up to the limit, and not followed beyond it. */
START_TEST(growth_has_a_limit)
{
    static const uint8_t message[MUCH];
    const struct ws_deflate_terms terms = {.server_window_bits = WS_DEFLATE_WINDOW_BITS_MAX};
    static const struct {
        uint64_t most;
        enum ws_unpack_status status;
    } limits[] = {{MUCH + 1, WS_UNPACK_GOOD},
                  {MUCH, WS_UNPACK_GOOD},
                  {MUCH - 1, WS_UNPACK_TOO_MUCH},
                  {0, WS_UNPACK_TOO_MUCH}};
    struct buffer packed;
    buffer_init(&packed, 2 * MUCH);
    ck_assert(ws_deflate_pack(&terms, bytes_of(message, sizeof message), &packed));
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

int main(void)
{
    TCase *tcase = tcase_create("ws_deflate");
    tcase_add_loop_test(tcase, unpacks_what_the_rfc_shows, 0, TABLE_COUNT(unpackings));
    tcase_add_loop_test(tcase, packs_so_that_it_can_be_unpacked, 0, TABLE_COUNT(lengths));
    tcase_add_test(tcase, packing_without_room_fails);
    tcase_add_test(tcase, growth_has_a_limit);
    return suite_run("ws_deflate", tcase);
}
