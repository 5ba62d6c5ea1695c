/* How quirks are read: names, values, ranges, and what an error says. */
#include <string.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "server/core/quirk.h"
#include "server/core/session.h"
#include "server/ojin/session_class.h"

static const struct quirk_kind KINDS[] = {
    {"loud", QUIRK_FLAG, "", 0, 0, "", "a flag"},
    {"count", QUIRK_NUMBER, "7", 2, 10, "", "a number"},
    {"late", QUIRK_DURATION, "800ms", 1000, 60000000, "", "a duration"},
    {"large", QUIRK_SIZE, "1MB", 64, 2097152, "", "a size"},
    {"kind", QUIRK_CHOICE, "two", 0, 0, "one two three", "a choice"},
    {"several", QUIRK_SET, "", 0, 0, "loud count=3 kind", "a set"},
    {0},
};

static const struct {
    const char *text;
    int row;
    uint64_t value;
} RIGHT[] = {
    {"loud", 0, 1},        {"loud=on", 0, 1},        {"loud=off", 0, 0},        {"count", 1, 7},
    {"count=2", 1, 2},     {"count=10", 1, 10},      {"count=off", 1, 0},       {"late", 2, 800000},
    {"late=1ms", 2, 1000}, {"late=1000us", 2, 1000}, {"late=60s", 2, 60000000}, {"large", 3, 1048576},
    {"large=64", 3, 64},   {"large=64B", 3, 64},     {"large=2KB", 3, 2048},    {"large=2MB", 3, 2097152},
    {"kind", 4, 2},        {"kind=one", 4, 1},       {"kind=three", 4, 3},      {"kind=off", 4, 0},
};

static const struct {
    const char *text;
    uint64_t loud, count, late, kind;
} SETS[] = {
    {"several", 1, 3, 0, 2},           {"several=on late=2s", 1, 3, 2000000, 2},
    {"count=9 several", 1, 3, 0, 2},   {"several count=9", 1, 9, 0, 2},
    {"several count=off", 1, 0, 0, 2}, {"late several several=off", 0, 0, 800000, 0},
};

/* A set has no value of its own: it is the quirks it stands for, and what comes later holds. */
START_TEST(a_set_sets_what_it_stands_for)
{
    struct quirks quirks = {{0}};
    const struct quirks expected = {
        .value = {SETS[_i].loud, SETS[_i].count, SETS[_i].late, 0, SETS[_i].kind, 0}};
    char error[QUIRK_ERROR_MAX];
    ck_assert_msg(quirk_set_all(&quirks, KINDS, bytes_of_text(SETS[_i].text), error), "%s", error);
    ck_assert_msg(memcmp(&quirks, &expected, sizeof quirks) == 0, "%s", SETS[_i].text);
}
END_TEST

START_TEST(a_right_setting_is_taken)
{
    struct quirks quirks;
    struct quirks expected;
    char error[QUIRK_ERROR_MAX];
    memset(&quirks, 0, sizeof quirks);
    quirks.value[RIGHT[_i].row] = 99;
    expected = quirks;
    expected.value[RIGHT[_i].row] = RIGHT[_i].value;
    struct exact_copy copy = exact_copy_of(bytes_of_text(RIGHT[_i].text));
    ck_assert_msg(quirk_set(&quirks, KINDS, copy.bytes, error), "%s: %s", RIGHT[_i].text, error);
    ck_assert_mem_eq(&quirks, &expected, sizeof quirks);
    exact_copy_free(copy);
}
END_TEST

static const struct {
    const char *text;
    const char *error;
} WRONG[] = {
    {"", "there is no quirk \"\""},
    {"lout", "there is no quirk \"lout\"; did you mean \"loud\"?"},
    {"something-else", "there is no quirk \"something-else\""},
    {"=1", "there is no quirk \"\""},
    {"loud=yes", "quirk loud: expected no value, on or off, found \"yes\""},
    {"loud=", "quirk loud: expected no value, on or off, found \"\""},
    {"count=1", "quirk count: expected a whole number from 2 to 10 or off, found \"1\""},
    {"count=11", "quirk count: expected a whole number from 2 to 10 or off, found \"11\""},
    {"count=-3", "quirk count: expected a whole number from 2 to 10 or off, found \"-3\""},
    {"count=5x", "quirk count: expected a whole number from 2 to 10 or off, found \"5x\""},
    {"count=99999999999999999999999", "quirk count: expected a whole number from 2 to 10 or off, found "
                                      "\"99999999999999999999999\""},
    {"late=5", "quirk late: expected a duration from 1ms to 60s or off, found \"5\""},
    {"late=999us", "quirk late: expected a duration from 1ms to 60s or off, found \"999us\""},
    {"late=61s", "quirk late: expected a duration from 1ms to 60s or off, found \"61s\""},
    {"late=18446744073709551615s",
     "quirk late: expected a duration from 1ms to 60s or off, found \"18446744073709551615s\""},
    {"large=63", "quirk large: expected a size from 64 to 2097152 or off, found \"63\""},
    {"large=3MB", "quirk large: expected a size from 64 to 2097152 or off, found \"3MB\""},
    {"kind=four", "quirk kind: expected one of one two three or off, found \"four\""},
    {"kind=one two", "quirk kind: expected one of one two three or off, found \"one two\""},
    {"kind=", "quirk kind: expected one of one two three or off, found \"\""},
};

START_TEST(a_wrong_setting_is_told_and_changes_nothing)
{
    struct quirks quirks = {{1, 2, 3, 4, 5}};
    const struct quirks before = quirks;
    char error[QUIRK_ERROR_MAX];
    struct exact_copy copy = exact_copy_of(bytes_of_text(WRONG[_i].text));
    ck_assert(!quirk_set(&quirks, KINDS, copy.bytes, error));
    ck_assert_str_eq(error, WRONG[_i].error);
    ck_assert_mem_eq(&quirks, &before, sizeof quirks);
    exact_copy_free(copy);
}
END_TEST

START_TEST(several_are_set_together_or_not_at_all)
{
    struct quirks quirks = {{0}};
    char error[QUIRK_ERROR_MAX];
    ck_assert(quirk_set_all(&quirks, KINDS, bytes_of_text(" loud,count=3  late=2s,,count=4 "), error));
    ck_assert_uint_eq(quirks.value[0], 1);
    ck_assert_uint_eq(quirks.value[1], 4);
    ck_assert_uint_eq(quirks.value[2], 2000000);
    ck_assert(!quirk_set_all(&quirks, KINDS, bytes_of_text("count=5 late=x"), error));
    ck_assert_uint_eq(quirks.value[1], 4);
    ck_assert(quirk_set_all(&quirks, KINDS, bytes_of_text(""), error));
    ck_assert_str_eq(error, "");
}
END_TEST

START_TEST(an_error_stays_within_its_bound)
{
    struct quirks quirks = {{0}};
    char error[QUIRK_ERROR_MAX];
    uint8_t text[2000];
    memset(text, 0xFF, sizeof text);
    ck_assert(!quirk_set(&quirks, KINDS, bytes_of(text, sizeof text), error));
    ck_assert_uint_lt(strlen(error), QUIRK_ERROR_MAX);
    memcpy(text, "count=", 6);
    ck_assert(!quirk_set(&quirks, KINDS, bytes_of(text, sizeof text), error));
    ck_assert_ptr_nonnull(strstr(error, "quirk count: expected"));
}
END_TEST

/* Each of the family's, at once, reads back as it was. */
START_TEST(what_is_written_reads_back)
{
    const struct quirk_kind *kinds = OJIN_SESSION_CLASS.quirks;
    struct quirks quirks = {{0}}, back = {{0}};
    char error[QUIRK_ERROR_MAX], data[QUIRKS_TEXT_MAX];
    struct text text = text_of(data, sizeof data);
    quirk_write_all(&text, kinds, &quirks);
    ck_assert_str_eq(data, "");
    for (size_t row = 0; kinds[row].name != NULL; row++)
        ck_assert(quirk_set(&quirks, kinds, bytes_of_text(kinds[row].name), error));
    ck_assert(quirk_set_all(&quirks, kinds, bytes_of_text("silence-id=last fade=7 stall=1500us"), error));
    text = text_of(data, sizeof data);
    quirk_write_all(&text, kinds, &quirks);
    ck_assert(!text.cut);
    ck_assert_ptr_nonnull(strstr(data, "silence-id=last"));
    ck_assert_ptr_nonnull(strstr(data, "stall=1500us"));
    ck_assert_msg(quirk_set_all(&back, kinds, bytes_of(data, text.len), error), "%s", error);
    ck_assert_mem_eq(&back, &quirks, sizeof quirks);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("quirk");
    tcase_add_loop_test(tcase, a_right_setting_is_taken, 0, TABLE_COUNT(RIGHT));
    tcase_add_loop_test(tcase, a_set_sets_what_it_stands_for, 0, TABLE_COUNT(SETS));
    tcase_add_loop_test(tcase, a_wrong_setting_is_told_and_changes_nothing, 0, TABLE_COUNT(WRONG));
    tcase_add_test(tcase, several_are_set_together_or_not_at_all);
    tcase_add_test(tcase, what_is_written_reads_back);
    tcase_add_test(tcase, an_error_stays_within_its_bound);
    return suite_run("quirk", tcase);
}
