#include "conformance/defects/ws_filter.h"

enum { PENDING_MAX = 32 * 1024 * 1024, HEAD_MIN = 2, MASK_BYTES = 4 };

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

/* How many bytes the frame takes in front of its payload, and of that; false when not even they are there. */
static bool read_size(const struct buffer *in, size_t *head_bytes, uint64_t *payload_bytes, bool *absurd)
{
    if (in->len < HEAD_MIN)
        return false;
    const unsigned short_length = in->data[1] & 0x7F;
    const size_t length_bytes = short_length == 126 ? 2 : short_length == 127 ? 8 : 0;
    *head_bytes = HEAD_MIN + length_bytes + ((in->data[1] & 0x80) != 0 ? MASK_BYTES : 0);
    if (in->len < *head_bytes)
        return false;
    *payload_bytes = length_bytes == 0 ? short_length : 0;
    for (size_t i = 0; i < length_bytes; i++)
        *payload_bytes = *payload_bytes << 8 | in->data[HEAD_MIN + i];
    *absurd = *payload_bytes >> 63 != 0;
    if (*absurd)
        *payload_bytes = *payload_bytes & 1;
    return true;
}

static void xor_mask(struct ws_frame *frame)
{
    for (size_t i = 0; frame->masked && i < frame->payload.len; i++)
        frame->payload.data[i] ^= frame->mask[i % MASK_BYTES];
}

/* Takes a whole frame off the front; false when there is none. */
static bool take_frame(struct buffer *in, struct ws_frame *out)
{
    size_t head_bytes = 0;
    uint64_t payload_bytes = 0;
    bool absurd = false;
    if (!read_size(in, &head_bytes, &payload_bytes, &absurd) || in->len - head_bytes < payload_bytes)
        return false;
    *out = (struct ws_frame){.fin = (in->data[0] & 0x80) != 0,
                             .reserved = (uint8_t)(in->data[0] >> 4 & 7),
                             .opcode = in->data[0] & 0xF,
                             .masked = (in->data[1] & 0x80) != 0,
                             .absurd = absurd};
    buffer_init(&out->payload, PENDING_MAX);
    if (out->masked)
        memcpy(out->mask, in->data + head_bytes - MASK_BYTES, MASK_BYTES);
    if (!buffer_append(&out->payload, bytes_of(in->data + head_bytes, (size_t)payload_bytes)))
        return false;
    xor_mask(out);
    buffer_consume(in, head_bytes + (size_t)payload_bytes);
    return true;
}

void ws_frame_put(struct buffer *out, struct ws_frame *frame)
{
    uint8_t head[14];
    size_t len = HEAD_MIN;
    const size_t size = frame->payload.len;
    head[0] = (uint8_t)((frame->fin ? 0x80 : 0) | frame->reserved << 4 | frame->opcode);
    head[1] = (uint8_t)((frame->masked ? 0x80 : 0) | (size < 126 ? size : size < 65536 ? 126 : 127));
    for (size_t i = 0, bytes = size < 126 ? 0 : size < 65536 ? 2 : 8; i < bytes; i++)
        head[len++] = (uint8_t)((uint64_t)size >> (8 * (bytes - 1 - i)));
    for (size_t i = 0; frame->masked && i < MASK_BYTES; i++)
        head[len++] = frame->mask[i];
    xor_mask(frame);
    (void)(buffer_append(out, bytes_of(head, len)) && buffer_append(out, buffer_bytes(&frame->payload)));
}

/* Moves the head, once it is whole, to `out`. */
static void pass_head(struct ws_filter *filter, struct buffer *out, ws_head_hook *hook, void *context)
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
        hook(context, &head);
    (void)buffer_append(out, buffer_bytes(&head));
    buffer_free(&head);
    buffer_consume(&filter->pending, len);
    filter->open = true;
}

void ws_filter_pass(struct ws_filter *filter, struct buffer *bytes, ws_head_hook *head, ws_frame_hook *hook,
                    void *context)
{
    struct ws_frame frame;
    if (begins_with(bytes, "GET ") || begins_with(bytes, "HTTP/")) {
        filter->open = false;
        buffer_clear(&filter->pending);
    }
    (void)buffer_append(&filter->pending, buffer_bytes(bytes));
    buffer_clear(bytes);
    if (!filter->open)
        pass_head(filter, bytes, head, context);
    while (filter->open && take_frame(&filter->pending, &frame)) {
        if (hook == NULL || hook(context, &frame))
            ws_frame_put(bytes, &frame);
        buffer_free(&frame.payload);
        (void)buffer_append(bytes, buffer_bytes(&filter->behind));
        buffer_clear(&filter->behind);
    }
}
