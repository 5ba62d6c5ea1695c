/* How a client ended, from what its process did, what it wrote last, and what it had reported. */
#include <check.h>
#include <string.h>

#include "conformance/process/client_end.h"

#define ASAN      "==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n"
#define TRACE     "Traceback (most recent call last):\n  File \"x.py\", line 1\nKeyError: 'x'\n"
#define OF_THREAD "Exception in thread Thread-1 (f):\n" TRACE

enum { EXIT = 256 }; /* a wait status: the code times that */

#define EXITS(code) .ended = true, .connected = true, .wait_status = (code)*EXIT

static const struct {
    const char *name, *errors;
    struct client_facts facts;
    enum client_end end;
    const char *text, *remark;
} ENDS[] = {
    {"done", "", {.script_over = true, EXITS(0)}, CLIENT_ENDED, "", ""},
    {"it reports an error", "", {EXITS(1)}, CLIENT_ENDED, "", ""},
    /* ---- exceptions ---- */
    {"an exception", TRACE, {EXITS(1)}, CLIENT_CRASHED, "uncaught exception: KeyError: 'x'", ""},
    {"an exception, of one that can report",
     TRACE,
     {EXITS(1), .can_report = true},
     CLIENT_CRASHED,
     "uncaught exception: KeyError: 'x'",
     ""},
    {"an exception, and exit 0: somebody caught it", TRACE, {EXITS(0)}, CLIENT_ENDED, "", ""},
    {"an exception, logged, and exit 1", TRACE "giving up\n", {EXITS(1)}, CLIENT_ENDED, "", ""},
    {"an exception behind a reported error",
     TRACE,
     {EXITS(1), .can_report = true, .has_reported = true},
     CLIENT_ENDED,
     "",
     "after it had reported an error it ended with exit 1: uncaught exception: KeyError: 'x'"},
    {"... of a refusal",
     TRACE,
     {EXITS(1), .can_report = true, .has_reported = true, .excuse = "when the mock refused it"},
     CLIENT_ENDED,
     "",
     ""},
    {"an exception over a refusal, of one that cannot report",
     TRACE,
     {EXITS(1), .excuse = "when the mock refused it"},
     CLIENT_ENDED,
     "",
     "when the mock refused it, it ended with exit 1: uncaught exception: KeyError: 'x'"},
    {"an exception over a refusal, of one that can report and does not",
     TRACE,
     {EXITS(1), .can_report = true, .excuse = "when the mock refused it"},
     CLIENT_CRASHED,
     "uncaught exception: KeyError: 'x'",
     ""},
    {"a signal over a refusal, of one that cannot report",
     "",
     {.ended = true, .connected = true, .wait_status = 11, .excuse = "when the mock refused it"},
     CLIENT_CRASHED,
     "killed by SIGSEGV",
     ""},
    {"a sanitizer over a refusal, of one that cannot report",
     ASAN,
     {EXITS(1), .excuse = "when the mock refused it"},
     CLIENT_CRASHED,
     "AddressSanitizer report: ",
     ""},
    {"an exception in a thread, and exit 0",
     OF_THREAD,
     {EXITS(0)},
     CLIENT_ENDED,
     "",
     "in a thread or a task, and the process went on: uncaught exception: KeyError: 'x'"},
    {"an exception in a thread, more output, and exit 1",
     OF_THREAD "bye\n",
     {EXITS(1)},
     CLIENT_ENDED,
     "",
     "in a thread or a task, and the process went on: uncaught exception: KeyError: 'x'"},
    {"an exception in a thread, and exit 1 without a word",
     OF_THREAD,
     {EXITS(1)},
     CLIENT_CRASHED,
     "uncaught exception: KeyError: 'x'",
     ""},
    {"an exception in a thread, and it hangs",
     OF_THREAD,
     {.connected = true},
     CLIENT_TIMED_OUT,
     "still running past the limit of the case, 6 s",
     "in a thread or a task, and the process went on: uncaught exception: KeyError: 'x'"},
    {"an exception before it came",
     TRACE,
     {.ended = true, .wait_status = 1 * EXIT},
     CLIENT_CRASHED,
     "uncaught exception: KeyError: 'x'",
     ""},
    {"it is told to end, and says where it stood",
     "Traceback (most recent call last):\n  a\nKeyboardInterrupt\n",
     {.ended = true, .connected = true, .wait_status = 130 * EXIT, .stopped_by = 2},
     CLIENT_ENDED,
     "",
     ""},
    /* ---- exits ---- */
    {"it declines, with a log", TRACE, {.ended = true, .wait_status = 77 * EXIT}, CLIENT_DECLINED, "", ""},
    {"the adapter is broken", "", {.ended = true, .wait_status = 99 * EXIT}, CLIENT_BROKEN, "exit 99", ""},
    {"a sanitizer, whatever the exit",
     ASAN,
     {.ended = true, .wait_status = 77 * EXIT},
     CLIENT_CRASHED,
     "AddressSanitizer report: ",
     ""},
    {"a signal",
     "",
     {.ended = true, .wait_status = 11, .connected = true},
     CLIENT_CRASHED,
     "killed by SIGSEGV",
     ""},
    {"a signal behind a reported error",
     "",
     {.ended = true, .wait_status = 11, .connected = true, .can_report = true, .has_reported = true},
     CLIENT_CRASHED,
     "killed by SIGSEGV",
     ""},
    {"a runtime that says why, and aborts",
     "Unhandled exception. System.Exception: x\n   at A.Main()\n",
     {.ended = true, .wait_status = 6, .connected = true},
     CLIENT_CRASHED,
     "uncaught exception: Unhandled exception. System.Exception: x",
     ""},
    {"a shell's word for a signal",
     "",
     {.ended = true, .wait_status = 139 * EXIT},
     CLIENT_CRASHED,
     "exit 139, as a shell says of a program killed by SIGSEGV",
     ""},
    {"an exit of -1", "", {EXITS(255)}, CLIENT_ENDED, "exit 255, taken for 1: an error that it reported", ""},
    {"not started", "", {.exec_errno = 2}, CLIENT_NOT_STARTED, "cannot start prog: ", ""},
    {"no connection",
     "",
     {.ended = true, .wait_status = 3 * EXIT},
     CLIENT_NEVER_CAME,
     "ended with exit 3 and never connected",
     ""},
    {"no connection, running on", "", {.ended = false}, CLIENT_NEVER_CAME, "never connected", ""},
    {"running on after the session",
     "",
     {.connected = true, .script_over = true},
     CLIENT_TIMED_OUT,
     "still running 8 s after the session was over",
     ""},
    {"running past the limit",
     "",
     {.connected = true},
     CLIENT_TIMED_OUT,
     "still running past the limit of the case, 6 s",
     ""},
};

static void expect_text(const char *name, const char *expected, const char *actual)
{
    ck_assert_msg(strncmp(actual, expected, strlen(expected)) == 0, "%s: %s", name, actual);
    ck_assert_msg((actual[0] == '\0') == (expected[0] == '\0'), "%s: %s", name, actual);
}

START_TEST(a_client_ends_as_its_process_did)
{
    struct crash_marks marks;
    struct client_end_words words;
    struct client_facts facts = ENDS[_i].facts;
    crash_marks_init(&marks);
    crash_marks_feed(&marks, bytes_of(ENDS[_i].errors, strlen(ENDS[_i].errors)));
    crash_marks_end(&marks);
    facts.program = "prog";
    facts.marks = &marks;
    facts.limit_ms = 6000;
    facts.end_wait_ms = 8000;
    ck_assert_msg(client_end_of(&facts, &words) == ENDS[_i].end, "%s: %s", ENDS[_i].name, words.text);
    expect_text(ENDS[_i].name, ENDS[_i].text, words.text);
    expect_text(ENDS[_i].name, ENDS[_i].remark, words.remark);
}
END_TEST

/* Of which two exceptions or reports are the same: the class and the place, whatever the message says. */
static const struct {
    const char *errors, *text, *raised;
} RAISED[] = {
    {"Traceback (most recent call last):\n  File \"/a/b/x.py\", line 9, in main\n    f()\n"
     "  File \"/a/b/x.py\", line 3, in f\n    d['x']\nAttributeError: 'list' object has no attribute 'x'\n",
     "uncaught exception: AttributeError: 'list' object has no attribute 'x' (x.py:3 in f)",
     "AttributeError at x.py:3 in f"},
    {"Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nKeyError\n",
     "uncaught exception: KeyError (x.py:3 in f)", "KeyError at x.py:3 in f"},
    {"Traceback (most recent call last):\n  File \"x.py\", line 1, in f\nKeyError: 1\n\nDuring handling of "
     "the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
     "  File \"x.py\", line 7, in g\nValueError: 2\n",
     "uncaught exception: ValueError: 2 (x.py:7 in g)", "ValueError at x.py:7 in g"},
    {"  + Exception Group Traceback (most recent call last):\n  |   File \"/lib/taskgroups.py\", line 145, "
     "in "
     "__aexit__\n  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n"
     "  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n"
     "    |   File \"/a/x.py\", line 2, in g\n    | KeyError: 1\n    +---------\n",
     "uncaught exception: ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception) (x.py:2 in g)",
     "ExceptionGroup at x.py:2 in g"},
    {"Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nKeyError: 1\n"
     "ERROR:asyncio:Task exception was never retrieved\nfuture: <Task finished name='Task-2'>\n"
     "Traceback (most recent call last):\n  File \"y.py\", line 4, in g\nOSError: 2\n",
     "uncaught exception: KeyError: 1 (x.py:3 in f)", "KeyError at x.py:3 in f"},
    /* the first frame of the program's own */
    {"node:internal/x:7\n    throw e;\n    ^\n\nTypeError: no y\n    at Function.entries (<anonymous>)\n    "
     "at emit "
     "(node:events:517:28)\n    at f (/app/client.mjs:3:7)\n    at g (/app/client.mjs:9:1)\n\nNode.js "
     "v18.19.0\n",
     "uncaught exception: TypeError: no y (f (/app/client.mjs:3:7))", "TypeError at f (/app/client.mjs:3:7)"},
    {"x\n^\n\nTypeError: no y\n    at emit (node:events:517:28)\n    at Function.entries "
     "(<anonymous>)\n\nNode.js v18.19.0\n",
     "uncaught exception: TypeError: no y (emit (node:events:517:28))",
     "TypeError at emit (node:events:517:28)"},
    {"/app/client.mjs:3\nx.y.z;\n^\n\nTypeError: no y\n    at f (/app/client.mjs:3:7)\n    at g "
     "(/b.mjs:1:1)\n"
     "\nNode.js v18.19.0\n",
     "uncaught exception: TypeError: no y (f (/app/client.mjs:3:7))", "TypeError at f (/app/client.mjs:3:7)"},
    {"panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:3 +0x1d\n"
     "main.main()\n\t/a.go:9 +0x1d\n",
     "panic: runtime error: index out of range [3] (/a.go:3)", "runtime error at /a.go:3"},
    {"thread 'main' panicked at src/main.rs:2:5:\nassertion failed\n",
     "panic: thread 'main' panicked at src/main.rs:2:5:", "src/main.rs:2:5:"},
    {"Exception in thread \"main\" java.lang.Error: x\n\tat A.f(A.java:3)\n\tat A.main(A.java:9)\n",
     "uncaught exception: Exception in thread \"main\" java.lang.Error: x (A.f(A.java:3))",
     "Exception in thread \"main\" java.lang.Error at A.f(A.java:3)"},
    {"a.rb:1:in `f': x (RuntimeError)\n\tfrom a.rb:3:in `<main>'\n",
     "uncaught exception: a.rb:1:in `f': x (RuntimeError)", "a.rb:1:in `f'"},
    {"PHP Fatal error:  Uncaught Error: x in a.php:3\nStack trace:\n#0 {main}\n  thrown in a.php on line 3\n",
     "uncaught exception: PHP Fatal error:  Uncaught Error: x in a.php:3 (a.php on line 3)",
     "PHP Fatal error at a.php on line 3"},
    {"Unhandled exception. System.Exception: x\n   at A.Main()\n",
     "uncaught exception: Unhandled exception. System.Exception: x (A.Main())",
     "Unhandled exception. System.Exception at A.Main()"},
    {"Unhandled exception:\nBad state: x\n#0      main (a.dart:1:2)\n",
     "uncaught exception: Unhandled exception: (#0      main (a.dart:1:2))",
     "Unhandled exception: at #0      main (a.dart:1:2)"},
    {"Uncaught TypeError: x is not a function\n",
     "uncaught exception: Uncaught TypeError: x is not a function", ""},
    /* ---- reports of sanitizers ---- */
    {"==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2 bp 0x3 sp 0x4\n"
     "READ of size 12 at 0x1 thread T0\n    #0 0x7f24 in __interceptor_memcpy "
     "../libsanitizer/sanitizer_common/sanitizer_common_interceptors.inc:827\n"
     "    #1 0x5605 in copy /a/x.c:5\n    #2 0x5606 in main /a/x.c:7\n\nfreed by thread T0 here:\n"
     "    #0 0x5607 in drop /a/x.c:9\n",
     "AddressSanitizer report: ==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2 "
     "bp 0x3 sp 0x4 (copy /a/x.c:5)",
     "AddressSanitizer: heap-buffer-overflow at copy /a/x.c:5"},
    {"==1==ERROR: AddressSanitizer: SEGV on unknown address\n"
     "    #0 0x55 in __asan_memcpy (/a/x+0xa3) (BuildId: 01)\n    #1 0x56 in f (/a/x+0x12) (BuildId: 01)\n",
     "AddressSanitizer report: ==1==ERROR: AddressSanitizer: SEGV on unknown address (f (/a/x+0x12))",
     "AddressSanitizer: SEGV at f (/a/x+0x12)"},
    {"WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 at 0x1 by thread T1:\n"
     "    #0 f /a/x.c:5 (x+0x12)\n",
     "ThreadSanitizer report: WARNING: ThreadSanitizer: data race (pid=1) (f /a/x.c:5 (x+0x12))",
     "ThreadSanitizer: data at f /a/x.c:5 (x+0x12)"},
    {"==1==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 8 byte(s) in 1 object(s) allocated "
     "from:\n    #0 0x55 in malloc (/a/x+0xa3)\n    #1 0x56 in open_it /a/x.c:6:3\n",
     "LeakSanitizer report: ==1==ERROR: LeakSanitizer: detected memory leaks (open_it /a/x.c:6:3)",
     "LeakSanitizer: detected at open_it /a/x.c:6:3"},
    {"a/x.c:31:9: runtime error: shift exponent 64 is too large\na/x.c:40:9: runtime error: another\n",
     "UndefinedBehaviorSanitizer report: a/x.c:31:9: runtime error: shift exponent 64 is too large",
     "runtime error: shift at a/x.c:31:9"},
    {"==1== Invalid read of size 1\n==1==    at 0x484: malloc (vg_replace_malloc.c:381)\n"
     "==1==    by 0x485: f (x.c:3)\n==1== ERROR SUMMARY: 2 errors from 2 contexts\n",
     "Valgrind report: ==1== ERROR SUMMARY: 2 errors from 2 contexts (f (x.c:3))", "Valgrind at f (x.c:3)"},
    {"==1==ERROR: AddressSanitizer: SEGV on unknown address\n",
     "AddressSanitizer report: ==1==ERROR: AddressSanitizer: SEGV on unknown address", ""},
};

START_TEST(a_crash_is_known_by_its_class_and_place)
{
    struct crash_marks marks;
    struct client_end_words words;
    crash_marks_init(&marks);
    crash_marks_feed(&marks, bytes_of(RAISED[_i].errors, strlen(RAISED[_i].errors)));
    crash_marks_end(&marks);
    const struct client_facts facts = {.program = "prog", .marks = &marks, EXITS(1)};
    ck_assert_int_eq(client_end_of(&facts, &words), CLIENT_CRASHED);
    ck_assert_str_eq(words.text, RAISED[_i].text);
    ck_assert_str_eq(words.raised, RAISED[_i].raised);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client end");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, a_client_ends_as_its_process_did, 0, (int)(sizeof ENDS / sizeof ENDS[0]));
    tcase_add_loop_test(cases, a_crash_is_known_by_its_class_and_place, 0,
                        (int)(sizeof RAISED / sizeof RAISED[0]));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
