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

/* The six bits a character stands for; 64 for one outside the alphabet. */
static uint32_t base64_value(uint8_t c)
{
    if (c >= 'A' && c <= 'Z')
        return (uint32_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint32_t)(c - 'a' + 26);
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0' + 52);
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

/* Decodes one group of four into up to three bytes at `to`. False when it is not canonical. */
static bool base64_group(const uint8_t from[4], size_t padding, uint8_t *to)
{
    uint32_t group = 0;
    for (size_t i = 0; i < 4 - padding; i++) {
        uint32_t value = base64_value(from[i]);
        if (value > 63)
            return false;
        group |= value << (18 - 6 * i);
    }
    /* Bits that no byte takes up must be zero, or one value would have several texts. */
    uint32_t unused = padding == 2 ? 0xffffU : padding == 1 ? 0xffU : 0;
    if ((group & unused) != 0)
        return false;
    for (size_t i = 0; i < 3 - padding; i++)
        to[i] = (uint8_t)(group >> (16 - 8 * i));
    return true;
}

static size_t base64_padding(struct bytes text)
{
    if (text.len == 0 || text.data[text.len - 1] != '=')
        return 0;
    return text.data[text.len - 2] == '=' ? 2 : 1;
}

bool base64_decode(struct bytes text, struct buffer *out)
{
    if (text.len % 4 != 0)
        return false;
    if (text.len == 0)
        return true;
    size_t padding = base64_padding(text);
    size_t len = text.len / 4 * 3 - padding;
    uint8_t *to = buffer_reserve(out, len);
    if (to == NULL)
        return false;
    for (size_t i = 0; i < text.len; i += 4) {
        bool last = i + 4 == text.len;
        if (!base64_group(text.data + i, last ? padding : 0, to))
            return false;
        to += 3;
    }
    out->len += len;
    return true;
}
