/*
 * How the persona moves by itself: it sways and breathes, and blinks now and then. The motion repeats without
 * a seam after POSE_LOOP_TICKS. A tick is one frame.
 *
 * Poses are steps, so that the rows of each can be kept: POSE_SWAYS places along the sway, POSE_LIDS of the
 * eyelids.
 */
#ifndef SERVER_PERSONA_POSE_H
#define SERVER_PERSONA_POSE_H

#include <stdint.h>

enum {
    POSE_LOOP_TICKS = 200, /* 8 s: one sway, two breaths */
    POSE_SWAYS = 41,       /* odd: one of them is upright */
    POSE_LIDS = 3          /* open, half, closed */
};

struct pose_steps {
    unsigned sway; /* below POSE_SWAYS */
    unsigned lids; /* below POSE_LIDS */
};

struct pose_steps pose_steps_at(uint64_t tick);
/* From -1.0 to 1.0. */
double pose_sway(unsigned step);
/* 0.0 open, 1.0 closed. */
double pose_lids(unsigned step);

#endif
