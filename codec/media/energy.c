#include "codec/media/energy.h"

#include "codec/wire/float32.h"

void energy_init(struct energy *energy, unsigned rate)
{
    *energy = (struct energy){.window_samples = rate / ENERGY_WINDOWS_PER_SECOND};
}

static double sample_square(const uint8_t *at)
{
    if (!float32_bits_are_finite(float32_bits(at)))
        return 0;
    const double value = (double)float32_at(bytes_of(at, FLOAT32_BYTES), 0);
    return value > 1 || value < -1 ? 1 : value * value;
}

/* One after another, so that the sum is the same however the sound is split. */
static double squares_add(double sum, const uint8_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum += sample_square(at + i * FLOAT32_BYTES);
    return sum;
}

/* A window is full. */
static enum energy_change take_window(struct energy *energy)
{
    const double rms = energy->speaking ? ENERGY_PAUSE_RMS : ENERGY_SPEECH_RMS;
    const double mean = energy->sum / energy->window_samples;
    const bool asks = energy->speaking ? mean < rms * rms : mean >= rms * rms;
    const unsigned needed = energy->speaking ? ENERGY_PAUSE_WINDOWS : ENERGY_SPEECH_WINDOWS;
    energy->sum = 0;
    energy->in_window = 0;
    energy->windows = asks ? energy->windows + 1 : 0;
    if (energy->windows < needed)
        return ENERGY_SAME;
    energy->since = energy->taken - (uint64_t)needed * energy->window_samples;
    energy->windows = 0;
    energy->speaking = !energy->speaking;
    return energy->speaking ? ENERGY_SPEECH : ENERGY_PAUSE;
}

enum energy_change energy_take(struct energy *energy, struct bytes *pcm)
{
    enum energy_change change = ENERGY_SAME;
    while (pcm->len >= FLOAT32_BYTES && change == ENERGY_SAME) {
        const size_t there = float32_count(*pcm), room = energy->window_samples - energy->in_window;
        const size_t count = there < room ? there : room;
        energy->sum = squares_add(energy->sum, pcm->data, count);
        energy->in_window += (unsigned)count;
        energy->taken += count;
        *pcm = bytes_of(pcm->data + count * FLOAT32_BYTES, pcm->len - count * FLOAT32_BYTES);
        if (energy->in_window == energy->window_samples)
            change = take_window(energy);
    }
    if (pcm->len < FLOAT32_BYTES)
        pcm->len = 0;
    return change;
}
