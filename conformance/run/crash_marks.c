#include "conformance/run/crash_marks.h"

#include <string.h>

#include "codec/wire/text.h"

enum { QUOTED_BYTES_MAX = 200 };
/* From a heading of Python to its traceback: one line may stand between that names the task. */
enum { HEADING_LINES = 2 };

static const char UNCAUGHT[] = "uncaught exception: ";
static const char PANIC[] = "panic: ";

void crash_marks_init(struct crash_marks *marks)
{
    *marks = (struct crash_marks){0};
}

static bool begins(struct bytes line, const char *with)
{
    const size_t len = strlen(with);
    return line.len >= len && memcmp(line.data, with, len) == 0;
}

static bool holds(struct bytes line, const char *what)
{
    const size_t len = strlen(what);
    for (size_t i = 0; len <= line.len && i <= line.len - len; i++)
        if (memcmp(line.data + i, what, len) == 0)
            return true;
    return false;
}

static void say(char out[CRASH_SENTENCE_MAX], const char *kind, struct bytes line)
{
    struct text text = text_of(out, CRASH_SENTENCE_MAX);
    text_add(&text, kind);
    text_add_printable(&text, line, QUOTED_BYTES_MAX);
}

/* ---- sanitizers ---- */

/* Their reports begin with "==PID==". */
static struct bytes without_process(struct bytes line)
{
    size_t at = 2;
    if (!begins(line, "=="))
        return line;
    while (at < line.len && line.data[at] >= '0' && line.data[at] <= '9')
        at++;
    const struct bytes rest = bytes_of(line.data + at, line.len - at);
    return at > 2 && begins(rest, "==") ? bytes_of(rest.data + 2, rest.len - 2) : line;
}

/* "FILE:LINE:COLUMN: runtime error: …" */
static bool is_undefined_behaviour(struct bytes line)
{
    static const char MARK[] = ": runtime error: ";
    for (size_t i = 1; i + sizeof MARK - 1 <= line.len; i++) {
        const uint8_t before = line.data[i - 1];
        if (before >= '0' && before <= '9' && memcmp(line.data + i, MARK, sizeof MARK - 1) == 0)
            return memchr(line.data, ':', i) != NULL && memchr(line.data, ' ', i) == NULL;
    }
    return false;
}

static const char VALGRIND[] = " ERROR SUMMARY: ";
static const char VALGRIND_NONE[] = " ERROR SUMMARY: 0 errors";

static const char *sanitizer_of(struct bytes line)
{
    static const struct {
        const char *mark;
        const char *meaning;
    } reports[] = {
        {"ERROR: AddressSanitizer", "AddressSanitizer report: "},
        {"ERROR: HWAddressSanitizer", "HWAddressSanitizer report: "},
        {"WARNING: ThreadSanitizer", "ThreadSanitizer report: "},
        {"ERROR: LeakSanitizer", "LeakSanitizer report: "},
        {"WARNING: MemorySanitizer", "MemorySanitizer report: "},
    };
    const struct bytes report = without_process(line);
    if (begins(report, VALGRIND) && !begins(report, VALGRIND_NONE))
        return "Valgrind report: ";
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        if (begins(report, reports[i].mark))
            return reports[i].meaning;
    return is_undefined_behaviour(line) ? "UndefinedBehaviorSanitizer report: " : NULL;
}

/* ---- the runtimes of languages ---- */

static bool begins_with_one(struct bytes line, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(line, list[i]))
            return true;
    return false;
}

/* What Python says of an exception that ended a thread or a task: the program goes on, and may exit with 0.
 */
static bool is_python_heading(struct bytes line)
{
    static const char *const HEADINGS[] = {"Exception in thread ", "Exception in callback ",
                                           "Task exception was never retrieved",
                                           "Future exception was never retrieved"};
    return begins_with_one(line, HEADINGS, sizeof HEADINGS / sizeof HEADINGS[0]);
}

static void look_for_python(struct crash_marks *marks, struct bytes line)
{
    if (is_python_heading(line)) {
        marks->heading_left = HEADING_LINES;
        return;
    }
    const bool headed = marks->heading_left > 0;
    marks->heading_left -= headed ? 1 : 0;
    if (begins(line, "Traceback (most recent call last):") ||
        begins(line, "  + Exception Group Traceback (most recent call last):")) {
        marks->in_traceback = true;
        marks->apart = marks->apart || headed;
        say(marks->uncaught, UNCAUGHT, line); /* unless the line that says more comes */
    } else if (marks->in_traceback && line.len > 0 && line.data[0] != ' ') {
        marks->in_traceback = false;
        say(marks->uncaught, UNCAUGHT, line);
    }
}

static bool is_carets(struct bytes line)
{
    bool any = false;
    for (size_t i = 0; i < line.len; i++) {
        if (line.data[i] != ' ' && line.data[i] != '\t' && line.data[i] != '^')
            return false;
        any = any || line.data[i] == '^';
    }
    return any;
}

static void look_for_node(struct crash_marks *marks, struct bytes line)
{
    if (line.len == 0)
        return;
    marks->node_version = begins(line, "Node.js v");
    if (is_carets(line)) {
        marks->after_carets = true;
    } else if (marks->after_carets) {
        marks->after_carets = false;
        say(marks->node_error, UNCAUGHT, line);
    }
}

static void look_for_go(struct crash_marks *marks, struct bytes line)
{
    if (begins(line, "panic: "))
        say(marks->go_error, "", line);
    else if (begins(line, "fatal error: "))
        say(marks->go_error, PANIC, line);
    else if (begins(line, "goroutine ") && marks->go_error[0] != '\0')
        memcpy(marks->uncaught, marks->go_error, sizeof marks->uncaught);
}

/* What ends a thread, or a promise, and not always the program. */
static bool ends_a_part(struct bytes line)
{
    return begins(line, "Exception in thread \"") ||
           (begins(line, "thread '") && holds(line, " panicked at")) ||
           (begins(line, "#<Thread:") && holds(line, " terminated with exception")) ||
           (begins(line, "(node:") && holds(line, ") UnhandledPromiseRejectionWarning: "));
}

/* "FILE:LINE:in 'METHOD': MESSAGE (CLASS)", the first quote of which may be a backquote. */
static bool is_ruby(struct bytes line)
{
    const bool places = holds(line, ":in `") || holds(line, ":in '");
    return places && line.data[0] != ' ' && line.data[0] != '\t' && line.data[line.len - 1] == ')' &&
           holds(line, "': ");
}

static void look_for_others(struct crash_marks *marks, struct bytes line)
{
    static const char *const BEGINNINGS[] = {"Uncaught ",           "error: Uncaught ",
                                             "Unhandled exception", "Unhandled Exception",
                                             "PHP Fatal error: ",   "Fatal error: Uncaught "};
    const bool part = ends_a_part(line);
    if (part || is_ruby(line) || begins_with_one(line, BEGINNINGS, sizeof BEGINNINGS / sizeof BEGINNINGS[0]))
        say(marks->uncaught, begins(line, "thread '") ? PANIC : UNCAUGHT, line);
    marks->apart = marks->apart || part;
}

static void finish_line(struct crash_marks *marks)
{
    struct bytes line = bytes_of(marks->line, marks->line_len);
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    const char *sanitizer = sanitizer_of(line);
    if (sanitizer != NULL && marks->sanitizer[0] == '\0')
        say(marks->sanitizer, sanitizer, line);
    look_for_python(marks, line);
    look_for_node(marks, line);
    look_for_go(marks, line);
    look_for_others(marks, line);
    marks->line_len = 0;
}

void crash_marks_feed(struct crash_marks *marks, struct bytes data)
{
    while (data.len > 0) {
        const uint8_t *newline = memchr(data.data, '\n', data.len);
        const size_t len = newline == NULL ? data.len : (size_t)(newline - data.data);
        const size_t room = sizeof marks->line - marks->line_len;
        const size_t taken = len < room ? len : room;
        memcpy(marks->line + marks->line_len, data.data, taken);
        marks->line_len += taken;
        if (newline == NULL)
            return;
        finish_line(marks);
        data = bytes_of(data.data + len + 1, data.len - len - 1);
    }
}

void crash_marks_end(struct crash_marks *marks)
{
    if (marks->line_len > 0)
        finish_line(marks);
}

bool crash_marks_are_open(const struct crash_marks *marks)
{
    return marks->line_len > 0 || marks->in_traceback || marks->after_carets || marks->uncaught[0] != '\0' ||
           marks->go_error[0] != '\0' || marks->sanitizer[0] != '\0';
}

const char *crash_marks_sentence(const struct crash_marks *marks, bool failed)
{
    if (marks->sanitizer[0] != '\0')
        return marks->sanitizer;
    if (!failed)
        return marks->apart ? marks->uncaught : NULL;
    if (marks->node_version)
        return marks->node_error[0] != '\0' ? marks->node_error : "uncaught exception";
    return marks->uncaught[0] != '\0' ? marks->uncaught : NULL;
}
