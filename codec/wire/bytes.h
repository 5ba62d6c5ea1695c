/*
 * A span of bytes that somebody else owns.
 *
 * `struct bytes` always borrows and goes by value. Data stays valid as long as its owner keeps it; functions
 * that return spans say how long that is. An empty span may have a null pointer.
 */
#ifndef CODEC_WIRE_BYTES_H
#define CODEC_WIRE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const uint8_t *data;
    size_t len;
};

static inline struct bytes bytes_of(const void *data, size_t len)
{
    return (struct bytes){.data = data, .len = len};
}

/* The bytes of a C string, without its terminator. */
static inline struct bytes bytes_of_text(const char *text)
{
    return bytes_of(text, strlen(text));
}

static inline bool bytes_equal(struct bytes a, struct bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool bytes_equal_text(struct bytes a, const char *text)
{
    return bytes_equal(a, bytes_of_text(text));
}

/* Only the case of ASCII letters is ignored. */
static inline bool bytes_equal_text_ignoring_case(struct bytes a, const char *text)
{
    if (a.len != strlen(text))
        return false;
    for (size_t i = 0; i < a.len; i++) {
        const uint8_t x = a.data[i];
        const uint8_t y = (uint8_t)text[i];
        const uint8_t lower_x = x >= 'A' && x <= 'Z' ? (uint8_t)(x + ('a' - 'A')) : x;
        const uint8_t lower_y = y >= 'A' && y <= 'Z' ? (uint8_t)(y + ('a' - 'A')) : y;
        if (lower_x != lower_y)
            return false;
    }
    return true;
}

static inline bool bytes_begin_with(struct bytes span, const char *text)
{
    const size_t len = strlen(text);
    return span.len >= len && (len == 0 || memcmp(span.data, text, len) == 0);
}

/* What is left after the first `len` bytes; `len` is at most span.len. */
static inline struct bytes bytes_behind(struct bytes span, size_t len)
{
    return len == 0 ? span : bytes_of(span.data + len, span.len - len);
}

/* Where the byte stands first; span.len: nowhere. */
static inline size_t bytes_find_byte(struct bytes span, uint8_t byte)
{
    const uint8_t *at = span.len == 0 ? NULL : memchr(span.data, byte, span.len);
    return at == NULL ? span.len : (size_t)(at - span.data);
}

#endif
