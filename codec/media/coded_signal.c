#include "codec/media/coded_signal.h"

#include <math.h>

enum {
    MARK_BITS = 16,
    SOURCE_BITS = 16,
    NUMBER_BITS = 24,
    CHECK_BITS = 16,
    MARK = 0xF628 /* unlike itself at every shift */
};

/* CRC-16 of CCITT (x^16 + x^12 + x^5 + 1), by four bits: each multiple of the polynomial. */
static const uint16_t CRC_STEPS[16] = {0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
                                       0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef};

static const float UNIT = 1.0F / 32768.0F;
/* Sizes are 2048 + 16 * n, n below 256. */
static const float SIZE_MIN = 2048.0F;
static const float SIZE_STEP = 16.0F;
/* Half a step. */
static const float TOLERANCE = 8.0F / 32768.0F;
static const float SILENT_BELOW = 1000.0F / 32768.0F;

/* A bijection of 32 bits in which every bit of the input turns half of the output's. */
static uint32_t scramble(uint32_t value)
{
    value ^= value >> 16;
    value *= 0x7feb352dU;
    value ^= value >> 15;
    value *= 0x846ca68bU;
    return value ^ value >> 16;
}

static uint16_t checksum(uint16_t source, uint32_t number)
{
    const uint64_t data = (uint64_t)source << NUMBER_BITS | number;
    uint32_t crc = 0xffff;
    for (int bit = SOURCE_BITS + NUMBER_BITS - 4; bit >= 0; bit -= 4) {
        const uint32_t top = (crc >> 12 ^ (uint32_t)(data >> bit)) & 0xfU;
        crc = (crc << 4 ^ CRC_STEPS[top]) & 0xffffU;
    }
    return (uint16_t)crc;
}

/* What is the same for all samples of a block. */
struct block {
    uint16_t source;
    uint32_t number;
    uint32_t seed;
    bool has_check; /* it is worked out when the first bit of it is asked for */
    uint16_t check;
};

static struct block block_at(uint16_t source, uint32_t position)
{
    const uint32_t number = position / CODED_BLOCK_SAMPLES;
    return (struct block){.source = source, .number = number, .seed = scramble(source + 1U)};
}

/* Bit `n` of a block, first the mark's highest. */
static bool block_bit(struct block *block, uint32_t n)
{
    if (n < MARK_BITS)
        return (MARK >> (MARK_BITS - 1 - n) & 1) != 0;
    n -= MARK_BITS;
    if (n < SOURCE_BITS)
        return ((uint32_t)block->source >> (SOURCE_BITS - 1 - n) & 1U) != 0;
    n -= SOURCE_BITS;
    if (n < NUMBER_BITS)
        return (block->number >> (NUMBER_BITS - 1 - n) & 1U) != 0;
    n -= NUMBER_BITS;
    if (!block->has_check)
        block->check = checksum(block->source, block->number);
    block->has_check = true;
    return ((uint32_t)block->check >> (CHECK_BITS - 1 - n) & 1U) != 0;
}

static float block_sample(struct block *block, uint32_t position)
{
    const uint32_t noise = scramble(position ^ block->seed) & 0xffU;
    const float size = (SIZE_MIN + SIZE_STEP * (float)noise) * UNIT;
    return block_bit(block, position % CODED_BLOCK_SAMPLES) ? size : -size;
}

float coded_sample(uint16_t source, uint32_t position)
{
    struct block block = block_at(source, position);
    return block_sample(&block, position);
}

void coded_signal_make(uint16_t source, uint32_t first, float *samples, size_t count)
{
    struct block block = block_at(source, first);
    for (size_t i = 0; i < count; i++) {
        const uint32_t position = first + (uint32_t)i;
        if (position / CODED_BLOCK_SAMPLES != block.number)
            block = block_at(source, position);
        samples[i] = block_sample(&block, position);
    }
}

bool coded_sample_is(uint16_t source, uint32_t position, float sample)
{
    return fabsf(sample - coded_sample(source, position)) < TOLERANCE;
}

bool coded_sample_is_silent(float sample)
{
    return fabsf(sample) < SILENT_BELOW;
}

bool coded_samples_mix(uint16_t source, uint32_t position, uint16_t second, uint32_t second_position,
                       float sample)
{
    return coded_sample_is(second, second_position, sample - coded_sample(source, position));
}

static uint32_t bits_of(const float *samples, uint32_t count)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits = bits << 1 | (samples[i] > 0);
    return bits;
}

bool coded_block_read(const float *samples, uint16_t *source, uint32_t *position)
{
    if (bits_of(samples, MARK_BITS) != MARK)
        return false;
    const uint16_t found = (uint16_t)bits_of(samples + MARK_BITS, SOURCE_BITS);
    const uint32_t number = bits_of(samples + MARK_BITS + SOURCE_BITS, NUMBER_BITS);
    const uint32_t first = number * CODED_BLOCK_SAMPLES;
    if (first >= CODED_SAMPLES_MAX)
        return false;
    for (uint32_t i = 0; i < CODED_BLOCK_SAMPLES; i++) {
        if (!coded_sample_is(found, first + i, samples[i]))
            return false;
    }
    *source = found;
    *position = first;
    return true;
}
