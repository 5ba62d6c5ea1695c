/*
 * The entries of a journal by their connections. A journal may number those as it likes, so nothing is made
 * or done for a number that has no entry.
 */
#ifndef CONFORMANCE_REPLAY_PLACES_H
#define CONFORMANCE_REPLAY_PLACES_H

#include "server/journal/journal.h"

/* An entry's place among those of its connection; with a script all are of one. */
struct place {
    uint32_t connection;
    size_t index; /* in the journal */
};

/* Every entry of the journal, by connection and then in its order; NULL without memory. Free with free().
 * `scripted`: those of the header's family are of one. */
struct place *places_new(const struct journal *journal, bool scripted);

#endif
