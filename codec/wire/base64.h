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

#endif
