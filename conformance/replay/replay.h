/*
 * Replaying a journal: what the clients sent goes into fresh engines, each message when the session took it,
 * and what the engines ask for is compared with what the journal says was sent. A core: no socket, no clock.
 *
 * It is exact: kind, label, script step, close code, text, the first JOURNAL_HEAD_BYTES_MAX bytes of each
 * frame and the CRC-32 of its payloads are the same, for journals of the listener and of the transport in
 * memory. Messages that the host dropped (a client that does not read gets no silence frames, and nobody gets
 * anything once the connection is closing) are made again too, and counted apart. Where a journal ends early,
 * at its bound or because the mock was killed, what came after is not compared.
 */
#ifndef CONFORMANCE_REPLAY_REPLAY_H
#define CONFORMANCE_REPLAY_REPLAY_H

#include "server/engine/engine.h"
#include "server/journal/journal.h"

enum { REPLAY_TEXT_MAX = 400 };

/* All borrowed. */
struct replay_case {
    const struct journal *journal;
    const char *key;             /* the one the journal was read with: "{key}" became it */
    const struct script *script; /* that of the journal; NULL when its header names none */
    struct persona *persona;     /* of the header's picture size; NULL when that is 0 */
};

enum replay_outcome {
    REPLAY_IDENTICAL,
    REPLAY_DIFFERENT,  /* the first difference: entry and text */
    REPLAY_IMPOSSIBLE, /* the journal does not hold what is needed: text says what; entry where */
    REPLAY_NO_MEMORY
};

struct replay_result {
    enum replay_outcome outcome;
    size_t entry;               /* of the journal; its line in a file is two more */
    uint64_t messages;          /* of the server, compared */
    uint64_t dropped;           /* that were never sent, compared by their label */
    uint64_t by_host;           /* the host's own answers: no engine makes them again */
    uint64_t sessions;          /* engines */
    bool ends_early;            /* the journal reached its bound */
    char text[REPLAY_TEXT_MAX]; /* a sentence, empty when identical */
};

void replay_run(const struct replay_case *replay_case, struct replay_result *out);

#endif
