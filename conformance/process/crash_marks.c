#include "conformance/process/crash_marks.h"

#include <string.h>

#include "conformance/process/crash_reports.h"
#include "conformance/process/crash_traces.h"

void crash_marks_init(struct crash_marks *marks)
{
    *marks = (struct crash_marks){0};
}

/* ---- lines ---- */

static void finish_line(struct crash_marks *marks)
{
    struct bytes line = bytes_of(marks->line, marks->line_len);
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    crash_reports_take(marks, line);
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
           marks->pending[0] != '\0' || marks->report[0] != '\0';
}

static const char *or_null(const char *sentence)
{
    return sentence[0] != '\0' ? sentence : NULL;
}

const char *crash_marks_report(const struct crash_marks *marks)
{
    return or_null(marks->report);
}

const char *crash_marks_report_kind(const struct crash_marks *marks)
{
    return marks->report_kind;
}

const char *crash_marks_report_place(const struct crash_marks *marks)
{
    return or_null(marks->report_place);
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
