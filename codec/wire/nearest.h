/*
 * The right word nearest to a wrong one, for error texts: "did you mean …?".
 *
 * Offered candidates one by one, so that several tables can be gone through. Near is at most two letters to
 * change, add or drop, and fewer than the candidate has; or the candidate begins with the word, from three
 * letters on. Of two as near the first offered stays.
 */
#ifndef CODEC_WIRE_NEAREST_H
#define CODEC_WIRE_NEAREST_H

#include "codec/wire/text.h"

struct nearest {
    struct bytes word; /* borrowed */
    const char *name;  /* the nearest so far, as it was offered; NULL: none is near */
    size_t distance;
};

struct nearest nearest_to(struct bytes word);
void nearest_offer(struct nearest *nearest, const char *candidate);
/* Adds `; did you mean "NAME"?` when something is near. */
void text_add_nearest(struct text *text, const struct nearest *nearest);

#endif
