#include "codec/wire/base64.h"

#include "codec/wire/base64_wide.h"

static const char BASE64_ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool base64_encode(struct bytes data, struct buffer *out)
{
    size_t groups = data.len / 3 + (data.len % 3 != 0);
    if (groups > SIZE_MAX / 4)
        return false;
    if (groups == 0)
        return true;
    uint8_t *to = buffer_reserve(out, groups * 4);
    if (to == NULL)
        return false;
    const size_t wide = base64_wide_encode(data.data, data.len, to);
    to += wide / 3 * 4;
    for (size_t i = wide; i < data.len; i += 3) {
        size_t here = data.len - i < 3 ? data.len - i : 3;
        uint32_t group = (uint32_t)data.data[i] << 16;
        if (here > 1)
            group |= (uint32_t)data.data[i + 1] << 8;
        if (here > 2)
            group |= data.data[i + 2];
        *to++ = (uint8_t)BASE64_ALPHABET[group >> 18];
        *to++ = (uint8_t)BASE64_ALPHABET[group >> 12 & 63];
        *to++ = here > 1 ? (uint8_t)BASE64_ALPHABET[group >> 6 & 63] : (uint8_t)'=';
        *to++ = here > 2 ? (uint8_t)BASE64_ALPHABET[group & 63] : (uint8_t)'=';
    }
    out->len += groups * 4;
    return true;
}

/* The six bits a character stands for, and a seventh that says it is of the alphabet: 0 for one outside. */
enum { OF_ALPHABET = 0x40, SIX_BITS = 0x3f };
/* What the seventh bits of four characters add to their group. */
enum { GROUP_MARKS = OF_ALPHABET * (1 << 18 | 1 << 12 | 1 << 6 | 1) };

static const uint8_t BASE64_VALUES[256] = {
    ['A'] = 0x40, ['B'] = 0x41, ['C'] = 0x42, ['D'] = 0x43, ['E'] = 0x44, ['F'] = 0x45, ['G'] = 0x46,
    ['H'] = 0x47, ['I'] = 0x48, ['J'] = 0x49, ['K'] = 0x4a, ['L'] = 0x4b, ['M'] = 0x4c, ['N'] = 0x4d,
    ['O'] = 0x4e, ['P'] = 0x4f, ['Q'] = 0x50, ['R'] = 0x51, ['S'] = 0x52, ['T'] = 0x53, ['U'] = 0x54,
    ['V'] = 0x55, ['W'] = 0x56, ['X'] = 0x57, ['Y'] = 0x58, ['Z'] = 0x59, ['a'] = 0x5a, ['b'] = 0x5b,
    ['c'] = 0x5c, ['d'] = 0x5d, ['e'] = 0x5e, ['f'] = 0x5f, ['g'] = 0x60, ['h'] = 0x61, ['i'] = 0x62,
    ['j'] = 0x63, ['k'] = 0x64, ['l'] = 0x65, ['m'] = 0x66, ['n'] = 0x67, ['o'] = 0x68, ['p'] = 0x69,
    ['q'] = 0x6a, ['r'] = 0x6b, ['s'] = 0x6c, ['t'] = 0x6d, ['u'] = 0x6e, ['v'] = 0x6f, ['w'] = 0x70,
    ['x'] = 0x71, ['y'] = 0x72, ['z'] = 0x73, ['0'] = 0x74, ['1'] = 0x75, ['2'] = 0x76, ['3'] = 0x77,
    ['4'] = 0x78, ['5'] = 0x79, ['6'] = 0x7a, ['7'] = 0x7b, ['8'] = 0x7c, ['9'] = 0x7d, ['+'] = 0x7e,
    ['/'] = 0x7f,
};

static bool base64_fail(struct base64_fault *fault, size_t offset, const char *expected)
{
    *fault = (struct base64_fault){.offset = offset, .expected = expected};
    return false;
}

/* The padding of a text whose length is a multiple of four. */
static size_t base64_padding(struct bytes text)
{
    if (text.len == 0 || text.data[text.len - 1] != '=')
        return 0;
    return text.data[text.len - 2] == '=' ? 2 : 1;
}

size_t base64_decoded_len(struct bytes text)
{
    const struct bytes groups = bytes_of(text.data, text.len - text.len % 4);
    return groups.len / 4 * 3 - base64_padding(groups);
}

/* The `count` characters at `at`, of which one is no base64. */
static bool base64_fail_in(struct bytes text, size_t at, size_t count, struct base64_fault *fault)
{
    for (size_t i = at; i < at + count; i++) {
        if (BASE64_VALUES[text.data[i]] == 0)
            return base64_fail(fault, i, "a character of the base64 alphabet");
    }
    return base64_fail(fault, at, "base64");
}

/* The whole groups from the start of the text. Returns how many characters are read. */
static size_t base64_read_groups(struct bytes text, size_t len, uint8_t *out)
{
    size_t at = base64_wide_read(text.data, len, out);
    out += at / 4 * 3;
    for (; at < len; at += 4, out += 3) {
        const uint8_t *from = text.data + at;
        const uint32_t a = BASE64_VALUES[from[0]], b = BASE64_VALUES[from[1]];
        const uint32_t c = BASE64_VALUES[from[2]], d = BASE64_VALUES[from[3]];
        if ((a & b & c & d & OF_ALPHABET) == 0)
            break;
        const uint32_t group = (a << 18) + (b << 12) + (c << 6) + d - GROUP_MARKS;
        out[0] = (uint8_t)(group >> 16);
        out[1] = (uint8_t)(group >> 8);
        out[2] = (uint8_t)group;
    }
    return at;
}

/* The last group, of two or three characters and padding. Bits that no byte takes up must be zero, or one
 * value would have several texts. */
static bool base64_read_last(struct bytes text, size_t at, size_t padding, uint8_t *out,
                             struct base64_fault *fault)
{
    uint32_t group = 0;
    for (size_t i = 0; i < 4 - padding; i++) {
        const uint32_t value = BASE64_VALUES[text.data[at + i]];
        if (value == 0)
            return base64_fail_in(text, at, 4 - padding, fault);
        group |= (value & SIX_BITS) << (18 - 6 * i);
    }
    const uint32_t unused = padding == 2 ? 0xffffU : 0xffU;
    if ((group & unused) != 0)
        return base64_fail(fault, at + 3 - padding, "a last character whose unused bits are zero");
    out[0] = (uint8_t)(group >> 16);
    if (padding == 1)
        out[1] = (uint8_t)(group >> 8);
    return true;
}

bool base64_read(struct bytes text, uint8_t *out, size_t *out_len, struct base64_fault *fault)
{
    const size_t cut = text.len % 4;
    const size_t padding = cut == 0 ? base64_padding(text) : 0;
    const size_t len = text.len - cut - (padding > 0 ? 4 : 0);
    const size_t read = base64_read_groups(text, len, out);
    if (read < len)
        return base64_fail_in(text, read, 4, fault);
    if (cut > 0) {
        for (size_t i = len; i < text.len; i++) {
            if (BASE64_VALUES[text.data[i]] == 0)
                return base64_fail_in(text, i, 1, fault);
        }
        return base64_fail(fault, text.len, "a length that is a multiple of 4, padded with '='");
    }
    if (padding > 0 && !base64_read_last(text, len, padding, out + len / 4 * 3, fault))
        return false;
    *out_len = text.len / 4 * 3 - padding;
    return true;
}

bool base64_decode(struct bytes text, struct buffer *out)
{
    struct base64_fault fault;
    size_t len = 0;
    if (text.len % 4 != 0)
        return false;
    if (text.len == 0)
        return true;
    /* A decoder with room for the padding would ask for more than the data takes. */
    uint8_t *to = buffer_reserve(out, base64_decoded_len(text));
    if (to == NULL || !base64_read(text, to, &len, &fault))
        return false;
    out->len += len;
    return true;
}
