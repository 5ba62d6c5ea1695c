/*
 * What waits for its turn to be sent: actions with their bytes, in order. Bounded: a client that does not
 * read costs at most OUTBOX_BYTES_MAX, and long before that it gets no silence frames any more.
 */
#ifndef SERVER_NET_OUTBOX_H
#define SERVER_NET_OUTBOX_H

#include "server/core/actions.h"

enum {
    OUTBOX_BYTES_MAX = 8 * 1024 * 1024,
    OUTBOX_ITEMS_MAX = 4096,
    OUTBOX_SILENCE_BYTES_MAX = 512 * 1024 /* with more than that waiting, silence is dropped */
};

struct outbox_item;

struct outbox {
    struct outbox_item *first;
    struct outbox_item *last;
    size_t count;
    size_t bytes;
};

enum outbox_status { OUTBOX_TAKEN, OUTBOX_DROPPED, OUTBOX_FULL };

/* Copies the action and its bytes; what it borrows stays where it is, and counts as if it were copied.
 * DROPPED: silence that nobody would read. FULL also without memory. */
enum outbox_status outbox_add(struct outbox *outbox, const struct actions *actions,
                              const struct action *action);
/* From the first on: the one after it (NULL: none), and the action itself, whose bytes are elsewhere. */
const struct outbox_item *outbox_next(const struct outbox_item *item);
const struct action *outbox_action(const struct outbox_item *item);
/* The first one as the only action of `actions`, which is cleared first; NULL when it is empty or memory runs
 * out. It stays in the box. */
struct action *outbox_first(const struct outbox *outbox, struct actions *actions);
void outbox_drop_first(struct outbox *outbox);
void outbox_clear(struct outbox *outbox);

#endif
