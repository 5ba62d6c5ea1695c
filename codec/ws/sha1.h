/* SHA-1 (RFC 3174) of one span, which the opening handshake is made of (RFC 6455 1.3). Of no other use: it
 * keeps no secret. */
#ifndef CODEC_WS_SHA1_H
#define CODEC_WS_SHA1_H

#include "codec/wire/bytes.h"

enum { SHA1_BYTES = 20 };

void sha1_of(struct bytes data, uint8_t out[SHA1_BYTES]);

#endif
