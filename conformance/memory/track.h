/*
 * A session in memory as its client had it: what came in and when, what it sent and observed, and how it
 * ended. All that the mock, the rules and the judge know of a client is in it. Private to this folder, but
 * for what memory.h says.
 */
#ifndef CONFORMANCE_MEMORY_TRACK_H
#define CONFORMANCE_MEMORY_TRACK_H

#include "codec/wire/buffer.h"
#include "conformance/memory/message_queue.h"

/* A message, or an observation as its line; its bytes stand in the track's. */
struct track_entry {
    uint64_t at_us; /* a message: when it arrives; an observation: when it is made */
    enum message_kind kind;
    uint16_t code;
    uint32_t connection;
    bool is_observation;
    size_t offset, len;
};

struct track_list {
    struct track_entry *entries;
    size_t count, capacity;
};

struct memory_track {
    struct track_list heard, said; /* by the client, in order */
    struct buffer bytes;
    bool whole;         /* nothing is missing, and the session came to its end */
    bool over;          /* at the end, the client was over … */
    uint64_t client_us; /* … and was stepped last at this time */
};

void track_begin(struct memory_track *track);
/* Appends a copy of `data`. What finds no room leaves the track cut, which is then never whole. */
void track_add(struct memory_track *track, struct track_list *list, struct track_entry entry,
               struct bytes data);
struct bytes track_bytes(const struct memory_track *track, const struct track_entry *entry);
/* Is the entry of the list at `at` that one, with that data? */
bool track_has(const struct memory_track *track, const struct track_list *list, size_t at,
               const struct track_entry *entry, struct bytes data);

#endif
