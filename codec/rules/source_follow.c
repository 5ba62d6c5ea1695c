#include "codec/rules/source_follow.h"

#include <math.h>

enum { SHOWN_DECIMALS = 6 };

static float source_sample(const struct rule_context *context, const struct source_place *place)
{
    return (float)context->speech[place->speech].samples[place->sample] / 32768.0F;
}

static bool is_silent(const struct source_terms *terms, float sample)
{
    return fabsf(sample) < terms->tolerance;
}

/* On to the next speech, where one is over; true when it was. */
static bool cross_end(const struct rule_context *context, struct source_place *place)
{
    bool crossed = false;
    while (place->speech < context->speech_count &&
           place->sample >= context->speech[place->speech].sample_count) {
        place->speech++;
        place->sample = 0;
        crossed = true;
    }
    return crossed;
}

/* Between two speeches, and before the first: on to the sample of the next one that can be heard. A speech of
 * nothing but silence is over at once. */
static void skip_quiet_head(const struct rule_context *context, const struct source_terms *terms,
                            struct source_place *place)
{
    while (place->speech < context->speech_count && is_silent(terms, source_sample(context, place))) {
        place->sample++;
        (void)cross_end(context, place);
    }
}

bool source_is_exact(const struct rule_context *context)
{
    return context->speech_known && context->speech_exact && context->speech_count > 0;
}

enum source_follow source_follow(const struct rule_context *context, const struct source_terms *terms,
                                 struct source_place *place, struct bytes audio, size_t *wrong_at)
{
    bool crossed = false, spoke = false;
    for (size_t i = 0; i < audio.len / terms->sample_bytes; i++) {
        const float sample = terms->sample_at(audio, i);
        crossed = cross_end(context, place) || crossed;
        if (place->sample == 0) {
            if (is_silent(terms, sample))
                continue;
            skip_quiet_head(context, terms, place);
        }
        *wrong_at = i;
        if (place->speech == context->speech_count)
            return SOURCE_FOLLOW_PAST_END;
        if (!(fabsf(sample - source_sample(context, place)) <= terms->tolerance))
            return SOURCE_FOLLOW_DIFFERS;
        place->sample++;
        spoke = true;
    }
    crossed = cross_end(context, place) || crossed;
    place->at_end = crossed || !spoke;
    return SOURCE_FOLLOW_MATCH;
}

bool source_is_over(const struct rule_context *context, const struct source_place *place)
{
    return place->speech == context->speech_count;
}

void source_describe(const struct rule_context *context, const struct source_place *place,
                     enum source_follow how, float received, struct text *expected, struct text *actual)
{
    text_add(expected, "the audio of the source, sample for sample");
    if (how == SOURCE_FOLLOW_PAST_END) {
        text_add(actual, "more than the source, and no silence");
        return;
    }
    text_add(expected, ": ");
    text_add_double(expected, (double)source_sample(context, place), SHOWN_DECIMALS);
    text_add(actual, "at sample ");
    text_add_u64(actual, place->sample);
    text_add(actual, " of speech ");
    text_add_u64(actual, place->speech + 1);
    text_add(actual, ": ");
    text_add_double(actual, (double)received, SHOWN_DECIMALS);
}
