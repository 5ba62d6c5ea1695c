/* The words of the journal's lines. */
#include "server/journal/journal_lines.h"

#define NAME_COUNT(table) (sizeof(table) / sizeof(table)[0])

static const char *const KINDS[] = {
    [JOURNAL_WIRE] = "wire",       [JOURNAL_MARK] = "mark",           [JOURNAL_CAPTURE] = "capture",
    [JOURNAL_STEP] = "step",       [JOURNAL_FAILED] = "step-failed",  [JOURNAL_DONE] = "script-done",
    [JOURNAL_FINDING] = "finding", [JOURNAL_OWN_ERROR] = "own-error", [JOURNAL_TAKEN] = "taken",
    [JOURNAL_DROPPED] = "dropped", [JOURNAL_TRANSPORT] = "transport"};

static const char *const EVENTS[] = {
    [WIRE_EVENT_REQUEST] = "request", [WIRE_EVENT_RESPONSE] = "response",   [WIRE_EVENT_TEXT] = "text",
    [WIRE_EVENT_BINARY] = "binary",   [WIRE_EVENT_PING] = "ping",           [WIRE_EVENT_PONG] = "pong",
    [WIRE_EVENT_CLOSE] = "close",     [WIRE_EVENT_VIOLATION] = "violation", [WIRE_EVENT_END] = "end"};

static bool name_find(const char *const *names, size_t count, const char *name, size_t *out)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

const char *journal_kind_name(enum journal_kind kind)
{
    return KINDS[kind];
}

bool journal_kind_by_name(const char *name, enum journal_kind *out)
{
    size_t n = 0;
    if (!name_find(KINDS, NAME_COUNT(KINDS), name, &n))
        return false;
    *out = (enum journal_kind)n;
    return true;
}

const char *journal_event_name(enum wire_event_kind kind)
{
    return EVENTS[kind];
}

bool journal_event_by_name(const char *name, enum wire_event_kind *out)
{
    size_t n = 0;
    if (!name_find(EVENTS, NAME_COUNT(EVENTS), name, &n))
        return false;
    *out = (enum wire_event_kind)n;
    return true;
}

enum wire_act journal_act_of(const char *label)
{
    return strcmp(label, "half-close") == 0     ? WIRE_ACT_HALF_CLOSE
           : strcmp(label, "stop-reading") == 0 ? WIRE_ACT_STOP_READING
                                                : WIRE_ACT_RAW;
}
