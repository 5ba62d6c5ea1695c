/* What the golden texts cannot show of the strict check: where an error is, what it is called, and the
 * limits. */
#include <stdio.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/buffer.h"
#include "codec/wire/json.h"
#include "codec/wire/text.h"

struct json_case {
    const char *text;
    size_t offset;
    const char *field;
};

static const struct json_case BROKEN[] = {
    {"", 0, "value"},
    {"  ", 2, "value"},
    {"hello", 0, "value"},
    {"tru", 3, "true"},
    {"nulL", 3, "null"},
    {"1 2", 2, "end of text"},
    {"{} x", 3, "end of text"},
    {"[1", 2, "comma or end of array"},
    {"[1,]", 3, "value"},
    {"{,}", 1, "member name"},
    {"{\"a\":1,}", 7, "member name"},
    {"{\"a\" 1}", 5, "colon"},
    {"{\"a\":1 2}", 7, "comma or end of object"},
    {"[01]", 2, "no leading zero"},
    {"[-]", 2, "digit"},
    {"[1.]", 3, "digit"},
    {"[1e+]", 4, "digit"},
    {"\"a", 2, "end of string"},
    {"\"a\\", 3, "escape"},
    {"\"\\q\"", 2, "escape"},
    {"\"\\u12g4\"", 5, "hex digit"},
    {"\"a\nb\"", 2, "no control character"},
    {"\"ab\xc3(\"", 3, "UTF-8"},
    {"\xef\xbb\xbf{}", 0, "value"},
    {"{\"a\":1,\"a\":2", 12, "comma or end of object"},
    {"[\"\\u0000\" 1]", 10, "comma or end of array"},
    {"\"\\ud800\\udcx0\"", 11, "hex digit"},
    {"\"\\ud800\\u1\"", 10, "hex digit"},
};

START_TEST(broken_json_is_told_with_offset_and_what_is_wrong)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(BROKEN[_i].text));
    struct wire_error error = json_check(copy.bytes);
    ck_assert_msg(error.status == WIRE_NOT_JSON, "%s: %s", BROKEN[_i].text, wire_status_name(error.status));
    ck_assert_msg(strcmp(error.field, BROKEN[_i].field) == 0, "%s: %s", BROKEN[_i].text, error.field);
    ck_assert_msg(error.offset == BROKEN[_i].offset, "%s: %zu", BROKEN[_i].text, error.offset);
    exact_copy_free(copy);
}
END_TEST

static const struct json_case UNREADABLE[] = {
    {"\"a\\ud800\"", 2, "surrogate pair"},
    {"\"\\udc00\"", 1, "surrogate pair"},
    {"\"\\ud800\\u0041\"", 1, "surrogate pair"},
    {"\"x\\u0000\"", 2, "NUL"},
    {"{\"a\":1,\"b\":2,\"a\":3,\"b\":4}", 14, "repeated member"},
    {"{\"b\":1,\"a\":2,\"a\":3,\"b\":4}", 14, "repeated member"},
    {"{\"a\":{\"x\":1,\"\\u0078\":2}}", 13, "repeated member"},
    {"{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}", 19, "repeated member"},
    {"{\"a\\/\":1,\"a/\":2}", 10, "repeated member"},
    {"{\"a\\n\":1,\"a\\u000A\":2}", 10, "repeated member"},
    {"{\"\\ud800\":1,\"\\udc00\":2}", 2, "surrogate pair"},
    {"[\"\\ud83d\",\"\\u0000\"]", 2, "surrogate pair"},
};

START_TEST(legal_json_that_is_not_read_has_a_status_of_its_own)
{
    cJSON mark;
    cJSON *value = &mark;
    struct exact_copy copy = exact_copy_of(bytes_of_text(UNREADABLE[_i].text));
    struct wire_error error = json_parse(copy.bytes, &value);
    ck_assert_msg(error.status == WIRE_UNREADABLE_JSON, "%s: %s", UNREADABLE[_i].text,
                  wire_status_name(error.status));
    ck_assert_msg(strcmp(error.field, UNREADABLE[_i].field) == 0, "%s: %s", UNREADABLE[_i].text, error.field);
    ck_assert_msg(error.offset == UNREADABLE[_i].offset, "%s: %zu", UNREADABLE[_i].text, error.offset);
    ck_assert_ptr_eq(value, &mark);
    exact_copy_free(copy);
}
END_TEST

static const char *const WHOLE[] = {
    "0",
    "-0.0e-0",
    " [ ] ",
    "{\"a\":{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]}}}",
    "{\"a\":1,\"ab\":2,\"\":3,\"b\":4}",
    "{\"\xef\xbf\xbf\":1,\"\xf0\x90\x80\x80\":2}",
    "\"\\ud800\\udc00\\udbff\\udfff\"",
    "\"\x7f\xf4\x8f\xbf\xbf\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u007F\\u00e9\\u07ff\\u0800\\uFFFD\\uD83d\\uDE00\"",
    "[\"before\\nbetween\\\\\\\\after\", \"\\t\", \"\", \"\xc3\xa9\\n\"]",
    "{\"a\\u0062c\":{\"\\\"\":[{},[],{\"\":[null,true,false]}]},\"d\":[[1],{\"e\":2},3]}",
    "[0,-0,-1.5,1e3,1E-2,1.25e+2,2147483648,-2147483649,123456789012345678901234567890,1e400]",
};

/* The value in it is what the parser of cJSON, which takes all of these, makes of it. */
static void check_value(struct bytes text, const cJSON *value)
{
    cJSON *other = cJSON_ParseWithLength((const char *)text.data, text.len);
    char *printed = cJSON_PrintUnformatted(value), *other_printed = cJSON_PrintUnformatted(other);
    ck_assert_ptr_nonnull(printed);
    ck_assert_str_eq(printed, other_printed);
    cJSON_free(printed);
    cJSON_free(other_printed);
    cJSON_Delete(other);
}

START_TEST(whole_json_passes_the_check_and_is_parsed)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(WHOLE[_i]));
    cJSON *value = NULL;
    ck_assert_msg(json_check(copy.bytes).status == WIRE_OK, "%s", WHOLE[_i]);
    ck_assert_int_eq(json_parse(copy.bytes, &value).status, WIRE_OK);
    ck_assert_ptr_nonnull(value);
    check_value(copy.bytes, value);
    cJSON_Delete(value);
    exact_copy_free(copy);
}
END_TEST

/* Appends `piece` `count` times. */
static void append_times(struct buffer *out, const char *piece, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert(buffer_append(out, bytes_of_text(piece)));
}

static struct wire_error check_nested(size_t depth, bool objects)
{
    struct buffer out;
    cJSON *value = NULL;
    buffer_init(&out, 1 << 20);
    append_times(&out, objects ? "{\"a\":" : "[", depth - 1);
    append_times(&out, objects ? "{" : "[", 1);
    append_times(&out, objects ? "}" : "]", depth);
    struct wire_error error = json_parse(buffer_bytes(&out), &value);
    cJSON_Delete(value);
    buffer_free(&out);
    return error;
}

START_TEST(depth_is_limited)
{
    bool objects = _i == 1;
    ck_assert_int_eq(check_nested(JSON_DEPTH_MAX, objects).status, WIRE_OK);
    struct wire_error error = check_nested(JSON_DEPTH_MAX + 1, objects);
    ck_assert_int_eq(error.status, WIRE_UNREADABLE_JSON);
    ck_assert_str_eq(error.field, "depth");
    ck_assert_str_eq(check_nested(100000, objects).field, "depth");
}
END_TEST

/* An object of `count` members whose names differ, but for the last, which is `last` when that is not NULL.
 */
static struct wire_error check_members(size_t count, const char *last)
{
    struct buffer out;
    buffer_init(&out, 1 << 20);
    append_times(&out, "{", 1);
    for (size_t i = 0; i < count; i++) {
        char member[64];
        struct text text = text_of(member, sizeof member);
        text_add(&text, i == 0 ? "\"" : ",\"");
        if (i + 1 == count && last != NULL)
            text_add(&text, last);
        else
            text_add_u64(&text, i * 7919 % 100003);
        text_add(&text, "\":0");
        ck_assert(buffer_append(&out, bytes_of_text(member)));
    }
    append_times(&out, "}", 1);
    struct wire_error error = json_check(buffer_bytes(&out));
    buffer_free(&out);
    return error;
}

START_TEST(members_are_limited)
{
    ck_assert_int_eq(check_members(JSON_MEMBERS_MAX, NULL).status, WIRE_OK);
    struct wire_error error = check_members(JSON_MEMBERS_MAX + 1, NULL);
    ck_assert_str_eq(error.field, "number of members");
    ck_assert_int_eq(error.status, WIRE_UNREADABLE_JSON);
}
END_TEST

START_TEST(a_repeated_member_is_found_among_many)
{
    for (size_t count = 2; count < 200; count++) {
        ck_assert_int_eq(check_members(count, NULL).status, WIRE_OK);
        ck_assert_str_eq(check_members(count, "0").field, "repeated member");
    }
    ck_assert_str_eq(check_members(JSON_MEMBERS_MAX, "\\u0030").field, "repeated member");
}
END_TEST

static const struct {
    const char *text;
    const char *settled;
    bool repeats;
} REPEATS[] = {
    {"{\"a\":1,\"a\":2}", "{\"a\":2}", true},
    {"{\"a\":1,\"b\":2,\"a\":3,\"a\":4,\"b\":5,\"c\":6}", "{\"a\":4,\"b\":5,\"c\":6}", true},
    {"{\"a\":{\"x\":1},\"a\":{\"y\":1,\"\\u0079\":[{\"z\":1,\"z\":[]},3]}}", "{\"a\":{\"y\":[{\"z\":[]},3]}}",
     true},
    {"[{\"a\":1,\"a\":2},[{\"a\":3,\"a\":4}],{\"a\":5}]", "[{\"a\":2},[{\"a\":4}],{\"a\":5}]", true},
    {"{\"\":1,\"\":2}", "{\"\":2}", true},
    {"{\"a\":{\"a\":1},\"A\":2}", "{\"a\":{\"a\":1},\"A\":2}", false},
    {"[]", "[]", false},
    {"7", "7", false},
};

START_TEST(of_a_repeated_member_the_last_stands)
{
    cJSON *value = NULL;
    struct exact_copy copy = exact_copy_of(bytes_of_text(REPEATS[_i].text));
    ck_assert_int_eq(json_parse_last(copy.bytes, &value).status, WIRE_OK);
    ck_assert_int_eq(json_repeats(copy.bytes), REPEATS[_i].repeats);
    char *printed = cJSON_PrintUnformatted(value);
    ck_assert_str_eq(printed, REPEATS[_i].settled);
    cJSON_free(printed);
    cJSON_Delete(value);
    exact_copy_free(copy);
}
END_TEST

START_TEST(what_else_is_wrong_beside_a_repeated_member_is_told)
{
    cJSON *value = NULL;
    struct wire_error error = json_parse_last(bytes_of_text("{\"a\":1,\"a\":\"\\u0000\"}"), &value);
    ck_assert_int_eq(error.status, WIRE_UNREADABLE_JSON);
    ck_assert_str_eq(error.field, "NUL");
    ck_assert_int_eq(json_parse_last(bytes_of_text("{\"a\":1,\"a\":2"), &value).status, WIRE_NOT_JSON);
    ck_assert(!json_repeats(bytes_of_text("{\"a\":1,\"a\":2")));
    ck_assert_ptr_null(value);
}
END_TEST

/* As many as an object may have, each of them twice but for the order, at the greatest depth. */
START_TEST(many_repeated_members_are_settled)
{
    struct buffer out;
    char member[32];
    cJSON *value = NULL;
    buffer_init(&out, 1 << 20);
    append_times(&out, "[", JSON_DEPTH_MAX - 1);
    append_times(&out, "{", 1);
    for (unsigned i = 0; i < JSON_MEMBERS_MAX; i++) {
        snprintf(member, sizeof member, "%s\"%u\":%u", i == 0 ? "" : ",", i % (JSON_MEMBERS_MAX / 2), i);
        append_times(&out, member, 1);
    }
    append_times(&out, "}", 1);
    append_times(&out, "]", JSON_DEPTH_MAX - 1);
    ck_assert_int_eq(json_parse_last(buffer_bytes(&out), &value).status, WIRE_OK);
    const cJSON *object = value;
    while (cJSON_IsArray(object))
        object = object->child;
    ck_assert_int_eq(cJSON_GetArraySize(object), JSON_MEMBERS_MAX / 2);
    ck_assert_int_eq(json_member(object, "7")->valueint, JSON_MEMBERS_MAX / 2 + 7);
    cJSON_Delete(value);
    buffer_free(&out);
}
END_TEST

START_TEST(members_of_objects_that_ended_do_not_count)
{
    struct buffer out;
    buffer_init(&out, 1 << 20);
    append_times(&out, "[", 1);
    append_times(&out, "{\"a\":1,\"b\":2},", JSON_MEMBERS_MAX);
    append_times(&out, "0]", 1);
    ck_assert_int_eq(json_check(buffer_bytes(&out)).status, WIRE_OK);
    buffer_free(&out);
}
END_TEST

START_TEST(numbers_are_as_long_as_the_parser_can_read)
{
    for (size_t len = JSON_NUMBER_BYTES_MAX; len <= JSON_NUMBER_BYTES_MAX + 1; len++) {
        struct buffer out;
        cJSON *value = NULL;
        buffer_init(&out, 128);
        append_times(&out, "0.", 1);
        append_times(&out, "3", len - 2);
        struct wire_error error = json_parse(buffer_bytes(&out), &value);
        if (len == JSON_NUMBER_BYTES_MAX) {
            ck_assert_int_eq(error.status, WIRE_OK);
            ck_assert_double_eq_tol(value->valuedouble, 1.0 / 3, 1e-15);
        } else {
            ck_assert_str_eq(error.field, "number length");
            ck_assert_int_eq(error.status, WIRE_UNREADABLE_JSON);
            ck_assert_ptr_null(value);
        }
        cJSON_Delete(value);
        buffer_free(&out);
    }
}
END_TEST

START_TEST(a_failed_parse_leaves_the_output_alone)
{
    cJSON mark;
    cJSON *value = &mark;
    ck_assert_int_eq(json_parse(bytes_of("{", 1), &value).status, WIRE_NOT_JSON);
    ck_assert_ptr_eq(value, &mark);
}
END_TEST

struct integer_case {
    const char *text;
    bool integral;
    int64_t value;
};

static const struct integer_case INTEGERS[] = {
    {"0", true, 0},
    {"-0.0", true, 0},
    {"1.0", true, 1},
    {"1e3", true, 1000},
    {"9007199254740992", true, 9007199254740992},
    {"-9007199254740992", true, -9007199254740992},
    {"9007199254740994", false, 0},
    {"1e19", false, 0},
    {"1e400", false, 0},
    {"-1e400", false, 0},
    {"0.5", false, 0},
    {"1700000000000.25", false, 0},
    {"\"1\"", false, 0},
    {"true", false, 0},
    {"null", false, 0},
    {"[1]", false, 0},
};

START_TEST(integers_are_integral_numbers_that_a_double_holds)
{
    cJSON *value = NULL;
    int64_t integer = 4711;
    ck_assert_int_eq(json_parse(bytes_of_text(INTEGERS[_i].text), &value).status, WIRE_OK);
    ck_assert_msg(json_integer(value, &integer) == INTEGERS[_i].integral, "%s", INTEGERS[_i].text);
    ck_assert_int_eq(integer, INTEGERS[_i].integral ? INTEGERS[_i].value : 4711);
    cJSON_Delete(value);
}
END_TEST

START_TEST(members_are_found_by_their_exact_name_in_objects_only)
{
    cJSON *value = NULL;
    ck_assert_int_eq(json_parse(bytes_of_text("{\"a\":1,\"list\":[2],\"\\u00e9\":3}"), &value).status,
                     WIRE_OK);
    ck_assert_ptr_nonnull(json_member(value, "a"));
    ck_assert_ptr_nonnull(json_member(value, "\xc3\xa9"));
    ck_assert_ptr_null(json_member(value, "A"));
    ck_assert_ptr_null(json_member(json_member(value, "list"), "a"));
    ck_assert_ptr_null(json_member(NULL, "a"));
    ck_assert(!json_integer(NULL, &(int64_t){0}));
    cJSON_Delete(value);
}
END_TEST

struct long_string_case {
    const char *byte; /* one that ends, breaks or escapes */
    const char *field;
    size_t further; /* how far behind it the fault is told */
};

static const struct long_string_case LONG_STRING_CASES[] = {
    {"\x1f", "no control character", 0},
    {"\x01", "no control character", 0},
    {"\x80", "UTF-8", 0},
    {"\xff", "UTF-8", 0},
    {"\\", "escape", 1},
    {"\"", NULL, 0},
    {" ", NULL, 0},
    {"\x7f", NULL, 0},
};

/* Long strings are looked at by several bytes at once: each special byte at each place, in strings that end
 * at each place. */
START_TEST(a_special_byte_is_found_wherever_it_stands)
{
    const struct long_string_case *row = &LONG_STRING_CASES[_i];
    for (size_t len = 1; len <= 140; len++) {
        for (size_t at = 0; at < len; at++) {
            char text[142];
            memset(text, 'a', sizeof text);
            text[0] = text[len + 1] = '"';
            text[1 + at] = row->byte[0];
            const bool ends = row->byte[0] == '"';
            struct exact_copy copy = exact_copy_of(bytes_of(text, ends ? at + 2 : len + 2));
            const struct wire_error error = json_check(copy.bytes);
            /* A backslash before the last quote escapes that. */
            const bool unended = row->byte[0] == '\\' && at + 1 == len;
            if (row->field == NULL)
                ck_assert_int_eq(error.status, WIRE_OK);
            else if (!unended)
                ck_assert_msg(strcmp(error.field, row->field) == 0 && error.offset == 1 + at + row->further,
                              "%zu of %zu: %s at %zu", at, len, error.field, error.offset);
            else
                ck_assert_str_eq(error.field, "end of string");
            exact_copy_free(copy);
        }
    }
}
END_TEST

START_TEST(numbers_are_printed_with_the_digits_they_had)
{
    static const char *const texts[] = {
        "0",
        "-7",
        "4503599627370495",
        "4507922221074555",
        "9007199254740993",
        "18446744073709551615",
        "[4507922221074555,{\"a\":-9007199254740991,\"b\":[1.2345678901234567]}]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cJSON *value = NULL;
        ck_assert_int_eq(json_parse(bytes_of_text(texts[i]), &value).status, WIRE_OK);
        for (int twice = 0; twice < 2; twice++) { /* the values are as they were */
            char *printed = json_print(value);
            ck_assert_str_eq(printed, texts[i]);
            cJSON_free(printed);
        }
        ck_assert(cJSON_IsNumber(value) || cJSON_IsNumber(value->child));
        cJSON_Delete(value);
    }
    cJSON *made = json_number_new(4507922221074555u);
    char *printed = json_print(made);
    ck_assert(cJSON_IsNumber(made));
    ck_assert_str_eq(printed, "4507922221074555");
    cJSON_free(printed);
    cJSON_Delete(made);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("json");
    tcase_add_loop_test(tcase, broken_json_is_told_with_offset_and_what_is_wrong, 0, TABLE_COUNT(BROKEN));
    tcase_add_loop_test(tcase, legal_json_that_is_not_read_has_a_status_of_its_own, 0,
                        TABLE_COUNT(UNREADABLE));
    tcase_add_loop_test(tcase, whole_json_passes_the_check_and_is_parsed, 0, TABLE_COUNT(WHOLE));
    tcase_add_loop_test(tcase, depth_is_limited, 0, 2);
    tcase_add_test(tcase, members_are_limited);
    tcase_add_test(tcase, a_repeated_member_is_found_among_many);
    tcase_add_loop_test(tcase, of_a_repeated_member_the_last_stands, 0, TABLE_COUNT(REPEATS));
    tcase_add_test(tcase, what_else_is_wrong_beside_a_repeated_member_is_told);
    tcase_add_test(tcase, many_repeated_members_are_settled);
    tcase_add_test(tcase, members_of_objects_that_ended_do_not_count);
    tcase_add_test(tcase, numbers_are_as_long_as_the_parser_can_read);
    tcase_add_test(tcase, a_failed_parse_leaves_the_output_alone);
    tcase_add_loop_test(tcase, integers_are_integral_numbers_that_a_double_holds, 0, TABLE_COUNT(INTEGERS));
    tcase_add_test(tcase, members_are_found_by_their_exact_name_in_objects_only);
    tcase_add_loop_test(tcase, a_special_byte_is_found_wherever_it_stands, 0, TABLE_COUNT(LONG_STRING_CASES));
    tcase_add_test(tcase, numbers_are_printed_with_the_digits_they_had);
    return suite_run("json", tcase);
}
