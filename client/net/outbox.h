/* Messages that wait for the socket, in order, each with the room in front that the library asks for. Private
 * to the connector. */
#ifndef CLIENT_NET_OUTBOX_H
#define CLIENT_NET_OUTBOX_H

#include "codec/wire/bytes.h"

enum {
    OUTBOX_BYTES_MAX = 16 * 1024 * 1024, /* beyond it the server is not reading */
    OUTBOX_CLOSE_BYTES = 8               /* a masked close frame with a code */
};

enum outgoing_kind {
    OUTGOING_TEXT,
    OUTGOING_BINARY,
    OUTGOING_PING,
    OUTGOING_PONG, /* of no message's own: what it answers is known when it goes */
    OUTGOING_CLOSE,
    OUTGOING_PACKED /* a whole frame with a compressed message */
};

struct outgoing_message {
    struct outgoing_message *next;
    enum outgoing_kind kind;
    size_t len;     /* bytes after the room */
    uint8_t data[]; /* LWS_PRE bytes of room, then the message */
};

struct client_outbox {
    struct outgoing_message *first;
    struct outgoing_message *last;
    size_t bytes;
    bool closing; /* a close frame is queued: nothing goes after it */
};

/* With room for `len` bytes after the library's. NULL when memory runs out. */
struct outgoing_message *outgoing_message_new(enum outgoing_kind kind, size_t len);

void client_outbox_init(struct client_outbox *outbox);
/* Not for a close. False when OUTBOX_BYTES_MAX or memory is passed. After a close nothing is added, and that
 * is no failure. */
bool client_outbox_add(struct client_outbox *outbox, enum outgoing_kind kind, struct bytes message);
/* The message holds the code, with room for OUTBOX_CLOSE_BYTES. */
void client_outbox_add_close(struct client_outbox *outbox, uint16_t code);
/* The caller frees it. NULL when there is none. */
struct outgoing_message *client_outbox_take(struct client_outbox *outbox);
bool client_outbox_is_empty(const struct client_outbox *outbox);
void client_outbox_clear(struct client_outbox *outbox);

#endif
