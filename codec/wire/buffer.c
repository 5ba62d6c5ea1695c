#include "codec/wire/buffer.h"

#include <stdlib.h>

void buffer_init(struct buffer *buffer, size_t len_max)
{
    *buffer = (struct buffer){.len_max = len_max};
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){.len_max = buffer->len_max};
}

/* Doubles, so that appending byte by byte stays linear, but never past the maximum. */
static size_t buffer_next_capacity(const struct buffer *buffer, size_t needed)
{
    size_t doubled = buffer->capacity > buffer->len_max / 2 ? buffer->len_max : buffer->capacity * 2;
    size_t capacity = needed > doubled ? needed : doubled;
    return capacity > 0 ? capacity : 1;
}

uint8_t *buffer_reserve(struct buffer *buffer, size_t len)
{
    if (len > buffer->len_max - buffer->len)
        return NULL;
    size_t needed = buffer->len + len;
    if (buffer->data == NULL || needed > buffer->capacity) {
        size_t capacity = buffer_next_capacity(buffer, needed);
        uint8_t *data = realloc(buffer->data, capacity);
        if (data == NULL) {
            buffer->no_memory = true;
            return NULL;
        }
        buffer->data = data;
        buffer->capacity = capacity;
    }
    return buffer->data + buffer->len;
}

bool buffer_append(struct buffer *buffer, struct bytes bytes)
{
    if (bytes.len == 0)
        return true;
    uint8_t *room = buffer_reserve(buffer, bytes.len);
    if (room == NULL)
        return false;
    memcpy(room, bytes.data, bytes.len);
    buffer->len += bytes.len;
    return true;
}

void buffer_consume(struct buffer *buffer, size_t len)
{
    if (len >= buffer->len) {
        buffer->len = 0;
        return;
    }
    buffer->len -= len;
    memmove(buffer->data, buffer->data + len, buffer->len);
}
