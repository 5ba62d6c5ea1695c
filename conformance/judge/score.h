/*
 * The score: what the mock sent to be heard, message by message, with each sample's place in the coded signal
 * (codec/media/coded_signal.h), so that what was played can be laid beside it.
 *
 * A turn is what is sent up to an end of turn. Its messages are read as one sound, so that a message may hold
 * as little as one sample. A turn that is too short to hold a block of the signal is known by its samples
 * alone, and counts as a source of its own.
 */
#ifndef CONFORMANCE_JUDGE_SCORE_H
#define CONFORMANCE_JUDGE_SCORE_H

#include "codec/media/coded_check.h"
#include "codec/wire/buffer.h"
#include "conformance/judge/judge.h"

enum score_sound {
    SCORE_NONE,   /* it holds no sound */
    SCORE_SILENT, /* nothing but zeros */
    SCORE_CODED,
    SCORE_UNKNOWN /* sound in which nothing can be recognised */
};

/* A message that brings speech. */
struct score_part {
    size_t position; /* in the journal */
    size_t number;   /* of those with sound, from 1 */
    size_t turn;     /* from 1 */
    enum score_sound sound;
    uint32_t count;  /* samples */
    uint16_t source; /* CODED: where its first sample stands */
    uint32_t first;
    size_t row;            /* of `sources` */
    size_t pcm;            /* its first byte in `pcm` */
    size_t text, text_len; /* in `texts`, NUL-terminated … */
    bool is_text_alone;    /* … of a message that brings nothing else: it is the next one's */
};

/* A stretch of one source, from its first sample on, in `pcm`. */
struct score_source {
    uint16_t source;
    uint32_t first, end; /* what was sent of it */
    size_t pcm;          /* byte of sample `first` */
};

struct score {
    size_t part_count, part_capacity;
    struct score_part *parts;
    size_t source_count, source_capacity;
    struct score_source *sources; /* in the order sent */
    size_t length_count;
    struct coded_source *lengths; /* the same as coded_check wants them: each source once, to its end */
    struct buffer pcm;            /* of all parts, float32 little-endian */
    struct buffer texts;
    bool is_pcm16;  /* what clients tell of it are checksums of PCM16 */
    bool ambiguous; /* two stretches hold the same samples of the signal */
};

/* False when memory runs out; free it in any case. */
bool score_build(struct score *score, const struct judge_input *input);
void score_free(struct score *score);
/* Sample `n` of a source that was sent, from its first that was. */
float score_sample(const struct score *score, size_t row, uint32_t n);
const char *score_text(const struct score *score, const struct score_part *part);

#endif
