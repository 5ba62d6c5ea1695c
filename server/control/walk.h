/*
 * A walk over the entries of a ring that match, in as many parts as it takes: between two of them entries may
 * be added and the oldest fall out. It sees those that are there when it comes to them.
 */
#ifndef SERVER_CONTROL_WALK_H
#define SERVER_CONTROL_WALK_H

#include "codec/wire/json_writer.h"
#include "server/control/find.h"

struct walk {
    struct find find;
    const struct ring *ring; /* borrowed for the walk */
    uint64_t at;             /* the next entry, counted over the ring's life */
    uint64_t end;            /* after the last */
    uint64_t found;          /* so far */
    uint64_t missed;         /* that fell out before it came to them */
    /* As they were when it began: */
    uint64_t kept, lost;
    uint64_t next; /* … but for the sequence of the first entry that the limit keeps from being written */
};

/* Over what is in the ring now. */
void walk_begin(struct walk *walk, const struct ring *ring, const struct find *find);
/* And over what has come since. */
void walk_extend(struct walk *walk);
/* Looks at entries, at least one, until all were (true) or `is_over` says so (false; NULL: never). Those that
 * match are counted and, as far as the limit goes, written as elements (`json` NULL: none is). */
bool walk_go_on(struct walk *walk, struct json_writer *json, bool (*is_over)(void *context), void *context);

#endif
