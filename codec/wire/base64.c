#include "codec/wire/base64.h"

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
    for (size_t i = 0; i < data.len; i += 3) {
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

/* The six bits a character stands for, plus one; 0 for one outside the alphabet. */
static const uint8_t BASE64_VALUES[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
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
    size_t at = 0;
    for (; at < len; at += 4, out += 3) {
        const uint8_t *from = text.data + at;
        const uint32_t a = BASE64_VALUES[from[0]], b = BASE64_VALUES[from[1]];
        const uint32_t c = BASE64_VALUES[from[2]], d = BASE64_VALUES[from[3]];
        if (a == 0 || b == 0 || c == 0 || d == 0)
            break;
        const uint32_t group = (a - 1) << 18 | (b - 1) << 12 | (c - 1) << 6 | (d - 1);
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
        group |= (value - 1) << (18 - 6 * i);
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
    uint8_t *to = buffer_reserve(out, text.len / 4 * 3 - base64_padding(text));
    if (to == NULL || !base64_read(text, to, &len, &fault))
        return false;
    out->len += len;
    return true;
}
