#include "server/core/json_escape.h"

enum { ESCAPE_BYTES_MAX = 12 /* two \uXXXX */, PLANES_FROM = 0x10000, HIGH_FROM = 0xD800, LOW_FROM = 0xDC00 };

/* The character that begins at `at`, in good UTF-8, and how many bytes it has. */
static uint32_t character_at(struct bytes text, size_t at, size_t *bytes)
{
    const uint8_t first = text.data[at];
    *bytes = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t value = first & (0xFFU >> (*bytes + 1));
    for (size_t i = 1; i < *bytes && at + i < text.len; i++)
        value = value << 6 | (text.data[at + i] & 0x3FU);
    return value;
}

static size_t put_unit(uint8_t *out, uint32_t unit)
{
    static const char DIGITS[] = "0123456789abcdef";
    out[0] = '\\';
    out[1] = 'u';
    for (unsigned i = 0; i < 4; i++)
        out[2 + i] = (uint8_t)DIGITS[unit >> (12 - 4 * i) & 0xFU];
    return 6;
}

static size_t put_character(uint8_t *out, uint32_t character)
{
    if (character < PLANES_FROM)
        return put_unit(out, character);
    const uint32_t rest = character - PLANES_FROM;
    const size_t high = put_unit(out, HIGH_FROM + (rest >> 10));
    return high + put_unit(out + high, LOW_FROM + (rest & 0x3FFU));
}

bool json_escape_all(struct bytes json, struct buffer *out)
{
    size_t from = 0; /* what is not written yet */
    for (size_t at = 0; at < json.len;) {
        uint8_t escape[ESCAPE_BYTES_MAX];
        size_t bytes = 1, len = 0;
        if (json.data[at] == '\\') { /* it is one already */
            at += 2;
            continue;
        }
        if (json.data[at] == '/') {
            escape[len++] = '\\';
            escape[len++] = '/';
        } else if (json.data[at] >= 0x80) {
            len = put_character(escape, character_at(json, at, &bytes));
        }
        if (len > 0) {
            if (!buffer_append(out, bytes_of(json.data + from, at - from)) ||
                !buffer_append(out, bytes_of(escape, len)))
                return false;
            from = at + bytes;
        }
        at += bytes;
    }
    return from >= json.len || buffer_append(out, bytes_of(json.data + from, json.len - from));
}
