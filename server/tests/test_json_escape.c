/* The other way to write the same JSON: what it looks like, and that it reads the same. */
#include <check.h>
#include <stdlib.h>

#include "codec/wire/json.h"
#include "server/core/json_escape.h"

static const struct {
    const char *name, *json, *expected;
} ROWS[] = {
    {"nothing to escape", "{\"a\":[1,\"b\"]}", "{\"a\":[1,\"b\"]}"},
    {"a slash", "{\"audio\":\"A/+/=\"}", "{\"audio\":\"A\\/+\\/=\"}"},
    {"an escape that is there", "{\"a\":\"\\/ \\\\/ \\n\"}", "{\"a\":\"\\/ \\\\\\/ \\n\"}"},
    {"two bytes", "\"Gr\xc3\xbc\xc3\x9f\x65\"", "\"Gr\\u00fc\\u00dfe\""},
    {"three bytes", "\"\xe3\x81\x93\"", "\"\\u3053\""},
    {"four bytes", "\"\xf0\x9f\x98\x80\"", "\"\\ud83d\\ude00\""},
    {"the last one", "\"\xf4\x8f\xbf\xbf\"", "\"\\udbff\\udfff\""},
    {"at both ends", "\"\xc2\x80\x61\xc2\x80\"", "\"\\u0080a\\u0080\""},
};

static cJSON *read_json(struct bytes text)
{
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(text, &json).status, WIRE_OK);
    return json;
}

START_TEST(the_other_way_reads_the_same)
{
    const struct bytes json = bytes_of_text(ROWS[_i].json);
    struct buffer out;
    uint8_t *block = malloc(json.len);
    ck_assert(block != NULL);
    memcpy(block, json.data, json.len);
    buffer_init(&out, 1000);
    ck_assert(json_escape_all(bytes_of(block, json.len), &out));
    ck_assert_msg(bytes_equal_text(buffer_bytes(&out), ROWS[_i].expected), "%s: %.*s", ROWS[_i].name,
                  (int)out.len, (const char *)out.data);
    cJSON *before = read_json(json), *after = read_json(buffer_bytes(&out));
    ck_assert(cJSON_Compare(before, after, true));
    cJSON_Delete(before);
    cJSON_Delete(after);
    buffer_free(&out);
    free(block);
}
END_TEST

START_TEST(what_does_not_fit_is_not_written)
{
    struct buffer out;
    buffer_init(&out, 10);
    ck_assert(!json_escape_all(bytes_of_text("\"\xf0\x9f\x98\x80\""), &out));
    buffer_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json escape");
    TCase *writing = tcase_create("writing");
    tcase_add_loop_test(writing, the_other_way_reads_the_same, 0, (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_test(writing, what_does_not_fit_is_not_written);
    suite_add_tcase(suite, writing);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
