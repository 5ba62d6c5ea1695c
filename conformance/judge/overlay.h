/*
 * Pieces that were played over each other from the first sample on. The reader of the signal knows a second
 * piece over one that it has followed so far; of pieces that begin together it knows none. Here they are
 * looked for among what was sent: which of a few neighbours give that sound when they are added up?
 */
#ifndef CONFORMANCE_JUDGE_OVERLAY_H
#define CONFORMANCE_JUDGE_OVERLAY_H

#include "conformance/judge/score.h"

enum { OVERLAY_VOICES_MAX = 4 };

struct overlay {
    size_t voice_count;
    const struct score_part
        *voices[OVERLAY_VOICES_MAX]; /* each from its first sample on, the longest first */
    uint64_t count;                  /* samples that they explain */
};

/* What is looked for: `count` samples, 16 bit. `budget`, of comparisons, is shared by all calls. False: no
 * two or more of the parts give them, or nearly all of them. */
bool overlay_find(const struct score *score, const int16_t *samples, uint64_t count, uint64_t *budget,
                  struct overlay *out);

#endif
