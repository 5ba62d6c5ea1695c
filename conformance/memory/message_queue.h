/*
 * What is on its way between client and mock, in order of time and, at the same time, of sending. Every
 * message takes the same time, so the order of sending is the order of arriving.
 */
#ifndef CONFORMANCE_MEMORY_MESSAGE_QUEUE_H
#define CONFORMANCE_MEMORY_MESSAGE_QUEUE_H

#include "codec/wire/bytes.h"

enum message_kind {
    MESSAGE_REQUEST,  /* to the mock: the request head */
    MESSAGE_ACCEPTED, /* to the client */
    MESSAGE_REFUSED,  /* to the client: code, the whole response */
    MESSAGE_TEXT,
    MESSAGE_BINARY,
    MESSAGE_PING,
    MESSAGE_PONG,
    MESSAGE_CLOSE, /* code, reason */
    MESSAGE_END    /* the transport ended: code 0 in order, 1 by a reset */
};

enum message_to { MESSAGE_TO_SERVER, MESSAGE_TO_CLIENT };

struct message {
    struct message *next;
    uint64_t due_us;
    enum message_to to;
    enum message_kind kind;
    uint16_t code;
    uint32_t connection; /* which it belongs to: 1, 2 … */
    size_t len;
    uint8_t data[];
};

struct message_queue {
    struct message *first;
    struct message *last;
};

/* Copies `data`. `due_us` must not lie before that of the message added last. False without memory. */
bool message_queue_add(struct message_queue *queue, uint64_t due_us, enum message_to to,
                       enum message_kind kind, uint16_t code, uint32_t connection, struct bytes data);
/* When the first is due; UINT64_MAX when there is none. */
uint64_t message_queue_due_us(const struct message_queue *queue);
/* Takes the first out, to be freed with free(); NULL when there is none. */
struct message *message_queue_take(struct message_queue *queue);
void message_queue_clear(struct message_queue *queue);

#endif
