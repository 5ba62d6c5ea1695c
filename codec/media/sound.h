/*
 * Sound files (libsndfile) and conversion to what the protocol carries (libsamplerate): 16 kHz mono, 16 bit.
 * 000 Audio requirements.
 */
#ifndef CODEC_MEDIA_SOUND_H
#define CODEC_MEDIA_SOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOUND_ERROR_MAX = 400, SOUND_SECONDS_MAX = 3600 };

/* Owned by the caller: sound_free. */
struct sound {
    int16_t *samples; /* mono */
    size_t sample_count;
    unsigned sample_rate; /* Hz */
    unsigned source_rate; /* of the file it came from */
    unsigned source_channels;
    bool exact; /* the file was 16-bit mono at this rate already: nothing was converted */
};

/*
 * Reads any file libsndfile knows, mixes to mono and converts to `rate_hz`. False with a sentence in `error`
 * that names the path: no such file, no sound file, longer than SOUND_SECONDS_MAX, empty. *out only on
 * success.
 */
bool sound_read(const char *path, unsigned rate_hz, struct sound *out, char error[SOUND_ERROR_MAX]);
/*
 * The same of what a player left, for one who looks at single samples: any other rate than `rate_hz`, and
 * more than `samples_max` samples, are errors too; a file without a sample is right, and its sound then
 * empty. What it held as float32 is rounded to 16 bits.
 */
bool sound_read_played(const char *path, unsigned rate_hz, size_t samples_max, struct sound *out,
                       char error[SOUND_ERROR_MAX]);
/* 16-bit mono WAV. */
bool sound_write(const char *path, const int16_t *samples, size_t sample_count, unsigned rate_hz,
                 char error[SOUND_ERROR_MAX]);
void sound_free(struct sound *sound);

/* Root mean square of 16-bit samples as 0.0 to 1.0 of full scale. */
double sound_loudness(const int16_t *samples, size_t sample_count);
/* Little-endian 16-bit bytes to samples and back; `bytes` holds 2 * count bytes. */
void pcm_read_le(const uint8_t *bytes, int16_t *samples, size_t count);
void pcm_write_le(const int16_t *samples, uint8_t *bytes, size_t count);

#endif
