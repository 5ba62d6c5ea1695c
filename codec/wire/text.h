/*
 * Building short text without stdio: findings, error sentences, JSON.
 *
 * `struct text` writes into a char array that the caller owns, always NUL-terminated, cut at the capacity
 * with `cut` set; what is added after that is dropped. The cores use it instead of the printf family, so that
 * they stay free of locale and of I/O.
 */
#ifndef CODEC_WIRE_TEXT_H
#define CODEC_WIRE_TEXT_H

#include "codec/wire/bytes.h"

struct text {
    char *data;
    size_t capacity; /* with the terminator; at least 1 */
    size_t len;      /* without the terminator */
    bool cut;
};

struct text text_of(char *data, size_t capacity);
void text_add(struct text *text, const char *string);
void text_add_char(struct text *text, char c);
void text_add_bytes(struct text *text, struct bytes bytes);
void text_add_u64(struct text *text, uint64_t value);
void text_add_i64(struct text *text, int64_t value);
/* A double rounded to `decimals` digits after the point (0 to 9), without trailing zeros; from 2^63 on with
 * an exponent. One that is not finite becomes "null", so that JSON stays JSON. */
void text_add_double(struct text *text, double value, unsigned decimals);
/* Lower-case hex, two digits a byte, no separators. */
void text_add_hex(struct text *text, struct bytes bytes);
/* The canonical 8-4-4-4-12 form of the 16 bytes of a UUID. */
void text_add_uuid(struct text *text, const uint8_t uuid[16]);
/* A JSON string with its quotes; each byte that is no UTF-8 becomes U+FFFD. */
void text_add_json_string(struct text *text, struct bytes bytes);
/* ,"name":value of a JSON object that has members before; the name stands as it is. */
void text_add_json_text_member(struct text *text, const char *name, const char *value);
void text_add_json_number_member(struct text *text, const char *name, uint64_t value);
/* Valid UTF-8 as it is; control characters, those that turn the direction of a text, and bytes that are no
 * UTF-8 as \xNN. At most `bytes_max` bytes, whole characters, and then an ellipsis "...". */
void text_add_printable(struct text *text, struct bytes bytes, size_t bytes_max);

#endif
