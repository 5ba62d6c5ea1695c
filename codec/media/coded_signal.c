#include "codec/media/coded_signal.h"

#include <assert.h>
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

/* What is the same for all samples of a block: its bits, the first one on top. */
struct block {
    uint64_t bits;
    uint32_t last_bits; /* those beyond the 64th, on top of 32 */
    uint32_t seed;
};

static_assert(MARK_BITS + SOURCE_BITS + NUMBER_BITS + CHECK_BITS == CODED_BLOCK_SAMPLES, "a bit a sample");

static struct block block_with(uint16_t source, uint32_t number, uint16_t check)
{
    const uint64_t head = (uint64_t)MARK << SOURCE_BITS | source;
    return (struct block){.bits = head << 32 | (uint64_t)number << 8 | check >> 8,
                          .last_bits = (uint32_t)check << 24,
                          .seed = scramble(source + 1U)};
}

static struct block block_at(uint16_t source, uint32_t number)
{
    return block_with(source, number, checksum(source, number));
}

static float block_sample(const struct block *block, uint32_t position, uint32_t n)
{
    const uint32_t noise = scramble(position ^ block->seed) & 0xffU;
    const uint64_t bit = n < 64 ? block->bits >> (63 - n) & 1U : block->last_bits >> (95 - n) & 1U;
    const float size = (SIZE_MIN + SIZE_STEP * (float)noise) * UNIT;
    return bit != 0 ? size : -size;
}

float coded_sample(uint16_t source, uint32_t position)
{
    const uint32_t number = position / CODED_BLOCK_SAMPLES;
    const uint32_t n = position % CODED_BLOCK_SAMPLES;
    const uint16_t check = n < CODED_BLOCK_SAMPLES - CHECK_BITS ? 0 : checksum(source, number);
    const struct block block = block_with(source, number, check);
    return block_sample(&block, position, n);
}

void coded_signal_make(uint16_t source, uint32_t first, float *samples, size_t count)
{
    uint32_t number = first / CODED_BLOCK_SAMPLES;
    uint32_t n = first % CODED_BLOCK_SAMPLES;
    for (size_t i = 0; i < count; number++, n = 0) {
        const struct block block = block_at(source, number);
        for (; n < CODED_BLOCK_SAMPLES && i < count; n++, i++)
            samples[i] = block_sample(&block, first + (uint32_t)i, n);
    }
}

static bool is_sample(float made, float sample)
{
    return fabsf(sample - made) < TOLERANCE;
}

bool coded_sample_is(uint16_t source, uint32_t position, float sample)
{
    return is_sample(coded_sample(source, position), sample);
}

size_t coded_signal_prefix(uint16_t source, uint64_t position, const float *samples, size_t count)
{
    float made[CODED_BLOCK_SAMPLES];
    const uint64_t left = position < CODED_SAMPLES_MAX ? CODED_SAMPLES_MAX - position : 0;
    const size_t most = left < CODED_BLOCK_SAMPLES ? (size_t)left : CODED_BLOCK_SAMPLES;
    const size_t piece = count < most ? count : most;
    size_t same = 0;
    coded_signal_make(source, (uint32_t)position, made, piece);
    while (same < piece && is_sample(made[same], samples[same]))
        same++;
    return same;
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

/* Most windows are none already by their first samples. */
static bool has_mark(const float *samples)
{
    for (int i = 0; i < MARK_BITS; i++)
        if ((samples[i] > 0) != ((MARK >> (MARK_BITS - 1 - i) & 1) != 0))
            return false;
    return true;
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
    if (!has_mark(samples))
        return false;
    const uint16_t found = (uint16_t)bits_of(samples + MARK_BITS, SOURCE_BITS);
    const uint32_t number = bits_of(samples + MARK_BITS + SOURCE_BITS, NUMBER_BITS);
    const uint32_t first = number * CODED_BLOCK_SAMPLES;
    if (first >= CODED_SAMPLES_MAX)
        return false;
    if (coded_signal_prefix(found, first, samples, CODED_BLOCK_SAMPLES) < CODED_BLOCK_SAMPLES)
        return false;
    *source = found;
    *position = first;
    return true;
}
