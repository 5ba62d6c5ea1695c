/* The bytes of JSON strings that stand for themselves, 64 and then eight at once: sound and pictures are long
 * strings. */
#ifndef CODEC_WIRE_JSON_PLAIN_H
#define CODEC_WIRE_JSON_PLAIN_H

#include "codec/wire/bytes.h"

/* Where, from `offset` on, the first eight bytes begin of which one is a quote, a backslash or a control
 * character, or the first of fewer than eight that are left: from there on bytes are looked at one by one. */
static inline size_t json_skip_plain(struct bytes text, size_t offset)
{
    enum { BLOCK = 64 };
    for (; text.len - offset >= BLOCK; offset += BLOCK) {
        uint8_t found = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const uint8_t byte = text.data[offset + i];
            found |= (uint8_t)(byte < 0x20 || byte == '"' || byte == '\\');
        }
        if (found != 0)
            break;
    }
    const uint64_t ones = UINT64_MAX / 255, tops = ones << 7;
    uint64_t word;
    while (text.len - offset >= sizeof word) {
        memcpy(&word, text.data + offset, sizeof word);
        const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
        /* The top bit of a byte that is less than the number taken off it, and is not set in itself. */
        const uint64_t found =
            ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((word - ones * 0x20) & ~word);
        if ((found & tops) != 0)
            break;
        offset += sizeof word;
    }
    return offset;
}

#endif
