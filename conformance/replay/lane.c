/* Which entry each action of an engine became, and which message of the client each entry means. */
#include "conformance/replay/lane.h"

#include <stdlib.h>

#include "codec/wire/text.h"

bool replay_stop(struct replay_result *out, enum replay_outcome outcome, size_t entry, const char *sentence)
{
    struct text text = text_of(out->text, sizeof out->text);
    text_add(&text, sentence);
    out->outcome = outcome;
    out->entry = entry;
    return false;
}

bool lane_has(const struct lane *lane, const struct journal_entry *entry)
{
    return lane->all_connections || entry->connection == lane->connection;
}

/* Does the entry stand for an action that an engine asked for, and that was carried out? */
static bool is_carried_out(const struct journal_entry *entry)
{
    switch (entry->kind) {
    case JOURNAL_WIRE:
        return entry->wire.direction == WIRE_FROM_SERVER && !entry->by_host;
    case JOURNAL_MARK:
        return strcmp(entry->label, JOURNAL_FULL_MARK) != 0;
    case JOURNAL_CAPTURE:
    case JOURNAL_STEP:
    case JOURNAL_FAILED:
    case JOURNAL_DONE:
        return true;
    case JOURNAL_FINDING:
    case JOURNAL_OWN_ERROR:
    case JOURNAL_TAKEN:
    case JOURNAL_DROPPED:
        return false;
    }
    return false;
}

/* Dropped ones say which they were; false when two say the same. */
static bool index_dropped(struct lane *lane, struct replay_result *out)
{
    for (size_t i = lane->from; i < lane->to; i++) {
        const struct journal_entry *entry = journal_at(lane->journal, i);
        if (!lane_has(lane, entry) || entry->kind != JOURNAL_DROPPED || entry->order >= lane->expected_count)
            continue;
        if (lane->expected[entry->order] != LANE_NONE)
            return replay_stop(out, REPLAY_IMPOSSIBLE, i, "a message with this order was dropped before");
        lane->expected[entry->order] = i;
    }
    return true;
}

bool lane_index(struct lane *lane, struct replay_result *out)
{
    size_t count = 0;
    for (size_t i = lane->from; i < lane->to; i++) {
        const struct journal_entry *entry = journal_at(lane->journal, i);
        count += lane_has(lane, entry) && (entry->kind == JOURNAL_DROPPED || is_carried_out(entry));
    }
    lane->expected = malloc((count + 1) * sizeof *lane->expected);
    lane->expected_count = count;
    if (lane->expected == NULL)
        return replay_stop(out, REPLAY_NO_MEMORY, lane->from, "there is not enough memory");
    for (size_t i = 0; i < count; i++)
        lane->expected[i] = LANE_NONE;
    if (!index_dropped(lane, out))
        return false;
    /* The others left in the order in which they were asked for. */
    size_t order = 0;
    for (size_t i = lane->from; i < lane->to; i++) {
        const struct journal_entry *entry = journal_at(lane->journal, i);
        if (!lane_has(lane, entry) || !is_carried_out(entry))
            continue;
        while (lane->expected[order] != LANE_NONE)
            order++;
        lane->expected[order] = i;
    }
    return true;
}

void lane_free(struct lane *lane)
{
    free(lane->expected);
    lane->expected = NULL;
}

const struct journal_entry *lane_expected(const struct lane *lane, uint64_t order)
{
    if (order >= lane->expected_count || lane->expected[order] == LANE_NONE)
        return NULL;
    return journal_at(lane->journal, lane->expected[order]);
}

/* The connection's next text or binary message, or its request. */
static const struct journal_entry *next_message(struct lane *lane, uint32_t connection, bool request)
{
    if (lane->message_connection != connection)
        lane->message = 0;
    lane->message_connection = connection;
    for (size_t i = lane->message; i < journal_count(lane->journal); i++) {
        const struct journal_entry *entry = journal_at(lane->journal, i);
        if (entry->connection != connection || entry->kind != JOURNAL_WIRE ||
            entry->wire.direction != WIRE_FROM_CLIENT)
            continue;
        const bool data = entry->wire.kind == WIRE_EVENT_TEXT || entry->wire.kind == WIRE_EVENT_BINARY;
        if (request ? entry->wire.kind == WIRE_EVENT_REQUEST : data) {
            lane->message = i + 1;
            return entry;
        }
    }
    return NULL;
}

bool lane_message(struct lane *lane, const struct journal_entry *taken, enum engine_event_kind kind,
                  struct engine_event *event, struct replay_result *out)
{
    if (kind != ENGINE_REQUEST && kind != ENGINE_TEXT && kind != ENGINE_BINARY)
        return true;
    const struct journal_entry *message = next_message(lane, taken->connection, kind == ENGINE_REQUEST);
    if (message == NULL || message->sequence > taken->sequence)
        return replay_stop(out, REPLAY_IMPOSSIBLE, (size_t)taken->sequence,
                           "the session took a message that is not in the journal");
    event->data = message->wire.data;
    if (kind == ENGINE_REQUEST)
        return true;
    /* A key in a text reads back as another: only the size of the other messages tells. */
    const bool binary = message->wire.kind == WIRE_EVENT_BINARY;
    if (binary != (kind == ENGINE_BINARY) ||
        (binary && message->wire.message_bytes != taken->wire.message_bytes))
        return replay_stop(out, REPLAY_IMPOSSIBLE, (size_t)taken->sequence,
                           "the session took another message here than the journal shows");
    return true;
}
