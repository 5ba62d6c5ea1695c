/* What the parts of the stream share: stream_head.c, its HTTP head and the body of a refusal; stream.c, its
 * frames. Private to codec/ws. Calls run stream -> stream_head. */
#ifndef CODEC_WS_STREAM_PARTS_H
#define CODEC_WS_STREAM_PARTS_H

#include "codec/ws/deflate.h"
#include "codec/ws/frame.h"
#include "codec/ws/stream.h"

enum phase {
    PHASE_HEAD,
    PHASE_BODY, /* of a response that refuses the upgrade */
    PHASE_FRAMES,
    PHASE_IGNORE /* plain HTTP, a refusal that is complete, or a stream that is lost */
};

/* What becomes of a frame's payload. */
enum payload_use { USE_MESSAGE, USE_CONTROL, USE_NOTHING };

struct ws_stream {
    enum wire_direction direction;
    size_t message_bytes_max;
    ws_stream_sink *sink;
    void *context;
    uint64_t now_us;
    uint64_t position; /* of the next byte, in all that came */
    struct ws_span span;
    bool paused;
    struct ws_budget *budget; /* of the call in progress */
    enum phase phase;
    bool open;
    bool ended;

    struct buffer head;      /* the head; for a refusal, its body too */
    size_t head_end_matched; /* how much of CR LF CR LF the head ends with */
    uint16_t status;         /* of a response */
    bool body_has_length;
    uint64_t body_left; /* bytes, with body_has_length */
    uint64_t head_at;   /* in the stream, as the next two */

    uint64_t frame_at;
    uint64_t message_at;
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    size_t header_len;
    size_t header_need;
    uint64_t payload_left;
    size_t mask_offset;
    enum payload_use use;

    struct buffer message;
    struct ws_room *room; /* NULL: it takes what it needs */
    size_t room_bytes;    /* taken from there */
    bool starved;
    uint64_t message_bytes;
    bool message_open; /* a message has begun and not ended */
    bool message_is_text;
    bool message_damaged;         /* reported already, and not handed over at its end */
    uint64_t unpacked_bytes_max;  /* 0: nothing is compressed */
    struct ws_unpacker *unpacker; /* of the message in progress; NULL: it is not compressed */
    uint8_t control[WS_CONTROL_BYTES_MAX];
    size_t control_len;
    bool closed;
};

/* What is told next lies between `begin` and the last byte read. */
static inline void stream_span_set(struct ws_stream *stream, uint64_t begin)
{
    stream->span = (struct ws_span){.begin = begin, .end = stream->position};
}

static inline void stream_emit(struct ws_stream *stream, enum wire_event_kind kind, uint16_t code,
                               struct bytes data, uint64_t message_bytes)
{
    struct wire_event event = {.at_us = stream->now_us,
                               .direction = stream->direction,
                               .kind = kind,
                               .code = code,
                               .message_bytes = message_bytes,
                               .data = data};
    stream->sink(stream->context, &event);
}

static inline void stream_violation(struct ws_stream *stream, enum ws_violation kind)
{
    stream_emit(stream, WIRE_EVENT_VIOLATION, (uint16_t)kind, bytes_of_text(ws_violation_sentence(kind)), 0);
}

static inline void stream_lose(struct ws_stream *stream, enum ws_violation kind)
{
    stream_violation(stream, kind);
    stream->phase = PHASE_IGNORE;
}

/* stream_head.c: how much of `data` was taken. */
size_t stream_feed_head(struct ws_stream *stream, struct bytes data);
size_t stream_feed_body(struct ws_stream *stream, struct bytes data);
/* The refusal is complete, or the transport has ended within it. */
void stream_refusal_end(struct ws_stream *stream);

#endif
