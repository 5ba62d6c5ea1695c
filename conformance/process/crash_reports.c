#include "conformance/process/crash_reports.h"

#include <string.h>

#include "codec/wire/text.h"

enum { QUOTED_BYTES_MAX = 200 };

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Where `what` begins; the length of the line: nowhere. */
static size_t find(struct bytes line, const char *what)
{
    size_t at = 0;
    while (at < line.len && !bytes_begin_with(bytes_behind(line, at), what))
        at++;
    return at;
}

/* Their reports begin with "==PID==". */
static struct bytes without_process(struct bytes line)
{
    size_t at = 2;
    if (!bytes_begin_with(line, "=="))
        return line;
    while (at < line.len && is_digit(line.data[at]))
        at++;
    return at > 2 && bytes_begin_with(bytes_behind(line, at), "==") ? bytes_behind(line, at + 2) : line;
}

/* ---- what is reported ---- */

/* "FILE:LINE:COLUMN: runtime error: …": the length of the place; 0: it is none. */
static size_t undefined_behaviour(struct bytes line)
{
    const size_t len = find(line, ": runtime error: ");
    const bool is_place = len > 0 && len < line.len && is_digit(line.data[len - 1]) &&
                          memchr(line.data, ':', len) != NULL && memchr(line.data, ' ', len) == NULL;
    return is_place ? len : 0;
}

static const char VALGRIND[] = " ERROR SUMMARY: ";
static const char VALGRIND_NONE[] = " ERROR SUMMARY: 0 errors";

/* "AddressSanitizer: heap-buffer-overflow": the tool, and the first word that it says. */
static void kind_write(struct crash_marks *marks, struct bytes said)
{
    struct text text = text_of(marks->report_kind, sizeof marks->report_kind);
    size_t len = find(said, ": ");
    len += len < said.len ? 2 : 0;
    len += find(bytes_behind(said, len), " ");
    text_add_printable(&text, bytes_of(said.data, len), QUOTED_BYTES_MAX);
}

static void report_write(struct crash_marks *marks, const char *tool, struct bytes line)
{
    struct text text = text_of(marks->report, sizeof marks->report);
    text_add(&text, tool);
    text_add(&text, " report: ");
    text_add_printable(&text, line, QUOTED_BYTES_MAX);
}

static void place_write(struct crash_marks *marks, struct bytes place)
{
    struct text text = text_of(marks->report_place, sizeof marks->report_place);
    text_add_printable(&text, place, sizeof marks->report_place - 1);
}

static void look_for_report(struct crash_marks *marks, struct bytes line)
{
    static const struct {
        const char *level, *tool;
    } reports[] = {
        {"ERROR: ", "AddressSanitizer"}, {"ERROR: ", "HWAddressSanitizer"}, {"WARNING: ", "ThreadSanitizer"},
        {"ERROR: ", "LeakSanitizer"},    {"WARNING: ", "MemorySanitizer"},
    };
    const struct bytes report = without_process(line);
    const size_t undefined = undefined_behaviour(line);
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        const size_t level = strlen(reports[i].level);
        if (!bytes_begin_with(report, reports[i].level) ||
            !bytes_begin_with(bytes_behind(report, level), reports[i].tool))
            continue;
        report_write(marks, reports[i].tool, line);
        kind_write(marks, bytes_behind(report, level));
        return;
    }
    if (bytes_begin_with(report, VALGRIND) && !bytes_begin_with(report, VALGRIND_NONE)) {
        report_write(marks, "Valgrind", line);
        kind_write(marks, bytes_of((const uint8_t *)"Valgrind", strlen("Valgrind")));
    } else if (undefined > 0) {
        report_write(marks, "UndefinedBehaviorSanitizer", line);
        kind_write(marks, bytes_behind(line, undefined + 2));
        place_write(marks, bytes_of(line.data, undefined));
    }
}

/* ---- where it happened ---- */

static struct bytes without_address(struct bytes frame, const char *until)
{
    const size_t at = bytes_begin_with(frame, "0x") ? find(frame, until) + strlen(until) : 0;
    return at < frame.len ? bytes_behind(frame, at) : frame;
}

/* "parse /a/x.c:4" of "    #0 0x55fa in parse /a/x.c:4", or of Valgrind "parse (x.c:4)" of
 * "    at 0x55FA: parse (x.c:4)"; empty: the line is no frame. */
static struct bytes frame_of(struct bytes line, bool *of_valgrind)
{
    static const char SET_IN[] = "    #", AT[] = "    at ", BY[] = "    by ";
    const struct bytes said = without_process(line);
    *of_valgrind = said.len < line.len;
    if (*of_valgrind)
        return bytes_begin_with(said, AT) || bytes_begin_with(said, BY)
                   ? without_address(bytes_behind(said, sizeof AT - 1), ": ")
                   : bytes_of(line.data, 0);
    size_t at = sizeof SET_IN - 1;
    if (!bytes_begin_with(line, SET_IN))
        return bytes_of(line.data, 0);
    while (at < line.len && is_digit(line.data[at]))
        at++;
    at += at < line.len ? 1 : 0;
    const struct bytes frame = without_address(bytes_behind(line, at), " in ");
    return bytes_of(frame.data, find(frame, " (BuildId: "));
}

/* What stands above the caller is the tool's own. */
static bool is_of_the_tool(struct bytes frame)
{
    static const char *const HELD[] = {"sanitizer", "compiler-rt", "san.so", "vg_replace"};
    static const char *const BEGUN[] = {"__interceptor_", "__asan_",      "__hwasan_",      "__tsan_",
                                        "__msan_",        "malloc ",      "calloc ",        "realloc ",
                                        "free ",          "operator new", "operator delete"};
    for (size_t i = 0; i < sizeof HELD / sizeof HELD[0]; i++)
        if (find(frame, HELD[i]) < frame.len)
            return true;
    for (size_t i = 0; i < sizeof BEGUN / sizeof BEGUN[0]; i++)
        if (bytes_begin_with(frame, BEGUN[i]))
            return true;
    return false;
}

void crash_reports_take(struct crash_marks *marks, struct bytes line)
{
    bool of_valgrind;
    const struct bytes frame = frame_of(line, &of_valgrind);
    /* Valgrind sums up when all is said. */
    if (frame.len > 0 && (of_valgrind || marks->report[0] != '\0')) {
        if (marks->report_place[0] == '\0' && !is_of_the_tool(frame))
            place_write(marks, frame);
    } else if (marks->report[0] == '\0') {
        look_for_report(marks, line);
    }
}
