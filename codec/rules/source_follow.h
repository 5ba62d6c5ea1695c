/*
 * Does joined audio begin with its source, sample for sample? For rules of families whose clients send what
 * they are given at their own pace.
 *
 * Silence around a speech is no part of it: a microphone is open all the time, and a last part is padded. So
 * a speech begins at the first sample that is not silent, wherever in a message that is, and from there to
 * its end nothing may be left out, put in or changed.
 */
#ifndef CODEC_RULES_SOURCE_FOLLOW_H
#define CODEC_RULES_SOURCE_FOLLOW_H

#include "codec/rules/rules.h"
#include "codec/wire/text.h"

/* How the family writes samples. */
struct source_terms {
    size_t sample_bytes;
    float (*sample_at)(struct bytes audio, size_t index); /* from -1 to 1 */
    float tolerance; /* how far a sample may be from its source, and still be silent */
};

/* A place in the speeches. All zero is their beginning. */
struct source_place {
    size_t speech;
    size_t sample;
    bool at_end; /* the latest audio ended, or went past the end of, a speech, or held silence alone */
};

enum source_follow { SOURCE_FOLLOW_MATCH, SOURCE_FOLLOW_PAST_END, SOURCE_FOLLOW_DIFFERS };

/* Is there a source that audio must equal? */
bool source_is_exact(const struct rule_context *context);
/* Goes along the audio from *place on, which is where it stopped fitting unless that is MATCH; *wrong_at is
 * then the sample of the audio. */
enum source_follow source_follow(const struct rule_context *context, const struct source_terms *terms,
                                 struct source_place *place, struct bytes audio, size_t *wrong_at);
/* All of the speeches have come. */
bool source_is_over(const struct rule_context *context, const struct source_place *place);
/* What was expected at that place, and what came instead. */
void source_describe(const struct rule_context *context, const struct source_place *place,
                     enum source_follow how, float received, struct text *expected, struct text *actual);

#endif
