#include "server/control/find.h"

#include <inttypes.h>
#include <stdio.h>

#include "codec/family.h"
#include "codec/rules/requirements.h"
#include "codec/wire/text.h"
#include "server/core/session.h"

enum { FOUND_LINE_BYTES_MAX = 4 * 1024 * 1024, EXPECTED_MAX = 64 };

static bool wrong_value(const char *name, const char *expected, char error[QUERY_ERROR_MAX])
{
    snprintf(error, QUERY_ERROR_MAX, "parameter %s: expected %s", name, expected);
    return false;
}

/* A parameter that is one of a few words, or any short text (`words` NULL). */
static bool word_read(const struct http_head *head, const char *name, const char *const *words,
                      const char *expected, char *out, size_t out_max, char error[QUERY_ERROR_MAX])
{
    char value[QUERY_VALUE_MAX];
    bool wrong = false;
    if (!query_text(head, name, value, &wrong))
        return !wrong || wrong_value(name, expected, error);
    size_t n = 0;
    while (words != NULL && words[n] != NULL && strcmp(words[n], value) != 0)
        n++;
    if ((words != NULL && words[n] == NULL) || strlen(value) >= out_max)
        return wrong_value(name, expected, error);
    memcpy(out, value, strlen(value) + 1);
    return true;
}

static bool count_read(const struct http_head *head, const char *name, uint64_t max, uint64_t *out,
                       char error[QUERY_ERROR_MAX])
{
    char value[QUERY_VALUE_MAX];
    bool wrong = false;
    bool given = query_text(head, name, value, &wrong);
    if (!wrong && (!given || query_number(value, max, out)))
        return true;
    char expected[EXPECTED_MAX];
    snprintf(expected, sizeof expected, "a whole number, at most %" PRIu64, max);
    return wrong_value(name, expected, error);
}

/* The text as a JSON string spells it, without the quotes: so it is found in a line as it stands there. */
static bool needle_read(const struct http_head *head, char out[FIND_NEEDLE_MAX], char error[QUERY_ERROR_MAX])
{
    char value[QUERY_VALUE_MAX], quoted[FIND_NEEDLE_MAX];
    bool wrong = false;
    if (!query_text(head, "text", value, &wrong))
        return !wrong || wrong_value("text", "at most 511 bytes, percent-encoded", error);
    struct text text = text_of(quoted, sizeof quoted);
    text_add_json_string(&text, bytes_of_text(value));
    memcpy(out, quoted + 1, text.len - 2);
    out[text.len - 2] = '\0';
    return true;
}

bool find_read(const struct http_head *head, struct find *out, char error[QUERY_ERROR_MAX])
{
    static const char *const directions[] = {"client", "server", NULL};
    static const char *const kinds[] = {"wire",        "mark",    "capture",   "step",      "step-failed",
                                        "script-done", "finding", "own-error", "transport", NULL};
    static const char *const events[] = {"request", "response", "text",      "binary", "ping",
                                         "pong",    "close",    "violation", "end",    NULL};
    *out = (struct find){.limit = FIND_LIMIT_DEFAULT};
    if (!count_read(head, "session", UINT32_MAX, &out->session, error) ||
        !count_read(head, "since", UINT64_MAX / 2, &out->since, error) ||
        !count_read(head, "limit", RING_ENTRIES_MAX, &out->limit, error) ||
        !word_read(head, "family", NULL, "the name of a family", out->family, sizeof out->family, error) ||
        !word_read(head, "direction", directions, "client or server", out->direction, sizeof out->direction,
                   error) ||
        !word_read(head, "kind", kinds,
                   "wire, mark, capture, step, step-failed, script-done, finding, own-error or transport",
                   out->kind, sizeof out->kind, error) ||
        !word_read(head, "event", events,
                   "request, response, text, binary, ping, pong, close, violation or end", out->event,
                   sizeof out->event, error) ||
        !word_read(head, "what", NULL, "a kind, label, event or type", out->what, sizeof out->what, error) ||
        !word_read(head, "label", NULL, "a label such as audio or speech", out->label, sizeof out->label,
                   error) ||
        !word_read(head, "type", NULL, "the type of a message", out->type, sizeof out->type, error) ||
        !word_read(head, "requirement", NULL, "the id of a requirement", out->requirement,
                   sizeof out->requirement, error) ||
        !needle_read(head, out->needle, error))
        return false;
    if (out->requirement[0] != '\0' && requirement_by_id(out->requirement) == NULL)
        return wrong_value("requirement", "the id of a requirement, such as OJ-IN-08", error);
    return true;
}

static const char *kind_name(const struct ring_entry *entry)
{
    switch (entry->kind) {
    case JOURNAL_WIRE:
        return "wire";
    case JOURNAL_MARK:
        return "mark";
    case JOURNAL_CAPTURE:
        return "capture";
    case JOURNAL_STEP:
        return "step";
    case JOURNAL_FAILED:
        return "step-failed";
    case JOURNAL_DONE:
        return "script-done";
    case JOURNAL_FINDING:
        return "finding";
    case JOURNAL_OWN_ERROR:
        return "own-error";
    case JOURNAL_TRANSPORT:
        return "transport";
    case JOURNAL_TAKEN:
    case JOURNAL_DROPPED:
        break;
    }
    return "";
}

static const char *event_name(const struct ring_entry *entry)
{
    static const char *const names[] = {
        [WIRE_EVENT_REQUEST] = "request", [WIRE_EVENT_RESPONSE] = "response",   [WIRE_EVENT_TEXT] = "text",
        [WIRE_EVENT_BINARY] = "binary",   [WIRE_EVENT_PING] = "ping",           [WIRE_EVENT_PONG] = "pong",
        [WIRE_EVENT_CLOSE] = "close",     [WIRE_EVENT_VIOLATION] = "violation", [WIRE_EVENT_END] = "end"};
    return entry->kind == JOURNAL_WIRE ? names[entry->event] : "";
}

static bool word_matches(const char *wanted, const char *actual)
{
    return *wanted == '\0' || strcmp(wanted, actual) == 0;
}

static const char *family_name(const struct ring_entry *entry)
{
    return entry->class == NULL ? "" : entry->class->family->name;
}

static bool line_holds(const struct ring_entry *entry, const char *needle)
{
    struct buffer line;
    bool found = false;
    size_t len = strlen(needle);
    buffer_init(&line, FOUND_LINE_BYTES_MAX);
    if (ring_entry_write(entry, &line))
        for (size_t at = 0; !found && at + len <= line.len; at++)
            found = line.data[at] == (uint8_t)needle[0] && memcmp(line.data + at, needle, len) == 0;
    buffer_free(&line);
    return found;
}

static bool is_that(const char *what, const struct ring_entry *entry)
{
    return *what == '\0' || strcmp(what, kind_name(entry)) == 0 || strcmp(what, entry->label) == 0 ||
           strcmp(what, event_name(entry)) == 0 || strcmp(what, entry->type) == 0;
}

bool find_matches(const struct find *find, const struct ring_entry *entry)
{
    const char *direction = entry->kind != JOURNAL_WIRE ? "" : entry->from_server ? "server" : "client";
    return entry->sequence >= find->since && (find->session == 0 || find->session == entry->connection) &&
           word_matches(find->family, family_name(entry)) && word_matches(find->direction, direction) &&
           is_that(find->what, entry) && word_matches(find->kind, kind_name(entry)) &&
           word_matches(find->label, entry->label) && word_matches(find->event, event_name(entry)) &&
           word_matches(find->type, entry->type) &&
           word_matches(find->requirement, entry->requirement == NULL ? "" : entry->requirement) &&
           (find->needle[0] == '\0' || line_holds(entry, find->needle));
}

size_t find_count(const struct find *find, const struct ring *ring)
{
    size_t count = 0;
    for (size_t n = 0; n < ring_count(ring); n++)
        count += find_matches(find, ring_at(ring, n)) ? 1 : 0;
    return count;
}
