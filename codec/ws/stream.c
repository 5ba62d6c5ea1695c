#include "codec/ws/stream.h"

#include <stdlib.h>

#include "codec/wire/http_head.h"
#include "codec/wire/utf8.h"
#include "codec/ws/stream_parts.h"

enum { RSV1 = 0x40, LENGTH_7_BITS = 0x7f };

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

/* --- the room for a message --- */

/* What the message takes above what each stream has for itself: from the room, or back to it. */
static bool room_settle(struct ws_stream *stream)
{
    const size_t capacity = stream->message.capacity;
    const size_t wanted = capacity > WS_MESSAGE_BYTES_OWN ? capacity - WS_MESSAGE_BYTES_OWN : 0;
    struct ws_room *room = stream->room;
    if (room == NULL)
        return true;
    const size_t others = room->taken_bytes - stream->room_bytes;
    if (wanted > room->bytes_max - others)
        return false;
    room->taken_bytes = others + wanted;
    stream->room_bytes = wanted;
    return true;
}

/* A large message is over: what it took is free for others. */
static void room_give_back(struct ws_stream *stream)
{
    if (stream->message.capacity > WS_MESSAGE_BYTES_OWN)
        buffer_free(&stream->message);
    (void)room_settle(stream);
}

void ws_stream_take(struct ws_stream *stream, struct ws_message *out)
{
    *out = (struct ws_message){
        .buffer = stream->message, .room = stream->room, .room_bytes = stream->room_bytes};
    stream->room_bytes = 0;
    buffer_init(&stream->message, stream->message_bytes_max);
}

void ws_message_free(struct ws_message *message)
{
    buffer_free(&message->buffer);
    if (message->room != NULL)
        message->room->taken_bytes -= message->room_bytes;
    message->room_bytes = 0;
}

static void starve(struct ws_stream *stream)
{
    stream->starved = true;
    stream->message_damaged = true;
    stream->phase = PHASE_IGNORE;
    buffer_free(&stream->message);
    (void)room_settle(stream);
}

void ws_stream_share(struct ws_stream *stream, struct ws_room *room)
{
    stream->room = room;
}

bool ws_stream_is_starved(const struct ws_stream *stream)
{
    return stream->starved;
}

void ws_stream_free(struct ws_stream *stream)
{
    if (stream == NULL)
        return;
    buffer_free(&stream->head);
    buffer_free(&stream->message);
    (void)room_settle(stream);
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

struct ws_span ws_stream_span(const struct ws_stream *stream)
{
    return stream->span;
}

uint64_t ws_stream_position(const struct ws_stream *stream)
{
    return stream->position;
}

void ws_stream_pause(struct ws_stream *stream)
{
    stream->paused = true;
}

/* --- frames --- */

/* Says where the length breaks the rules; false when the stream is lost by it. */
static bool take_length(struct ws_stream *stream)
{
    switch (ws_frame_length(stream->header, &stream->payload_left)) {
    case WS_LENGTH_GOOD:
        return true;
    case WS_LENGTH_NOT_MINIMAL:
        stream_violation(stream, WS_VIOLATION_LENGTH_NOT_MINIMAL);
        return true;
    case WS_LENGTH_ABSURD:
        break;
    }
    stream_lose(stream, WS_VIOLATION_LENGTH_ABSURD);
    return false;
}

static enum payload_use begin_control(struct ws_stream *stream, uint64_t length)
{
    if (!ws_frame_is_last(stream->header))
        stream_violation(stream, WS_VIOLATION_CONTROL_FRAGMENTED);
    stream->control_len = 0;
    /* A length that is written in 16 or 64 bits is over 125 to begin with: many readers never look at it. */
    if (length <= WS_CONTROL_BYTES_MAX && (stream->header[1] & LENGTH_7_BITS) <= WS_CONTROL_BYTES_MAX)
        return USE_CONTROL;
    stream_violation(stream, WS_VIOLATION_CONTROL_TOO_LONG);
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
    if (status == WS_UNPACK_NO_MEMORY) {
        starve(stream);
        return;
    }
    stream_violation(stream,
                     status == WS_UNPACK_TOO_MUCH ? WS_VIOLATION_DEFLATE_TOO_MUCH : WS_VIOLATION_BAD_DEFLATE);
}

/* The first frame of a message: is it compressed? */
static void unpacking_begin(struct ws_stream *stream)
{
    unpacking_end(stream);
    if (stream->unpacked_bytes_max == 0 || !ws_frame_has_rsv1(stream->header))
        return;
    stream->unpacker = ws_unpacker_new(stream->unpacked_bytes_max);
    if (stream->unpacker == NULL)
        starve(stream);
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
        stream_violation(stream, WS_VIOLATION_BAD_CONTINUATION);
    if (!first)
        return stream->message_open ? USE_MESSAGE : USE_NOTHING;
    stream->message_open = true;
    stream->message_at = stream->frame_at;
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
        stream_lose(stream, WS_VIOLATION_AFTER_CLOSE);
        return false;
    }
    if (ws_frame_is_masked(stream->header) != from_client)
        stream_violation(stream, from_client ? WS_VIOLATION_UNMASKED : WS_VIOLATION_MASKED);
    if (!take_length(stream))
        return false;
    bool reserved_bits = reserved_bits_are_wrong(stream);
    if (reserved_bits)
        stream_violation(stream, WS_VIOLATION_RESERVED_BITS);
    stream->mask_offset = 0;
    if (ws_frame_has_reserved_opcode(stream->header)) {
        stream_violation(stream, WS_VIOLATION_RESERVED_OPCODE);
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

static void message_tell(struct ws_stream *stream)
{
    if (stream->message_damaged)
        return;
    if (stream->message_is_text && !message_is_utf8(stream)) {
        stream_violation(stream, WS_VIOLATION_TEXT_NOT_UTF8);
        return;
    }
    stream_emit(stream, stream->message_is_text ? WIRE_EVENT_TEXT : WIRE_EVENT_BINARY, 0,
                buffer_bytes(&stream->message), stream->message_bytes);
}

static void message_end(struct ws_stream *stream)
{
    stream->message_open = false;
    stream_span_set(stream, stream->message_at);
    if (stream->unpacker != NULL)
        unpacking_check(stream, ws_unpacker_end(stream->unpacker, &stream->message));
    unpacking_end(stream);
    message_tell(stream);
    room_give_back(stream);
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
        stream_violation(stream, WS_VIOLATION_BAD_CLOSE);
    stream_emit(stream, WIRE_EVENT_CLOSE, code, reason, 0);
}

static void control_end(struct ws_stream *stream)
{
    struct bytes data = bytes_of(stream->control, stream->control_len);
    if (ws_frame_opcode(stream->header) == WS_OPCODE_CLOSE)
        close_end(stream);
    else
        stream_emit(stream,
                    ws_frame_opcode(stream->header) == WS_OPCODE_PING ? WIRE_EVENT_PING : WIRE_EVENT_PONG, 0,
                    data, 0);
}

static void frame_end(struct ws_stream *stream)
{
    stream_span_set(stream, stream->frame_at);
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
    if (stream->header_len == 0)
        stream->frame_at = stream->position;
    stream->position += used;
    memcpy(stream->header + stream->header_len, data.data, used);
    stream->header_len += used;
    if (stream->header_len < stream->header_need)
        return used;
    stream->header_need = ws_frame_header_bytes(stream->header);
    if (stream->header_len < stream->header_need)
        return used;
    if (stream->budget != NULL)
        stream->budget->frames--;
    stream_span_set(stream, stream->frame_at);
    if (frame_begin(stream) && stream->payload_left == 0)
        frame_end(stream);
    return used;
}

/* Straight into the message, as far as it is kept. */
static void take_message(struct ws_stream *stream, struct bytes data, const uint8_t *mask)
{
    struct buffer *message = &stream->message;
    const size_t room = message->len_max - message->len;
    const size_t kept = data.len < room ? data.len : room;
    uint8_t *to = kept > 0 ? buffer_reserve(message, kept) : NULL;
    stream->message_bytes += data.len;
    if (kept == 0)
        return;
    if (to == NULL && stream->room == NULL) {
        message->len_max = message->len; /* who watches is told as much as there was room for */
        return;
    }
    if (to == NULL || !room_settle(stream)) {
        starve(stream);
        return;
    }
    ws_mask_copy(to, bytes_of(data.data, kept), mask, stream->mask_offset);
    message->len += kept;
}

/* A compressed message grows by blocks. Returns how much of `data` was taken. */
static size_t take_compressed(struct ws_stream *stream, struct bytes data, const uint8_t *mask)
{
    uint8_t block[4096];
    const size_t used = data.len < sizeof block ? data.len : sizeof block;
    ws_mask_copy(block, bytes_of(data.data, used), mask, stream->mask_offset);
    unpacking_check(stream, ws_unpacker_feed(stream->unpacker, bytes_of(block, used), &stream->message));
    if (!room_settle(stream))
        starve(stream);
    return used;
}

static size_t feed_payload(struct ws_stream *stream, struct bytes data)
{
    const uint8_t *mask =
        ws_frame_is_masked(stream->header) ? stream->header + stream->header_len - WS_FRAME_MASK_BYTES : NULL;
    size_t used = data.len;
    if (used > stream->payload_left)
        used = (size_t)stream->payload_left;
    if (stream->use == USE_CONTROL) {
        ws_mask_copy(stream->control + stream->control_len, bytes_of(data.data, used), mask,
                     stream->mask_offset);
        stream->control_len += used;
    } else if (stream->use == USE_MESSAGE && stream->unpacker != NULL) {
        used = take_compressed(stream, bytes_of(data.data, used), mask);
    } else if (stream->use == USE_MESSAGE) {
        take_message(stream, bytes_of(data.data, used), mask);
    }
    stream->mask_offset = (stream->mask_offset + used) % WS_FRAME_MASK_BYTES;
    stream->position += used;
    stream->payload_left -= used;
    if (stream->payload_left == 0 && !stream->starved)
        frame_end(stream);
    return used;
}

static size_t feed_frames(struct ws_stream *stream, struct bytes data)
{
    if (stream->header_len < stream->header_need)
        return feed_header(stream, data);
    return feed_payload(stream, data);
}

static size_t feed_some(struct ws_stream *stream, struct bytes data)
{
    switch (stream->phase) {
    case PHASE_HEAD:
        return stream_feed_head(stream, data);
    case PHASE_BODY:
        return stream_feed_body(stream, data);
    case PHASE_FRAMES:
        return feed_frames(stream, data);
    case PHASE_IGNORE:
        break;
    }
    stream->position += data.len;
    return data.len;
}

/* A frame that has begun is read on; where another would begin, it has to be within the budget. */
static bool budget_is_spent(const struct ws_stream *stream)
{
    const bool begins = stream->phase == PHASE_FRAMES && stream->header_len == 0;
    return stream->budget->bytes == 0 || (begins && stream->budget->frames == 0);
}

size_t ws_stream_feed_some(struct ws_stream *stream, uint64_t now_us, struct bytes data,
                           struct ws_budget *budget)
{
    size_t done = 0;
    stream->now_us = now_us;
    stream->paused = false;
    stream->budget = budget;
    while (done < data.len && !stream->paused && !budget_is_spent(stream)) {
        const size_t left = data.len - done;
        const size_t used =
            feed_some(stream, bytes_of(data.data + done, left < budget->bytes ? left : budget->bytes));
        budget->bytes -= used;
        done += used;
    }
    stream->budget = NULL;
    return done;
}

void ws_stream_feed(struct ws_stream *stream, uint64_t now_us, struct bytes data)
{
    struct ws_budget all;
    do {
        all = (struct ws_budget){.frames = SIZE_MAX, .bytes = SIZE_MAX};
        const size_t used = ws_stream_feed_some(stream, now_us, data, &all);
        data = bytes_of(data.data + used, data.len - used);
    } while (data.len > 0);
}

void ws_stream_end(struct ws_stream *stream, uint64_t now_us, bool reset)
{
    if (stream->ended)
        return;
    stream->ended = true;
    stream->now_us = now_us;
    stream_span_set(stream, stream->head_at);
    if (stream->phase == PHASE_BODY)
        stream_refusal_end(stream);
    stream->phase = PHASE_IGNORE;
    stream_span_set(stream, stream->position);
    stream_emit(stream, WIRE_EVENT_END, reset ? 1 : 0, bytes_of(NULL, 0), 0);
}
