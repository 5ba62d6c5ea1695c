/* Frames written bit by bit, against the examples of RFC 6455 5.7 and against the reading side. */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/ws/frame.h"

static const struct {
    const char *name;
    struct ws_frame_bits bits;
    const char *header;
    size_t header_len;
} ROWS[] = {
    {"a text of 5 bytes", {.opcode = 1, .fin = true, .length = 5}, "\x81\x05", 2},
    {"its first fragment", {.opcode = 1, .length = 3}, "\x01\x03", 2},
    {"its last fragment", {.opcode = 0, .fin = true, .length = 2}, "\x80\x02", 2},
    {"a ping", {.opcode = 9, .fin = true, .length = 5}, "\x89\x05", 2},
    {"256 bytes", {.opcode = 2, .fin = true, .length = 256}, "\x82\x7e\x01\x00", 4},
    {"64 KiB", {.opcode = 2, .fin = true, .length = 65536}, "\x82\x7f\0\0\0\0\0\1\0\0", 10},
    {"the longest short form", {.opcode = 2, .fin = true, .length = 125}, "\x82\x7d", 2},
    {"the shortest form of 16 bits", {.opcode = 2, .fin = true, .length = 126}, "\x82\x7e\x00\x7e", 4},
    {"the longest form of 16 bits", {.opcode = 2, .fin = true, .length = 65535}, "\x82\x7e\xff\xff", 4},
    {"16 bits where 7 would do",
     {.opcode = 2, .fin = true, .form = WS_LENGTH_FORM_16, .length = 1},
     "\x82\x7e\x00\x01",
     4},
    {"64 bits where 7 would do",
     {.opcode = 2, .fin = true, .form = WS_LENGTH_FORM_64, .length = 1},
     "\x82\x7f\0\0\0\0\0\0\0\1",
     10},
    {"7 bits that announce more",
     {.opcode = 2, .fin = true, .form = WS_LENGTH_FORM_7, .length = 127},
     "\x82\x7f",
     2},
    {"every reserved bit and opcode", {.opcode = 15, .rsv = 7, .length = 0}, "\x7f\x00", 2},
    {"RSV1", {.opcode = 1, .rsv = 4, .fin = true}, "\xc1\x00", 2},
    {"the largest length there is",
     {.opcode = 2, .fin = true, .length = UINT64_MAX},
     "\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff",
     10},
};

START_TEST(a_header_says_what_was_asked_for)
{
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    const size_t len = ws_frame_write_header(&ROWS[_i].bits, header);
    ck_assert_msg(bytes_equal(bytes_of(header, len), bytes_of(ROWS[_i].header, ROWS[_i].header_len)), "%s",
                  ROWS[_i].name);
}
END_TEST

START_TEST(a_masked_frame_is_read_back)
{
    static const enum ws_mask MASKS[] = {WS_MASK_NONE, WS_MASK_GOOD, WS_MASK_BAD};
    const struct ws_frame_bits bits = {.opcode = 1, .fin = true, .mask = MASKS[_i], .length = 6};
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    uint8_t payload[6] = "secret", masked[6];
    uint64_t length = 0;
    memcpy(masked, payload, sizeof masked);
    const size_t len = ws_frame_write_header(&bits, header);
    ws_frame_mask_payload(&bits, masked, sizeof masked);
    ck_assert(ws_frame_is_masked(header) == (bits.mask != WS_MASK_NONE));
    ck_assert_uint_eq(ws_frame_header_bytes(header), len);
    ck_assert_int_eq(ws_frame_length(header, &length), WS_LENGTH_GOOD);
    ck_assert_uint_eq(length, 6);
    for (size_t i = 0; bits.mask == WS_MASK_GOOD && i < sizeof masked; i++) {
        ck_assert_uint_ne(masked[i], payload[i]);
        masked[i] ^= header[len - WS_FRAME_MASK_BYTES + i % WS_FRAME_MASK_BYTES];
    }
    ck_assert_mem_eq(masked, payload, sizeof payload);
}
END_TEST

/* RFC 6455 5.7: "Hello", masked. */
START_TEST(a_mask_goes_over_the_payload_wherever_it_is_cut)
{
    static const uint8_t key[WS_FRAME_MASK_BYTES] = {0x37, 0xfa, 0x21, 0x3d};
    static const uint8_t masked[] = {0x7f, 0x9f, 0x4d, 0x51, 0x58};
    uint8_t out[64], in[64];
    ws_mask_copy(out, bytes_of_text("Hello"), key, 0);
    ck_assert_mem_eq(out, masked, sizeof masked);
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 37);
    for (size_t len = 0; len <= sizeof in; len++) {
        for (size_t cut = 0; cut <= len; cut++) {
            struct exact_copy first = exact_copy_of(bytes_of(in, cut));
            struct exact_copy second = exact_copy_of(bytes_of(in + cut, len - cut));
            ws_mask_copy(first.owned, first.bytes, key, 0); /* in place */
            memcpy(out, first.owned, cut);
            ws_mask_copy(out + cut, second.bytes, key, cut % WS_FRAME_MASK_BYTES);
            for (size_t i = 0; i < len; i++)
                ck_assert_uint_eq(out[i], in[i] ^ key[i % WS_FRAME_MASK_BYTES]);
            ws_mask_copy(out, first.bytes, NULL, 0);
            ck_assert(bytes_equal(bytes_of(out, cut), first.bytes));
            exact_copy_free(first);
            exact_copy_free(second);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ws frame");
    tcase_add_loop_test(tcase, a_header_says_what_was_asked_for, 0, TABLE_COUNT(ROWS));
    tcase_add_loop_test(tcase, a_masked_frame_is_read_back, 0, 3);
    tcase_add_test(tcase, a_mask_goes_over_the_payload_wherever_it_is_cut);
    return suite_run("ws frame", tcase);
}
