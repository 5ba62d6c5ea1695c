/* UTF-8, base64, CRC-32 and UUIDs against values of their standards. */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/base64.h"
#include "codec/wire/crc32.h"
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
    ck_assert(base64_decode(text.bytes, &out));
    ck_assert(bytes_equal(buffer_bytes(&out), data.bytes));
    buffer_free(&out);
    exact_copy_free(data);
    exact_copy_free(text);
}
END_TEST

static const char *const NOT_BASE64[] = {
    "Z",    "Zg",   "Zg=",   "Zm9",      "Zm9vY",    "====", "Z===", "=Zg=",       "Zg=x",     "Zh==",
    "Zm9=", "Zm 9", "Zm9\n", "Zg==Zg==", "Zm8=Zm9v", "Zm-_", "Zm9*", "Zm\xc3\xa9", "Zm9v====",
};

START_TEST(what_is_not_canonical_base64_leaves_the_output_alone)
{
    struct exact_copy text = exact_copy_of(bytes_of_text(NOT_BASE64[_i]));
    struct buffer out;
    buffer_init(&out, 64);
    ck_assert(buffer_append(&out, bytes_of("kept", 4)));
    ck_assert_msg(!base64_decode(text.bytes, &out), "%s", NOT_BASE64[_i]);
    ck_assert(bytes_equal_text(buffer_bytes(&out), "kept"));
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

int main(void)
{
    TCase *tcase = tcase_create("encodings");
    tcase_add_loop_test(tcase, utf8_is_valid_up_to_the_first_wrong_sequence, 0, TABLE_COUNT(UTF8_CASES));
    tcase_add_loop_test(tcase, base64_agrees_with_its_standard_both_ways, 0, TABLE_COUNT(BASE64_CASES));
    tcase_add_loop_test(tcase, what_is_not_canonical_base64_leaves_the_output_alone, 0,
                        TABLE_COUNT(NOT_BASE64));
    tcase_add_test(tcase, base64_needs_room_for_all_of_it);
    tcase_add_loop_test(tcase, crc32_gives_the_published_check_values, 0, TABLE_COUNT(CRC_CASES));
    tcase_add_loop_test(tcase, only_the_canonical_form_of_a_uuid_is_parsed, 0, TABLE_COUNT(UUID_CASES));
    tcase_add_test(tcase, the_same_seed_gives_the_same_version_4_uuids);
    tcase_add_test(tcase, the_sequence_is_splitmix64);
    tcase_add_test(tcase, only_all_zero_bytes_are_the_nil_uuid);
    return suite_run("encodings", tcase);
}
