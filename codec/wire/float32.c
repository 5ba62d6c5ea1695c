#include "codec/wire/float32.h"

#include <assert.h>

static_assert(sizeof(float) == FLOAT32_BYTES, "float is not IEEE 754 binary32 here");

void float32_read(struct bytes pcm, float *samples)
{
    for (size_t i = 0; i < float32_count(pcm); i++)
        samples[i] = float32_at(pcm, i);
}

void float32_write(const float *samples, size_t count, uint8_t *bytes)
{
    for (size_t i = 0; i < count; i++)
        float32_put(bytes + i * FLOAT32_BYTES, samples[i]);
}

size_t float32_first_not_finite(struct bytes pcm)
{
    const size_t count = float32_count(pcm);
    for (size_t i = 0; i < count; i++) {
        if (!float32_bits_are_finite(float32_bits(pcm.data + i * FLOAT32_BYTES)))
            return i;
    }
    return count;
}
