#include "codec/ws/stream.h"

#include <stdlib.h>

#include "codec/wire/http_head.h"
#include "codec/wire/http_response.h"
#include "codec/wire/utf8.h"
#include "codec/ws/deflate.h"
#include "codec/ws/frame.h"

enum { CONTROL_BYTES_MAX = 125, UTF8_CHARACTER_BYTES_MAX = 4, RSV1 = 0x40, LENGTH_7_BITS = 0x7f };

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
    enum phase phase;
    bool open;
    bool ended;

    struct buffer head;      /* the head; for a refusal, its body too */
    size_t head_end_matched; /* how much of CR LF CR LF the head ends with */
    uint16_t status;         /* of a response */
    bool body_has_length;
    uint64_t body_left; /* bytes, with body_has_length */

    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    size_t header_len;
    size_t header_need;
    uint64_t payload_left;
    size_t mask_offset;
    enum payload_use use;

    struct buffer message;
    uint64_t message_bytes;
    bool message_open; /* a message has begun and not ended */
    bool message_is_text;
    bool message_damaged;         /* reported already, and not handed over at its end */
    uint64_t unpacked_bytes_max;  /* 0: nothing is compressed */
    struct ws_unpacker *unpacker; /* of the message in progress; NULL: it is not compressed */
    uint8_t control[CONTROL_BYTES_MAX];
    size_t control_len;
    bool closed;
};

struct ws_stream *ws_stream_new(enum wire_direction direction, size_t message_bytes_max, ws_stream_sink *sink,
                                void *context)
{
    struct ws_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL)
        return NULL;
    stream->direction = direction;
    stream->message_bytes_max = message_bytes_max;
    stream->sink = sink;
    stream->context = context;
    stream->header_need = WS_FRAME_HEADER_BYTES_MIN;
    buffer_init(&stream->head, HTTP_HEAD_BYTES_MAX);
    buffer_init(&stream->message, message_bytes_max);
    return stream;
}

void ws_stream_free(struct ws_stream *stream)
{
    if (stream == NULL)
        return;
    buffer_free(&stream->head);
    buffer_free(&stream->message);
    ws_unpacker_free(stream->unpacker);
    free(stream);
}

void ws_stream_unpack(struct ws_stream *stream, uint64_t unpacked_bytes_max)
{
    stream->unpacked_bytes_max = unpacked_bytes_max;
}

void ws_stream_keep(struct ws_stream *stream, size_t message_bytes_max)
{
    stream->message_bytes_max = message_bytes_max;
}

bool ws_stream_is_open(const struct ws_stream *stream)
{
    return stream->open;
}

static void emit(struct ws_stream *stream, enum wire_event_kind kind, uint16_t code, struct bytes data,
                 uint64_t message_bytes)
{
    struct wire_event event = {.at_us = stream->now_us,
                               .direction = stream->direction,
                               .kind = kind,
                               .code = code,
                               .message_bytes = message_bytes,
                               .data = data};
    stream->sink(stream->context, &event);
}

static void violation(struct ws_stream *stream, enum ws_violation kind)
{
    emit(stream, WIRE_EVENT_VIOLATION, (uint16_t)kind, bytes_of_text(ws_violation_sentence(kind)), 0);
}

static void lose(struct ws_stream *stream, enum ws_violation kind)
{
    violation(stream, kind);
    stream->phase = PHASE_IGNORE;
}

/* --- the HTTP head and the body of a refusal --- */

/* Whether the first bytes can begin a head at all, so that a stranger is seen at once. */
static bool head_may_begin_with(const struct ws_stream *stream, size_t offset, uint8_t c)
{
    static const char version[] = "HTTP/1.";
    if (stream->direction == WIRE_FROM_SERVER)
        return offset >= sizeof version - 1 || c == (uint8_t)version[offset];
    return offset > 0 || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static void refusal_end(struct ws_stream *stream)
{
    emit(stream, WIRE_EVENT_RESPONSE, stream->status, buffer_bytes(&stream->head), 0);
    stream->phase = PHASE_IGNORE;
}

static void request_head_end(struct ws_stream *stream)
{
    struct http_head head;
    if (!http_head_parse(buffer_bytes(&stream->head), &head)) {
        lose(stream, WS_VIOLATION_BAD_HEAD);
        return;
    }
    stream->open = http_head_asks_for_websocket(&head);
    stream->phase = stream->open ? PHASE_FRAMES : PHASE_IGNORE;
    emit(stream, WIRE_EVENT_REQUEST, 0, buffer_bytes(&stream->head), 0);
}

static void response_head_end(struct ws_stream *stream)
{
    struct bytes head = buffer_bytes(&stream->head);
    struct http_response response;
    if (!http_response_parse(head, &response)) {
        lose(stream, WS_VIOLATION_BAD_HEAD);
        return;
    }
    stream->status = response.status;
    if (stream->status < 200) {
        /* 101 opens the stream; any other of these comes before the answer proper. */
        stream->open = stream->status == HTTP_SWITCHING_PROTOCOLS;
        stream->phase = stream->open ? PHASE_FRAMES : PHASE_HEAD;
        emit(stream, WIRE_EVENT_RESPONSE, stream->status, head, 0);
        buffer_clear(&stream->head);
        stream->head_end_matched = 0;
        return;
    }
    stream->phase = PHASE_BODY;
    stream->body_has_length = response.has_length;
    stream->body_left = response.body_bytes;
    stream->head.len_max = stream->head.len + stream->message_bytes_max;
    if (stream->body_has_length && stream->body_left == 0)
        refusal_end(stream);
}

static size_t feed_head(struct ws_stream *stream, struct bytes data)
{
    static const char head_end[] = "\r\n\r\n";
    size_t used = 0;
    while (used < data.len && stream->head_end_matched < 4) {
        uint8_t c = data.data[used];
        size_t offset = stream->head.len + used;
        if (offset == HTTP_HEAD_BYTES_MAX || !head_may_begin_with(stream, offset, c)) {
            lose(stream, WS_VIOLATION_BAD_HEAD);
            return data.len;
        }
        if (c == (uint8_t)head_end[stream->head_end_matched])
            stream->head_end_matched++;
        else
            stream->head_end_matched = c == '\r' ? 1 : 0;
        used++;
    }
    if (!buffer_append(&stream->head, bytes_of(data.data, used))) {
        stream->phase = PHASE_IGNORE;
        return data.len;
    }
    if (stream->head_end_matched == 4 && stream->direction == WIRE_FROM_CLIENT)
        request_head_end(stream);
    else if (stream->head_end_matched == 4)
        response_head_end(stream);
    return used;
}

/* Appends what fits below the buffer's maximum; the rest is let go. */
static void keep(struct buffer *buffer, struct bytes data)
{
    size_t room = buffer->len_max - buffer->len;
    if (data.len > room)
        data.len = room;
    /* Out of memory is treated like the bound: the bytes are counted and not kept. */
    if (data.len > 0 && !buffer_append(buffer, data))
        buffer->len_max = buffer->len;
}

static size_t feed_body(struct ws_stream *stream, struct bytes data)
{
    if (stream->body_has_length && data.len > stream->body_left)
        data.len = (size_t)stream->body_left;
    keep(&stream->head, data);
    if (stream->body_has_length) {
        stream->body_left -= data.len;
        if (stream->body_left == 0)
            refusal_end(stream);
    }
    return data.len;
}

/* --- frames --- */

/* Says where the length breaks the rules; false when the stream is lost by it. */
static bool take_length(struct ws_stream *stream)
{
    switch (ws_frame_length(stream->header, &stream->payload_left)) {
    case WS_LENGTH_GOOD:
        return true;
    case WS_LENGTH_NOT_MINIMAL:
        violation(stream, WS_VIOLATION_LENGTH_NOT_MINIMAL);
        return true;
    case WS_LENGTH_ABSURD:
        break;
    }
    lose(stream, WS_VIOLATION_LENGTH_ABSURD);
    return false;
}

static enum payload_use begin_control(struct ws_stream *stream, uint64_t length)
{
    if (!ws_frame_is_last(stream->header))
        violation(stream, WS_VIOLATION_CONTROL_FRAGMENTED);
    stream->control_len = 0;
    /* A length that is written in 16 or 64 bits is over 125 to begin with: many readers never look at it. */
    if (length <= CONTROL_BYTES_MAX && (stream->header[1] & LENGTH_7_BITS) <= CONTROL_BYTES_MAX)
        return USE_CONTROL;
    violation(stream, WS_VIOLATION_CONTROL_TOO_LONG);
    return USE_NOTHING;
}

/* --- compressed messages --- */

static void unpacking_end(struct ws_stream *stream)
{
    ws_unpacker_free(stream->unpacker);
    stream->unpacker = NULL;
}

static void unpacking_check(struct ws_stream *stream, enum ws_unpack_status status)
{
    stream->message_bytes = ws_unpacker_bytes(stream->unpacker);
    if (status == WS_UNPACK_GOOD)
        return;
    stream->message_damaged = true;
    unpacking_end(stream);
    violation(stream,
              status == WS_UNPACK_TOO_MUCH ? WS_VIOLATION_DEFLATE_TOO_MUCH : WS_VIOLATION_BAD_DEFLATE);
}

/* The first frame of a message: is it compressed? Without memory for it the message is lost. */
static void unpacking_begin(struct ws_stream *stream)
{
    unpacking_end(stream);
    if (stream->unpacked_bytes_max == 0 || !ws_frame_has_rsv1(stream->header))
        return;
    stream->unpacker = ws_unpacker_new(stream->unpacked_bytes_max);
    stream->message_damaged = stream->unpacker == NULL;
}

/* With compression agreed on, RSV1 has a meaning on the first frame of a message alone: RFC 7692 6.1. */
static bool reserved_bits_are_wrong(const struct ws_stream *stream)
{
    unsigned opcode = ws_frame_opcode(stream->header);
    bool may_be_compressed =
        stream->unpacked_bytes_max > 0 && (opcode == WS_OPCODE_TEXT || opcode == WS_OPCODE_BINARY);
    uint8_t header = stream->header[0];
    if (may_be_compressed)
        header = (uint8_t)(header & ~RSV1);
    return ws_frame_has_reserved_bits(&header);
}

static enum payload_use begin_data(struct ws_stream *stream)
{
    bool first = ws_frame_opcode(stream->header) != WS_OPCODE_CONTINUATION;
    if (first == stream->message_open)
        violation(stream, WS_VIOLATION_BAD_CONTINUATION);
    if (!first)
        return stream->message_open ? USE_MESSAGE : USE_NOTHING;
    stream->message_open = true;
    stream->message_is_text = ws_frame_opcode(stream->header) == WS_OPCODE_TEXT;
    stream->message_damaged = false;
    stream->message_bytes = 0;
    buffer_clear(&stream->message);
    stream->message.len_max = stream->message_bytes_max;
    unpacking_begin(stream);
    return USE_MESSAGE;
}

/* The header is whole: false when the stream is lost. */
static bool frame_begin(struct ws_stream *stream)
{
    bool from_client = stream->direction == WIRE_FROM_CLIENT;
    /* A ping that crosses one's own close frame is answered all the same: RFC 6455 5.5.2. */
    if (stream->closed && ws_frame_opcode(stream->header) != WS_OPCODE_PONG) {
        lose(stream, WS_VIOLATION_AFTER_CLOSE);
        return false;
    }
    if (ws_frame_is_masked(stream->header) != from_client)
        violation(stream, from_client ? WS_VIOLATION_UNMASKED : WS_VIOLATION_MASKED);
    if (!take_length(stream))
        return false;
    bool reserved_bits = reserved_bits_are_wrong(stream);
    if (reserved_bits)
        violation(stream, WS_VIOLATION_RESERVED_BITS);
    stream->mask_offset = 0;
    if (ws_frame_has_reserved_opcode(stream->header)) {
        violation(stream, WS_VIOLATION_RESERVED_OPCODE);
        stream->use = USE_NOTHING;
    } else if (ws_frame_is_control(stream->header)) {
        stream->use = begin_control(stream, stream->payload_left);
        if (reserved_bits)
            stream->use = USE_NOTHING;
    } else {
        stream->use = begin_data(stream);
        stream->message_damaged = stream->message_damaged || reserved_bits;
    }
    return true;
}

/* A message that was cut may end inside a character; nothing else is forgiven. */
static bool message_is_utf8(const struct ws_stream *stream)
{
    struct bytes text = buffer_bytes(&stream->message);
    size_t valid = utf8_valid_prefix(text);
    bool cut = stream->message_bytes > text.len;
    return valid == text.len || (cut && text.len - valid < UTF8_CHARACTER_BYTES_MAX);
}

static void message_end(struct ws_stream *stream)
{
    stream->message_open = false;
    if (stream->unpacker != NULL)
        unpacking_check(stream, ws_unpacker_end(stream->unpacker, &stream->message));
    unpacking_end(stream);
    if (stream->message_damaged)
        return;
    if (stream->message_is_text && !message_is_utf8(stream)) {
        violation(stream, WS_VIOLATION_TEXT_NOT_UTF8);
        return;
    }
    emit(stream, stream->message_is_text ? WIRE_EVENT_TEXT : WIRE_EVENT_BINARY, 0,
         buffer_bytes(&stream->message), stream->message_bytes);
}

static void close_end(struct ws_stream *stream)
{
    uint16_t code = WS_CLOSE_NO_CODE;
    struct bytes reason = bytes_of(NULL, 0);
    bool good = stream->control_len == 0;
    if (stream->control_len >= WS_CLOSE_CODE_BYTES) {
        code = (uint16_t)(stream->control[0] << 8 | stream->control[1]);
        reason = bytes_of(stream->control + WS_CLOSE_CODE_BYTES, stream->control_len - WS_CLOSE_CODE_BYTES);
        good = ws_close_code_is_legal(code) && utf8_valid_prefix(reason) == reason.len;
    }
    if (!good)
        violation(stream, WS_VIOLATION_BAD_CLOSE);
    emit(stream, WIRE_EVENT_CLOSE, code, reason, 0);
}

static void control_end(struct ws_stream *stream)
{
    struct bytes data = bytes_of(stream->control, stream->control_len);
    if (ws_frame_opcode(stream->header) == WS_OPCODE_CLOSE)
        close_end(stream);
    else
        emit(stream, ws_frame_opcode(stream->header) == WS_OPCODE_PING ? WIRE_EVENT_PING : WIRE_EVENT_PONG, 0,
             data, 0);
}

static void frame_end(struct ws_stream *stream)
{
    if (stream->use == USE_CONTROL)
        control_end(stream);
    else if (stream->use == USE_MESSAGE && ws_frame_is_last(stream->header))
        message_end(stream);
    /* A close frame is one even when its payload was not worth reading. */
    stream->closed = stream->closed || ws_frame_opcode(stream->header) == WS_OPCODE_CLOSE;
    stream->header_len = 0;
    stream->header_need = WS_FRAME_HEADER_BYTES_MIN;
}

static size_t feed_header(struct ws_stream *stream, struct bytes data)
{
    size_t used = stream->header_need - stream->header_len;
    if (used > data.len)
        used = data.len;
    memcpy(stream->header + stream->header_len, data.data, used);
    stream->header_len += used;
    if (stream->header_len < stream->header_need)
        return used;
    stream->header_need = ws_frame_header_bytes(stream->header);
    if (stream->header_len == stream->header_need && frame_begin(stream) && stream->payload_left == 0)
        frame_end(stream);
    return used;
}

/* Takes up to one block of the payload: unmasks it and puts it where it belongs. */
static size_t feed_payload(struct ws_stream *stream, struct bytes data)
{
    uint8_t block[1024];
    size_t used = data.len < sizeof block ? data.len : sizeof block;
    if (used > stream->payload_left)
        used = (size_t)stream->payload_left;
    const uint8_t *mask =
        ws_frame_is_masked(stream->header) ? stream->header + stream->header_len - WS_FRAME_MASK_BYTES : NULL;
    for (size_t i = 0; i < used; i++)
        block[i] = mask == NULL ? data.data[i] : data.data[i] ^ mask[(stream->mask_offset + i) & 3];
    stream->mask_offset = (stream->mask_offset + used) & 3;
    if (stream->use == USE_CONTROL) {
        memcpy(stream->control + stream->control_len, block, used);
        stream->control_len += used;
    } else if (stream->use == USE_MESSAGE && stream->unpacker != NULL) {
        unpacking_check(stream, ws_unpacker_feed(stream->unpacker, bytes_of(block, used), &stream->message));
    } else if (stream->use == USE_MESSAGE) {
        stream->message_bytes += used;
        keep(&stream->message, bytes_of(block, used));
    }
    stream->payload_left -= used;
    if (stream->payload_left == 0)
        frame_end(stream);
    return used;
}

static size_t feed_frames(struct ws_stream *stream, struct bytes data)
{
    if (stream->header_len < stream->header_need)
        return feed_header(stream, data);
    return feed_payload(stream, data);
}

void ws_stream_feed(struct ws_stream *stream, uint64_t now_us, struct bytes data)
{
    stream->now_us = now_us;
    while (data.len > 0) {
        size_t used = data.len;
        switch (stream->phase) {
        case PHASE_HEAD:
            used = feed_head(stream, data);
            break;
        case PHASE_BODY:
            used = feed_body(stream, data);
            break;
        case PHASE_FRAMES:
            used = feed_frames(stream, data);
            break;
        case PHASE_IGNORE:
            break;
        }
        data = bytes_of(data.data + used, data.len - used);
    }
}

void ws_stream_end(struct ws_stream *stream, uint64_t now_us, bool reset)
{
    if (stream->ended)
        return;
    stream->ended = true;
    stream->now_us = now_us;
    if (stream->phase == PHASE_BODY)
        refusal_end(stream);
    stream->phase = PHASE_IGNORE;
    emit(stream, WIRE_EVENT_END, reset ? 1 : 0, bytes_of(NULL, 0), 0);
}
