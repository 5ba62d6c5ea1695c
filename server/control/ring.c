#include "server/control/ring.h"

#include <stdlib.h>

#include "codec/wire/json.h"
#include "codec/wire/utf8.h"

enum {
    ENTRIES_FIRST = 64,
    LINE_BYTES_MAX = 4 * 1024 * 1024,
    TYPED_BYTES_MAX = 65536,
    LONG_TEXT_BYTES = 4096
};

/* What a line about a frame of ours, or a long text, is made from. */
struct ring_message {
    uint64_t at_us;
    uint64_t message_bytes;
    uint16_t code;
    bool fault, by_host, has_interaction;
    uint8_t interaction[UUID_BYTES];
    char step[ACTION_LABEL_MAX];
    struct frame_summary summary;
    struct buffer text; /* with the key replaced; of a frame empty */
    size_t head_bytes;
    uint8_t head[JOURNAL_HEAD_BYTES_MAX];
};

static size_t entry_bytes(const struct ring_entry *entry)
{
    return entry->message == NULL ? entry->line_bytes : sizeof *entry->message + entry->message->text.len;
}

static void entry_free(struct ring *ring, struct ring_entry *entry)
{
    ring->bytes -= entry_bytes(entry);
    free(entry->line);
    if (entry->message != NULL)
        buffer_free(&entry->message->text);
    free(entry->message);
    *entry = (struct ring_entry){0};
}

static void drop_first(struct ring *ring)
{
    entry_free(ring, &ring->entries[ring->first]);
    ring->first = (ring->first + 1) % ring->capacity;
    ring->count--;
    ring->gone++;
}

void ring_clear(struct ring *ring)
{
    while (ring->count > 0)
        drop_first(ring);
}

void ring_free(struct ring *ring)
{
    ring_clear(ring);
    free(ring->entries);
    *ring = (struct ring){0};
}

/* A place more, while there are fewer than the bound. */
static bool grow(struct ring *ring)
{
    size_t capacity = ring->capacity == 0 ? ENTRIES_FIRST : ring->capacity * 2;
    if (capacity > RING_ENTRIES_MAX)
        capacity = RING_ENTRIES_MAX;
    struct ring_entry *entries = calloc(capacity, sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t n = 0; n < ring->count; n++)
        entries[n] = ring->entries[(ring->first + n) % ring->capacity];
    free(ring->entries);
    ring->entries = entries;
    ring->capacity = capacity;
    ring->first = 0;
    return true;
}

static bool is_frame(const struct journal_entry *entry)
{
    return entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
           entry->wire.kind == WIRE_EVENT_BINARY && entry->has_frame && entry->frame.decodes;
}

/* A text is copied once, and escaped only when somebody asks for its line. */
static bool is_long_text(const struct journal_entry *entry)
{
    const struct bytes text = entry->wire.data;
    return entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_TEXT &&
           text.len >= LONG_TEXT_BYTES && utf8_valid_prefix(text) == text.len &&
           memchr(text.data, 0, text.len) == NULL;
}

static void message_cut(struct wire_event *wire, size_t bytes_max)
{
    if (wire->data.len <= bytes_max)
        return;
    if (wire->message_bytes < wire->data.len)
        wire->message_bytes = wire->data.len;
    wire->data.len = bytes_max;
    if (wire->kind == WIRE_EVENT_TEXT) /* not within a character */
        wire->data.len = utf8_valid_prefix(wire->data);
}

/* `entry` is cut to what is kept. */
static bool keep_message(struct ring_entry *out, const struct journal_entry *entry)
{
    const struct bytes data = entry->wire.data;
    struct ring_message *message = calloc(1, sizeof *message);
    if (message == NULL)
        return false;
    message->at_us = entry->at_us;
    message->message_bytes = entry->wire.message_bytes;
    message->code = entry->wire.code;
    message->fault = entry->wire.fault;
    message->by_host = entry->by_host;
    message->has_interaction = entry->has_interaction;
    memcpy(message->interaction, entry->interaction, UUID_BYTES);
    memcpy(message->step, entry->step, sizeof message->step);
    message->summary = entry->frame;
    buffer_init(&message->text, LINE_BYTES_MAX);
    if (entry->wire.kind == WIRE_EVENT_TEXT && !journal_entry_shown(entry, LINE_BYTES_MAX, &message->text)) {
        free(message);
        return false;
    }
    if (entry->wire.kind == WIRE_EVENT_BINARY && data.len > 0) {
        message->head_bytes = data.len < JOURNAL_HEAD_BYTES_MAX ? data.len : JOURNAL_HEAD_BYTES_MAX;
        memcpy(message->head, data.data, message->head_bytes);
    }
    out->message = message;
    return true;
}

static bool keep_line(struct ring_entry *out, const struct journal_entry *entry)
{
    struct buffer line;
    buffer_init(&line, LINE_BYTES_MAX);
    bool kept = journal_write_entry(entry, &line) && (out->line = malloc(line.len)) != NULL;
    if (kept) {
        memcpy(out->line, line.data, line.len);
        out->line_bytes = line.len;
    }
    buffer_free(&line);
    return kept;
}

static bool keep(struct ring_entry *out, const struct journal_entry *entry)
{
    struct journal_entry cut = *entry;
    if (is_frame(entry))
        return keep_message(out, entry);
    if (entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_BINARY)
        message_cut(&cut.wire, RING_BINARY_BYTES_MAX);
    if (entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_TEXT)
        message_cut(&cut.wire, RING_TEXT_BYTES_MAX);
    return is_long_text(&cut) ? keep_message(out, &cut) : keep_line(out, &cut);
}

/* A long message is not read once more for it: what its family calls it is its type. */
static void type_set(struct ring_entry *out, struct bytes text)
{
    cJSON *json;
    if (text.len > TYPED_BYTES_MAX)
        memcpy(out->type, out->label, sizeof out->label);
    if (text.len > TYPED_BYTES_MAX || json_parse_last(text, &json).status != WIRE_OK)
        return;
    const cJSON *type = json_member(json, "type");
    if (cJSON_IsString(type) && strlen(type->valuestring) < sizeof out->type)
        memcpy(out->type, type->valuestring, strlen(type->valuestring) + 1);
    cJSON_Delete(json);
}

const struct ring_entry *ring_add(struct ring *ring, const struct journal_entry *entry)
{
    struct ring_entry kept = {.sequence = entry->sequence,
                              .connection = entry->connection,
                              .class = entry->class,
                              .is_of_other = entry->is_of_other,
                              .kind = entry->kind,
                              .event = entry->wire.kind,
                              .from_server = entry->wire.direction == WIRE_FROM_SERVER};
    if (entry->kind == JOURNAL_TAKEN || entry->kind == JOURNAL_DROPPED)
        return NULL;
    ring->taken++;
    ring->next = entry->sequence + 1;
    if (!keep(&kept, entry)) {
        ring->lost++;
        return NULL;
    }
    memcpy(kept.label, entry->label, sizeof kept.label);
    if (entry->kind == JOURNAL_FINDING)
        kept.requirement = entry->finding.requirement;
    if (entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_TEXT)
        type_set(&kept, entry->wire.data);
    ring->bytes += entry_bytes(&kept);
    while (ring->count > 0 && (ring->bytes > RING_BYTES_MAX || ring->count == RING_ENTRIES_MAX)) {
        drop_first(ring);
        ring->lost++;
    }
    if (ring->count == ring->capacity && !grow(ring)) {
        entry_free(ring, &kept);
        ring->lost++;
        return NULL;
    }
    struct ring_entry *place = &ring->entries[(ring->first + ring->count++) % ring->capacity];
    *place = kept;
    return place;
}

size_t ring_count(const struct ring *ring)
{
    return ring->count;
}

const struct ring_entry *ring_at(const struct ring *ring, size_t n)
{
    return n < ring->count ? &ring->entries[(ring->first + n) % ring->capacity] : NULL;
}

bool ring_entry_write(const struct ring_entry *entry, struct buffer *out)
{
    const struct ring_message *message = entry->message;
    if (message == NULL)
        return buffer_append(out, bytes_of(entry->line, entry->line_bytes));
    const bool is_text = entry->event == WIRE_EVENT_TEXT;
    const enum wire_direction direction = entry->from_server ? WIRE_FROM_SERVER : WIRE_FROM_CLIENT;
    struct journal_entry whole = {.sequence = entry->sequence,
                                  .at_us = message->at_us,
                                  .connection = entry->connection,
                                  .kind = entry->kind,
                                  .wire = {.at_us = message->at_us,
                                           .direction = direction,
                                           .kind = entry->event,
                                           .code = message->code,
                                           .fault = message->fault,
                                           .message_bytes = message->message_bytes,
                                           .data = is_text ? buffer_bytes(&message->text)
                                                           : bytes_of(message->head, message->head_bytes)},
                                  .has_interaction = message->has_interaction,
                                  .class = entry->class,
                                  .is_of_other = entry->is_of_other,
                                  .has_frame = !is_text,
                                  .frame = message->summary,
                                  .by_host = message->by_host};
    memcpy(whole.label, entry->label, sizeof whole.label);
    memcpy(whole.step, message->step, sizeof whole.step);
    memcpy(whole.interaction, message->interaction, UUID_BYTES);
    return journal_write_entry(&whole, out);
}

size_t ring_memory_bytes(const struct ring *ring)
{
    return ring->bytes + ring->capacity * sizeof *ring->entries;
}
