/* The ways of `ojin-conform splits`: each is a right script, all splits are in one of them, and reports
 * compare. */
#include "codec/tests/suite.h"

#include <stdlib.h>

#include "conformance/script/case_script.h"
#include "conformance/splits/splits.h"

static const char *const FAMILIES_TRIED[] = {"ojin", "duplex", "interview"};

static struct splits *splits_of(int family)
{
    struct splits *splits = splits_new(FAMILIES_TRIED[family]);
    ck_assert_ptr_nonnull(splits);
    return splits;
}

START_TEST(each_way_is_a_right_script)
{
    struct splits *splits = splits_of(_i);
    for (size_t n = 0; n < splits_count(splits); n++) {
        char error[SCRIPT_ERROR_MAX] = "";
        struct buffer text;
        buffer_init(&text, SPLIT_SCRIPT_MAX);
        ck_assert(splits_script(splits, n, &text));
        struct case_script *script = case_script_parse(splits_way(splits, n)->name, buffer_bytes(&text),
                                                       case_family_by_name(FAMILIES_TRIED[_i]), error);
        ck_assert_msg(script != NULL, "%s", error);
        ck_assert_str_eq(script->name, splits_way(splits, n)->name);
        case_script_free(script);
        buffer_free(&text);
    }
    splits_free(splits);
}
END_TEST

/* Steps that cut after that byte, in scripts of ways whose names begin so. */
static size_t cuts_after(const struct splits *splits, const char *kind, size_t byte)
{
    char wanted[64];
    size_t found = 0;
    struct text pipe = text_of(wanted, sizeof wanted);
    text_add(&pipe, "| slice at=");
    text_add_u64(&pipe, byte);
    text_add(&pipe, " ");
    for (size_t n = 0; n < splits_count(splits); n++) {
        struct buffer text;
        if (strstr(splits_way(splits, n)->name, kind) == NULL)
            continue;
        buffer_init(&text, SPLIT_SCRIPT_MAX);
        ck_assert(splits_script(splits, n, &text) && buffer_append(&text, bytes_of("", 1)));
        for (const char *at = (const char *)text.data; (at = strstr(at, wanted)) != NULL; at++)
            found++;
        buffer_free(&text);
    }
    return found;
}

/* Bytes that the n-th raw step of a script writes. */
static size_t raw_len(const struct splits *splits, size_t way, size_t step)
{
    struct buffer text;
    size_t len = 0;
    buffer_init(&text, SPLIT_SCRIPT_MAX);
    ck_assert(splits_script(splits, way, &text) && buffer_append(&text, bytes_of("", 1)));
    const char *at = (const char *)text.data;
    for (size_t n = 0; n <= step && at != NULL; n++)
        at = strstr(at + 1, "raw hex=\"");
    if (at != NULL)
        len = strcspn(at + strlen("raw hex=\""), "\"") / 2;
    buffer_free(&text);
    return len;
}

START_TEST(every_byte_is_split_after)
{
    struct splits *splits = splits_of(_i);
    size_t first = 0, head = 0;
    for (size_t n = 0; n < splits_count(splits); n++) {
        if (strstr(splits_way(splits, n)->name, "/splits/cut-1") != NULL && first == 0)
            first = n;
        if (strstr(splits_way(splits, n)->name, "/splits/head-1") != NULL && head == 0)
            head = n;
    }
    const size_t heads = strcmp(FAMILIES_TRIED[_i], "duplex") == 0 ? 2 : 1;
    const size_t body = raw_len(splits, first, heads), head_len = raw_len(splits, head, 0);
    ck_assert(body > 200 && head_len > 25);
    for (size_t byte = 1; byte < body; byte++)
        ck_assert_uint_eq(cuts_after(splits, "/splits/cut-", byte), 1);
    for (size_t byte = 1; byte < head_len; byte++)
        ck_assert_uint_eq(cuts_after(splits, "/splits/head-", byte), 1);
    splits_free(splits);
}
END_TEST

static const struct {
    const char *name, *expected, *found;
    size_t line; /* 0: they are the same */
    const char *expected_line, *found_line;
} REPORTS[] = {
    {"the same", "a\nb\n", "a\nb\n", 0, "", ""},
    {"nothing", "", "", 0, "", ""},
    {"another line", "a\nb\n", "a\nc\n", 2, "b", "c"},
    {"one fewer", "a\nb\n", "a\n", 2, "b", ""},
    {"one more", "a\n", "a\na\n", 2, "", "a"},
    {"a line that is empty", "a\n\nb\n", "a\nb\n", 2, "", "b"},
    {"the other order", "a\nb\n", "b\na\n", 1, "a", "b"},
};

START_TEST(reports_compare)
{
    struct split_difference difference;
    const bool differs = split_seen_compare(bytes_of_text(REPORTS[_i].expected),
                                            bytes_of_text(REPORTS[_i].found), &difference);
    ck_assert_int_eq(differs, REPORTS[_i].line > 0);
    if (!differs)
        return;
    ck_assert_uint_eq(difference.line, REPORTS[_i].line);
    ck_assert(bytes_equal_text(difference.expected, REPORTS[_i].expected_line));
    ck_assert(bytes_equal_text(difference.found, REPORTS[_i].found_line));
}
END_TEST

START_TEST(what_depends_on_time_is_left_out)
{
    char data[1024];
    struct text text = text_of(data, sizeof data);
    const struct observation list[] = {
        {.kind = OBSERVED_FRAME, .index = 1},
        {.kind = OBSERVED_PLAYED, .index = 1},
        {.kind = OBSERVED_LISTEN,
         .has_at = true,
         .at = 7,
         .has_samples = true,
         .samples = 8,
         .has_cache = true,
         .cache = 9},
        {.kind = OBSERVED_DELTA, .has_samples = true, .samples = 4},
        {.kind = OBSERVED_STATE},
        {.kind = OBSERVED_HEARD, .has_at = true},
    };
    split_seen_add(&text, list, sizeof list / sizeof list[0]);
    ck_assert_ptr_nonnull(strstr(data, "\"frame\""));
    ck_assert_ptr_nonnull(strstr(data, "\"samples\":4"));
    ck_assert_ptr_nonnull(strstr(data, "\"cache\":9"));
    ck_assert_ptr_null(strstr(data, "played"));
    ck_assert_ptr_null(strstr(data, "\"at\""));
    ck_assert_ptr_null(strstr(data, "\"samples\":8"));
    ck_assert_ptr_null(strstr(data, "state"));
    ck_assert_ptr_null(strstr(data, "heard"));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("split_ways");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, each_way_is_a_right_script, 0, TABLE_COUNT(FAMILIES_TRIED));
    tcase_add_loop_test(tcase, every_byte_is_split_after, 0, TABLE_COUNT(FAMILIES_TRIED));
    tcase_add_loop_test(tcase, reports_compare, 0, TABLE_COUNT(REPORTS));
    tcase_add_test(tcase, what_depends_on_time_is_left_out);
    return suite_run("split_ways", tcase);
}
