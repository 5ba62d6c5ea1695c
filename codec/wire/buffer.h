/*
 * A growable byte buffer with a named maximum. It owns its data.
 *
 * buffer_append returns false, and appends nothing, when the maximum would be passed or memory runs out.
 */
#ifndef CODEC_WIRE_BUFFER_H
#define CODEC_WIRE_BUFFER_H

#include "codec/wire/bytes.h"

struct buffer {
    uint8_t *data;
    size_t len;
    size_t capacity;
    size_t len_max;
    bool no_memory; /* memory ran out once; stays until buffer_free or the owner takes it back */
};

void buffer_init(struct buffer *buffer, size_t len_max);
void buffer_free(struct buffer *buffer);
bool buffer_append(struct buffer *buffer, struct bytes bytes);
/* Makes room for `len` more bytes and returns where they go (then add to `len`); NULL when that is not
 * possible. */
uint8_t *buffer_reserve(struct buffer *buffer, size_t len);
/* Drops the first `len` bytes (at most all). */
void buffer_consume(struct buffer *buffer, size_t len);
static inline struct bytes buffer_bytes(const struct buffer *buffer)
{
    return bytes_of(buffer->data, buffer->len);
}
static inline void buffer_clear(struct buffer *buffer)
{
    buffer->len = 0;
}

#endif
