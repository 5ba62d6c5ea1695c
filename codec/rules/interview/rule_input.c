/* What a client says: IV-IN-01, IV-IN-02, IV-IN-04. 004 Audio Chunk, Audio Format Specifications, Rate
 * Limiting. */
#include "codec/rules/interview/rule_set.h"

static const char CHUNK[] = "an audio_chunk with base64 of whole PCM16 samples, and an integer timestamp";

static const char TEXTS[] = "audio in an audio_chunk, and every message a JSON text of the protocol";

void interview_rule_chunk(struct rule_set *rules, enum interview_rule rule, const struct interview_seen *seen)
{
    const struct interview_message *message = &seen->message;
    const uint64_t at_us = seen->event->at_us;
    if (!seen->from_client || seen->is_cut)
        return;
    if (seen->is_binary)
        finding_book_broken(&rules->book, rule, at_us, TEXTS, "a binary message");
    else if (message->type == INTERVIEW_MESSAGE_OTHER) /* breaks nothing by itself: the server says what it
                                                          thinks of it */
        finding_book_remark_on_fault(&rules->book, rule, at_us, TEXTS, &message->faults.list[0]);
    else if (message->type > INTERVIEW_MESSAGE_OTHER)
        finding_book_broken_by_fault(&rules->book, rule, at_us, TEXTS, &message->faults.list[0]);
    else if (message->type == INTERVIEW_MESSAGE_AUDIO_CHUNK && message->faults.count > 0)
        finding_book_broken_by_fault(&rules->book, rule, at_us, CHUNK, &message->faults.list[0]);
    else if (message->type == INTERVIEW_MESSAGE_AUDIO_CHUNK)
        finding_book_kept(&rules->book, rule);
}

void interview_rule_size(struct rule_set *rules, enum interview_rule rule, const struct interview_seen *seen)
{
    if (!seen->from_client)
        return;
    if (seen->event->message_bytes <= INTERVIEW_MESSAGE_BYTES_MAX)
        finding_book_kept(&rules->book, rule);
    else
        finding_book_broken_number(&rules->book, rule, seen->event->at_us,
                                   "messages of 1048576 bytes at most", "a message of ",
                                   seen->event->message_bytes, " bytes");
}

/* --- the source --- */

static float sample_at(struct bytes audio, size_t index)
{
    return (float)interview_sample_at(audio, index) / 32768.0F;
}

/* Within 1: the requirement's own measure. */
static const struct source_terms TERMS = {
    .sample_bytes = INTERVIEW_SAMPLE_BYTES, .sample_at = sample_at, .tolerance = 1.0F / 32768.0F};

void interview_rule_source(struct rule_set *rules, enum interview_rule rule,
                           const struct interview_seen *seen)
{
    struct source_state *source = &rules->source;
    const bool is_chunk = interview_client_sent(seen, INTERVIEW_MESSAGE_AUDIO_CHUNK);
    if (!source_is_exact(&rules->context) || source->broken)
        return;
    /* What cannot be read is IV-IN-01's, and where the speech goes on behind it nobody can say. */
    if (seen->from_client &&
        (seen->is_cut || (is_chunk && json_fault_of(&seen->message.faults, "audio") != NULL)))
        source->lost = true;
    if (!is_chunk || source->lost)
        return;
    struct source_place next = source->place;
    size_t wrong_at = 0;
    const struct bytes audio = seen->message.audio;
    const enum source_follow how = source_follow(&rules->context, &TERMS, &next, audio, &wrong_at);
    if (how == SOURCE_FOLLOW_MATCH) {
        source->place = next;
        finding_book_kept(&rules->book, rule);
        return;
    }
    struct finding_draft draft;
    source->broken = true;
    finding_begin(&draft);
    source_describe(&rules->context, &next, how, sample_at(audio, wrong_at), &draft.expected, &draft.actual);
    finding_book_end(&rules->book, rule, &draft, seen->event->at_us, false);
}
