#include "conformance/process/crash_traces.h"

#include <string.h>

#include "codec/wire/text.h"

enum { QUOTED_BYTES_MAX = 200 };
/* From a heading of Python to its trace: one line may stand between that names the task. */
enum { HEADING_LINES = 2 };

static const char UNCAUGHT[] = "uncaught exception: ";
static const char PANIC[] = "panic: ";
static const char TRACEBACK[] = "Traceback (most recent call last):";
static const char GROUP_TRACEBACK[] = "  + Exception Group Traceback (most recent call last):";

/* ---- lines ---- */

static bool holds(struct bytes line, const char *what)
{
    const size_t len = strlen(what);
    for (size_t i = 0; len <= line.len && i <= line.len - len; i++)
        if (memcmp(line.data + i, what, len) == 0)
            return true;
    return false;
}

static bool begins_with_one(struct bytes line, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes_begin_with(line, list[i]))
            return true;
    return false;
}

static bool holds_one(struct bytes line, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (holds(line, list[i]))
            return true;
    return false;
}

static bool is_set_in(struct bytes line)
{
    return line.data[0] == ' ' || line.data[0] == '\t';
}

#define BEGINS_WITH_ONE(line, list) begins_with_one(line, list, sizeof(list) / sizeof(list)[0])
#define HOLDS_ONE(line, list)       holds_one(line, list, sizeof(list) / sizeof(list)[0])

/* ---- the trace at hand ---- */

static void say(char out[CRASH_SENTENCE_MAX], const char *kind, struct bytes line)
{
    struct text text = text_of(out, CRASH_SENTENCE_MAX);
    text_add(&text, kind);
    text_add_printable(&text, line, QUOTED_BYTES_MAX);
}

static void open_trace(struct crash_marks *marks, enum trace_kind kind, bool of_a_part)
{
    marks->trace = kind;
    marks->of_a_part = of_a_part;
    marks->of_nothing = false;
    marks->tells_last = false;
    marks->in_stack = false;
    marks->message_follows = false;
}

/* What ended a thread or a task does not stand in for what ended the process, and that may be told before. */
static void trace_says(struct crash_marks *marks, const char *kind, struct bytes line)
{
    if (marks->of_nothing)
        return;
    if (marks->of_a_part)
        say(marks->part, kind, line);
    if (marks->of_a_part && marks->last[0] != '\0' && !marks->last_is_of_a_part)
        return;
    say(marks->last, kind, line);
    marks->last_is_of_a_part = marks->of_a_part;
    if (!marks->tells_last)
        marks->last_place[0] = '\0';
    marks->tells_last = true;
}

/* ---- the place ---- */

static void place_set(char out[CRASH_PLACE_MAX], struct bytes line)
{
    struct text text = text_of(out, CRASH_PLACE_MAX);
    text_add_printable(&text, line, CRASH_PLACE_MAX - 1);
}

static struct bytes without_lead(struct bytes line, const char *lead)
{
    while (line.len > 0 && strchr(lead, line.data[0]) != NULL && line.data[0] != '\0')
        line = bytes_behind(line, 1);
    return line;
}

/* Up to `mark`, or all of it. */
static struct bytes before(struct bytes line, const char *mark)
{
    const size_t len = strlen(mark);
    for (size_t i = 0; i + len <= line.len; i++)
        if (memcmp(line.data + i, mark, len) == 0)
            return bytes_of(line.data, i);
    return line;
}

/* `File "/a/x.py", line 1, in f`: "x.py:1 in f", as folders differ from one machine to another. In a group
 * the innermost exception stands last. */
static void take_python_place(struct crash_marks *marks, struct bytes line)
{
    static const char FILE_WORD[] = "File \"", LINE[] = "\", line ", IN[] = ", in ";
    struct bytes rest = without_lead(line, " |+-");
    if (!marks->tells_last || !bytes_begin_with(rest, FILE_WORD))
        return;
    struct bytes path = before(bytes_behind(rest, sizeof FILE_WORD - 1), LINE);
    rest = bytes_behind(rest, sizeof FILE_WORD - 1 + path.len);
    if (!bytes_begin_with(rest, LINE))
        return;
    rest = bytes_behind(rest, sizeof LINE - 1);
    const struct bytes number = before(rest, IN);
    for (size_t i = path.len; i > 0; i--) {
        if (path.data[i - 1] != '/')
            continue;
        path = bytes_behind(path, i);
        break;
    }
    struct text text = text_of(marks->last_place, sizeof marks->last_place);
    text_add_printable(&text, path, CRASH_PLACE_MAX);
    text_add(&text, ":");
    text_add_printable(&text, number, CRASH_PLACE_MAX);
    if (number.len < rest.len) {
        text_add(&text, " in ");
        text_add_printable(&text, bytes_behind(rest, number.len + sizeof IN - 1), CRASH_PLACE_MAX);
    }
}

/* The first frame of a stack, in the words of its language: "at f (/app/x.mjs:3:7)", "/a.go:3 +0x1d",
 * "#0 main (a.dart:1:2)"; PHP has the place behind the stack. */
static void take_frame(struct crash_marks *marks, struct bytes line)
{
    static const char AT[] = "at ", THROWN[] = "thrown in ";
    const struct bytes frame = without_lead(line, " \t");
    const bool thrown = bytes_begin_with(frame, THROWN);
    if (!marks->tells_last || (marks->last_place[0] != '\0' && !thrown))
        return;
    if (thrown)
        place_set(marks->last_place, bytes_behind(frame, sizeof THROWN - 1));
    else if (is_set_in(line) && bytes_begin_with(frame, AT))
        place_set(marks->last_place, bytes_behind(frame, sizeof AT - 1));
    else if (bytes_begin_with(frame, "#0") || (marks->trace == TRACE_GO && line.data[0] == '\t'))
        place_set(marks->last_place, before(frame, " +0x"));
}

/* ---- Python ---- */

/* What it says of an exception that ended a thread or a task, or of one that came when nobody was there to
 * catch it: the program goes on. A log may put words of its own before it. */
static bool take_python_heading(struct crash_marks *marks, struct bytes line)
{
    static const char *const HEADINGS[] = {"Exception in thread ", "Exception in callback "};
    static const char *const LOGGED[] = {"Task exception was never retrieved",
                                         "Future exception was never retrieved",
                                         "unhandled exception during asyncio.run() shutdown"};
    const bool ignored = bytes_begin_with(line, "Exception ignored in");
    if (!ignored && (!BEGINS_WITH_ONE(line, HEADINGS) || bytes_begin_with(line, "Exception in thread \"")) &&
        !HOLDS_ONE(line, LOGGED))
        return false;
    marks->heading_left = HEADING_LINES;
    marks->heading_is_ignored = ignored;
    return true;
}

static bool take_python_beginning(struct crash_marks *marks, struct bytes line)
{
    const bool headed = marks->heading_left > 0;
    marks->heading_left -= headed ? 1 : 0;
    if (!bytes_begin_with(line, TRACEBACK) && !bytes_begin_with(line, GROUP_TRACEBACK))
        return headed; /* the line that names the task */
    const bool chained = marks->trace == TRACE_PYTHON && marks->message_follows;
    const bool of_a_part = headed || (chained && marks->of_a_part);
    const bool of_nothing = headed ? marks->heading_is_ignored : chained && marks->of_nothing;
    open_trace(marks, TRACE_PYTHON, of_a_part);
    marks->of_nothing = of_nothing;
    marks->in_stack = true;
    marks->heading_left = 0;
    if (!of_a_part)
        marks->last[0] = '\0';
    trace_says(marks, UNCAUGHT, line); /* unless the line that says more comes */
    return true;
}

/* "  | TypeError: …" in an exception group; frames stand further in. */
static bool is_group_message(struct bytes line)
{
    static const char BAR[] = "  | ";
    const size_t at = sizeof BAR - 1;
    return bytes_begin_with(line, BAR) && line.len > at && line.data[at] != ' ' && line.data[at] != '+' &&
           !holds(line, TRACEBACK);
}

static bool take_python_line(struct crash_marks *marks, struct bytes line)
{
    static const char *const CHAINS[] = {"During handling of the above exception, another",
                                         "The above exception was the direct cause of"};
    take_python_place(marks, line);
    if (marks->in_stack && is_group_message(line)) {
        marks->in_stack = false;
        trace_says(marks, UNCAUGHT, bytes_of(line.data + 4, line.len - 4));
        return true;
    }
    if (is_set_in(line))
        return true;
    if (marks->in_stack) {
        marks->in_stack = false;
        trace_says(marks, UNCAUGHT, line);
        return true;
    }
    marks->message_follows = BEGINS_WITH_ONE(line, CHAINS); /* a trace, that is */
    return marks->message_follows;
}

/* What the interpreter and its libraries say while it takes everything down. */
static bool is_python_farewell(struct bytes line)
{
    static const char *const WITHIN[] = {"Task was destroyed but it is pending!", "was never awaited",
                                         "RuntimeWarning: Enable tracemalloc", "Unclosed client session",
                                         "Unclosed connect"};
    static const char *const BEGINNINGS[] = {
        "task: <", "future: <", "handle: <", "sys:1: ", "connections: ", "client_session: ", "connector: "};
    return HOLDS_ONE(line, WITHIN) || BEGINS_WITH_ONE(line, BEGINNINGS);
}

/* ---- Node ---- */

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

/* A place in no file of the program: "Object.entries (<anonymous>)", "emit (node:events:517:28)"; or none. */
static bool is_of_node(const char *place)
{
    return place[0] == '\0' || strstr(place, "(<anonymous>)") != NULL || strstr(place, "node:") != NULL;
}

/* The place, ^, what happened, the stack; its version stands last, and only there where nobody caught it. */
static bool take_node(struct crash_marks *marks, struct bytes line)
{
    static const char NODE_FRAME[] = "    at ";
    if (is_carets(line)) {
        marks->after_carets = true;
    } else if (marks->after_carets) {
        marks->after_carets = false;
        say(marks->pending, UNCAUGHT, line);
        marks->pending_place[0] = '\0';
    } else if (marks->pending[0] != '\0' && is_of_node(marks->pending_place) &&
               bytes_begin_with(line, NODE_FRAME)) {
        char place[CRASH_PLACE_MAX];
        place_set(place, bytes_behind(line, sizeof NODE_FRAME - 1));
        if (marks->pending_place[0] == '\0' || !is_of_node(place))
            memcpy(marks->pending_place, place, sizeof place);
    } else if (marks->pending[0] != '\0' &&
               (bytes_begin_with(line, "Node.js v") || bytes_begin_with(line, "Bun v"))) {
        open_trace(marks, TRACE_NODE, false);
        memcpy(marks->last, marks->pending, sizeof marks->last);
        memcpy(marks->last_place, marks->pending_place, sizeof marks->last_place);
        marks->last_is_of_a_part = false;
        marks->pending[0] = '\0';
        return true;
    }
    return false;
}

/* ---- Go ---- */

static bool take_go_beginning(struct crash_marks *marks, struct bytes line)
{
    const bool fatal = bytes_begin_with(line, "fatal error: ");
    if (!fatal && !bytes_begin_with(line, PANIC))
        return false;
    open_trace(marks, TRACE_GO, false);
    marks->in_stack = true;
    marks->last[0] = '\0';
    say(marks->pending, fatal ? PANIC : "", line);
    return true;
}

/* It counts once a goroutine's stack follows. */
static bool take_go_line(struct crash_marks *marks, struct bytes line)
{
    if (bytes_begin_with(line, "goroutine ")) {
        if (marks->in_stack) {
            memcpy(marks->last, marks->pending, sizeof marks->last);
            marks->last_place[0] = '\0';
            marks->tells_last = true;
        }
        marks->last_is_of_a_part = false;
        marks->in_stack = false;
        return true;
    }
    take_frame(marks, line);
    return is_set_in(line) || bytes_begin_with(line, "[signal ") ||
           (!marks->in_stack &&
            (bytes_begin_with(line, "created by ") || line.data[line.len - 1] == ')' || holds(line, " 0x")));
}

/* ---- the others ---- */

/* What ends a thread, or a promise, and not the program. */
static bool ends_a_part(struct bytes line)
{
    return (bytes_begin_with(line, "Exception in thread \"") &&
            !bytes_begin_with(line, "Exception in thread \"main\"")) ||
           (bytes_begin_with(line, "thread '") && !bytes_begin_with(line, "thread 'main'")) ||
           (bytes_begin_with(line, "#<Thread:") && holds(line, " terminated with exception")) ||
           (bytes_begin_with(line, "(node:") && holds(line, ") UnhandledPromiseRejectionWarning: "));
}

/* "FILE:LINE:in 'METHOD': MESSAGE (CLASS)", the first quote of which may be a backquote. */
static bool is_ruby(struct bytes line)
{
    const bool places = holds(line, ":in `") || holds(line, ":in '");
    return places && !is_set_in(line) && line.data[line.len - 1] == ')' && holds(line, "': ");
}

static bool begins_other(struct bytes line)
{
    static const char *const BEGINNINGS[] = {
        "Uncaught ",         "error: Uncaught ",       "Unhandled exception",         "Unhandled Exception",
        "PHP Fatal error: ", "Fatal error: Uncaught ", "Exception in thread \"main\""};
    return BEGINS_WITH_ONE(line, BEGINNINGS) || is_ruby(line) ||
           (bytes_begin_with(line, "thread '") && holds(line, " panicked at")) ||
           (!bytes_begin_with(line, "thread '") && ends_a_part(line));
}

/* Rust and Ruby say it in the same line. */
static void take_place_of_message(struct crash_marks *marks, struct bytes line)
{
    static const char PANICKED[] = " panicked at ";
    const struct bytes thread = before(line, PANICKED);
    if (!marks->tells_last)
        return;
    if (bytes_begin_with(line, "thread '") && thread.len < line.len)
        place_set(marks->last_place, bytes_behind(line, thread.len + sizeof PANICKED - 1));
    else if (is_ruby(line))
        place_set(marks->last_place, before(line, ": "));
}

static bool take_other_beginning(struct crash_marks *marks, struct bytes line)
{
    const bool of_ruby = marks->trace == TRACE_OTHER && is_ruby(line); /* a cause, or what a thread died of */
    if (of_ruby)
        marks->message_follows = false;
    if (!begins_other(line) || of_ruby)
        return of_ruby;
    open_trace(marks, TRACE_OTHER, ends_a_part(line));
    if (!marks->of_a_part)
        marks->last[0] = '\0';
    trace_says(marks, bytes_begin_with(line, "thread '") ? PANIC : UNCAUGHT, line);
    marks->message_follows = line.data[line.len - 1] == ':';
    take_place_of_message(marks, line);
    return true;
}

static bool take_other_line(struct crash_marks *marks, struct bytes line)
{
    static const char *const BEGINNINGS[] = {
        "Caused by: ", "Stack trace:", "#", "note: ", "stack backtrace:", "Did you mean?", "(Use `node "};
    const bool belongs = marks->message_follows || is_set_in(line) || BEGINS_WITH_ONE(line, BEGINNINGS);
    marks->message_follows = false;
    take_frame(marks, line);
    return belongs;
}

/* ---- all of them ---- */

static bool take_line_of_trace(struct crash_marks *marks, struct bytes line)
{
    switch (marks->trace) {
    case TRACE_NONE:
        break;
    case TRACE_PYTHON:
        return take_python_line(marks, line) || is_python_farewell(line);
    case TRACE_NODE:
        return false;
    case TRACE_GO:
        return take_go_line(marks, line);
    case TRACE_OTHER:
        return take_other_line(marks, line);
    }
    return false;
}

/* What started the program says how it ended. */
static bool is_of_launcher(struct bytes line)
{
    static const char *const BEGINNINGS[] = {"npm ERR!",
                                             "npm error",
                                             "npm notice",
                                             "exit status ",
                                             "error Command failed",
                                             "info Visit https://yarnpkg.com"};
    return BEGINS_WITH_ONE(line, BEGINNINGS) || holds(line, "ELIFECYCLE");
}

void crash_traces_take(struct crash_marks *marks, struct bytes line)
{
    if (line.len == 0)
        return;
    if (take_python_heading(marks, line) || take_python_beginning(marks, line) || take_node(marks, line) ||
        take_go_beginning(marks, line) || take_other_beginning(marks, line))
        return;
    if (marks->trace == TRACE_NONE || take_line_of_trace(marks, line) || is_of_launcher(line))
        return;
    marks->trace = TRACE_NONE;
    marks->last[0] = '\0';
    marks->last_place[0] = '\0';
}
