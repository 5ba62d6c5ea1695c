/* Base64 of RFC 4648 section 4, canonical: padded, no white space, unused bits zero. */
#ifndef CODEC_WIRE_BASE64_H
#define CODEC_WIRE_BASE64_H

#include "codec/wire/buffer.h"
#include "codec/wire/bytes.h"

/* Appends the encoding to `out`; false when it does not fit. */
bool base64_encode(struct bytes data, struct buffer *out);
/* Appends the decoded bytes to `out`; false, with `out` unchanged, when `text` is not canonical base64 or
 * does not fit. */
bool base64_decode(struct bytes text, struct buffer *out);

/* How many bytes the text stands for, without reading them: of text that is not canonical about as many, and
 * never more than text.len. */
size_t base64_decoded_len(struct bytes text);

/* Where a text stops being canonical base64. */
struct base64_fault {
    size_t offset;        /* of the character, from 0; the length of the text when it ends too early */
    const char *expected; /* static: "a character of the base64 alphabet" */
};

/*
 * Decodes into `out`, which has room for the decoded bytes (at most text.len / 4 * 3) and may be the memory
 * of `text` itself: no byte is written before what it stands for was read. False with `*fault` filled when
 * the text is not canonical; what is in `out` is then of no use.
 */
bool base64_read(struct bytes text, uint8_t *out, size_t *out_len, struct base64_fault *fault);

#endif
