/* Did the mock refuse the client? */
#include <string.h>

#include "codec/wire/json.h"
#include "codec/wire/ws_frame.h"
#include "conformance/judge/judge.h"

static bool is_one_of(const char *label, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(label, list[i]) == 0)
            return true;
    return false;
}

/* A step that ends the session. An upgrade that is refused or ignored shows by other entries. */
static bool step_refuses(const struct journal_entry *entry)
{
    static const char *const STEPS[] = {"close", "reset", "drop", "half-close", "raw"};
    return entry->kind == JOURNAL_STEP && is_one_of(entry->label, STEPS, sizeof STEPS / sizeof STEPS[0]);
}

/* What is no JSON is no message of either protocol: the plain text of a refusal. */
static bool is_plain_text(const struct journal_entry *entry)
{
    return strcmp(entry->label, "text") == 0 && json_check(entry->wire.data).status != WIRE_OK;
}

/* The service goes with 1000, or answers the client's own close. */
static bool is_close_for_a_fault(const struct journal_entry *entry)
{
    return entry->wire.kind == WIRE_EVENT_CLOSE && entry->wire.code >= WS_CLOSE_PROTOCOL_ERROR &&
           entry->wire.code != WS_CLOSE_NO_CODE;
}

/* session.closed is a refusal where no client asked for it: from a step. */
static bool message_refuses(const struct journal_entry *entry, bool by_step)
{
    static const char *const MESSAGES[] = {"refusal", "error"};
    return entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
           (is_one_of(entry->label, MESSAGES, sizeof MESSAGES / sizeof MESSAGES[0]) || is_plain_text(entry) ||
            is_close_for_a_fault(entry) || (by_step && strcmp(entry->label, "closed") == 0));
}

bool judge_was_refused(const struct journal *journal)
{
    bool here = false, ignores = false, by_step = false, refused = false;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        const bool from_client = entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT;
        if (entry->kind == JOURNAL_STEP) {
            ignores = strcmp(entry->label, "ignore") == 0;
            by_step = strcmp(entry->label, "send") == 0;
        }
        if (from_client && entry->wire.kind == WIRE_EVENT_REQUEST)
            here = true;
        refused = refused || (here && (ignores || step_refuses(entry) || message_refuses(entry, by_step)));
        if (from_client && (entry->wire.kind == WIRE_EVENT_CLOSE || entry->wire.kind == WIRE_EVENT_END))
            here = false;
    }
    return refused;
}
