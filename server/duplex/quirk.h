/* The quirks of the full-duplex family: the rows of quirk.def. */
#ifndef SERVER_DUPLEX_QUIRK_H
#define SERVER_DUPLEX_QUIRK_H

#include "server/core/quirk.h"

enum duplex_quirk {
#define DUPLEX_QUIRK(enumerator, name, value, unset, min, max, choices, sentence) DUPLEX_QUIRK_##enumerator,
#include "server/duplex/quirk.def"
#undef DUPLEX_QUIRK
    DUPLEX_QUIRK_COUNT
};

/* In the order of the enum, ended by a NULL name. */
extern const struct quirk_kind DUPLEX_QUIRKS[];

/* The words of no-worker, in the order of the table. */
enum duplex_no_worker {
    DUPLEX_WORKER_THERE,
    DUPLEX_NO_WORKER_SERVICE,
    DUPLEX_NO_WORKER_QUEUE,
    DUPLEX_NO_WORKER_BUSY,
    DUPLEX_NO_WORKER_CONNECT
};

#endif
