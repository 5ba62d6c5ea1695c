/*
 * What a client played, as runs of the coded signal: from the samples that it left, or from what it told of
 * each piece (`heard`, with the place on its loudspeaker's clock and a CRC-32 of the samples).
 *
 * A place (`at`) counts samples of what was played, from 0.
 */
#ifndef CONFORMANCE_JUDGE_HEARD_H
#define CONFORMANCE_JUDGE_HEARD_H

#include "codec/media/coded_reader.h"
#include "conformance/judge/score.h"

enum heard_from {
    HEARD_NOTHING, /* neither samples nor a word of anything played */
    HEARD_UNKNOWN, /* it told that it played, but not what */
    HEARD_SAMPLES,
    HEARD_TOLD
};

struct heard {
    enum heard_from from;
    uint64_t samples; /* how much there is, silence included */
    size_t run_count, run_capacity;
    struct coded_run *runs; /* in the order played */
    size_t third_count, third_capacity;
    struct coded_run *thirds; /* SIGNAL: what was played over two that were played over each other */
    uint64_t strange;         /* samples that are neither silence nor anything that was sent */
    bool no_memory;
};

/* False when memory runs out; free it in any case. */
bool heard_build(struct heard *heard, const struct score *score, const struct judge_input *input);
void heard_free(struct heard *heard);

/* Where a sample of a source was played first; false: nowhere. */
bool heard_find(const struct heard *heard, uint16_t source, uint32_t position, uint64_t *at);

#endif
