/* What a client says: IV-IN-01, IV-IN-04. 004 Audio Chunk, Rate Limiting. */
#include "codec/rules/interview/rule_set.h"

void interview_rule_chunk(struct rule_set *rules, enum interview_rule rule, const struct interview_seen *seen)
{
    static const char expected[] =
        "an audio_chunk with base64 of whole PCM16 samples, and an integer timestamp";
    if (!interview_client_sent(seen, INTERVIEW_MESSAGE_AUDIO_CHUNK))
        return;
    if (seen->message.faults.count == 0)
        finding_book_kept(&rules->book, rule);
    else
        finding_book_broken_by_fault(&rules->book, rule, seen->event->at_us, expected,
                                     &seen->message.faults.list[0]);
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
