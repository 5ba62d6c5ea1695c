/*
 * The persona as a drawing: a head with shoulders before a plain wall, in flat colours.
 *
 * Everything follows from the size of the stage (the picture above its block code) and a pose, so the same
 * pose gives the same pixels. The lines that change with the pose are known beforehand: see face_bands.
 */
#ifndef SERVER_PERSONA_FACE_H
#define SERVER_PERSONA_FACE_H

#include "server/persona/raster.h"

struct pose {
    double
        sway; /* -1 to 1: the head leans from one side to the other, and the shoulders rise at either end */
    double lids;  /* 0 eyes open, 1 closed */
    double mouth; /* 0 closed to a smile, 1 wide open */
};

/* Lines from `top` up to, not including, `end`. */
struct band {
    unsigned top;
    unsigned end;
};

struct face_bands {
    struct band still; /* from the top: nothing moves here */
    struct band lids;  /* changes with pose.lids */
    struct band mouth; /* changes with pose.mouth */
};

/* For a stage of that many pixels, whatever the sway. Bands are not rounded to rows and may overlap. */
struct face_bands face_bands(unsigned width, unsigned height);
/* Draws the lines of the strip, wall included; `height` is the stage's. */
void face_draw(struct strip *strip, unsigned height, const struct pose *pose);

#endif
