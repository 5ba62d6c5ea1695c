#include "codec/media/coded_signal.h"

#include <math.h>

enum {
    MARK_BITS = 16,
    SOURCE_BITS = 16,
    NUMBER_BITS = 24,
    CHECK_BITS = 16,
    MARK = 0xF628 /* unlike itself at every shift */
};

/* CRC-16 of CCITT */
static const uint32_t CRC_POLYNOMIAL = 0x1021;

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
    for (int bit = SOURCE_BITS + NUMBER_BITS - 1; bit >= 0; bit--) {
        const uint32_t top = (crc >> 15 ^ (uint32_t)(data >> bit)) & 1U;
        crc = (crc << 1 ^ (top != 0 ? CRC_POLYNOMIAL : 0U)) & 0xffffU;
    }
    return (uint16_t)crc;
}

/* What is the same for all samples of a block. */
struct block {
    uint16_t source;
    uint32_t number;
    uint16_t check;
    uint32_t seed;
};

static struct block block_at(uint16_t source, uint32_t position)
{
    const uint32_t number = position / CODED_BLOCK_SAMPLES;
    return (struct block){
        .source = source, .number = number, .check = checksum(source, number), .seed = scramble(source + 1U)};
}

/* Bit `n` of a block, first the mark's highest. */
static bool block_bit(const struct block *block, uint32_t n)
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
    return ((uint32_t)block->check >> (CHECK_BITS - 1 - n) & 1U) != 0;
}

static float block_sample(const struct block *block, uint32_t position)
{
    const uint32_t noise = scramble(position ^ block->seed) & 0xffU;
    const float size = (SIZE_MIN + SIZE_STEP * (float)noise) * UNIT;
    return block_bit(block, position % CODED_BLOCK_SAMPLES) ? size : -size;
}

float coded_sample(uint16_t source, uint32_t position)
{
    const struct block block = block_at(source, position);
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
