#include "codec/wire/text.h"

#include <assert.h>
#include <math.h>

#include "codec/wire/json_plain.h"
#include "codec/wire/utf8.h"

static const char HEX_DIGITS[] = "0123456789abcdef";

struct text text_of(char *data, size_t capacity)
{
    assert(capacity > 0);
    data[0] = '\0';
    return (struct text){.data = data, .capacity = capacity};
}

void text_add_bytes(struct text *text, struct bytes bytes)
{
    size_t room = text->capacity - 1 - text->len;
    if (bytes.len == 0)
        return;
    /* A piece is cut only by filling the array, so nothing can follow it. */
    size_t len = bytes.len <= room ? bytes.len : room;
    memcpy(text->data + text->len, bytes.data, len);
    text->len += len;
    text->data[text->len] = '\0';
    text->cut = len < bytes.len;
}

void text_add(struct text *text, const char *string)
{
    text_add_bytes(text, bytes_of_text(string));
}

void text_add_char(struct text *text, char c)
{
    text_add_bytes(text, bytes_of(&c, 1));
}

/* At least `digits_min` digits, with leading zeros. */
static void text_add_digits(struct text *text, uint64_t value, size_t digits_min)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0 || sizeof digits - at < digits_min);
    text_add_bytes(text, bytes_of(digits + at, sizeof digits - at));
}

void text_add_u64(struct text *text, uint64_t value)
{
    text_add_digits(text, value, 1);
}

void text_add_i64(struct text *text, int64_t value)
{
    if (value < 0)
        text_add_char(text, '-');
    text_add_digits(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 1);
}

/* `value` from 0 up to what a uint64_t holds. */
static void text_add_fixed(struct text *text, double value, unsigned decimals)
{
    uint64_t scale = 1;
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    uint64_t whole = (uint64_t)value;
    uint64_t fraction = (uint64_t)((value - (double)whole) * (double)scale + 0.5);
    if (fraction >= scale) {
        whole++;
        fraction = 0;
    }
    text_add_u64(text, whole);
    if (fraction == 0)
        return;
    while (fraction % 10 == 0) {
        fraction /= 10;
        decimals--;
    }
    text_add_char(text, '.');
    text_add_digits(text, fraction, decimals);
}

/* True when rounding to `decimals` leaves nothing, so that no "-0" is written. */
static bool rounds_to_zero(double value, unsigned decimals)
{
    for (unsigned i = 0; i < decimals; i++)
        value *= 10;
    return value < 0.5;
}

void text_add_double(struct text *text, double value, unsigned decimals)
{
    assert(decimals <= 9);
    if (!isfinite(value)) {
        text_add(text, "null");
        return;
    }
    double size = value < 0 ? -value : value;
    if (value < 0 && !rounds_to_zero(size, decimals))
        text_add_char(text, '-');
    unsigned exponent = 0;
    /* Above 2^63 the digits no longer fit a uint64_t with a carry; such numbers are only ever a curiosity. */
    if (size >= 9223372036854775808.0) {
        for (; size >= 10; size /= 10)
            exponent++;
    }
    text_add_fixed(text, size, decimals);
    if (exponent > 0) {
        text_add_char(text, 'e');
        text_add_u64(text, exponent);
    }
}

void text_add_hex(struct text *text, struct bytes bytes)
{
    for (size_t i = 0; i < bytes.len && !text->cut; i++) {
        text_add_char(text, HEX_DIGITS[bytes.data[i] >> 4]);
        text_add_char(text, HEX_DIGITS[bytes.data[i] & 15]);
    }
}

void text_add_uuid(struct text *text, const uint8_t uuid[16])
{
    static const uint8_t groups[] = {4, 2, 2, 2, 6};
    for (size_t i = 0; i < sizeof groups; i++) {
        if (i > 0)
            text_add_char(text, '-');
        text_add_hex(text, bytes_of(uuid, groups[i]));
        uuid += groups[i];
    }
}

/* The letter of the short escape of a character, or 0. */
static char json_short_escape(uint8_t c)
{
    switch (c) {
    case '"':
    case '\\':
        return (char)c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return 0;
    }
}

static void text_add_json_valid(struct text *text, struct bytes valid)
{
    size_t plain = 0; /* where the run of characters that need no escape began */
    for (size_t i = json_skip_plain(valid, 0); i < valid.len && !text->cut; i++) {
        uint8_t c = valid.data[i];
        char letter = json_short_escape(c);
        if (letter == 0 && c >= 0x20) {
            i = json_skip_plain(valid, i + 1) - 1;
            continue;
        }
        text_add_bytes(text, bytes_of(valid.data + plain, i - plain));
        plain = i + 1;
        text_add_char(text, '\\');
        if (letter != 0) {
            text_add_char(text, letter);
        } else {
            text_add(text, "u00");
            text_add_hex(text, bytes_of(&c, 1));
        }
    }
    if (plain < valid.len)
        text_add_bytes(text, bytes_of(valid.data + plain, valid.len - plain));
}

void text_add_json_string(struct text *text, struct bytes bytes)
{
    text_add_char(text, '"');
    size_t offset = 0;
    while (offset < bytes.len && !text->cut) {
        struct bytes rest = bytes_of(bytes.data + offset, bytes.len - offset);
        size_t valid = utf8_valid_prefix(rest);
        text_add_json_valid(text, bytes_of(rest.data, valid));
        offset += valid;
        if (offset < bytes.len) {
            text_add(text, "\xef\xbf\xbd");
            offset++;
        }
    }
    text_add_char(text, '"');
}

static void text_add_json_name(struct text *text, const char *name)
{
    text_add(text, ",\"");
    text_add(text, name);
    text_add(text, "\":");
}

void text_add_json_text_member(struct text *text, const char *name, const char *value)
{
    text_add_json_name(text, name);
    text_add_json_string(text, bytes_of_text(value));
}

void text_add_json_number_member(struct text *text, const char *name, uint64_t value)
{
    text_add_json_name(text, name);
    text_add_u64(text, value);
}

/* Does a terminal obey that character of two or three bytes instead of showing it? C1, marks of no width or
 * of direction, line separators. */
static bool is_control(const uint8_t *c)
{
    if (c[0] == 0xc2)
        return c[1] < 0xa0;
    if (c[0] != 0xe2)
        return c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf;
    return (c[1] == 0x80 && ((c[2] >= 0x8b && c[2] <= 0x8f) || (c[2] >= 0xa8 && c[2] <= 0xae))) ||
           (c[1] == 0x81 && c[2] >= 0xa0 && c[2] <= 0xaf);
}

static bool is_shown(const uint8_t *c, size_t len)
{
    return len == 1 ? *c >= 0x20 && *c < 0x7f : len > 0 && !is_control(c);
}

void text_add_printable(struct text *text, struct bytes bytes, size_t bytes_max)
{
    size_t i = 0;
    while (i < bytes.len && i < bytes_max && !text->cut) {
        const size_t len = utf8_character_len(bytes_of(bytes.data + i, bytes.len - i));
        const bool shown = is_shown(bytes.data + i, len);
        if (shown && len > bytes_max - i)
            break;
        if (shown) {
            text_add_bytes(text, bytes_of(bytes.data + i, len));
        } else {
            text_add(text, "\\x");
            text_add_hex(text, bytes_of(bytes.data + i, 1));
        }
        i += shown ? len : 1;
    }
    if (i < bytes.len)
        text_add(text, "...");
}
