#include <math.h>

#include "codec/media/sound.h"

double sound_loudness(const int16_t *samples, size_t sample_count)
{
    double sum = 0;
    for (size_t i = 0; i < sample_count; i++) {
        const double value = samples[i] / 32768.0;
        sum += value * value;
    }
    return sample_count == 0 ? 0.0 : sqrt(sum / (double)sample_count);
}

void pcm_read_le(const uint8_t *bytes, int16_t *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int value = bytes[2 * i] | bytes[2 * i + 1] << 8;
        samples[i] = (int16_t)(value >= 0x8000 ? value - 0x10000 : value);
    }
}

void pcm_write_le(const int16_t *samples, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned value = (unsigned)samples[i];
        bytes[2 * i] = (uint8_t)value;
        bytes[2 * i + 1] = (uint8_t)(value >> 8);
    }
}
