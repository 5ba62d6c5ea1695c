/* DX-APP-07: the joined audio begins with its source, sample for sample. 002 input_audio_buffer.append. */
#include "codec/rules/duplex/rule_set.h"

/* Both scales in use, 32768 and 32767, and rounding. */
static const struct source_terms TERMS = {
    .sample_bytes = FLOAT32_BYTES, .sample_at = float32_at, .tolerance = 2.0F / 32768.0F};

bool duplex_source_is_followed(const struct rule_set *rules)
{
    return source_is_exact(&rules->context) && !rules->source.broken;
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
    struct source_place next = source->place;
    size_t wrong_at = 0;
    const struct bytes audio = seen->message.audio;
    const enum source_follow how = source_follow(&rules->context, &TERMS, &next, audio, &wrong_at);
    if (how == SOURCE_FOLLOW_MATCH) {
        source->place = next;
        duplex_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    source->broken = true;
    finding_begin(&draft);
    source_describe(&rules->context, &next, how, float32_at(audio, wrong_at), &draft.expected, &draft.actual);
    duplex_finding_end(rules, rule, &draft, seen->event->at_us);
}
