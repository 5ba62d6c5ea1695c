/* The end of a turn: IV-IN-05. 004 Commit Audio. */
#include "codec/rules/interview/rule_set.h"

/* A client that has not said so by then takes its turn for unfinished. */
static const uint64_t COMMIT_WAIT_US = 3000000;

void interview_rule_commit(struct rule_set *rules, enum interview_rule rule,
                           const struct interview_seen *seen)
{
    const struct interview_watch *watch = &rules->watch;
    struct finding_draft draft;
    if (interview_client_sent(seen, INTERVIEW_MESSAGE_AUDIO_CHUNK))
        rules->chunk_event = finding_book_event(&rules->book);
    if (!interview_client_sent(seen, INTERVIEW_MESSAGE_COMMIT_AUDIO))
        return;
    if (watch->chunks > 0) {
        finding_book_kept(&rules->book, rule);
        return;
    }
    if (watch->cut > 0) /* what it commits may have come in one message that is too large */
        return;
    finding_begin_with(&draft, "one ", watch->commits == 0 ? "" : "a second ");
    text_add(&draft.actual, watch->profile->dialect->commit);
    text_add(&draft.actual,
             watch->commits == 0 ? " before any audio_chunk" : " with no audio_chunk since the first");
    text_add(&draft.expected, watch->profile->dialect->commit);
    text_add(&draft.expected, " after the last audio_chunk of a turn");
    finding_book_end(&rules->book, rule, &draft, seen->event->at_us, false);
}

/* A turn is over when the speech is, where that is known, or when no chunk has come for a while. A server
 * that leaves right behind the last chunk leaves no time to say so. */
void interview_rule_commit_ending(struct rule_set *rules, enum interview_rule rule, uint64_t now_us)
{
    const struct interview_watch *watch = &rules->watch;
    const uint64_t waited_us = interview_since(watch->chunk_us, now_us);
    const bool said_all = !watch->server_left && source_is_exact(&rules->context) && !rules->source.broken &&
                          !rules->source.lost && source_is_over(&rules->context, &rules->source.place);
    struct finding_draft draft;
    if (watch->chunks == 0 || (!said_all && waited_us < COMMIT_WAIT_US))
        return;
    finding_begin_with(&draft, watch->profile->dialect->commit, "no ");
    text_add(&draft.actual, watch->profile->dialect->commit);
    text_add(&draft.actual, " in ");
    text_add(&draft.expected, " after the last audio_chunk of a turn");
    text_add_u64(&draft.actual, waited_us / 1000);
    text_add(&draft.actual, said_all ? " ms after the last of the speech" : " ms after the last audio_chunk");
    if (watch->commits > 0) {
        text_add(&draft.actual, "; the latest came ");
        text_add_u64(&draft.actual, interview_since(watch->commit_us, watch->chunk_us) / 1000);
        text_add(&draft.actual, " ms before that chunk");
    }
    draft.finding.event = rules->chunk_event;
    finding_book_end(&rules->book, rule, &draft, now_us, false);
}
