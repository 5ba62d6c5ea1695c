/*
 * UUIDs as the 16 bytes of RFC 4122, and a small seeded generator, so that ids are the same for the same
 * seed.
 */
#ifndef CODEC_WIRE_UUID_H
#define CODEC_WIRE_UUID_H

#include "codec/wire/bytes.h"

enum { UUID_BYTES = 16, UUID_TEXT_BYTES = 36 };

/* A splitmix64 sequence. Not for secrets. */
struct seeded {
    uint64_t state;
};

uint64_t seeded_next(struct seeded *seeded);
/* A version 4 UUID from the sequence. */
void uuid_generate(struct seeded *seeded, uint8_t out[UUID_BYTES]);
bool uuid_is_nil(const uint8_t uuid[UUID_BYTES]);
/* Accepts the canonical form in either case; `out` is written only on success. */
bool uuid_parse(struct bytes text, uint8_t out[UUID_BYTES]);

#endif
