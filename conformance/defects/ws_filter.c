#include "conformance/defects/ws_filter.h"

enum { PENDING_MAX = 32 * 1024 * 1024 };

void ws_filter_init(struct ws_filter *filter)
{
    *filter = (struct ws_filter){.open = false};
    buffer_init(&filter->pending, PENDING_MAX);
    buffer_init(&filter->behind, PENDING_MAX);
}

void ws_filter_free(struct ws_filter *filter)
{
    buffer_free(&filter->pending);
    buffer_free(&filter->behind);
}

/* Where `needle` begins; `len` of the buffer when it is not there. */
static size_t find(const struct buffer *buffer, const char *needle)
{
    const size_t len = strlen(needle);
    for (size_t i = 0; i + len <= buffer->len; i++)
        if (memcmp(buffer->data + i, needle, len) == 0)
            return i;
    return buffer->len;
}

bool ws_replace(struct buffer *text, const char *from, const char *to)
{
    const size_t at = find(text, from);
    const size_t old_len = strlen(from);
    const size_t new_len = strlen(to);
    if (at == text->len || buffer_reserve(text, new_len) == NULL)
        return false;
    memmove(text->data + at + new_len, text->data + at + old_len, text->len - at - old_len);
    memcpy(text->data + at, to, new_len);
    text->len = text->len - old_len + new_len;
    return true;
}

static bool begins_with(const struct buffer *buffer, const char *text)
{
    const size_t len = strlen(text);
    return buffer->len >= len && memcmp(buffer->data, text, len) == 0;
}

/* Takes a whole frame off the front; false when there is none. */
static bool take_frame(struct buffer *in, struct ws_frame *out)
{
    const uint8_t *header = in->data;
    uint64_t payload_bytes = 0;
    if (in->len < WS_FRAME_HEADER_BYTES_MIN || in->len < ws_frame_header_bytes(header))
        return false;
    const size_t header_bytes = ws_frame_header_bytes(header);
    const bool absurd = ws_frame_length(header, &payload_bytes) == WS_LENGTH_ABSURD;
    if (absurd)
        payload_bytes = 1;
    if (in->len - header_bytes < payload_bytes)
        return false;
    *out = (struct ws_frame){.fin = ws_frame_is_last(header),
                             .reserved = (uint8_t)(header[0] >> 4 & 7),
                             .opcode = (uint8_t)ws_frame_opcode(header),
                             .masked = ws_frame_is_masked(header),
                             .absurd = absurd};
    buffer_init(&out->payload, PENDING_MAX);
    if (!buffer_append(&out->payload, bytes_of(header + header_bytes, (size_t)payload_bytes)))
        return false;
    const uint8_t *mask = header + header_bytes - WS_FRAME_MASK_BYTES;
    for (size_t i = 0; out->masked && i < out->payload.len; i++)
        out->payload.data[i] ^= mask[i % WS_FRAME_MASK_BYTES];
    buffer_consume(in, header_bytes + (size_t)payload_bytes);
    return true;
}

void ws_frame_put(struct buffer *out, struct ws_frame *frame)
{
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    const struct ws_frame_bits bits = {.opcode = frame->opcode,
                                       .rsv = frame->reserved,
                                       .fin = frame->fin,
                                       .mask = frame->masked ? WS_MASK_GOOD : WS_MASK_NONE,
                                       .length = frame->payload.len};
    const size_t header_bytes = ws_frame_write_header(&bits, header);
    ws_frame_mask_payload(&bits, frame->payload.data, frame->payload.len);
    (void)(buffer_append(out, bytes_of(header, header_bytes)) &&
           buffer_append(out, buffer_bytes(&frame->payload)));
}

/* Moves the head, once it is whole, to `out`. */
static void pass_head(struct ws_filter *filter, struct buffer *out, ws_head_hook *hook,
                      struct defect_state *state)
{
    static const char END[] = "\r\n\r\n";
    const size_t at = find(&filter->pending, END);
    struct buffer head;
    if (at == filter->pending.len)
        return;
    const size_t len = at + sizeof END - 1;
    buffer_init(&head, PENDING_MAX);
    if (!buffer_append(&head, bytes_of(filter->pending.data, len)))
        return;
    if (hook != NULL)
        hook(state, &head);
    (void)buffer_append(out, buffer_bytes(&head));
    buffer_free(&head);
    buffer_consume(&filter->pending, len);
    filter->open = true;
}

void ws_filter_pass(struct ws_filter *filter, struct buffer *bytes, ws_head_hook *head, ws_frame_hook *hook,
                    struct defect_state *state)
{
    struct ws_frame frame;
    if (begins_with(bytes, "GET ") || begins_with(bytes, "HTTP/")) {
        filter->open = false;
        buffer_clear(&filter->pending);
    }
    (void)buffer_append(&filter->pending, buffer_bytes(bytes));
    buffer_clear(bytes);
    if (!filter->open)
        pass_head(filter, bytes, head, state);
    while (filter->open && take_frame(&filter->pending, &frame)) {
        if (hook == NULL || hook(state, &frame))
            ws_frame_put(bytes, &frame);
        buffer_free(&frame.payload);
        (void)buffer_append(bytes, buffer_bytes(&filter->behind));
        buffer_clear(&filter->behind);
    }
}
