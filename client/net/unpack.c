#include "client/net/unpack.h"

#include "codec/wire/http_head.h"
#include "codec/wire/http_response.h"
#include "codec/ws/deflate.h"
#include "codec/ws/frame.h"

enum { HELD_BYTES_MAX = HTTP_HEAD_BYTES_MAX + 1024 * 1024 };

void unpack_init(struct unpack *unpack, bool offered)
{
    *unpack = (struct unpack){.state = offered ? UNPACK_WAITING : UNPACK_PASSING};
    buffer_init(&unpack->held, HELD_BYTES_MAX);
}

void unpack_free(struct unpack *unpack)
{
    buffer_free(&unpack->held);
}

static void add(struct unpack *unpack, struct bytes bytes)
{
    if (!buffer_append(unpack->out, bytes))
        unpack->no_memory = true;
}

static void add_frame(struct unpack *unpack, enum ws_opcode opcode, struct bytes head, struct bytes payload)
{
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    const struct ws_frame_bits bits = {
        .opcode = (uint8_t)opcode, .fin = true, .mask = WS_MASK_NONE, .length = head.len + payload.len};
    add(unpack, bytes_of(header, ws_frame_write_header(&bits, header)));
    add(unpack, head);
    add(unpack, payload);
}

/* The head's lines but for those that say what was agreed on. */
static void add_head(struct unpack *unpack, struct bytes head)
{
    static const char NAME[] = "Sec-WebSocket-Extensions:";
    while (head.len > 0) {
        const uint8_t *end = memchr(head.data, '\n', head.len);
        size_t len = end != NULL ? (size_t)(end - head.data) + 1 : head.len;
        size_t name_len = sizeof NAME - 1;
        if (len < name_len || !bytes_equal_text_ignoring_case(bytes_of(head.data, name_len), NAME))
            add(unpack, bytes_of(head.data, len));
        head = bytes_of(head.data + len, head.len - len);
    }
}

static void take_response(struct unpack *unpack, struct ws_stream *stream, const struct wire_event *event)
{
    if (event->code < HTTP_SWITCHING_PROTOCOLS)
        return;
    unpack->state = UNPACK_PASSING;
    if (event->code != HTTP_SWITCHING_PROTOCOLS)
        return;
    switch (ws_deflate_taken(event->data)) {
    case WS_DEFLATE_DECLINED:
        break;
    case WS_DEFLATE_TAKEN:
        unpack->state = UNPACK_UNPACKING;
        ws_stream_unpack(stream, UNPACK_MESSAGE_BYTES_MAX);
        ws_stream_keep(stream, UNPACK_MESSAGE_BYTES_MAX);
        add_head(unpack, event->data);
        break;
    case WS_DEFLATE_TAKEN_WRONGLY:
        unpack->wrong = true;
        break;
    }
}

void unpack_event(struct unpack *unpack, struct ws_stream *stream, const struct wire_event *event)
{
    if (unpack->out == NULL)
        return;
    if (unpack->state == UNPACK_WAITING && event->kind == WIRE_EVENT_RESPONSE)
        take_response(unpack, stream, event);
    if (unpack->state != UNPACK_UNPACKING)
        return;
    uint8_t code[2] = {(uint8_t)(event->code >> 8), (uint8_t)(event->code & 0xFF)};
    bool has_code = event->code != WS_CLOSE_NO_CODE;
    switch (event->kind) {
    case WIRE_EVENT_TEXT:
        add_frame(unpack, WS_OPCODE_TEXT, event->data, (struct bytes){0});
        break;
    case WIRE_EVENT_BINARY:
        add_frame(unpack, WS_OPCODE_BINARY, event->data, (struct bytes){0});
        break;
    case WIRE_EVENT_PING:
        add_frame(unpack, WS_OPCODE_PING, event->data, (struct bytes){0});
        break;
    case WIRE_EVENT_PONG:
        add_frame(unpack, WS_OPCODE_PONG, event->data, (struct bytes){0});
        break;
    case WIRE_EVENT_CLOSE:
        add_frame(unpack, WS_OPCODE_CLOSE, bytes_of(code, has_code ? sizeof code : 0), event->data);
        break;
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_RESPONSE:
    case WIRE_EVENT_VIOLATION:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        break;
    }
}

/* Nothing but a 101 is worth waiting for: may these be the first bytes of one? */
static bool may_be_switching(struct bytes held)
{
    static const char BEGINS[] = "HTTP/1.x 101";
    for (size_t i = 0; i < held.len && i < sizeof BEGINS - 1; i++)
        if (held.data[i] != (uint8_t)BEGINS[i] && BEGINS[i] != 'x')
            return false;
    return true;
}

bool unpack_feed(struct unpack *unpack, struct ws_stream *stream, struct bytes data, struct buffer *out)
{
    enum unpack_state before = unpack->state;
    unpack->out = out;
    if (before == UNPACK_WAITING && !buffer_append(&unpack->held, data))
        unpack->no_memory = true;
    ws_stream_feed(stream, 0, data);
    unpack->no_memory = unpack->no_memory || ws_stream_is_starved(stream);
    if (unpack->state == UNPACK_WAITING && !may_be_switching(buffer_bytes(&unpack->held)))
        unpack->state = UNPACK_PASSING;
    if (before == UNPACK_WAITING && unpack->state == UNPACK_PASSING)
        add(unpack, buffer_bytes(&unpack->held));
    else if (before == UNPACK_PASSING)
        add(unpack, data);
    if (unpack->state != UNPACK_WAITING)
        buffer_free(&unpack->held);
    unpack->out = NULL;
    return !unpack->no_memory;
}
