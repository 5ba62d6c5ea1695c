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

const struct journal_entry *lane_entry(const struct lane *lane, size_t place)
{
    return journal_at(lane->journal, lane->places[place].index);
}

/* ---- what actions became ---- */

bool lane_is_carried_out(const struct journal_entry *entry)
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
    case JOURNAL_TRANSPORT:
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
        const struct journal_entry *entry = lane_entry(lane, i);
        if (entry->kind != JOURNAL_DROPPED || entry->order >= lane->expected_count)
            continue;
        if (lane->expected[entry->order] != LANE_NONE)
            return replay_stop(out, REPLAY_IMPOSSIBLE, (size_t)entry->sequence,
                               "a message with this order was dropped before");
        lane->expected[entry->order] = lane->places[i].index;
    }
    return true;
}

bool lane_index(struct lane *lane, struct replay_result *out)
{
    size_t count = 0;
    for (size_t i = lane->from; i < lane->to; i++) {
        const struct journal_entry *entry = lane_entry(lane, i);
        count += entry->kind == JOURNAL_DROPPED || lane_is_carried_out(entry);
    }
    lane->expected = malloc((count + 1) * sizeof *lane->expected);
    lane->expected_count = count;
    if (lane->expected == NULL)
        return replay_stop(out, REPLAY_NO_MEMORY, 0, "there is not enough memory");
    for (size_t i = 0; i < count; i++)
        lane->expected[i] = LANE_NONE;
    if (!index_dropped(lane, out))
        return false;
    /* The others left in the order in which they were asked for. */
    size_t order = 0;
    for (size_t i = lane->from; i < lane->to; i++) {
        if (!lane_is_carried_out(lane_entry(lane, i)))
            continue;
        /* As many places as entries: there is one left for each. */
        while (order < count && lane->expected[order] != LANE_NONE)
            order++;
        if (order < count)
            lane->expected[order++] = lane->places[i].index;
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

/* ---- what the client sent ---- */

static bool is_from_client(const struct journal_entry *entry, uint32_t connection)
{
    return entry->connection == connection && entry->kind == JOURNAL_WIRE &&
           entry->wire.direction == WIRE_FROM_CLIENT;
}

/* The request, which stands right before; the messages after it are looked for from there. */
static const struct journal_entry *find_request(struct lane *lane, size_t place)
{
    const uint32_t connection = lane_entry(lane, place)->connection;
    for (size_t i = place; i-- > 0 && lane->places[i].connection == lane->places[place].connection;) {
        const struct journal_entry *entry = lane_entry(lane, i);
        if (!is_from_client(entry, connection) || entry->wire.kind != WIRE_EVENT_REQUEST)
            continue;
        lane->message_connection = connection;
        lane->message = i + 1;
        return entry;
    }
    return NULL;
}

static const struct journal_entry *find_message(struct lane *lane, size_t place)
{
    const uint32_t connection = lane_entry(lane, place)->connection;
    if (connection != lane->message_connection)
        return NULL;
    while (lane->message < place) {
        const struct journal_entry *entry = lane_entry(lane, lane->message++);
        if (is_from_client(entry, connection) &&
            (entry->wire.kind == WIRE_EVENT_TEXT || entry->wire.kind == WIRE_EVENT_BINARY))
            return entry;
    }
    return NULL;
}

bool lane_message(struct lane *lane, size_t place, struct engine_event *event, struct replay_result *out)
{
    const bool request = event->kind == ENGINE_REQUEST;
    const size_t at = lane->places[place].index;
    if (!request && event->kind != ENGINE_TEXT && event->kind != ENGINE_BINARY)
        return true;
    const struct journal_entry *message = request ? find_request(lane, place) : find_message(lane, place);
    if (message == NULL)
        return replay_stop(out, REPLAY_IMPOSSIBLE, at,
                           "the session took a message that is not in the journal");
    event->data = message->wire.data;
    if (request)
        return true;
    event->came_us = message->at_us;
    /* A key in a text reads back as another: only the size of the other messages tells. */
    const bool binary = message->wire.kind == WIRE_EVENT_BINARY;
    if (binary != (event->kind == ENGINE_BINARY) ||
        (binary && message->wire.message_bytes != event->message_bytes))
        return replay_stop(out, REPLAY_IMPOSSIBLE, at,
                           "the session took another message here than the journal shows");
    if (event->message_bytes < event->data.len)
        event->message_bytes = event->data.len;
    return true;
}
