/*
 * Is somebody speaking? Told from the energy of 20 ms at a time, with one threshold for the start of speech,
 * a lower one for its end, and a time each must hold: a click is no speech, and the gap between two words no
 * pause. For float32, as the full-duplex protocol carries it.
 *
 * The same sound gives the same changes however it is split.
 */
#ifndef CODEC_MEDIA_ENERGY_H
#define CODEC_MEDIA_ENERGY_H

#include "codec/wire/bytes.h"

enum {
    ENERGY_WINDOWS_PER_SECOND = 50,
    ENERGY_SPEECH_WINDOWS = 3, /* in a row: 60 ms of speech have begun */
    ENERGY_PAUSE_WINDOWS = 25  /* in a row: 500 ms of quiet are a pause */
};

/* Root mean square of a window, of full scale. Speech at a desk is around 0.05, its pauses below 0.003. */
static const double ENERGY_SPEECH_RMS = 0.01;
static const double ENERGY_PAUSE_RMS = 0.005;

enum energy_change { ENERGY_SAME, ENERGY_SPEECH, ENERGY_PAUSE };

struct energy {
    unsigned window_samples; /* 20 ms */
    double sum;              /* of squares, of the window that is open */
    unsigned in_window;
    unsigned windows; /* in a row that ask for a change */
    bool speaking;
    uint64_t taken; /* samples */
    uint64_t since; /* sample at which the speech, or the quiet, began */
};

/* Quiet from the start; `rate` in samples a second. */
void energy_init(struct energy *energy, unsigned rate);
/*
 * Takes samples from the front of *pcm (float32, little-endian) up to the first change, which it returns, or
 * all of them. A part of a sample at the end is dropped. What is not finite counts as zero, and more than
 * full scale as full scale.
 */
enum energy_change energy_take(struct energy *energy, struct bytes *pcm);

#endif
