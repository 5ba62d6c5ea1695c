/*
 * Compares received audio with the speech a client was given, byte by byte, so that a sample split over two
 * messages still counts as whole. No state: speech_follow.h keeps the place.
 */
#ifndef CODEC_RULES_SPEECH_MATCH_H
#define CODEC_RULES_SPEECH_MATCH_H

#include "codec/rules/rules.h"

/* A place in the speech: byte `byte` (two a sample) of speech `speech`. */
struct speech_cursor {
    size_t speech;
    size_t byte;
};

struct speech_match {
    bool good;
    struct speech_cursor end;         /* behind what matched */
    size_t compared;                  /* bytes that equal the speech */
    size_t padding;                   /* bytes of zero past the end of a speech */
    bool crossed;                     /* the end of a speech lies in or right before the audio */
    size_t crossed_at;                /* where in the audio: the last one */
    struct speech_cursor crossed_end; /* the end of that speech */
    size_t wrong_at; /* unless good: where in the audio, and `end` says where in the speech */
    bool past_end;   /* unless good: there is no more speech */
};

enum speech_difference {
    SPEECH_DIFFERS,
    SPEECH_SWAPPED,  /* the bytes of each sample are swapped */
    SPEECH_SHIFTED,  /* by one byte */
    SPEECH_SKIPPED,  /* `samples` are left out */
    SPEECH_REPEATED, /* the last `samples` come again */
    SPEECH_OTHER,    /* this is speech `samples` (counted from 0) */
    SPEECH_PAST_END  /* nothing was to follow */
};

size_t speech_bytes(const struct rule_context *context, size_t speech);
/* Ends of speeches are crossed; past the last one the cursor stays. */
struct speech_cursor speech_advance(const struct rule_context *context, struct speech_cursor cursor,
                                    uint64_t bytes);
/* Audio from `cursor` on. There must be at least one speech. */
struct speech_match speech_match_at(const struct rule_context *context, struct speech_cursor cursor,
                                    struct bytes audio);
/* What kind of difference that is, judged by the samples that follow it. */
enum speech_difference speech_difference_of(const struct rule_context *context,
                                            const struct speech_match *match, struct bytes audio,
                                            size_t *samples);
/*
 * How many bytes of the audio's beginning are a part of the speech at `cursor`: from there on, else from any
 * later sample of it on, where more than a few fit. `*from`: where in the speech; 0: they are of no such
 * part.
 */
size_t speech_find(const struct rule_context *context, struct speech_cursor cursor, struct bytes audio,
                   struct speech_cursor *from);
int16_t speech_sample(const struct rule_context *context, struct speech_cursor cursor);

#endif
