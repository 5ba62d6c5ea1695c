/*
 * DX-APP-07: the joined audio begins with its source, sample for sample. 002 input_audio_buffer.append.
 *
 * Silence around a speech is no part of it: a microphone is open all the time, and a last part is padded. So
 * a speech begins at the first sample that is not silent, wherever in an append that is, and from there to
 * its end nothing may be left out, put in or changed.
 */
#include <math.h>

#include "codec/rules/duplex/rule_set.h"

/* Both scales in use, 32768 and 32767, and rounding. */
static const float SAMPLE_TOLERANCE = 2.0F / 32768.0F;

static float source_sample(const struct rule_context *context, const struct source_state *at)
{
    return (float)context->speech[at->speech].samples[at->sample] / 32768.0F;
}

static bool sample_is_silent(float sample)
{
    return fabsf(sample) < SAMPLE_TOLERANCE;
}

/* On to the next speech, where one is over; true when it was. */
static bool cross_end(const struct rule_context *context, struct source_state *at)
{
    bool crossed = false;
    while (at->speech < context->speech_count && at->sample >= context->speech[at->speech].sample_count) {
        at->speech++;
        at->sample = 0;
        crossed = true;
    }
    return crossed;
}

/* Between two speeches, and before the first: on to the sample of the next one that can be heard. A speech of
 * nothing but silence is over at once. */
static void skip_quiet_head(const struct rule_context *context, struct source_state *at)
{
    while (at->speech < context->speech_count && sample_is_silent(source_sample(context, at))) {
        at->sample++;
        (void)cross_end(context, at);
    }
}

enum follow { FOLLOW_MATCH, FOLLOW_PAST_END, FOLLOW_DIFFERS };

/* Goes along the audio from *at on. *wrong_at: where it stopped fitting. */
static enum follow follow(const struct rule_context *context, struct source_state *at, struct bytes audio,
                          size_t *wrong_at)
{
    bool crossed = false, spoke = false;
    for (size_t i = 0; i < float32_count(audio); i++) {
        const float sample = float32_at(audio, i);
        crossed = cross_end(context, at) || crossed;
        if (at->sample == 0) {
            if (sample_is_silent(sample))
                continue;
            skip_quiet_head(context, at);
        }
        *wrong_at = i;
        if (at->speech == context->speech_count)
            return FOLLOW_PAST_END;
        if (!(fabsf(sample - source_sample(context, at)) <= SAMPLE_TOLERANCE))
            return FOLLOW_DIFFERS;
        at->sample++;
        spoke = true;
    }
    crossed = cross_end(context, at) || crossed;
    at->at_end = crossed || !spoke;
    return FOLLOW_MATCH;
}

static void source_broken(struct rule_set *rules, enum duplex_rule rule, const struct source_state *at,
                          enum follow how, float received, uint64_t at_us)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "the audio of the source, sample for sample");
    if (how == FOLLOW_PAST_END) {
        text_add(&draft.actual, "more than the source, and no silence");
    } else {
        text_add(&draft.expected, ": ");
        text_add_double(&draft.expected, (double)source_sample(&rules->context, at), 6);
        text_add(&draft.actual, "at sample ");
        text_add_u64(&draft.actual, at->sample);
        text_add(&draft.actual, " of speech ");
        text_add_u64(&draft.actual, at->speech + 1);
        text_add(&draft.actual, ": ");
        text_add_double(&draft.actual, (double)received, 6);
    }
    duplex_finding_end(rules, rule, &draft, at_us);
}

bool duplex_source_is_followed(const struct rule_set *rules)
{
    const struct rule_context *context = &rules->context;
    return context->speech_known && context->speech_exact && context->speech_count > 0 &&
           !rules->source.broken;
}

void duplex_rule_source(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    struct source_state *source = &rules->source;
    if (!duplex_source_is_followed(rules))
        return;
    if (seen->from_client && (seen->is_cut || (duplex_is_append(rules, seen) && !seen->message.has_audio)))
        source->lost = true;
    /* One before its time is refused, and what it held is not heard: DX-CON-04. */
    if (seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_APPEND) &&
        rules->watch.phase < DUPLEX_PHASE_ACTIVE)
        source->lost = true;
    if (!duplex_is_append(rules, seen) || source->lost)
        return;
    struct source_state next = *source;
    size_t wrong_at = 0;
    const struct bytes audio = seen->message.audio;
    const enum follow how = follow(&rules->context, &next, audio, &wrong_at);
    if (how == FOLLOW_MATCH) {
        *source = next;
        duplex_kept(rules, rule);
    } else {
        source->broken = true;
        source_broken(rules, rule, &next, how, float32_at(audio, wrong_at), seen->event->at_us);
    }
}
