/*
 * How far the persona's mouth is open, frame after frame: it follows the loudness of the speech, smoothed as
 * the params of the input ask (000 InteractionInputMessage params).
 *
 * An opening moves towards its target by 1 / (1 + amount / half) a frame, where `amount` is the filter amount
 * and `half` the amount that halves the step: MOUTH_SPEECH_HALF in speech, MOUTH_IDLE_HALF at rest. So a
 * larger amount is smoother, 0 is not smoothed at all, and the defaults (5 and 1000) are modest.
 */
#ifndef SERVER_OJIN_MOUTH_H
#define SERVER_OJIN_MOUTH_H

#include "codec/ojin/input.h"

enum { MOUTH_SPEECH_HALF = 15, MOUTH_IDLE_HALF = 1000 };

/* All zero: closed. */
struct mouth {
    double opening; /* 0 to 1 */
};

/* Moves on by one frame and returns the opening. `audio`: the frame's samples, little-endian. */
double mouth_speak(struct mouth *mouth, const uint8_t audio[OJIN_FRAME_AUDIO_BYTES],
                   const struct ojin_params *params);
double mouth_rest(struct mouth *mouth, const struct ojin_params *params);

#endif
