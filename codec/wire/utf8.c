#include "codec/wire/utf8.h"

/*
 * How many bytes the sequence that begins with `lead` has, and the range of its second byte: RFC 3629
 * section 4. The narrow ranges are what keeps out overlong forms, surrogates and code points above U+10FFFF.
 */
struct utf8_shape {
    uint8_t lead_first, lead_last;
    uint8_t len;
    uint8_t second_first, second_last;
};

static const struct utf8_shape UTF8_SHAPES[] = {
    {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf}, {0xe1, 0xec, 3, 0x80, 0xbf},
    {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf}, {0xf0, 0xf0, 4, 0x90, 0xbf},
    {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

size_t utf8_character_len(struct bytes text)
{
    if (text.data[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof UTF8_SHAPES / sizeof UTF8_SHAPES[0]; i++) {
        const struct utf8_shape *shape = &UTF8_SHAPES[i];
        if (text.data[0] < shape->lead_first || text.data[0] > shape->lead_last)
            continue;
        if (text.len < shape->len || text.data[1] < shape->second_first || text.data[1] > shape->second_last)
            return 0;
        for (size_t k = 2; k < shape->len; k++)
            if (text.data[k] < 0x80 || text.data[k] > 0xbf)
                return 0;
        return shape->len;
    }
    return 0;
}

enum { BLOCK_BYTES = 64 }; /* that the compiler looks at with a few instructions */

/* How far the text is plain ASCII from `offset` on, by 64 and then by eight bytes at once. */
static size_t utf8_skip_ascii(struct bytes text, size_t offset)
{
    for (; text.len - offset >= BLOCK_BYTES; offset += BLOCK_BYTES) {
        uint8_t seen = 0;
        for (size_t i = 0; i < BLOCK_BYTES; i++)
            seen |= text.data[offset + i];
        if (seen >= 0x80)
            break;
    }
    const uint64_t tops = UINT64_MAX / 255 << 7;
    uint64_t word;
    while (text.len - offset >= sizeof word) {
        memcpy(&word, text.data + offset, sizeof word);
        if ((word & tops) != 0)
            break;
        offset += sizeof word;
    }
    return offset;
}

size_t utf8_valid_prefix(struct bytes text)
{
    size_t offset = utf8_skip_ascii(text, 0);
    while (offset < text.len) {
        size_t len = utf8_character_len(bytes_of(text.data + offset, text.len - offset));
        if (len == 0)
            break;
        offset += len;
        if (len == 1)
            offset = utf8_skip_ascii(text, offset);
    }
    return offset;
}
