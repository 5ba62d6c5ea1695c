/* UTF-8, base64, CRC-32 and UUIDs against values of their standards. */
#include <math.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/base64.h"
#include "codec/wire/crc32.h"
#include "codec/wire/float32.h"
#include "codec/wire/text.h"
#include "codec/wire/utf8.h"
#include "codec/wire/uuid.h"

struct utf8_case {
    const char *name;
    const char *text;
    size_t len;
    size_t valid;
};

static const struct utf8_case UTF8_CASES[] = {
    {"empty", "", 0, 0},
    {"ASCII with NUL", "a\0b", 3, 3},
    {"first and last of two bytes", "\xc2\x80\xdf\xbf", 4, 4},
    {"first and last of three bytes", "\xe0\xa0\x80\xef\xbf\xbf", 6, 6},
    {"around the surrogates", "\xed\x9f\xbf\xee\x80\x80", 6, 6},
    {"first and last of four bytes", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8, 8},
    {"overlong two bytes", "a\xc1\xbf", 3, 1},
    {"overlong three bytes", "ab\xe0\x9f\xbf", 5, 2},
    {"overlong four bytes", "\xf0\x8f\xbf\xbf", 4, 0},
    {"first surrogate", "\xed\xa0\x80", 3, 0},
    {"last surrogate", "\xed\xbf\xbf", 3, 0},
    {"one above the last code point", "\xf4\x90\x80\x80", 4, 0},
    {"lead byte F5", "\xf5\x80\x80\x80", 4, 0},
    {"continuation alone", "a\x80", 2, 1},
    {"cut after one of two", "\xc3", 1, 0},
    {"cut after two of three", "x\xe2\x82", 3, 1},
    {"cut after three of four", "\xf0\x9f\x98", 3, 0},
    {"third byte wrong", "\xe2\x82(", 3, 0},
    {"fourth byte wrong", "\xf0\x9f\x98\xc0", 4, 0},
};

START_TEST(utf8_is_valid_up_to_the_first_wrong_sequence)
{
    const struct utf8_case *row = &UTF8_CASES[_i];
    struct exact_copy copy = exact_copy_of(bytes_of(row->text, row->len));
    ck_assert_msg(utf8_valid_prefix(copy.bytes) == row->valid, "%s: %zu", row->name,
                  utf8_valid_prefix(copy.bytes));
    exact_copy_free(copy);
}
END_TEST

/* ASCII is skipped by several bytes at once. */
START_TEST(utf8_is_looked_at_wherever_it_stands)
{
    for (size_t len = 2; len <= 140; len++) {
        for (size_t at = 0; at + 1 < len; at++) {
            char text[142];
            memset(text, 'a', sizeof text);
            text[at] = (char)0xc3;
            struct exact_copy wrong = exact_copy_of(bytes_of(text, len));
            ck_assert_uint_eq(utf8_valid_prefix(wrong.bytes), at);
            text[at + 1] = (char)0xa9;
            struct exact_copy right = exact_copy_of(bytes_of(text, len));
            ck_assert_uint_eq(utf8_valid_prefix(right.bytes), len);
            exact_copy_free(wrong);
            exact_copy_free(right);
        }
    }
}
END_TEST

struct base64_case {
    const char *text;
    const char *data;
};

/* RFC 4648 section 10, and bytes that use the last two letters */
static const struct base64_case BASE64_CASES[] = {
    {"", ""},
    {"Zg==", "f"},
    {"Zm8=", "fo"},
    {"Zm9v", "foo"},
    {"Zm9vYg==", "foob"},
    {"Zm9vYmE=", "fooba"},
    {"Zm9vYmFy", "foobar"},
    {"+/+/", "\xfb\xff\xbf"},
};

START_TEST(base64_agrees_with_its_standard_both_ways)
{
    const struct base64_case *row = &BASE64_CASES[_i];
    struct exact_copy data = exact_copy_of(bytes_of_text(row->data));
    struct exact_copy text = exact_copy_of(bytes_of_text(row->text));
    struct buffer out;
    buffer_init(&out, 64);
    ck_assert(base64_encode(data.bytes, &out));
    ck_assert(bytes_equal(buffer_bytes(&out), text.bytes));
    buffer_clear(&out);
    ck_assert_uint_eq(base64_decoded_len(text.bytes), data.bytes.len);
    ck_assert(base64_decode(text.bytes, &out));
    ck_assert(bytes_equal(buffer_bytes(&out), data.bytes));
    buffer_free(&out);
    exact_copy_free(data);
    exact_copy_free(text);
}
END_TEST

static const char *const NOT_BASE64[] = {
    "Z",    "Zg",   "Zg=",  "Zm9",   "Zm9vY",    "====",     "=",    "==",   "Z===",       "=Zg=",     "Zg=x",
    "Zh==", "Zm9=", "Zm 9", "Zm9\n", "Zg==Zg==", "Zm8=Zm9v", "Zm-_", "Zm9*", "Zm\xc3\xa9", "Zm9v====",
};

START_TEST(what_is_not_canonical_base64_leaves_the_output_alone)
{
    struct exact_copy text = exact_copy_of(bytes_of_text(NOT_BASE64[_i]));
    struct buffer out;
    buffer_init(&out, 64);
    ck_assert(buffer_append(&out, bytes_of("kept", 4)));
    ck_assert_msg(!base64_decode(text.bytes, &out), "%s", NOT_BASE64[_i]);
    ck_assert(bytes_equal_text(buffer_bytes(&out), "kept"));
    ck_assert_uint_le(base64_decoded_len(text.bytes), text.bytes.len);
    buffer_free(&out);
    exact_copy_free(text);
}
END_TEST

START_TEST(base64_needs_room_for_all_of_it)
{
    struct buffer out;
    buffer_init(&out, 8);
    ck_assert(!base64_encode(bytes_of("1234567", 7), &out));
    ck_assert(base64_encode(bytes_of("123456", 6), &out));
    ck_assert_uint_eq(out.len, 8);
    ck_assert(!base64_decode(bytes_of("Zg==", 4), &out));
    buffer_free(&out);
}
END_TEST

struct crc_case {
    const char *text;
    uint32_t crc;
};

static const struct crc_case CRC_CASES[] = {
    {"", 0},
    {"123456789", 0xcbf43926}, /* the check value of the catalogues */
    {"a", 0xe8b7be43},
};

START_TEST(crc32_gives_the_published_check_values)
{
    ck_assert_uint_eq(crc32_of(bytes_of_text(CRC_CASES[_i].text)), CRC_CASES[_i].crc);
    ck_assert_uint_eq(crc32_of(bytes_of(NULL, 0)), 0);
}
END_TEST

START_TEST(crc32_of_parts_is_that_of_the_whole)
{
    const struct bytes whole = bytes_of_text(CRC_CASES[_i].text);
    for (size_t at = 0; at <= whole.len; at++) {
        const uint32_t before = crc32_more(0, bytes_of(whole.data, at));
        ck_assert_uint_eq(crc32_more(before, bytes_of(whole.data + at, whole.len - at)), CRC_CASES[_i].crc);
    }
}
END_TEST

struct uuid_case {
    const char *text;
    bool valid;
};

static const struct uuid_case UUID_CASES[] = {
    {"00010203-0405-0607-0809-0a0b0c0d0e0f", true},
    {"00010203-0405-0607-0809-0A0B0C0D0E0F", true},
    {"", false},
    {"00010203-0405-0607-0809-0a0b0c0d0e0", false},
    {"00010203-0405-0607-0809-0a0b0c0d0e0f0", false},
    {"0001020304050607-0809-0a0b0c0d0e0f--", false},
    {"00010203_0405-0607-0809-0a0b0c0d0e0f", false},
    {"00010203-0405-0607-0809-0a0b0c0d0e0g", false},
    {"{0010203-0405-0607-0809-0a0b0c0d0e0}", false},
    {"00010203-0405-0607-0809 0a0b0c0d0e0f", false},
};

START_TEST(only_the_canonical_form_of_a_uuid_is_parsed)
{
    uint8_t uuid[UUID_BYTES];
    memset(uuid, 0xee, sizeof uuid);
    struct exact_copy copy = exact_copy_of(bytes_of_text(UUID_CASES[_i].text));
    ck_assert_msg(uuid_parse(copy.bytes, uuid) == UUID_CASES[_i].valid, "%s", UUID_CASES[_i].text);
    for (size_t i = 0; i < sizeof uuid; i++)
        ck_assert_uint_eq(uuid[i], UUID_CASES[_i].valid ? i : 0xee);
    exact_copy_free(copy);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_version_4_uuids)
{
    struct seeded one = {.state = 42}, two = {.state = 42}, other = {.state = 43};
    for (int i = 0; i < 100; i++) {
        uint8_t a[UUID_BYTES], b[UUID_BYTES], c[UUID_BYTES], parsed[UUID_BYTES];
        char out[UUID_TEXT_BYTES + 1];
        uuid_generate(&one, a);
        uuid_generate(&two, b);
        uuid_generate(&other, c);
        ck_assert_mem_eq(a, b, UUID_BYTES);
        ck_assert_mem_ne(a, c, UUID_BYTES);
        ck_assert_uint_eq(a[6] >> 4, 4);
        ck_assert_uint_eq(a[8] >> 6, 2);
        ck_assert(!uuid_is_nil(a));
        struct text text = text_of(out, sizeof out);
        text_add_uuid(&text, a);
        ck_assert(uuid_parse(bytes_of_text(out), parsed));
        ck_assert_mem_eq(a, parsed, UUID_BYTES);
    }
}
END_TEST

START_TEST(the_sequence_is_splitmix64)
{
    struct seeded seeded = {.state = 0};
    ck_assert_uint_eq(seeded_next(&seeded), 0xe220a8397b1dcdaf);
    ck_assert_uint_eq(seeded_next(&seeded), 0x6e789e6aa1b965f4);
    ck_assert_uint_eq(seeded_next(&seeded), 0x06c45d188009454f);
}
END_TEST

START_TEST(only_all_zero_bytes_are_the_nil_uuid)
{
    uint8_t uuid[UUID_BYTES] = {0};
    ck_assert(uuid_is_nil(uuid));
    for (size_t i = 0; i < UUID_BYTES; i++) {
        uuid[i] = 1;
        ck_assert(!uuid_is_nil(uuid));
        uuid[i] = 0;
    }
}
END_TEST

struct base64_fault_case {
    const char *name;
    const char *text;
    size_t offset;
    const char *expected; /* how it begins */
};

static const struct base64_fault_case BASE64_FAULTS[] = {
    {"first character", "*AAA", 0, "a character"},
    {"last of the first group", "AAA-AAAA", 3, "a character"},
    {"first of the second group", "AAAA_AAA", 4, "a character"},
    {"a line end", "AAAA\nAAA", 4, "a character"},
    {"padding in the middle", "AA==AAAA", 2, "a character"},
    {"three of padding", "A===", 1, "a character"},
    {"padding alone", "====", 0, "a character"},
    {"a byte beyond ASCII", "AAA\xff", 3, "a character"},
    {"one too many", "AAAAA", 5, "a length"},
    {"two too many", "AAAAAA", 6, "a length"},
    {"three too many", "AAAAAAA", 7, "a length"},
    {"one of them wrong", "AAAAA!", 5, "a character"},
    {"bits left of one byte", "AB==", 1, "a last character"},
    {"bits left of two bytes", "AAB=", 2, "a last character"},
};

START_TEST(where_base64_stops_is_told)
{
    const struct base64_fault_case *row = &BASE64_FAULTS[_i];
    struct exact_copy text = exact_copy_of(bytes_of_text(row->text));
    struct base64_fault fault = {.offset = 99};
    size_t len;
    /* In place, as it is read from messages. */
    ck_assert(!base64_read(text.bytes, text.owned, &len, &fault));
    ck_assert_msg(fault.offset == row->offset, "%s: at %zu", row->name, fault.offset);
    ck_assert_msg(strncmp(fault.expected, row->expected, strlen(row->expected)) == 0, "%s: %s", row->name,
                  fault.expected);
    exact_copy_free(text);
}
END_TEST

START_TEST(base64_is_read_in_its_own_memory)
{
    const struct base64_case *row = &BASE64_CASES[_i];
    struct exact_copy text = exact_copy_of(bytes_of_text(row->text));
    struct base64_fault fault;
    size_t len = 99;
    ck_assert(base64_read(text.bytes, text.owned, &len, &fault));
    ck_assert(bytes_equal_text(bytes_of(text.owned, len), row->data));
    exact_copy_free(text);
}
END_TEST

/* A long text is read and written sixteen characters at a time: it has to be that of its groups of three
 * bytes, each by itself. */
START_TEST(a_long_text_is_that_of_its_groups)
{
    enum { BYTES = 200 };
    uint8_t data[BYTES];
    struct buffer whole, groups;
    buffer_init(&whole, 2 * BYTES);
    buffer_init(&groups, 2 * BYTES);
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i * i * 7 + i * 13 + (i >> 3));
    for (size_t len = 0; len <= BYTES; len++) {
        struct exact_copy exact = exact_copy_of(bytes_of(data, len));
        buffer_clear(&whole);
        buffer_clear(&groups);
        ck_assert(base64_encode(exact.bytes, &whole));
        for (size_t at = 0; at < len; at += 3)
            ck_assert(base64_encode(bytes_of(data + at, len - at < 3 ? len - at : 3), &groups));
        ck_assert_msg(bytes_equal(buffer_bytes(&whole), buffer_bytes(&groups)), "of %zu bytes", len);
        struct exact_copy text = exact_copy_of(buffer_bytes(&whole));
        struct base64_fault fault;
        size_t read = 0;
        ck_assert_uint_eq(base64_decoded_len(text.bytes), len);
        ck_assert(base64_read(text.bytes, exact.owned, &read, &fault));
        ck_assert(bytes_equal(bytes_of(exact.owned, read), bytes_of(data, len)));
        ck_assert(base64_read(text.bytes, text.owned, &read, &fault)); /* in its own memory */
        ck_assert(bytes_equal(bytes_of(text.owned, read), bytes_of(data, len)));
        exact_copy_free(exact);
        exact_copy_free(text);
    }
    buffer_free(&whole);
    buffer_free(&groups);
}
END_TEST

START_TEST(each_byte_of_a_long_text_is_looked_at)
{
    enum { CHARACTERS = 48, BYTES = CHARACTERS / 4 * 3, VALUES = 256 };
    static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[CHARACTERS];
    uint8_t out[BYTES];
    for (size_t at = 0; at < CHARACTERS; at++) {
        for (int value = 0; value < VALUES; value++) {
            struct base64_fault fault = {.offset = CHARACTERS};
            size_t len;
            const char *letter = value == 0 ? NULL : strchr(ALPHABET, value);
            if (value == '=' && at + 1 == CHARACTERS)
                continue; /* padding */
            memset(text, 'A', sizeof text);
            text[at] = (char)value;
            const bool good = base64_read(bytes_of(text, sizeof text), out, &len, &fault);
            ck_assert_msg(good == (letter != NULL), "byte %d at %zu", value, at);
            if (!good) {
                ck_assert_uint_eq(fault.offset, at);
                continue;
            }
            const uint32_t group = (uint32_t)(letter - ALPHABET) << (6 * (3 - at % 4));
            const uint8_t *bytes = out + at / 4 * 3;
            ck_assert_uint_eq(group, (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]);
        }
    }
}
END_TEST

struct float32_case {
    float value;
    const char *bytes; /* struct.pack('<f', value) */
    bool finite;
};

static const struct float32_case FLOAT32_CASES[] = {
    {0.0F, "\x00\x00\x00\x00", true},        {1.0F, "\x00\x00\x80\x3f", true},
    {-0.15625F, "\x00\x00\x20\xbe", true},   {3.4028234663852886e38F, "\xff\xff\x7f\x7f", true},
    {1e-45F, "\x01\x00\x00\x00", true},      {HUGE_VALF, "\x00\x00\x80\x7f", false},
    {-HUGE_VALF, "\x00\x00\x80\xff", false},
};

/* At every address that is out of line, and as the last of a block. */
START_TEST(float32_is_little_endian_at_any_address)
{
    const struct float32_case *row = &FLOAT32_CASES[_i];
    for (size_t shift = 0; shift < 4; shift++) {
        uint8_t *block = calloc(1, shift + 8);
        ck_assert_ptr_nonnull(block);
        float32_put(block + shift + 4, row->value);
        const struct bytes pcm = bytes_of(block + shift, 8);
        const float back = float32_at(pcm, 1);
        ck_assert_mem_eq(block + shift + 4, row->bytes, 4);
        ck_assert_mem_eq(&back, &row->value, sizeof back);
        ck_assert_uint_eq(float32_first_not_finite(pcm), row->finite ? 2 : 1);
        free(block);
    }
}
END_TEST

START_TEST(samples_are_read_and_written_whole)
{
    static const float samples[] = {0.5F, -1.0F, 0.25F};
    float back[3] = {0};
    uint8_t *bytes = malloc(sizeof samples + 3);
    ck_assert_ptr_nonnull(bytes);
    float32_write(samples, 3, bytes);
    for (size_t more = 0; more < 4; more++) {
        ck_assert_uint_eq(float32_count(bytes_of(bytes, sizeof samples + more)), 3);
        float32_read(bytes_of(bytes, sizeof samples + more), back);
        ck_assert(memcmp(back, samples, sizeof samples) == 0);
    }
    free(bytes);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("encodings");
    tcase_add_loop_test(tcase, utf8_is_valid_up_to_the_first_wrong_sequence, 0, TABLE_COUNT(UTF8_CASES));
    tcase_add_loop_test(tcase, base64_agrees_with_its_standard_both_ways, 0, TABLE_COUNT(BASE64_CASES));
    tcase_add_loop_test(tcase, what_is_not_canonical_base64_leaves_the_output_alone, 0,
                        TABLE_COUNT(NOT_BASE64));
    tcase_add_test(tcase, base64_needs_room_for_all_of_it);
    tcase_add_loop_test(tcase, crc32_gives_the_published_check_values, 0, TABLE_COUNT(CRC_CASES));
    tcase_add_loop_test(tcase, crc32_of_parts_is_that_of_the_whole, 0, TABLE_COUNT(CRC_CASES));
    tcase_add_loop_test(tcase, only_the_canonical_form_of_a_uuid_is_parsed, 0, TABLE_COUNT(UUID_CASES));
    tcase_add_test(tcase, the_same_seed_gives_the_same_version_4_uuids);
    tcase_add_test(tcase, the_sequence_is_splitmix64);
    tcase_add_test(tcase, only_all_zero_bytes_are_the_nil_uuid);
    tcase_add_test(tcase, utf8_is_looked_at_wherever_it_stands);
    tcase_add_loop_test(tcase, where_base64_stops_is_told, 0, TABLE_COUNT(BASE64_FAULTS));
    tcase_add_test(tcase, a_long_text_is_that_of_its_groups);
    tcase_add_test(tcase, each_byte_of_a_long_text_is_looked_at);
    tcase_add_loop_test(tcase, base64_is_read_in_its_own_memory, 0, TABLE_COUNT(BASE64_CASES));
    tcase_add_loop_test(tcase, float32_is_little_endian_at_any_address, 0, TABLE_COUNT(FLOAT32_CASES));
    tcase_add_test(tcase, samples_are_read_and_written_whole);
    return suite_run("encodings", tcase);
}
