/* CRC-32 as zlib, PNG and Python's zlib.crc32 compute it: what observations name payloads by. */
#ifndef CODEC_WIRE_CRC32_H
#define CODEC_WIRE_CRC32_H

#include "codec/wire/bytes.h"

uint32_t crc32_of(struct bytes bytes);
/* The same of bytes that come in parts: with that of those before, 0 of none. */
uint32_t crc32_more(uint32_t before, struct bytes bytes);

#endif
