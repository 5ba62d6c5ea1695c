/*
 * Reads one direction of a WebSocket connection from raw bytes (RFC 6455), in pieces of any size: the HTTP
 * head, then frames, then whole messages. It watches; it is not the endpoint. Used by the endpoint
 * (endpoint.h) and by all that only watch.
 *
 * A violation is an event, and reading goes on where the stream still makes sense: an unmasked client frame
 * is read and reported, a frame with a reserved opcode or reserved bits is skipped by its length. A message
 * whose bytes cannot be trusted (reserved bits in one of its frames, a text that is no UTF-8, a fragment out
 * of place) is reported and not handed over. Where the stream makes no sense any more (no head, an absurd
 * length, a frame after the close frame) it is lost, and the rest is ignored. Messages are kept up to
 * `message_bytes_max`; the rest of a longer one is counted and not kept. The same bytes give the same events
 * however they are split.
 *
 * A request that does not ask for an upgrade to websocket is plain HTTP: what follows it is ignored too.
 */
#ifndef CODEC_WS_STREAM_H
#define CODEC_WS_STREAM_H

#include "codec/wire/buffer.h"
#include "codec/wire/wire_event.h"

enum ws_violation {
    WS_VIOLATION_BAD_HEAD,           /* no HTTP head, or larger than HTTP_HEAD_BYTES_MAX */
    WS_VIOLATION_UNMASKED,           /* a client frame without a mask: RFC 6455 5.1 */
    WS_VIOLATION_MASKED,             /* a server frame with a mask: RFC 6455 5.1 */
    WS_VIOLATION_RESERVED_BITS,      /* RFC 6455 5.2 */
    WS_VIOLATION_RESERVED_OPCODE,    /* RFC 6455 5.2 */
    WS_VIOLATION_LENGTH_NOT_MINIMAL, /* RFC 6455 5.2 */
    WS_VIOLATION_CONTROL_TOO_LONG,   /* RFC 6455 5.5 */
    WS_VIOLATION_CONTROL_FRAGMENTED, /* RFC 6455 5.5 */
    WS_VIOLATION_BAD_CONTINUATION,   /* RFC 6455 5.4 */
    WS_VIOLATION_TEXT_NOT_UTF8,      /* RFC 6455 8.1 */
    WS_VIOLATION_BAD_CLOSE,       /* one byte of payload, an illegal code or a reason that is no UTF-8: 7.4 */
    WS_VIOLATION_AFTER_CLOSE,     /* a frame after the close frame: RFC 6455 5.5.1 */
    WS_VIOLATION_LENGTH_ABSURD,   /* a 64-bit length with its top bit set: RFC 6455 5.2 */
    WS_VIOLATION_BAD_DEFLATE,     /* what is said to be compressed cannot be read: RFC 7692 7.2 */
    WS_VIOLATION_DEFLATE_TOO_MUCH /* it grows beyond what ws_stream_unpack was told */
};

/* A static sentence that names the rule and its section. */
const char *ws_violation_sentence(enum ws_violation violation);
/* What came instead, as a static phrase: "an unmasked frame". */
const char *ws_violation_name(enum ws_violation violation);

typedef void ws_stream_sink(void *context, const struct wire_event *event);

struct ws_stream; /* opaque: the parse state must stay whole between calls */

/* NULL when memory runs out. `sink` is called from within ws_stream_feed; event.at_us is the feed's `now_us`.
 */
struct ws_stream *ws_stream_new(enum wire_direction direction, size_t message_bytes_max, ws_stream_sink *sink,
                                void *context);
void ws_stream_free(struct ws_stream *stream);
/* From now on RSV1 on the first frame of a message is no violation: it says that the message is compressed
 * (RFC 7692), each for itself. It is handed over as it was before that; one that grows beyond
 * `unpacked_bytes_max` is reported and read no further. */
void ws_stream_unpack(struct ws_stream *stream, uint64_t unpacked_bytes_max);
/* What the unfinished messages of many streams may take together, beside WS_MESSAGE_BYTES_OWN that each has
 * for itself. All 0 but `bytes_max` at first; it outlives the streams. */
struct ws_room {
    size_t bytes_max;
    size_t taken_bytes;
};
enum { WS_MESSAGE_BYTES_OWN = 256 * 1024 };
/* From now on the stream's messages take from that room. Without one they take what they need. */
void ws_stream_share(struct ws_stream *stream, struct ws_room *room);
/* A message that was taken out of its stream, with what it takes of the room. */
struct ws_message {
    struct buffer buffer;
    struct ws_room *room;
    size_t room_bytes;
};
/* From within the sink, told of a message: it is the caller's now, and what its event borrows of it lives
 * until ws_message_free, which gives the room back. */
void ws_stream_take(struct ws_stream *stream, struct ws_message *out);
void ws_message_free(struct ws_message *message);
/* There was no room for a message, or no memory: it is dropped, and so is all that comes behind it. Without a
 * room a message is cut short where memory runs out; one that is compressed is dropped all the same. */
bool ws_stream_is_starved(const struct ws_stream *stream);
/* From now on at most message_bytes_max bytes of a message are kept. */
void ws_stream_keep(struct ws_stream *stream, size_t message_bytes_max);
void ws_stream_feed(struct ws_stream *stream, uint64_t now_us, struct bytes data);

/* How much of a stream may be read in one go, so that others get their turn. Counted down by what was read;
 * each frame counts, of whatever kind and size, and a frame that has begun is read to its end. */
struct ws_budget {
    size_t frames;
    size_t bytes;
};

/* As ws_stream_feed, within the budget and until ws_stream_pause. Returns how much of `data` was read: the
 * rest is to be given again. */
size_t ws_stream_feed_some(struct ws_stream *stream, uint64_t now_us, struct bytes data,
                           struct ws_budget *budget);
/* From within the sink: ws_stream_feed_some reads no byte behind what is being told of. */
void ws_stream_pause(struct ws_stream *stream);

/* Offsets in all that came from the peer, from the first byte of its head on. */
struct ws_span {
    uint64_t begin;
    uint64_t end; /* the first byte that is no part of it */
};

/* Within the sink: where that which is told of lies. A head (with its body), a message from its first frame
 * to its last, a control frame; of a violation what has been read of the frame, message or head that breaks
 * the rule: its header alone where that shows it. The end of the transport is an empty span. */
struct ws_span ws_stream_span(const struct ws_stream *stream);
/* The offset of the next byte to be read. */
uint64_t ws_stream_position(const struct ws_stream *stream);
/* True once the HTTP head has been read whole (for a client: one that asks for websocket; for a server: a
 * 101, as another status makes all that follows its body, of which message_bytes_max bytes are kept). */
bool ws_stream_is_open(const struct ws_stream *stream);
/* The transport ended; emits WIRE_EVENT_RESPONSE for a refusal whose body ran to the end, then
 * WIRE_EVENT_END. */
void ws_stream_end(struct ws_stream *stream, uint64_t now_us, bool reset);

/* Bytes a server-side frame header takes in front of a payload of that size: 2, 4 or 10. */
size_t ws_server_header_bytes(size_t payload_bytes);
/* The code with which a connection is failed for that (RFC 6455 7.1.7, 7.4.1); 0: it goes on, as everybody
 * reads it, there is no connection yet, or it is answered in another way: a bad close frame by a close frame,
 * a message that is too large by whoever takes messages in. */
uint16_t ws_violation_close_code(enum ws_violation violation);
/* Is this a close code that may be sent in a close frame (RFC 6455 7.4)? */
bool ws_close_code_is_legal(uint16_t code);

#endif
