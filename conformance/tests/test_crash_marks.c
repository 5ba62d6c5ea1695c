/* What a crash leaves on a client's standard error, in each language: as the last thing written, with other
 * output behind it, and where it ended a thread or a task alone. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/process/crash_marks.h"

#define ASAN "==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n"
#define ASAN_REPORT                                                                                          \
    "AddressSanitizer report: ==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x1"
#define PYTHON                                                                                               \
    "Traceback (most recent call last):\n  File \"x.py\", line 1, in f\n    g()\n    ^^^\nKeyError: 'x'\n"
#define NODE                                                                                                 \
    "/app/client.mjs:3\nthrow new Error('x');\n^\n\nError: x\n    at Object.<anonymous> "                    \
    "(/app/client.mjs:3:7)\n\nNode.js v18.19.0\n"
#define GO                                                                                                   \
    "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.f(0x1, 0x2)\n\t/a.go:3 "   \
    "+0x1d\nmain.main()\n\t/a.go:9 +0x1d\ncreated by main.g\n\t/a.go:1\n"
#define RUST                                                                                                 \
    "thread 'main' panicked at src/main.rs:2:5:\nassertion failed\n  left: 1\n right: 2\nnote: run with "    \
    "`RUST_BACKTRACE=1`\n"
#define JAVA                                                                                                 \
    "Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat A.main(A.java:3)\nCaused by: "    \
    "java.lang.Error: y\n\t... 1 more\n"
#define RUBY "a.rb:1:in `f': x (RuntimeError)\n\tfrom a.rb:3:in `<main>'\na.rb:1:in `g': y (IOError)\n"
#define PHP                                                                                                  \
    "PHP Fatal error:  Uncaught Exception: x in a.php:3\nStack trace:\n#0 {main}\n  thrown in a.php on "     \
    "line 3\n"

static const struct {
    const char *name, *text;
    const char *last, *part, *sanitizer; /* NULL: none */
} MARKS[] = {
    {"nothing", "", NULL, NULL, NULL},
    /* ---- an exception that nobody caught, as the last thing ---- */
    {"Python", PYTHON, "uncaught exception: KeyError: 'x'", NULL, NULL},
    {"Python, behind a log", "connecting\n" PYTHON, "uncaught exception: KeyError: 'x'", NULL, NULL},
    {"Python, without the last newline", "Traceback (most recent call last):\n  File\nKeyError: 'x'",
     "uncaught exception: KeyError: 'x'", NULL, NULL},
    {"Python, cut short", "Traceback (most recent call last):\n  File \"x.py\", line 1, in f\n",
     "uncaught exception: Traceback (most recent call last):", NULL, NULL},
    {"Python, a message of several lines",
     "Traceback (most recent call last):\n  a\nValueError: two\n  lines\n\n",
     "uncaught exception: ValueError: two", NULL, NULL},
    {"Python, during another",
     "Traceback (most recent call last):\n  a\nKeyError: 1\n\nDuring handling of the above exception, "
     "another "
     "exception occurred:\n\nTraceback (most recent call last):\n  b\nValueError: 2\n",
     "uncaught exception: ValueError: 2", NULL, NULL},
    {"Python, from another",
     "Traceback (most recent call last):\n  a\nKeyError: 1\n\nThe above exception was the direct cause of "
     "the "
     "following exception:\n\nTraceback (most recent call last):\n  b\nValueError: 2\n",
     "uncaught exception: ValueError: 2", NULL, NULL},
    {"Python, a group",
     "  + Exception Group Traceback (most recent call last):\n  |   File \"x.py\", line 1, in f\n  |     "
     "g()\n"
     "  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n  +-+---------------- 1 "
     "----------------\n    | Traceback (most recent call last):\n    |   File \"x.py\", line 2, in g\n    | "
     "KeyError: 1\n    +------------------------------------\n",
     "uncaught exception: ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)", NULL, NULL},
    {"Python, and what it says while it takes everything down",
     PYTHON "Task was destroyed but it is pending!\ntask: <Task pending name='Task-2'>\nsys:1: "
            "RuntimeWarning: coroutine 'f' was never awaited\nRuntimeWarning: Enable tracemalloc to get it\n"
            "ERROR:asyncio:Unclosed client session\nclient_session: <aiohttp>\n",
     "uncaught exception: KeyError: 'x'", NULL, NULL},
    {"Python, and a task's exception behind it",
     PYTHON "ERROR:asyncio:Task exception was never retrieved\nfuture: <Task finished name='Task-2'>\n"
            "Traceback (most recent call last):\n  a\nOSError: 2\n",
     "uncaught exception: KeyError: 'x'", "uncaught exception: OSError: 2", NULL},
    {"Python, and a destructor's behind it",
     PYTHON
     "Exception ignored in: <function f.__del__>\nTraceback (most recent call last):\n  a\nOSError: 2\n",
     "uncaught exception: KeyError: 'x'", NULL, NULL},
    {"Node", NODE, "uncaught exception: Error: x", NULL, NULL},
    {"Node, started by npm",
     NODE "npm ERR! Lifecycle script `start` failed with error:\nnpm ERR! Error: code 1\n",
     "uncaught exception: Error: x", NULL, NULL},
    {"Bun", "1 | throw 1\n    ^\nerror: x\n      at /a.js:1:7\n\nBun v1.1.0 (Linux x64)\n",
     "uncaught exception: error: x", NULL, NULL},
    {"Go", GO, "panic: runtime error: index out of range [3]", NULL, NULL},
    {"Go, by go run", GO "exit status 2\n", "panic: runtime error: index out of range [3]", NULL, NULL},
    {"Go, deadlocked", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\n",
     "panic: fatal error: all goroutines are asleep - deadlock!", NULL, NULL},
    {"Rust", RUST, "panic: thread 'main' panicked at src/main.rs:2:5:", NULL, NULL},
    {"Java", JAVA, "uncaught exception: Exception in thread \"main\" java.lang.IllegalStateException: x",
     NULL, NULL},
    {"Ruby", RUBY, "uncaught exception: a.rb:1:in `f': x (RuntimeError)", NULL, NULL},
    {"Ruby, as it quotes now", "a.rb:1:in 'Object#f': x (ArgumentError)\n\tfrom a.rb:3:in '<main>'\n",
     "uncaught exception: a.rb:1:in 'Object#f': x (ArgumentError)", NULL, NULL},
    {"PHP", PHP, "uncaught exception: PHP Fatal error:  Uncaught Exception: x in a.php:3", NULL, NULL},
    {".NET", "Unhandled exception. System.Exception: x\n   at A.Main()\n",
     "uncaught exception: Unhandled exception. System.Exception: x", NULL, NULL},
    {"Dart", "Unhandled exception:\nBad state: x\n#0      main (a.dart:1:2)\n",
     "uncaught exception: Unhandled exception:", NULL, NULL},
    {"a browser's engine", "Uncaught TypeError: x is not a function\r\n",
     "uncaught exception: Uncaught TypeError: x is not a function", NULL, NULL},
    /* ---- one that was written down, and other output behind it ---- */
    {"Python, logged", "ERROR:root:it failed\n" PYTHON "giving up\n", NULL, NULL, NULL},
    {"Python, logged twice", PYTHON "trying again\n" PYTHON "giving up\n", NULL, NULL, NULL},
    {"Python, logged, and then not", PYTHON "trying again\n" PYTHON, "uncaught exception: KeyError: 'x'",
     NULL, NULL},
    {"Node, its stack written down", "Error: x\n    at f (/app/client.mjs:3:7)\n", NULL, NULL, NULL},
    {"Node, and a log", NODE "bye\n", NULL, NULL, NULL},
    {"Go, and a log", GO "bye\n", NULL, NULL, NULL},
    {"Rust, and a log", RUST "bye\n", NULL, NULL, NULL},
    {"Java, and a log", JAVA "bye\n", NULL, NULL, NULL},
    {"Ruby, and a log", RUBY "bye\n", NULL, NULL, NULL},
    {"PHP, and a log", PHP "bye\n", NULL, NULL, NULL},
    /* ---- one that ended a thread or a task ---- */
    {"Python, in a thread", "Exception in thread Thread-1 (f):\n" PYTHON "bye\n", NULL,
     "uncaught exception: KeyError: 'x'", NULL},
    {"Python, in a task, logged",
     "ERROR:asyncio:Task exception was never retrieved\nfuture: <Task finished name='Task-2'>\n" PYTHON
     "bye\n",
     NULL, "uncaught exception: KeyError: 'x'", NULL},
    {"Python, in a callback", "Exception in callback f()\nhandle: <Handle f()>\n" PYTHON "bye\n", NULL,
     "uncaught exception: KeyError: 'x'", NULL},
    {"Python, in a thread, during another",
     "Exception in thread Thread-1 (f):\nTraceback (most recent call last):\n  a\nKeyError: 1\n\nDuring "
     "handling "
     "of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  b\n"
     "ValueError: 2\nbye\n",
     NULL, "uncaught exception: ValueError: 2", NULL},
    {"Python, in a thread, and nothing behind it", "Exception in thread Thread-1 (f):\n" PYTHON,
     "uncaught exception: KeyError: 'x'", "uncaught exception: KeyError: 'x'", NULL},
    {"Python, in a destructor", "Exception ignored in: <function f.__del__>\n" PYTHON, NULL, NULL, NULL},
    {"Rust, in another thread", "thread 'tokio-1' (81) panicked at src/main.rs:2:5:\nboom\nbye\n", NULL,
     "panic: thread 'tokio-1' (81) panicked at src/main.rs:2:5:", NULL},
    {"Java, in another thread",
     "Exception in thread \"Thread-0\" java.lang.Error: x\n\tat A.run(A.java:3)\nbye\n", NULL,
     "uncaught exception: Exception in thread \"Thread-0\" java.lang.Error: x", NULL},
    {"Ruby, in another thread",
     "#<Thread:0x7f a.rb:1 run> terminated with exception (report_on_exception is true):\na.rb:1:in `f': x "
     "(IOError)\nbye\n",
     NULL,
     "uncaught exception: #<Thread:0x7f a.rb:1 run> terminated with exception (report_on_exception is true):",
     NULL},
    {"Node, a promise", "(node:7) UnhandledPromiseRejectionWarning: Error: x\n    at f\nbye\n", NULL,
     "uncaught exception: (node:7) UnhandledPromiseRejectionWarning: Error: x", NULL},
    /* ---- the same words in a log ---- */
    {"a log that speaks of an exception in a thread",
     "Exception in thread pool: none\nall is well\nand so on\n" PYTHON "bye\n", NULL, NULL, NULL},
    {"a log that speaks of a traceback", "log: Traceback (most recent call last): none\n", NULL, NULL, NULL},
    {"a log that speaks of uncaught errors", "no Uncaught errors here\n", NULL, NULL, NULL},
    {"a log that speaks of a panic", "do not panic: it works\n", NULL, NULL, NULL},
    {"a log that begins with panic", "panic: no\nall is well\n", NULL, NULL, NULL},
    {"a log that tells Node's version", "Node.js v18.19.0\n", NULL, NULL, NULL},
    {"a log that speaks of a runtime error", "step 3: runtime error: none\n", NULL, NULL, NULL},
    /* ---- sanitizers, wherever they stand ---- */
    {"AddressSanitizer", ASAN "bye\n", NULL, NULL, ASAN_REPORT},
    {"AddressSanitizer before a runtime", ASAN "Uncaught x\n", "uncaught exception: Uncaught x", NULL,
     ASAN_REPORT},
    {"HWAddressSanitizer", "==7==ERROR: HWAddressSanitizer: tag-mismatch on address 0x1\n", NULL, NULL,
     "HWAddressSanitizer report: ==7==ERROR: HWAddressSanitizer: tag-mismatch on address 0x1"},
    {"ThreadSanitizer", "WARNING: ThreadSanitizer: data race (pid=1)\n", NULL, NULL,
     "ThreadSanitizer report: WARNING: ThreadSanitizer: data race (pid=1)"},
    {"UndefinedBehaviorSanitizer", "src/a.c:31:9: runtime error: shift exponent 64 is too large\n", NULL,
     NULL, "UndefinedBehaviorSanitizer report: src/a.c:31:9: runtime error: shift exponent 64 is too large"},
    {"Valgrind", "==17== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)\n", NULL, NULL,
     "Valgrind report: ==17== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)"},
    {"Valgrind, content", "==17== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)\n", NULL,
     NULL, NULL},
};

static void feed_copy(struct crash_marks *marks, const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, len);
    crash_marks_feed(marks, bytes_of(copy, len));
    free(copy);
}

static void expect_one(const char *name, const char *what, const char *expected, const char *actual)
{
    const bool same = expected == NULL ? actual == NULL : actual != NULL && strcmp(expected, actual) == 0;
    ck_assert_msg(same, "%s: %s: %s", name, what, actual == NULL ? "nothing" : actual);
}

static void expect_marks(const struct crash_marks *marks, int row)
{
    expect_one(MARKS[row].name, "the last thing", MARKS[row].last, crash_marks_last(marks));
    expect_one(MARKS[row].name, "of a part", MARKS[row].part, crash_marks_part(marks));
    expect_one(MARKS[row].name, "sanitizer", MARKS[row].sanitizer, crash_marks_report(marks));
}

START_TEST(a_trace_counts_where_it_is_the_last_thing_written)
{
    const char *text = MARKS[_i].text;
    const size_t len = strlen(text);
    for (size_t split = 0; split <= len; split++) {
        struct crash_marks marks;
        crash_marks_init(&marks);
        feed_copy(&marks, text, split);
        feed_copy(&marks, text + split, len - split);
        crash_marks_end(&marks);
        expect_marks(&marks, _i);
    }
}
END_TEST

START_TEST(a_trace_counts_behind_a_flood_and_a_log_of_any_length_ends_it)
{
    enum { LINES = 20000 };
    struct crash_marks marks;
    crash_marks_init(&marks);
    for (int i = 0; i < LINES; i++)
        feed_copy(&marks, "a line of a log that has much to say\n", 37);
    feed_copy(&marks, PYTHON, strlen(PYTHON));
    expect_one("behind a flood", "the last thing", "uncaught exception: KeyError: 'x'",
               crash_marks_last(&marks));
    ck_assert(crash_marks_are_open(&marks));
    for (int i = 0; i < LINES; i++) /* one line, that has not ended */
        feed_copy(&marks, "a line of a log that has much to say ", 37);
    crash_marks_end(&marks);
    expect_one("before a flood", "the last thing", NULL, crash_marks_last(&marks));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crash marks");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, a_trace_counts_where_it_is_the_last_thing_written, 0,
                        (int)(sizeof MARKS / sizeof MARKS[0]));
    tcase_add_test(cases, a_trace_counts_behind_a_flood_and_a_log_of_any_length_ends_it);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
