/* The HTTP head in front of the frames, and the body of a refused upgrade. */
#include "codec/wire/http_head.h"
#include "codec/wire/http_response.h"
#include "codec/ws/stream_parts.h"

/* Whether the first bytes can begin a head at all, so that a stranger is seen at once. */
static bool head_may_begin_with(const struct ws_stream *stream, size_t offset, uint8_t c)
{
    static const char version[] = "HTTP/1.";
    if (stream->direction == WIRE_FROM_SERVER)
        return offset >= sizeof version - 1 || c == (uint8_t)version[offset];
    return offset > 0 || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

void stream_refusal_end(struct ws_stream *stream)
{
    stream_emit(stream, WIRE_EVENT_RESPONSE, stream->status, buffer_bytes(&stream->head), 0);
    stream->phase = PHASE_IGNORE;
}

static void request_head_end(struct ws_stream *stream)
{
    struct http_head head;
    if (!http_head_parse(buffer_bytes(&stream->head), &head)) {
        stream_lose(stream, WS_VIOLATION_BAD_HEAD);
        return;
    }
    stream->open = http_head_asks_for_websocket(&head);
    stream->phase = stream->open ? PHASE_FRAMES : PHASE_IGNORE;
    stream_emit(stream, WIRE_EVENT_REQUEST, 0, buffer_bytes(&stream->head), 0);
}

static void response_head_end(struct ws_stream *stream)
{
    struct bytes head = buffer_bytes(&stream->head);
    struct http_response response;
    if (!http_response_parse(head, &response)) {
        stream_lose(stream, WS_VIOLATION_BAD_HEAD);
        return;
    }
    stream->status = response.status;
    if (stream->status < 200) {
        /* 101 opens the stream; any other of these comes before the answer proper. */
        stream->open = stream->status == HTTP_SWITCHING_PROTOCOLS;
        stream->phase = stream->open ? PHASE_FRAMES : PHASE_HEAD;
        stream_emit(stream, WIRE_EVENT_RESPONSE, stream->status, head, 0);
        buffer_clear(&stream->head);
        stream->head_end_matched = 0;
        stream->head_at = stream->position;
        return;
    }
    stream->phase = PHASE_BODY;
    stream->body_has_length = response.has_length;
    stream->body_left = response.body_bytes;
    stream->head.len_max = stream->head.len + stream->message_bytes_max;
    if (stream->body_has_length && stream->body_left == 0)
        stream_refusal_end(stream);
}

size_t stream_feed_head(struct ws_stream *stream, struct bytes data)
{
    static const char head_end[] = "\r\n\r\n";
    size_t used = 0;
    while (used < data.len && stream->head_end_matched < 4) {
        uint8_t c = data.data[used];
        size_t offset = stream->head.len + used;
        if (offset == HTTP_HEAD_BYTES_MAX || !head_may_begin_with(stream, offset, c)) {
            stream->position += used + 1;
            stream_span_set(stream, stream->head_at);
            stream_lose(stream, WS_VIOLATION_BAD_HEAD);
            return used + 1;
        }
        if (c == (uint8_t)head_end[stream->head_end_matched])
            stream->head_end_matched++;
        else
            stream->head_end_matched = c == '\r' ? 1 : 0;
        used++;
    }
    stream->position += used;
    stream_span_set(stream, stream->head_at);
    if (!buffer_append(&stream->head, bytes_of(data.data, used))) {
        stream->phase = PHASE_IGNORE;
        return used;
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

size_t stream_feed_body(struct ws_stream *stream, struct bytes data)
{
    if (stream->body_has_length && data.len > stream->body_left)
        data.len = (size_t)stream->body_left;
    stream->position += data.len;
    stream_span_set(stream, stream->head_at);
    keep(&stream->head, data);
    if (stream->body_has_length) {
        stream->body_left -= data.len;
        if (stream->body_left == 0)
            stream_refusal_end(stream);
    }
    return data.len;
}
