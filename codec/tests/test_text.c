#include <math.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/text.h"

enum { TEXT_ROOM = 256 };

struct integer_case {
    const char *expected;
    int64_t value;
};

static const struct integer_case INTEGERS[] = {
    {"0", 0}, {"-1", -1}, {"10", 10}, {"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN},
};

START_TEST(integers_are_written_over_their_whole_range)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    text_add_i64(&text, INTEGERS[_i].value);
    ck_assert_str_eq(out, INTEGERS[_i].expected);
}
END_TEST

START_TEST(the_largest_unsigned_integer_is_written)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    text_add_u64(&text, UINT64_MAX);
    ck_assert_str_eq(out, "18446744073709551615");
}
END_TEST

struct double_case {
    const char *expected;
    double value;
    unsigned decimals;
};

static const struct double_case DOUBLES[] = {
    {"0", 0, 6},
    {"0", -0.0, 6},
    {"0", -0.0004, 3},
    {"-0.001", -0.0005, 3},
    {"1", 1, 0},
    {"2", 1.5, 0},
    {"0.25", 0.25, 6},
    {"-12.5", -12.5, 1},
    {"1", 0.9999999, 6},
    {"0.999999", 0.9999990, 6},
    {"0.05", 0.05, 2},
    {"3.141592654", 3.14159265358979, 9},
    {"1700000000000.123", 1700000000000.123, 3},
    {"9007199254740994", 9007199254740994.0, 0},
    {"9e18", 9223372036854775808.0, 0},
    {"1.5e300", 1.5e300, 2},
    {"-1.8e308", -1.7976931348623157e308, 1},
    {"0", 5e-324, 9},
    {"null", INFINITY, 2},
    {"null", -INFINITY, 2},
    {"null", NAN, 2},
};

START_TEST(doubles_are_rounded_and_lose_trailing_zeros)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    text_add_double(&text, DOUBLES[_i].value, DOUBLES[_i].decimals);
    ck_assert_str_eq(out, DOUBLES[_i].expected);
}
END_TEST

struct escape_case {
    const char *name;
    struct bytes value;
    const char *json;
    const char *printable;
};

#define SPAN(literal)                                                                                        \
    {                                                                                                        \
        (const uint8_t *)(literal), sizeof(literal) - 1                                                      \
    }

static const struct escape_case ESCAPES[] = {
    {"empty", SPAN(""), "\"\"", ""},
    {"plain", SPAN("abc"), "\"abc\"", "abc"},
    {"quotes", SPAN("a\"b\\c/"), "\"a\\\"b\\\\c/\"", "a\"b\\c/"},
    {"short escapes", SPAN("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"", "\\x08\\x0c\\x0a\\x0d\\x09"},
    {"controls", SPAN("\0\x1f\x7f"), "\"\\u0000\\u001f\x7f\"", "\\x00\\x1f\\x7f"},
    {"UTF-8", SPAN("\xc3\xa9\xf0\x9f\x98\x80"), "\"\xc3\xa9\xf0\x9f\x98\x80\"", "\xc3\xa9\xf0\x9f\x98\x80"},
    {"controls of terminals in UTF-8", SPAN("\xc2\x9b\xe2\x80\xae\xe2\x81\xa9\xef\xbb\xbf"),
     "\"\xc2\x9b\xe2\x80\xae\xe2\x81\xa9\xef\xbb\xbf\"",
     "\\xc2\\x9b\\xe2\\x80\\xae\\xe2\\x81\\xa9\\xef\\xbb\\xbf"},
    {"broken UTF-8", SPAN("a\xff\xe2\x82z"), "\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"",
     "a\\xff\\xe2\\x82z"},
};

/* Plain bytes are passed eight at once: an escape may stand anywhere among them. */
START_TEST(escapes_are_found_at_every_place)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz";
    for (size_t at = 0; at < sizeof plain - 1; at++) {
        char string[sizeof plain], expected[sizeof plain + 4], out[64];
        memcpy(string, plain, sizeof plain);
        string[at] = '"';
        struct text written = text_of(expected, sizeof expected);
        text_add_char(&written, '"');
        text_add_bytes(&written, bytes_of(plain, at));
        text_add(&written, "\\\"");
        text_add(&written, plain + at + 1);
        text_add_char(&written, '"');
        struct text text = text_of(out, sizeof out);
        struct exact_copy copy = exact_copy_of(bytes_of_text(string));
        text_add_json_string(&text, copy.bytes);
        exact_copy_free(copy);
        ck_assert_str_eq(out, expected);
    }
}
END_TEST

START_TEST(strings_are_escaped_for_json_and_for_people)
{
    char out[TEXT_ROOM];
    struct exact_copy copy = exact_copy_of(ESCAPES[_i].value);
    struct text text = text_of(out, sizeof out);
    text_add_json_string(&text, copy.bytes);
    ck_assert_msg(strcmp(out, ESCAPES[_i].json) == 0, "%s: %s", ESCAPES[_i].name, out);
    text = text_of(out, sizeof out);
    text_add_printable(&text, copy.bytes, copy.bytes.len);
    ck_assert_msg(strcmp(out, ESCAPES[_i].printable) == 0, "%s: %s", ESCAPES[_i].name, out);
    exact_copy_free(copy);
}
END_TEST

START_TEST(members_follow_others_with_their_values_escaped)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    text_add_json_text_member(&text, "a", "x\"\n\xff");
    text_add_json_text_member(&text, "b", "");
    text_add_json_number_member(&text, "c", UINT64_MAX);
    ck_assert_str_eq(out, ",\"a\":\"x\\\"\\n\xef\xbf\xbd\",\"b\":\"\",\"c\":18446744073709551615");
}
END_TEST

START_TEST(printable_text_past_its_bound_ends_in_an_ellipsis)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    text_add_printable(&text, bytes_of("abcdef", 6), 5);
    ck_assert_str_eq(out, "abcde...");
    text = text_of(out, sizeof out);
    text_add_printable(&text, bytes_of("abcdef", 6), 0);
    ck_assert_str_eq(out, "...");
    text = text_of(out, sizeof out);
    text_add_printable(&text, bytes_of("ab\xc3\xa9", 4), 3);
    ck_assert_str_eq(out, "ab...");
}
END_TEST

START_TEST(hex_and_uuids_are_lower_case)
{
    static const uint8_t uuid[] = {0x0f, 0x8f, 0xad, 0x5b, 0xd9, 0xcb, 0x46, 0x9f,
                                   0xa1, 0x65, 0x70, 0x86, 0x77, 0x28, 0x95, 0x0e};
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    text_add_hex(&text, bytes_of(uuid, 3));
    text_add_char(&text, ' ');
    text_add_uuid(&text, uuid);
    ck_assert_str_eq(out, "0f8fad 0f8fad5b-d9cb-469f-a165-70867728950e");
}
END_TEST

START_TEST(text_that_fits_exactly_is_not_cut)
{
    char *out = malloc(4);
    struct text text = text_of(out, 4);
    text_add(&text, "abc");
    ck_assert(!text.cut);
    ck_assert_str_eq(out, "abc");
    text_add(&text, "");
    ck_assert(!text.cut);
    free(out);
}
END_TEST

START_TEST(text_past_the_capacity_is_cut_and_stays_cut)
{
    char *out = malloc(4);
    struct text text = text_of(out, 4);
    text_add(&text, "ab");
    text_add(&text, "cde");
    ck_assert(text.cut);
    ck_assert_str_eq(out, "abc");
    ck_assert_uint_eq(text.len, 3);
    text_add_u64(&text, 7);
    text_add_json_string(&text, bytes_of("x", 1));
    ck_assert_str_eq(out, "abc");
    free(out);
}
END_TEST

START_TEST(a_capacity_of_one_holds_only_the_terminator)
{
    char *out = malloc(1);
    struct text text = text_of(out, 1);
    text_add_char(&text, 'a');
    ck_assert(text.cut);
    ck_assert_str_eq(out, "");
    free(out);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("text");
    tcase_add_loop_test(tcase, integers_are_written_over_their_whole_range, 0, TABLE_COUNT(INTEGERS));
    tcase_add_test(tcase, the_largest_unsigned_integer_is_written);
    tcase_add_loop_test(tcase, doubles_are_rounded_and_lose_trailing_zeros, 0, TABLE_COUNT(DOUBLES));
    tcase_add_test(tcase, escapes_are_found_at_every_place);
    tcase_add_loop_test(tcase, strings_are_escaped_for_json_and_for_people, 0, TABLE_COUNT(ESCAPES));
    tcase_add_test(tcase, members_follow_others_with_their_values_escaped);
    tcase_add_test(tcase, printable_text_past_its_bound_ends_in_an_ellipsis);
    tcase_add_test(tcase, hex_and_uuids_are_lower_case);
    tcase_add_test(tcase, text_that_fits_exactly_is_not_cut);
    tcase_add_test(tcase, text_past_the_capacity_is_cut_and_stays_cut);
    tcase_add_test(tcase, a_capacity_of_one_holds_only_the_terminator);
    return suite_run("text", tcase);
}
