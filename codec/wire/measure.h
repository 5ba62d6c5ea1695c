/*
 * What people write for a number, a duration or a size: "12", "200ms", "512KB". A whole number and a unit,
 * nothing around them.
 */
#ifndef CODEC_WIRE_MEASURE_H
#define CODEC_WIRE_MEASURE_H

#include "codec/wire/text.h"

enum measure {
    MEASURE_NUMBER,   /* no unit */
    MEASURE_DURATION, /* us, ms, s; read as microseconds */
    MEASURE_SIZE      /* none or B, KB (1,024), MB; read as bytes */
};

/* False, with *out left alone, when it is none, or more than 64 bits hold. */
bool measure_read(struct bytes text, enum measure measure, uint64_t *out);
/* The duration in the largest unit that leaves a whole number: 1500000 is "1500ms". */
void text_add_duration(struct text *text, uint64_t us);

#endif
