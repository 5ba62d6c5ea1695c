/*
 * DX-APP-07: the joined audio begins with its source, sample for sample. 002 input_audio_buffer.append.
 *
 * Appends that are silent are no speech when they do not fit: a client may have sent them while it had
 * nothing to say. Behind the end of a speech the rest of an append may be zero, and the next speech begins
 * there or with a later append.
 */
#include <math.h>

#include "codec/rules/duplex/rule_set.h"

/* Both scales in use, 32768 and 32767, and rounding. */
static const float SAMPLE_TOLERANCE = 2.0F / 32768.0F;

static float source_sample(const struct rule_context *context, const struct source_state *at)
{
    return (float)context->speech[at->speech].samples[at->sample] / 32768.0F;
}

static bool is_silent(struct bytes audio, size_t from)
{
    for (size_t i = from; i < float32_count(audio); i++) {
        if (!(fabsf(float32_at(audio, i)) < SAMPLE_TOLERANCE))
            return false;
    }
    return true;
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

enum follow { FOLLOW_MATCH, FOLLOW_PAST_END, FOLLOW_DIFFERS };

/* Goes along the audio from *at on. *wrong_at: where it stopped fitting. */
static enum follow follow(const struct rule_context *context, struct source_state *at, struct bytes audio,
                          size_t *wrong_at)
{
    at->at_end = false;
    for (size_t i = 0; i < float32_count(audio); i++) {
        if (cross_end(context, at)) {
            at->at_end = true;
            if (is_silent(audio, i))
                return FOLLOW_MATCH;
        }
        *wrong_at = i;
        if (at->speech == context->speech_count)
            return FOLLOW_PAST_END;
        if (!(fabsf(float32_at(audio, i) - source_sample(context, at)) <= SAMPLE_TOLERANCE))
            return FOLLOW_DIFFERS;
        at->sample++;
    }
    at->at_end = cross_end(context, at) || at->at_end;
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

void duplex_rule_source(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    const struct rule_context *context = &rules->context;
    struct source_state *source = &rules->source;
    if (!context->speech_known || !context->speech_exact || context->speech_count == 0 || source->broken)
        return;
    if (seen->from_client && (seen->is_cut || (duplex_is_append(rules, seen) && !seen->message.has_audio)))
        source->lost = true;
    if (!duplex_is_append(rules, seen) || source->lost)
        return;
    struct source_state next = *source;
    size_t wrong_at = 0;
    const struct bytes audio = seen->message.audio;
    const enum follow how = follow(context, &next, audio, &wrong_at);
    if (how == FOLLOW_MATCH) {
        *source = next;
        duplex_kept(rules, rule);
    } else if (is_silent(audio, 0)) {
        source->at_end = true;
    } else {
        source->broken = true;
        source_broken(rules, rule, &next, how, float32_at(audio, wrong_at), seen->event->at_us);
    }
}
