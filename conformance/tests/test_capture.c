/* What a client writes: what is kept of it, observations in it, and what a crash leaves on standard error. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "conformance/judge/judge.h"
#include "conformance/run/capture.h"
#include "conformance/run/client_end.h"

#define ASAN "==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n"
#define NODE_STACK                                                                                           \
    "/app/client.mjs:3\nthrow new Error('x');\n^\n\nError: x\n    at Object.<anonymous> "                    \
    "(/app/client.mjs:3:7)\n\n"

/* Of a client's standard error; NULL: no crash. */
struct crash_row {
    const char *name, *text;
    bool failed;
    const char *sentence;
};

static const struct crash_row CRASHES[] = {
    {"nothing", "", true, NULL},
    {"Python", "Traceback (most recent call last):\n  File \"x.py\", line 1\n    raise\nKeyError: 'x'\n",
     true, "uncaught exception: KeyError: 'x'"},
    {"Python, without the last newline", "Traceback (most recent call last):\n  File\nKeyError: 'x'", true,
     "uncaught exception: KeyError: 'x'"},
    {"Python, during another",
     "Traceback (most recent call last):\n  a\nKeyError: 1\n\nDuring handling of the above "
     "exception, another exception occurred:\n\nTraceback (most recent call last):\n  b\nValueError: 2\n",
     true, "uncaught exception: ValueError: 2"},
    {"Python, and then a log", "Traceback (most recent call last):\n  a\nKeyError: 1\nbye\n", true,
     "uncaught exception: KeyError: 1"},
    {"Python, caught and written down", "Traceback (most recent call last):\n  a\nKeyError: 1\n", false,
     NULL},
    {"Python, in a thread",
     "Exception in thread Thread-1 (f):\nTraceback (most recent call last):\n  a\nKeyError: 1\n", false,
     "uncaught exception: KeyError: 1"},
    {"Python, in a task",
     "Task exception was never retrieved\nfuture: <Task finished name='Task-2'>\n"
     "Traceback (most recent call last):\n  a\nKeyError: 1\n",
     false, "uncaught exception: KeyError: 1"},
    {"Python, in a callback",
     "Exception in callback f()\nhandle: <Handle f()>\nTraceback (most recent call last):\n  a\nKeyError: "
     "1\n",
     false, "uncaught exception: KeyError: 1"},
    {"a log that speaks of an exception in a thread",
     "Exception in thread pool: none\nall is well\nand so on\nTraceback (most recent call last):\n  "
     "a\nKeyError: 1\n",
     false, NULL},
    {"a log that speaks of a traceback", "log: Traceback (most recent call last): none\n", true, NULL},
    {"a log that speaks of uncaught errors", "no Uncaught errors here\n", true, NULL},
    {"a log that speaks of a panic", "do not panic: it works\n", true, NULL},
    {"a log that begins with panic", "panic: no\nall is well\n", true, NULL},
    {"Go", "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.main()\n", true,
     "panic: runtime error: index out of range [3]"},
    {"Go, deadlocked", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\n",
     true, "panic: fatal error: all goroutines are asleep - deadlock!"},
    {"Rust", "thread 'main' panicked at src/main.rs:2:5:\nboom\n", true,
     "panic: thread 'main' panicked at src/main.rs:2:5:"},
    {"Rust, in another thread", "thread 'tokio-1' (81) panicked at src/main.rs:2:5:\n", true,
     "panic: thread 'tokio-1' (81) panicked at src/main.rs:2:5:"},
    {"Java", "Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat A.main(A.java:3)\n", true,
     "uncaught exception: Exception in thread \"main\" java.lang.IllegalStateException: x"},
    {"Java, in another thread", "Exception in thread \"Thread-0\" java.lang.Error: x\n\tat A.run(A.java:3)\n",
     false, "uncaught exception: Exception in thread \"Thread-0\" java.lang.Error: x"},
    {"Ruby, in another thread",
     "#<Thread:0x7f a.rb:1 run> terminated with exception (report_on_exception is true):\na.rb:1: x\n", false,
     "uncaught exception: #<Thread:0x7f a.rb:1 run> terminated with exception (report_on_exception is "
     "true):"},
    {"Ruby", "a.rb:1:in `<main>': x (RuntimeError)\n", true,
     "uncaught exception: a.rb:1:in `<main>': x (RuntimeError)"},
    {"Ruby, as it quotes now", "a.rb:1:in 'Object#f': x (ArgumentError)\n\tfrom a.rb:3:in '<main>'\n", true,
     "uncaught exception: a.rb:1:in 'Object#f': x (ArgumentError)"},
    {"Ruby, caught", "a.rb:1:in `<main>': x (RuntimeError)\n", false, NULL},
    {"PHP", "PHP Fatal error:  Uncaught Exception: x in a.php:3\n", true,
     "uncaught exception: PHP Fatal error:  Uncaught Exception: x in a.php:3"},
    {"Valgrind", "==17== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)\n", false,
     "Valgrind report: ==17== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)"},
    {"Valgrind, content", "==17== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)\n", true,
     NULL},
    {"Rust, in another thread, and exit 0 all the same", "thread 'reader' panicked at src/main.rs:2:5:\n",
     false, "panic: thread 'reader' panicked at src/main.rs:2:5:"},
    {".NET", "Unhandled exception. System.Exception: x\n", true,
     "uncaught exception: Unhandled exception. System.Exception: x"},
    {"a browser's engine", "Uncaught TypeError: x is not a function\r\n", true,
     "uncaught exception: Uncaught TypeError: x is not a function"},
    {"Node", NODE_STACK "Node.js v18.19.0\n", true, "uncaught exception: Error: x"},
    {"Node, caught", NODE_STACK "Node.js v18.19.0\n", false, NULL},
    {"Node, a promise", "(node:7) UnhandledPromiseRejectionWarning: Error: x\n    at f\n", false,
     "uncaught exception: (node:7) UnhandledPromiseRejectionWarning: Error: x"},
    {"a log that tells Node's version", "Node.js v18.19.0\nconnected\n", true, NULL},
    {"AddressSanitizer", ASAN, true,
     "AddressSanitizer report: ==17==ERROR: AddressSanitizer: "
     "heap-use-after-free on address 0x1"},
    {"AddressSanitizer, and exit 0 all the same", ASAN, false,
     "AddressSanitizer report: ==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x1"},
    {"HWAddressSanitizer", "==7==ERROR: HWAddressSanitizer: tag-mismatch on address 0x1\n", false,
     "HWAddressSanitizer report: ==7==ERROR: HWAddressSanitizer: tag-mismatch on address 0x1"},
    {"ThreadSanitizer", "WARNING: ThreadSanitizer: data race (pid=1)\n", false,
     "ThreadSanitizer report: WARNING: ThreadSanitizer: data race (pid=1)"},
    {"UndefinedBehaviorSanitizer", "src/a.c:31:9: runtime error: shift exponent 64 is too large\n", false,
     "UndefinedBehaviorSanitizer report: src/a.c:31:9: runtime error: shift exponent 64 is too large"},
    {"a log that speaks of a runtime error", "step 3: runtime error: none\n", false, NULL},
    {"a sanitizer before its runtime", ASAN "Uncaught x\n", true,
     "AddressSanitizer report: ==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x1"},
};

static void feed_copy(struct capture *capture, const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, len);
    capture_feed(capture, bytes_of(copy, len));
    free(copy);
}

static void expect_sentence(const struct capture *capture, const struct crash_row *row)
{
    const char *sentence = crash_marks_sentence(&capture->marks, row->failed);
    if (row->sentence == NULL)
        ck_assert_msg(sentence == NULL, "%s: %s", row->name, sentence);
    else
        ck_assert_msg(sentence != NULL && strcmp(sentence, row->sentence) == 0, "%s: %s", row->name,
                      sentence == NULL ? "nothing" : sentence);
}

START_TEST(a_crash_is_what_a_runtime_prints_at_the_beginning_of_a_line)
{
    const struct crash_row *row = &CRASHES[_i];
    const size_t len = strlen(row->text);
    for (size_t split = 0; split <= len; split++) {
        struct capture capture;
        capture_init(&capture, CAPTURE_ERRORS);
        feed_copy(&capture, row->text, split);
        feed_copy(&capture, row->text + split, len - split);
        capture_end(&capture);
        expect_sentence(&capture, row);
        capture_free(&capture);
    }
}
END_TEST

static void feed_lines(struct capture *capture, const char *line, size_t bytes)
{
    for (size_t fed = 0; fed < bytes; fed += strlen(line))
        feed_copy(capture, line, strlen(line));
}

START_TEST(a_crash_is_seen_wherever_it_stands_in_a_flood)
{
    static const size_t BEFORE[] = {0, CAPTURE_HEAD_MAX, CAPTURE_KEPT_MAX, 4 * (size_t)CAPTURE_KEPT_MAX};
    for (size_t i = 0; i < sizeof BEFORE / sizeof BEFORE[0]; i++) {
        struct capture capture;
        capture_init(&capture, CAPTURE_ERRORS);
        feed_lines(&capture, "a line of a log that has much to say\n", BEFORE[i]);
        feed_lines(&capture, CRASHES[1].text, 1);
        feed_lines(&capture, "and more\n", 3 * (size_t)CAPTURE_KEPT_MAX);
        capture_end(&capture);
        expect_sentence(&capture, &CRASHES[1]);
        capture_free(&capture);
    }
}
END_TEST

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
    ck_assert_ptr_nonnull(strstr(cuts, "1 observations came after as many as are judged.\n"));
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

/* ---- how it ended ---- */

enum { EXIT = 256 }; /* a wait status: the code times that */

static const struct {
    const char *name, *errors;
    struct client_facts facts;
    enum client_end end;
    const char *text;
} ENDS[] = {
    {"done", "", {.ended = true, .connected = true, .script_over = true}, CLIENT_ENDED, ""},
    {"it reports an error",
     "",
     {.ended = true, .wait_status = 1 * EXIT, .connected = true},
     CLIENT_ENDED,
     ""},
    {"an exception",
     "Uncaught x\n",
     {.ended = true, .wait_status = 1 * EXIT, .connected = true},
     CLIENT_CRASHED,
     "uncaught exception: Uncaught x"},
    {"an exception that somebody caught",
     "Uncaught x\n",
     {.ended = true, .connected = true},
     CLIENT_ENDED,
     ""},
    {"it declines, with a log",
     "Uncaught x\n",
     {.ended = true, .wait_status = 77 * EXIT},
     CLIENT_DECLINED,
     ""},
    {"the adapter is broken", "", {.ended = true, .wait_status = 99 * EXIT}, CLIENT_BROKEN, "exit 99"},
    {"a sanitizer, whatever the exit",
     ASAN,
     {.ended = true, .wait_status = 77 * EXIT},
     CLIENT_CRASHED,
     "AddressSanitizer report: "},
    {"a signal",
     "",
     {.ended = true, .wait_status = 11, .connected = true},
     CLIENT_CRASHED,
     "killed by SIGSEGV"},
    {"a shell's word for a signal",
     "",
     {.ended = true, .wait_status = 139 * EXIT},
     CLIENT_CRASHED,
     "exit 139, as a shell says of a program killed by SIGSEGV"},
    {"an exit of -1",
     "",
     {.ended = true, .wait_status = 255 * EXIT, .connected = true},
     CLIENT_ENDED,
     "exit 255, taken for 1: an error that it reported"},
    {"not started", "", {.exec_errno = 2}, CLIENT_NOT_STARTED, "cannot start prog: "},
    {"no connection",
     "",
     {.ended = true, .wait_status = 3 * EXIT},
     CLIENT_NEVER_CAME,
     "ended with exit 3 and never connected"},
    {"no connection, running on", "", {.ended = false}, CLIENT_NEVER_CAME, "never connected"},
    {"running on after the session",
     "",
     {.connected = true, .script_over = true},
     CLIENT_TIMED_OUT,
     "still running 8 s after the session was over"},
    {"running past the limit",
     "",
     {.connected = true},
     CLIENT_TIMED_OUT,
     "still running past the limit of the case, 6 s"},
};

START_TEST(a_client_ends_as_its_process_did)
{
    struct capture errors;
    char text[JUDGE_TEXT_MAX];
    struct client_facts facts = ENDS[_i].facts;
    capture_init(&errors, CAPTURE_ERRORS);
    feed_copy(&errors, ENDS[_i].errors, strlen(ENDS[_i].errors));
    facts.program = "prog";
    facts.marks = &errors.marks;
    facts.limit_ms = 6000;
    facts.end_wait_ms = 8000;
    ck_assert_msg(client_end_of(&facts, text) == ENDS[_i].end, "%s: %s", ENDS[_i].name, text);
    ck_assert_msg(strncmp(text, ENDS[_i].text, strlen(ENDS[_i].text)) == 0, "%s: %s", ENDS[_i].name, text);
    ck_assert_msg((text[0] == '\0') == (ENDS[_i].text[0] == '\0'), "%s: %s", ENDS[_i].name, text);
    capture_free(&errors);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, a_crash_is_what_a_runtime_prints_at_the_beginning_of_a_line, 0,
                        (int)(sizeof CRASHES / sizeof CRASHES[0]));
    tcase_add_test(cases, a_crash_is_seen_wherever_it_stands_in_a_flood);
    tcase_add_test(cases, the_beginning_and_the_end_are_kept_and_the_cut_is_noted);
    tcase_add_test(cases, what_fits_is_kept_whole_without_a_note);
    tcase_add_test(cases, as_many_observations_are_read_as_the_judge_takes_and_not_one_more);
    tcase_add_loop_test(cases, a_wrong_observation_is_named_by_its_line, 0,
                        (int)(sizeof OBSERVATIONS / sizeof OBSERVATIONS[0]));
    tcase_add_test(cases, a_line_too_long_for_an_observation_does_not_vanish);
    tcase_add_loop_test(cases, a_client_ends_as_its_process_did, 0, (int)(sizeof ENDS / sizeof ENDS[0]));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
