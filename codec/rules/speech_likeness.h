/*
 * Is what came the speech that a client was given, where the client had to convert it first? Then the samples
 * differ, by how the client mixes and filters, and only the sound is the same.
 *
 * Both are compared window by window, below some 2 kHz, where the voice is and where any way to convert
 * agrees: with a good filter or none, one channel or the mean of several, louder or softer, a tenth of a
 * second late. Sound at another rate or in two channels is not like it, and told by that. Sound with parts
 * left out, or with its bytes swapped, was converted, and spoilt in another way. What is like it in no way
 * may be anything, also a sound of the client's own.
 */
#ifndef CODEC_RULES_SPEECH_LIKENESS_H
#define CODEC_RULES_SPEECH_LIKENESS_H

#include "codec/rules/rules.h"
#include "codec/wire/buffer.h"
#include "codec/wire/text.h"

enum {
    LIKENESS_WINDOW_SAMPLES = 4000, /* 250 ms */
    LIKENESS_LATE_SAMPLES = 1600,   /* that a filter, or an opening silence, may put it off or cut from it */
    LIKENESS_DRIFT_SAMPLES = 160, /* from one window to the next: what a filter loses between two messages */
    LIKENESS_PERCENT_MIN = 70 /* of what a window holds has to be the same, and three of four windows alike */
};

enum likeness {
    LIKENESS_UNKNOWN,
    LIKENESS_ALIKE,
    LIKENESS_PARTS, /* what came is alike, and some of the speech in between is missing, repeated or moved */
    LIKENESS_SWAPPED,     /* either of them, once the bytes of its samples are swapped */
    LIKENESS_UNCONVERTED, /* alike, when it is read at another rate or in two channels */
    LIKENESS_OTHER        /* nothing of the speech is known in it */
};

/* What has come so far. Owns it: speech_heard_free. All zero is right too. */
struct speech_heard {
    struct buffer kept; /* 16-bit little-endian, as much as is looked at */
    uint64_t bytes;     /* in all */
    bool lost;          /* memory ran out: nothing can be said */
};

struct likeness_outcome {
    enum likeness status; /* UNKNOWN: less came than is needed to tell */
    size_t samples, due;  /* that came, and that the speech has */
    size_t
        at; /* OTHER, PARTS: where in the speech, all of it joined, the first window is that is not like it */
    unsigned percent; /* and how like it is */
};

void speech_heard_free(struct speech_heard *heard);
void speech_heard_take(struct speech_heard *heard, const struct rule_context *context, struct bytes audio);
/* As far as it came: that the end is missing makes it no other. */
struct likeness_outcome speech_likeness(const struct rule_context *context, const struct speech_heard *heard);
/* "149909 samples, where the speech has 49970; from 0 ms on they are not like it (3 %)"; "…; what comes from
 * 500 ms on is missing, repeated or moved"; "…; the bytes of the samples are swapped". */
void likeness_describe(struct text *out, const struct likeness_outcome *outcome);

#endif
