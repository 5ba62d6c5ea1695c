/*
 * Finding a secret in bytes that are to be shown: as it is, or spelled with percent-escapes, JSON's \uXXXX
 * and short escapes, or \xNN. One level of escapes is seen through, and ASCII alone in \uXXXX.
 */
#ifndef CODEC_WIRE_SECRET_H
#define CODEC_WIRE_SECRET_H

#include "codec/wire/bytes.h"

enum {
    SECRET_BYTES_MIN = 8
}; /* what is shorter stands in innocent texts too, so it is not looked for there */

/* The first place in `text` that spells the whole of `secret`: *at and *len. False when there is none, and
 * for an empty secret. */
bool secret_find(struct bytes text, struct bytes secret, size_t *at, size_t *len);

#endif
