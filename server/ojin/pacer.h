/*
 * When the next frame is due. The k-th is due at start + k periods, worked out from k each time, so that a
 * period that is no whole number of microseconds does not drift and late ticks lose nothing.
 */
#ifndef SERVER_OJIN_PACER_H
#define SERVER_OJIN_PACER_H

#include <stdint.h>

enum { PACER_PERCENT_MAX = 100000 };

struct pacer {
    uint64_t start_us;
    uint64_t count;   /* frames since the start */
    uint32_t percent; /* of 25 frames a second; from 1 to PACER_PERCENT_MAX */
};

/* The next frame is due at `start_us`. A percentage out of range is held to it. */
void pacer_start(struct pacer *pacer, uint64_t start_us, uint32_t percent);
uint64_t pacer_due_us(const struct pacer *pacer);
void pacer_advance(struct pacer *pacer);

#endif
