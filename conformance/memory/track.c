#include "conformance/memory/track.h"

#include <stdlib.h>

#include "conformance/memory/memory.h"

enum { TRACK_BYTES_MAX = 128 * 1024 * 1024, ENTRIES_MIN = 256 };

struct memory_track *memory_track_new(void)
{
    struct memory_track *track = calloc(1, sizeof *track);
    if (track != NULL)
        buffer_init(&track->bytes, TRACK_BYTES_MAX);
    return track;
}

void memory_track_free(struct memory_track *track)
{
    if (track == NULL)
        return;
    buffer_free(&track->bytes);
    free(track->heard.entries);
    free(track->said.entries);
    free(track);
}

void track_begin(struct memory_track *track)
{
    buffer_clear(&track->bytes);
    track->bytes.no_memory = false;
    track->heard.count = 0;
    track->said.count = 0;
    track->whole = false;
}

static bool has_room(struct track_list *list)
{
    if (list->count < list->capacity)
        return true;
    const size_t capacity = list->capacity == 0 ? ENTRIES_MIN : 2 * list->capacity;
    struct track_entry *more = realloc(list->entries, capacity * sizeof *more);
    if (more == NULL)
        return false;
    list->entries = more;
    list->capacity = capacity;
    return true;
}

void track_add(struct memory_track *track, struct track_list *list, struct track_entry entry,
               struct bytes data)
{
    entry.offset = track->bytes.len;
    entry.len = data.len;
    if (has_room(list) && buffer_append(&track->bytes, data))
        list->entries[list->count++] = entry;
    else
        track->bytes.no_memory = true;
}

struct bytes track_bytes(const struct memory_track *track, const struct track_entry *entry)
{
    return entry->len == 0 ? (struct bytes){.data = NULL}
                           : bytes_of(track->bytes.data + entry->offset, entry->len);
}

bool track_has(const struct memory_track *track, const struct track_list *list, size_t at,
               const struct track_entry *entry, struct bytes data)
{
    if (at >= list->count)
        return false;
    const struct track_entry *had = &list->entries[at];
    return had->at_us == entry->at_us && had->kind == entry->kind && had->code == entry->code &&
           had->connection == entry->connection && had->is_observation == entry->is_observation &&
           bytes_equal(track_bytes(track, had), data);
}
