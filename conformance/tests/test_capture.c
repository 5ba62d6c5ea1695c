/* What a client writes: what is kept of it, and the observations in it. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/judge/judge.h"
#include "conformance/process/capture.h"
#include "conformance/process/output_tail.h"

static void feed_copy(struct capture *capture, const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, len);
    capture_feed(capture, bytes_of(copy, len));
    free(copy);
}

static void feed_lines(struct capture *capture, const char *line, size_t bytes)
{
    for (size_t fed = 0; fed < bytes; fed += strlen(line))
        feed_copy(capture, line, strlen(line));
}

static char *kept_of(const struct capture *capture, size_t *len)
{
    struct buffer kept;
    buffer_init(&kept, CAPTURE_KEPT_MAX + 1);
    ck_assert(capture_kept(capture, &kept));
    *len = kept.len;
    ck_assert(buffer_append(&kept, bytes_of("", 1)));
    return (char *)kept.data;
}

START_TEST(the_beginning_and_the_end_are_kept_and_the_cut_is_noted)
{
    static const size_t CHUNKS[] = {1000, 65536, CAPTURE_TAIL_MAX + 1, 4 * (size_t)CAPTURE_KEPT_MAX};
    const size_t total = 3 * (size_t)CAPTURE_KEPT_MAX;
    char *all = malloc(total);
    ck_assert_ptr_nonnull(all);
    for (size_t i = 0; i < total; i++)
        all[i] = (char)('a' + i % 23);
    for (size_t n = 0; n < sizeof CHUNKS / sizeof CHUNKS[0]; n++) {
        struct capture capture;
        capture_init(&capture, CAPTURE_OUTPUT);
        for (size_t at = 0; at < total; at += CHUNKS[n])
            feed_copy(&capture, all + at, CHUNKS[n] < total - at ? CHUNKS[n] : total - at);
        size_t len = 0;
        char *kept = kept_of(&capture, &len);
        char note[64];
        snprintf(note, sizeof note, "\n[%zu bytes were cut here]\n",
                 total - CAPTURE_HEAD_MAX - CAPTURE_TAIL_MAX);
        ck_assert_uint_eq(len, CAPTURE_HEAD_MAX + strlen(note) + CAPTURE_TAIL_MAX);
        ck_assert_mem_eq(kept, all, CAPTURE_HEAD_MAX);
        ck_assert_mem_eq(kept + CAPTURE_HEAD_MAX, note, strlen(note));
        ck_assert_mem_eq(kept + len - CAPTURE_TAIL_MAX, all + total - CAPTURE_TAIL_MAX, CAPTURE_TAIL_MAX);
        free(kept);
        capture_free(&capture);
    }
    free(all);
}
END_TEST

START_TEST(what_fits_is_kept_whole_without_a_note)
{
    struct capture capture;
    char cuts[100];
    struct text text = text_of(cuts, sizeof cuts);
    capture_init(&capture, CAPTURE_OUTPUT);
    feed_lines(&capture, "0123456789abcdef", CAPTURE_HEAD_MAX + CAPTURE_TAIL_MAX);
    size_t len = 0;
    char *kept = kept_of(&capture, &len);
    ck_assert_uint_eq(len, CAPTURE_HEAD_MAX + CAPTURE_TAIL_MAX);
    ck_assert_ptr_null(strchr(kept, '['));
    capture_describe_cuts(&capture, &text);
    ck_assert_str_eq(cuts, "");
    free(kept);
    capture_free(&capture);
}
END_TEST

START_TEST(as_many_observations_are_read_as_the_judge_takes_and_not_one_more)
{
    static const char LINE[] = "{\"conform\":1,\"seen\":\"cancelled\"}\n";
    struct capture capture;
    char cuts[400];
    struct text text = text_of(cuts, sizeof cuts);
    capture_init(&capture, CAPTURE_OUTPUT);
    for (size_t i = 0; i < JUDGE_OBSERVATIONS_MAX; i++)
        capture_feed(&capture, bytes_of(LINE, sizeof LINE - 1));
    ck_assert_uint_eq(capture.observation_count, JUDGE_OBSERVATIONS_MAX);
    ck_assert_uint_eq(capture.observations_cut, 0);
    feed_copy(&capture, LINE, sizeof LINE - 1);
    ck_assert_uint_eq(capture.observation_count, JUDGE_OBSERVATIONS_MAX);
    ck_assert_uint_eq(capture.observations_cut, 1);
    capture_describe_cuts(&capture, &text);
    ck_assert_ptr_nonnull(strstr(cuts, "1 observations beyond the limit were not judged.\n"));
    capture_free(&capture);
}
END_TEST

static const struct {
    const char *name, *lines, *bad;
    size_t good;
} OBSERVATIONS[] = {
    {"a log", "hello\n{\"level\":\"info\"}\n", "", 0},
    {"one between logs", "hello\n{\"conform\":1,\"seen\":\"cancelled\"}\nbye\n", "", 1},
    {"the last without a newline", "{\"conform\":1,\"seen\":\"cancelled\"}", "", 1},
    {"one that is wrong", "hello\n{\"conform\":1,\"seen\":\"cancelled\"}\n{\"conform\":1}\n{\"conform\":2}\n",
     "in line 3 of standard output: \"seen\" is missing: {\"conform\":1}", 1},
    {"one that is cut short", "{\"conform\":1,\"seen\":\"re\n",
     "in line 1 of standard output: not JSON at byte ", 0},
};

START_TEST(a_wrong_observation_is_named_by_its_line)
{
    struct capture capture;
    capture_init(&capture, CAPTURE_OUTPUT);
    feed_copy(&capture, OBSERVATIONS[_i].lines, strlen(OBSERVATIONS[_i].lines));
    capture_end(&capture);
    ck_assert_uint_eq(capture.observation_count, OBSERVATIONS[_i].good);
    const size_t len = strlen(OBSERVATIONS[_i].bad);
    ck_assert_msg(len > 0 ? strncmp(capture.bad_observation, OBSERVATIONS[_i].bad, len) == 0
                          : capture.bad_observation[0] == '\0',
                  "%s: %s", OBSERVATIONS[_i].name, capture.bad_observation);
    capture_free(&capture);
}
END_TEST

/* A line of `len` bytes that begins so and is filled up with a text. */
static void feed_line_of(struct capture *capture, const char *begin, size_t len)
{
    char *line = malloc(len + 1);
    ck_assert_ptr_nonnull(line);
    memset(line, 'x', len);
    memcpy(line, begin, strlen(begin));
    memcpy(line + len - 2, "\"}\n", 3);
    feed_copy(capture, line, len + 1);
    free(line);
}

START_TEST(a_line_too_long_for_an_observation_does_not_vanish)
{
    static const char OBSERVATION[] = "{\"conform\":1,\"seen\":\"state\",\"text\":\"";
    struct capture capture;
    char cuts[400];
    struct text text = text_of(cuts, sizeof cuts);
    capture_init(&capture, CAPTURE_OUTPUT);
    feed_line_of(&capture, OBSERVATION, OBSERVATION_LINE_MAX);
    ck_assert_uint_eq(capture.observation_count, 1);
    ck_assert_str_eq(capture.bad_observation, "");
    feed_line_of(&capture, "{\"level\":\"info\",\"text\":\"", OBSERVATION_LINE_MAX + 1);
    feed_line_of(&capture, "a log, not an object", OBSERVATION_LINE_MAX + 1);
    ck_assert_str_eq(capture.bad_observation, "");
    feed_line_of(&capture, OBSERVATION, OBSERVATION_LINE_MAX + 1);
    ck_assert_uint_eq(capture.observation_count, 1);
    ck_assert_ptr_nonnull(
        strstr(capture.bad_observation, "in line 4 of standard output: the line is longer"));
    capture_describe_cuts(&capture, &text);
    ck_assert_str_eq(cuts,
                     "1 objects stood in lines of more than 4096 bytes and were not read as observations.\n");
    capture_free(&capture);
}
END_TEST

/* A stack of Node: its first calls name the fault, those of a library behind them do not. One of Python, the
 * newest call last, is as it was. */
START_TEST(of_a_stack_written_newest_first_the_first_calls_are_shown)
{
    static const char NODE[] = "TypeError: null is no object\n"
                               "    at receive (file:///client.mjs:216:117)\n"
                               "    at two\n\tat three\n   at four\n    at five\n    at six\n"
                               "\nNode.js v20\n    at once\n";
    static const char SHOWN[] = "standard error:\nTypeError: null is no object\n"
                                "    at receive (file:///client.mjs:216:117)\n"
                                "    at two\n\tat three\n   at four\n    and so on\n"
                                "Node.js v20\n    at once\n";
    static const char SANITIZER[] =
        "ERROR: AddressSanitizer\n    #0 read_frame session.c:282\n"
        "SUMMARY: AddressSanitizer: in read_frame\n"
        "Shadow bytes around the buggy address:\n  00 00\nlegend\n==1==ABORTING\n";
    static const char PYTHON[] =
        "Traceback:\n  File \"a.py\"\nat last\n  File b\n  File c\n  File d\nKeyError: 'x'\n";
    char shown[1000];
    struct capture output, errors;
    capture_init(&output, CAPTURE_OUTPUT);
    capture_init(&errors, CAPTURE_ERRORS);
    struct text text = text_of(shown, sizeof shown);
    feed_copy(&errors, NODE, strlen(NODE));
    output_tail_write(&text, &output, &errors, bytes_of("", 0));
    ck_assert_str_eq(shown, SHOWN);
    capture_free(&errors);
    capture_init(&errors, CAPTURE_ERRORS);
    text = text_of(shown, sizeof shown);
    feed_copy(&errors, PYTHON, strlen(PYTHON));
    output_tail_write(&text, &output, &errors, bytes_of("", 0));
    ck_assert_str_eq(shown + strlen("standard error:\n"), PYTHON);
    capture_free(&errors);
    capture_init(&errors, CAPTURE_ERRORS);
    text = text_of(shown, sizeof shown);
    feed_copy(&errors, SANITIZER, strlen(SANITIZER));
    output_tail_write(&text, &output, &errors, bytes_of("", 0));
    ck_assert_str_eq(shown, "standard error:\nERROR: AddressSanitizer\n    #0 read_frame session.c:282\n"
                            "SUMMARY: AddressSanitizer: in read_frame\n");
    capture_free(&errors);
    capture_free(&output);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, the_beginning_and_the_end_are_kept_and_the_cut_is_noted);
    tcase_add_test(cases, what_fits_is_kept_whole_without_a_note);
    tcase_add_test(cases, as_many_observations_are_read_as_the_judge_takes_and_not_one_more);
    tcase_add_loop_test(cases, a_wrong_observation_is_named_by_its_line, 0,
                        (int)(sizeof OBSERVATIONS / sizeof OBSERVATIONS[0]));
    tcase_add_test(cases, a_line_too_long_for_an_observation_does_not_vanish);
    tcase_add_test(cases, of_a_stack_written_newest_first_the_first_calls_are_shown);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
