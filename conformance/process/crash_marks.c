#include "conformance/process/crash_marks.h"

#include <string.h>

#include "codec/wire/text.h"
#include "conformance/process/crash_traces.h"

enum { QUOTED_BYTES_MAX = 200 };

void crash_marks_init(struct crash_marks *marks)
{
    *marks = (struct crash_marks){0};
}

static bool begins(struct bytes line, const char *with)
{
    const size_t len = strlen(with);
    return line.len >= len && memcmp(line.data, with, len) == 0;
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

static void look_for_sanitizer(struct crash_marks *marks, struct bytes line)
{
    const char *meaning = marks->sanitizer[0] == '\0' ? sanitizer_of(line) : NULL;
    if (meaning == NULL)
        return;
    struct text text = text_of(marks->sanitizer, sizeof marks->sanitizer);
    text_add(&text, meaning);
    text_add_printable(&text, line, QUOTED_BYTES_MAX);
}

/* ---- lines ---- */

static void finish_line(struct crash_marks *marks)
{
    struct bytes line = bytes_of(marks->line, marks->line_len);
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    look_for_sanitizer(marks, line);
    crash_traces_take(marks, line);
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

/* ---- what they say ---- */

bool crash_marks_are_open(const struct crash_marks *marks)
{
    return marks->line_len > 0 || marks->trace != TRACE_NONE || marks->after_carets ||
           marks->pending[0] != '\0' || marks->sanitizer[0] != '\0';
}

static const char *or_null(const char *sentence)
{
    return sentence[0] != '\0' ? sentence : NULL;
}

const char *crash_marks_sanitizer(const struct crash_marks *marks)
{
    return or_null(marks->sanitizer);
}

const char *crash_marks_last(const struct crash_marks *marks)
{
    return or_null(marks->last);
}

const char *crash_marks_place(const struct crash_marks *marks)
{
    return or_null(marks->last_place);
}

const char *crash_marks_part(const struct crash_marks *marks)
{
    return or_null(marks->part);
}
