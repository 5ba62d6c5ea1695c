/*
 * How the stream is opened: with one frame of silence (OJ-RDY-04, OJ-FHL-01) or without any (OJ-RDY-07).
 * 000 and 003 How It Works; 001 InteractionInput.
 *
 * Only the first audio message is looked at, and only one that decodes and came in its time: what is wrong
 * with others has a rule of its own.
 */
#include "codec/ojin/constants.h"
#include "codec/rules/ojin/rule_set.h"

/* A client that has sent no audio by then, with nothing to stop it, does not open the stream. */
static const uint64_t OPENING_WAIT_US = 2000000;

static void watch_server(struct rule_set *rules, const struct observed *seen)
{
    struct opening_state *opening = &rules->opening;
    bool clean = seen->message.error.status == WIRE_OK && !seen->event->fault;
    if (seen->message.type == OJIN_MESSAGE_SESSION_READY && clean && !opening->ready_clean) {
        opening->ready_clean = true;
        opening->ready_us = seen->event->at_us;
        opening->ready_event = finding_book_event(&rules->book);
    }
    bool refusal = seen->message.type == OJIN_MESSAGE_ERROR_RESPONSE ||
                   seen->message.type == OJIN_MESSAGE_PLAIN_TEXT ||
                   seen->message.type == OJIN_MESSAGE_UNREADABLE; /* it may be one */
    if (refusal && !opening->quiet_over) {
        opening->quiet_over = true;
        opening->quiet_until_us = seen->event->at_us;
    }
}

/* True when this event is the audio message that the opening rules judge. */
static bool is_first_audio(struct rule_set *rules, const struct observed *seen)
{
    if (seen->is_text && seen->event->direction == WIRE_FROM_SERVER)
        watch_server(rules, seen);
    if (!seen->is_input || rules->opening.decided)
        return false;
    if (!seen->has_audio || !rules->ready) {
        rules->opening.decided = true;
        return false;
    }
    if (seen->audio.first)
        rules->opening.decided = true;
    return seen->audio.first;
}

static void opening_broken(struct rule_set *rules, enum rule rule, const struct observed *seen,
                           const char *what, uint64_t samples)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "after sessionReady one frame of silence first: 640 zero samples");
    text_add(&draft.actual, what);
    text_add(&draft.actual, " of ");
    text_add_u64(&draft.actual, samples);
    text_add(&draft.actual, " samples");
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

void rule_opening_silence(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    uint64_t samples = seen->input.audio_bytes / OJIN_SAMPLE_BYTES;
    if (is_first_audio(rules, seen)) {
        if (!seen->input.audio_zero)
            opening_broken(rules, rule, seen, "the first audio message is speech", samples);
        else if (samples != OJIN_FRAME_SAMPLES)
            opening_broken(rules, rule, seen, "the first audio message is silence", samples);
        else
            rule_kept(rules, rule);
    } else if (seen->has_audio && seen->audio.opening_was_speech) {
        opening_broken(rules, rule, seen,
                       "the first silence was the start of the speech: this message continues it", samples);
    }
}

void rule_opening_silence_ending(struct rule_set *rules, enum rule rule, uint64_t now_us)
{
    const struct opening_state *opening = &rules->opening;
    if (!opening->ready_clean || opening->decided)
        return;
    uint64_t until_us = opening->quiet_over ? opening->quiet_until_us : now_us;
    if (until_us < opening->ready_us || until_us - opening->ready_us < OPENING_WAIT_US)
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "after sessionReady one frame of silence first: 640 zero samples");
    text_add(&draft.actual, "no audio message in the ");
    text_add_u64(&draft.actual, (until_us - opening->ready_us) / 1000);
    text_add(&draft.actual, " ms after sessionReady");
    draft.finding.event = opening->ready_event;
    finding_end(rules, rule, &draft, now_us, false);
}

void rule_no_opening(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    bool first = is_first_audio(rules, seen);
    if (seen->has_audio && ((first && seen->audio.opening) || seen->audio.start_was_opening)) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, "speech in the first audio message");
        text_add(&draft.actual, "the first audio message is all zero");
        finding_end(rules, rule, &draft, seen->event->at_us, false);
    } else if (first) {
        rule_kept(rules, rule);
    }
}
