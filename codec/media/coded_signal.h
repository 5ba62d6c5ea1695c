/*
 * Sound in which every sample can be recognised: a signal that says of itself what it is and where.
 *
 * A sample is a sign and one of 256 sizes. The signs are blocks of 72 bits (a mark, the source's number, the
 * block's, a checksum), the sizes are noise made from source and position. Any 143 samples in a row therefore
 * hold a whole block, which says where they come from, and from there each sample is known ahead. Values are
 * whole 32768ths, so that neither float32 nor 16-bit PCM changes them; none is near zero, so that silence is
 * not taken for it. It does not survive resampling or a change of volume.
 *
 * A source is what is played as one piece, as a rule one turn. Positions count from 0.
 */
#ifndef CODEC_MEDIA_CODED_SIGNAL_H
#define CODEC_MEDIA_CODED_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CODED_BLOCK_SAMPLES = 72,
    /* The samples in a row that are always enough to tell where they come from. */
    CODED_WINDOW_SAMPLES = 2 * CODED_BLOCK_SAMPLES - 1,
    /* 24 bits of block number: 13 hours at 24 kHz */
    CODED_SAMPLES_MAX = CODED_BLOCK_SAMPLES * ((1 << 24) - 1)
};

/* The sample at a position below CODED_SAMPLES_MAX. */
float coded_sample(uint16_t source, uint32_t position);
/* Samples from `first` on. */
void coded_signal_make(uint16_t source, uint32_t first, float *samples, size_t count);
/* Is it that sample? Rounding to 16 bits is let pass. */
bool coded_sample_is(uint16_t source, uint32_t position, float sample);
/* How many of the first `count` samples are those from `position` on: at most a block's worth, and none from
 * CODED_SAMPLES_MAX on. */
size_t coded_signal_prefix(uint16_t source, uint64_t position, const float *samples, size_t count);
/* So quiet that it is none. */
bool coded_sample_is_silent(float sample);
/* Is `sample` the sum of the two, as when one piece is played over another? */
bool coded_samples_mix(uint16_t source, uint32_t position, uint16_t second, uint32_t second_position,
                       float sample);
/* The last CODED_BLOCK_SAMPLES of `samples` are a block: whose, and where it begins. */
bool coded_block_read(const float *samples, uint16_t *source, uint32_t *position);

#endif
