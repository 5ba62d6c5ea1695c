/*
 * What the tap does for the library, which knows no compressed messages (permessage-deflate, RFC 7692): once
 * the server has taken the offer, whole messages go to the library as if they had come unpacked, a frame
 * each, and the head of the response without what was agreed on. Otherwise all bytes go on as they came.
 * Private to the tap.
 */
#ifndef CLIENT_NET_UNPACK_H
#define CLIENT_NET_UNPACK_H

#include "codec/wire/buffer.h"
#include "codec/ws/stream.h"

enum {
    UNPACK_MESSAGE_BYTES_MAX = 16 * 1024 * 1024 + 1, /* one more than the client takes, so that it sees it */
    UNPACK_OUT_BYTES_MAX = 4 * UNPACK_MESSAGE_BYTES_MAX
};

enum unpack_state {
    UNPACK_WAITING,  /* for the end of the response's head, which is kept back until then */
    UNPACK_PASSING,  /* nothing is compressed */
    UNPACK_UNPACKING /* it was agreed on */
};

struct unpack {
    enum unpack_state state;
    bool wrong; /* the server agreed to what was not offered */
    bool no_memory;
    struct buffer held;
    struct buffer *out; /* during unpack_feed */
};

/* `offered`: else everything passes. */
void unpack_init(struct unpack *unpack, bool offered);
void unpack_free(struct unpack *unpack);
/* Feeds `stream`, whose sink hands every event to unpack_event; what the library is to get is appended to
 * `out`. False when memory runs out, or the room of `out`. */
bool unpack_feed(struct unpack *unpack, struct ws_stream *stream, struct bytes data, struct buffer *out);
void unpack_event(struct unpack *unpack, struct ws_stream *stream, const struct wire_event *event);

#endif
