#include "codec/wire/secret.h"

static int hex_of(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Two hex digits at `at` as a byte; -1 when they are none. */
static int hex_pair(struct bytes text, size_t at)
{
    if (text.len < 2 || at > text.len - 2)
        return -1;
    const int high = hex_of(text.data[at]);
    const int low = hex_of(text.data[at + 1]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* How many bytes an escape of `byte` at the start of `text` takes; 0 when there is none. */
static size_t escape_of(struct bytes text, uint8_t byte)
{
    if (text.len < 2)
        return 0;
    if (text.data[0] == '%')
        return hex_pair(text, 1) == byte ? 3 : 0;
    if (text.data[0] != '\\')
        return 0;
    if (text.data[1] == 'u')
        return byte < 0x80 && hex_pair(text, 2) == 0 && hex_pair(text, 4) == byte ? 6 : 0;
    if (text.data[1] == 'x' && hex_pair(text, 2) == byte)
        return 4;
    return text.data[1] == byte && (byte == '"' || byte == '\\' || byte == '/') ? 2 : 0;
}

/* How many bytes at the start of `text` spell the secret; 0 when they do not. */
static size_t spelled(struct bytes text, struct bytes secret)
{
    if (secret.len <= text.len && memcmp(text.data, secret.data, secret.len) == 0)
        return secret.len;
    size_t at = 0;
    for (size_t i = 0; i < secret.len; i++) {
        if (at == text.len)
            return 0;
        size_t len = escape_of(bytes_of(text.data + at, text.len - at), secret.data[i]);
        if (len == 0 && text.data[at] == secret.data[i])
            len = 1;
        if (len == 0)
            return 0;
        at += len;
    }
    return at;
}

bool secret_find(struct bytes text, struct bytes secret, size_t *at, size_t *len)
{
    for (size_t i = 0; secret.len > 0 && i < text.len && secret.len <= text.len - i; i++) {
        const uint8_t c = text.data[i];
        if (c != secret.data[0] && c != '%' && c != '\\')
            continue;
        *len = spelled(bytes_of(text.data + i, text.len - i), secret);
        *at = i;
        if (*len > 0)
            return true;
    }
    return false;
}
