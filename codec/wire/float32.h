/*
 * Samples as float32 on the wire: four bytes each, little-endian, at any address. They are put together from
 * bytes, so nothing is read out of line; a NaN keeps its bits.
 */
#ifndef CODEC_WIRE_FLOAT32_H
#define CODEC_WIRE_FLOAT32_H

#include "codec/wire/bytes.h"

enum { FLOAT32_BYTES = 4 };

static inline uint32_t float32_bits(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline size_t float32_count(struct bytes pcm)
{
    return pcm.len / FLOAT32_BYTES;
}

/* Sample `n`, which must be below float32_count. */
static inline float float32_at(struct bytes pcm, size_t n)
{
    const uint32_t bits = float32_bits(pcm.data + n * FLOAT32_BYTES);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void float32_put(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    at[0] = (uint8_t)bits;
    at[1] = (uint8_t)(bits >> 8);
    at[2] = (uint8_t)(bits >> 16);
    at[3] = (uint8_t)(bits >> 24);
}

/* Neither infinite nor a NaN. */
static inline bool float32_bits_are_finite(uint32_t bits)
{
    return (bits & 0x7f800000U) != 0x7f800000U;
}

/* `samples` holds float32_count(pcm); bytes past the last whole sample are left out. */
void float32_read(struct bytes pcm, float *samples);
/* `bytes` holds FLOAT32_BYTES * count. */
void float32_write(const float *samples, size_t count, uint8_t *bytes);
/* The first sample that is infinite or a NaN; float32_count(pcm) when all are finite. */
size_t float32_first_not_finite(struct bytes pcm);

#endif
