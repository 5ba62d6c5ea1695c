/*
 * What a right reader makes of a session, and what a client said that it read: the same, or one of them is
 * wrong. The right reader is the reference client's core. Only what no right client can take otherwise is
 * held against one: messages as a right server sends them up to the first that is not, and frames of any
 * kind. No I/O.
 */
#ifndef CONFORMANCE_FUZZ_READING_H
#define CONFORMANCE_FUZZ_READING_H

#include "client/core/event.h"
#include "conformance/fuzz/fuzz_session.h"

enum { FUZZ_READ_MAX = 256, FUZZ_DIFFERENCE_MAX = 200 };

struct fuzz_reading {
    size_t count;
    struct observation of[FUZZ_READ_MAX];
    size_t due;  /* the first of them, which every client must have reported */
    bool closed; /* nothing follows them: more is too much */
};

/* Bits of observation_kind: reports of what was read, which are compared. */
unsigned fuzz_reading_kinds(void);
/* False when memory runs out. With `whole` nothing is left out for being unclear: of a good session. */
bool fuzz_reading_make(const struct fuzz_session *session, const struct profile *profile, bool whole,
                       struct fuzz_reading *out);
/* `kinds`: what the client reports at all. False with the difference: `place` is the same for all that differ
 * in that way ("frame: index"), `how` says more. */
bool fuzz_reading_same(const struct fuzz_reading *right, const struct observation *seen, size_t count,
                       unsigned kinds, char place[FUZZ_DIFFERENCE_MAX], char how[FUZZ_DIFFERENCE_MAX]);

#endif
