/*
 * The journal of a stage in memory: the latest entries, bounded in number and bytes. What fell out is
 * counted.
 *
 * Entries are kept as the lines that the journal writes of them (keys replaced); but of the frames that the
 * mock sends, which are many, and of long texts only what a line is made from; of binary messages the first
 * RING_BINARY_BYTES_MAX bytes, of texts the first RING_TEXT_BYTES_MAX. What the engine took and dropped
 * (JOURNAL_TAKEN, JOURNAL_DROPPED) is for replays and is not kept.
 */
#ifndef SERVER_CONTROL_RING_H
#define SERVER_CONTROL_RING_H

#include "server/journal/journal.h"

enum {
    RING_ENTRIES_MAX = 20000,
    RING_BYTES_MAX = 8 * 1024 * 1024,
    RING_TYPE_MAX = 40,
    RING_BINARY_BYTES_MAX = 256,
    RING_TEXT_BYTES_MAX = 256 * 1024
};

struct ring_entry {
    uint64_t sequence;
    uint32_t connection;
    const struct session_class *class; /* of its family; NULL: nobody knows */
    bool is_of_other;                  /* its line names the family */
    enum journal_kind kind;
    enum wire_event_kind event; /* of JOURNAL_WIRE */
    bool from_server;
    char label[ACTION_LABEL_MAX];
    char type[RING_TYPE_MAX]; /* of a JSON text: its member "type"; of a long one the label */
    const char *requirement;  /* of a finding; static */
    char *line;               /* owned, not terminated; NULL: made from `message` when it is asked for */
    size_t line_bytes;
    struct ring_message *message; /* owned */
};

struct ring {
    struct ring_entry *entries; /* a circle of `capacity`; grows to RING_ENTRIES_MAX */
    size_t capacity;
    size_t first;
    size_t count;
    size_t bytes;   /* of lines and messages */
    uint64_t gone;  /* entries that were in front of the oldest, forgotten ones included */
    uint64_t taken; /* entries so far */
    uint64_t lost;  /* of them, that fell out */
    uint64_t next;  /* sequence after the newest */
};

void ring_free(struct ring *ring);
/* Forgets all entries; they do not count as lost. */
void ring_clear(struct ring *ring);
/* The entry as it is kept, valid until the next ring_add; NULL when it is not. */
const struct ring_entry *ring_add(struct ring *ring, const struct journal_entry *entry);
size_t ring_count(const struct ring *ring);
const struct ring_entry *ring_at(const struct ring *ring, size_t n); /* the oldest is 0 */
/* Appends the entry's line; false when it does not fit. */
bool ring_entry_write(const struct ring_entry *entry, struct buffer *out);
/* What all of it takes. */
size_t ring_memory_bytes(const struct ring *ring);

#endif
