/*
 * What the server says: a few short utterances at 24 kHz, made into the program from fixtures/speech when it
 * is built.
 */
#ifndef SERVER_DUPLEX_UTTERANCE_H
#define SERVER_DUPLEX_UTTERANCE_H

#include <stddef.h>
#include <stdint.h>

enum { DUPLEX_UTTERANCE_COUNT = 3 };

struct duplex_utterance {
    const char *text;
    const int16_t *samples; /* 24 kHz mono */
    size_t sample_count;
};

/* `n` from 0, below DUPLEX_UTTERANCE_COUNT. */
struct duplex_utterance duplex_utterance_of(size_t n);

/* Sample `n` as it goes out: a whole 32768th. */
static inline float duplex_utterance_sample(const struct duplex_utterance *utterance, size_t n)
{
    return (float)utterance->samples[n] / 32768.0F;
}

#endif
