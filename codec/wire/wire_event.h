/*
 * One thing that crossed the wire of one connection, in the order it was seen. The common currency of the
 * rules, the journal and the judge: it can come from an endpoint, from a transport in memory or from a
 * recorded journal.
 *
 * Events of one connection carry times that never go back, in microseconds of the session's own clock (0 at
 * its start). `data` borrows and is valid for the call that hands the event over.
 */
#ifndef CODEC_WIRE_WIRE_EVENT_H
#define CODEC_WIRE_WIRE_EVENT_H

#include "codec/wire/bytes.h"

enum wire_direction { WIRE_FROM_CLIENT, WIRE_FROM_SERVER };

enum wire_event_kind {
    WIRE_EVENT_REQUEST,   /* data: the request head, from the request line to the empty line */
    WIRE_EVENT_RESPONSE,  /* code: HTTP status; data: head and body */
    WIRE_EVENT_TEXT,      /* data: one whole text message */
    WIRE_EVENT_BINARY,    /* data: one whole binary message */
    WIRE_EVENT_PING,      /* data: its payload */
    WIRE_EVENT_PONG,      /* data: its payload */
    WIRE_EVENT_CLOSE,     /* code: the close code, WS_CLOSE_NO_CODE when there is none; data: the reason */
    WIRE_EVENT_VIOLATION, /* code: enum ws_violation; data: a sentence */
    WIRE_EVENT_END,       /* the transport ended: code 0 in order (FIN), 1 by a reset */
    WIRE_EVENT_TRANSPORT  /* our own side acted below the messages, on purpose; code: enum wire_act */
};

enum wire_act {
    WIRE_ACT_RAW,         /* sent bytes that are no message, or a message in a broken form */
    WIRE_ACT_HALF_CLOSE,  /* ended its own side (FIN), and reads on */
    WIRE_ACT_STOP_READING /* reads nothing for a while: what comes then is late, and comes all at once */
};

struct wire_event {
    uint64_t at_us;
    enum wire_direction direction;
    enum wire_event_kind kind;
    uint16_t code;
    bool fault; /* sent by our own side on purpose, against the rules */
    uint64_t
        message_bytes; /* TEXT, BINARY: the true size; larger than data.len when data was cut at a bound */
    struct bytes data;
    /* TEXT: what its family has read of it already, on another thread (`read_ahead` of the session class);
     * NULL: nothing. Borrowed as `data` is. */
    const void *ahead;
};

#endif
