/*
 * What the audio is: the speech that was given, sample for sample (OJ-IN-06), nothing of it once it is
 * cancelled (OJ-CAN-02), nothing besides (OJ-IN-09), and in chunks of what size (OJ-IN-11). 000
 * InteractionInput; 001 Recommended streaming pattern. speech_follow.h has told the two apart.
 */
#include "codec/ojin/constants.h"
#include "codec/rules/ojin/rule_set.h"

enum { SAMPLES_PER_MS = OJIN_SAMPLE_RATE / 1000, MS_PER_S = 1000 };

/* "640 samples (40 ms)" */
static void add_samples(struct text *out, uint64_t samples)
{
    text_add_u64(out, samples);
    text_add(out, samples == 1 ? " sample (" : " samples (");
    text_add_u64(out, samples / SAMPLES_PER_MS);
    text_add(out, " ms)");
}

/* "sample 12800 of speech 1 (0.800 s)" */
static void add_place(struct text *out, struct speech_cursor place)
{
    const uint64_t sample = place.byte / OJIN_SAMPLE_BYTES;
    const uint64_t ms = sample / SAMPLES_PER_MS;
    text_add(out, "sample ");
    text_add_u64(out, sample);
    text_add(out, " of speech ");
    text_add_u64(out, place.speech + 1);
    text_add(out, " (");
    text_add_u64(out, ms / MS_PER_S);
    text_add(out, ms % MS_PER_S < 10 ? ".00" : ms % MS_PER_S < 100 ? ".0" : ".");
    text_add_u64(out, ms % MS_PER_S);
    text_add(out, " s)");
}

static const char WRONG_FILE[] = "does the client speak the sound file it is given (OJIN_AUDIO, {audio})?";

static void describe_difference(struct text *out, const struct audio_outcome *audio)
{
    switch (audio->difference) {
    case SPEECH_DIFFERS:
        if (audio->nothing_fits) {
            text_add(out, ": no part of the speech; ");
            text_add(out, WRONG_FILE);
        }
        break;
    case SPEECH_SWAPPED:
        text_add(out, ": the bytes of the samples are swapped");
        break;
    case SPEECH_SHIFTED:
        text_add(out, ": the speech is shifted by half a sample");
        break;
    case SPEECH_SKIPPED:
        text_add(out, ": ");
        add_samples(out, audio->difference_samples);
        text_add(out, audio->difference_samples == 1 ? " is missing there" : " are missing there");
        break;
    case SPEECH_REPEATED:
        text_add(out, ": the last ");
        add_samples(out, audio->difference_samples);
        text_add(out, " again");
        break;
    case SPEECH_OTHER:
        text_add(out, ": that is the start of speech ");
        text_add_u64(out, audio->difference_samples + 1);
        text_add(out, ", and the rest of speech ");
        text_add_u64(out, audio->match.end.speech + 1);
        text_add(out, " is missing");
        break;
    case SPEECH_PAST_END:
        text_add(out, ": more than the speech that was given");
        break;
    }
}

static void speech_differs(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct speech_match *match = &seen->audio.match;
    struct finding_draft draft;
    finding_begin(&draft);
    if (match->past_end) {
        text_add(&draft.expected, "nothing behind ");
        add_place(&draft.expected, match->end);
        text_add(&draft.expected, ", its end");
    } else {
        text_add_i64(&draft.expected, speech_sample(&rules->context, match->end));
        text_add(&draft.expected, ", ");
        add_place(&draft.expected, match->end);
    }
    text_add(&draft.actual, "received ");
    text_add_i64(&draft.actual, seen->audio.received_sample);
    describe_difference(&draft.actual, &seen->audio);
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

static void speech_missing(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    size_t samples;
    size_t whole_speeches;
    /* A server that has closed may have cut the speech short itself. */
    if (rules->over || !speech_follow_missing(&rules->speech, &rules->context, &samples, &whole_speeches))
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "all of the speech before endInteraction");
    if (samples > 0) {
        add_samples(&draft.actual, samples);
        text_add(&draft.actual, " missing at the end, from ");
        add_place(&draft.actual, rules->speech.cursor);
        text_add(&draft.actual, " on");
    }
    if (whole_speeches > 0) {
        text_add(&draft.actual, samples > 0 ? ", and " : "");
        text_add_u64(&draft.actual, whole_speeches);
        text_add(&draft.actual, whole_speeches == 1 ? " speech" : " speeches");
        text_add(&draft.actual, " after it not sent at all");
    }
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

void rule_speech_exact(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    if (seen->has_audio && seen->audio.mismatch)
        speech_differs(rules, rule, seen);
    else if (seen->has_audio && seen->audio.compared)
        rule_kept(rules, rule);
    else if (seen->client_message && seen->is_text && seen->message.type == OJIN_MESSAGE_END_INTERACTION)
        speech_missing(rules, rule, seen);
}

/*
 * What was cancelled is sent no more: OJ-CAN-02. Messages keep their order, so none of it can have been on
 * its way when the cancel left. What a resampler or a buffer held back, and what leads the next speech, is
 * sent as well.
 */
void rule_cancelled_speech(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct audio_outcome *audio = &seen->audio;
    if (!seen->has_audio)
        return;
    if (audio->cancelled_samples == 0) {
        if (audio->after_cancel)
            rule_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "nothing more of speech ");
    text_add_u64(&draft.expected, audio->cancelled_from.speech + 1);
    text_add(&draft.expected, " after cancelInteraction");
    add_samples(&draft.actual, audio->cancelled_samples);
    text_add(&draft.actual, " of the cancelled speech, from ");
    add_place(&draft.actual, audio->cancelled_from);
    text_add(&draft.actual, " on");
    if (audio->cancelled_leads)
        text_add(&draft.actual, ", lead the next speech");
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

/* Silence in front of the speech that an opening rule has found wrong already is not wrong twice. */
static bool opening_has_it(const struct rule_set *rules)
{
    return !rules->speech.speech_met && (rules->book.records[RULE_RDY_04].verdict == RULE_BROKEN ||
                                         rules->book.records[RULE_RDY_07].verdict == RULE_BROKEN ||
                                         rules->book.records[RULE_FHL_01].verdict == RULE_BROKEN);
}

void rule_only_speech(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    static const char expected[] = "speech, and no audio besides it";
    const struct audio_outcome *audio = &seen->audio;
    uint64_t at_us = seen->event->at_us;
    if (!seen->has_audio || audio->opening)
        return;
    if (audio->empty) {
        rule_broken(rules, rule, at_us, expected, "an audio message without audio");
    } else if (audio->stray_sound) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, expected);
        text_add_u64(&draft.actual, seen->input.audio_bytes / OJIN_SAMPLE_BYTES);
        text_add(&draft.actual, " samples more than the speech that was given, after its end");
        finding_end(rules, rule, &draft, at_us, false);
    } else if (audio->stray_silence && opening_has_it(rules)) {
        return;
    } else if (audio->stray_silence && rules->ready_again &&
               seen->input.audio_bytes == OJIN_FRAME_AUDIO_BYTES) {
        rules->ready_again = false;
    } else if (audio->stray_silence || audio->padding_samples > 0) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, expected);
        text_add_u64(&draft.actual, audio->stray_silence ? seen->input.audio_bytes / OJIN_SAMPLE_BYTES
                                                         : audio->padding_samples);
        text_add(&draft.actual, audio->stray_silence ? " samples of silence that are no part of the speech"
                                                     : " samples of zero past the end of the speech");
        finding_end(rules, rule, &draft, at_us, false);
    } else {
        rule_kept(rules, rule);
    }
}

/* Speech is cut where it ends; so may be a message that holds the end of one speech and the start of the
 * next.
 */
static bool ends_a_speech(const struct rule_set *rules)
{
    const struct speech_follow *follow = &rules->speech;
    const struct speech_cursor start = follow->starts[(follow->start_count - 1) % SPEECH_STARTS_KEPT];
    return follow->cursor.byte == speech_bytes(&rules->context, follow->cursor.speech) ||
           start.speech != follow->cursor.speech;
}

/* Not judged once the course of things has other reasons to cut speech short. */
void rule_chunks(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct speech_follow *follow = &rules->speech;
    const uint64_t chunk_bytes = OJIN_CHUNK_EARLIER_SAMPLES * OJIN_SAMPLE_BYTES;
    if (!seen->has_audio || !seen->audio.compared || seen->audio.mismatch || follow->start_count == 0 ||
        follow->cancelled || follow->error_seen)
        return;
    if (seen->input.audio_bytes % chunk_bytes == 0 || ends_a_speech(rules)) {
        rule_kept(rules, rule);
        return;
    }
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "chunks of ");
    text_add_u64(&draft.expected, chunk_bytes);
    text_add(&draft.expected, " bytes or multiples, but for the last of a speech");
    text_add_u64(&draft.actual, seen->input.audio_bytes);
    text_add(&draft.actual, " bytes in the middle of the speech");
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}
