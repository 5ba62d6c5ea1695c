/* How chunks come: IV-IN-03. 004 Rate Limiting: at most 10 a second, of about 100 to 200 ms. */
#include "codec/rules/interview/rule_set.h"

/* The network can bring messages 50 ms closer together than they were sent; the same allowance as for other
 * limits by the second. */
static const uint64_t WINDOW_US = 950000;
static const uint64_t NO_EXCUSE_US = UINT64_MAX / 4; /* half of it, too, is more than any lateness */
/* What "about" is: a fifth less than 100 ms, a fifth more than 200. */
enum {
    CHUNK_SAMPLES_SHORT = INTERVIEW_CHUNK_SAMPLES_MIN * 4 / 5,
    CHUNK_SAMPLES_LONG = INTERVIEW_CHUNK_SAMPLES_MAX * 6 / 5,
    TIMES_KEPT = INTERVIEW_CHUNKS_PER_SECOND_MAX + 1
};

static const char EXPECTED[] = "at most 10 chunks a second, of about 100 to 200 ms (1920 to 5760 samples)";
_Static_assert(CHUNK_SAMPLES_SHORT == 1920 && CHUNK_SAMPLES_LONG == 5760 &&
                   INTERVIEW_CHUNKS_PER_SECOND_MAX == 10,
               "as they are told above");

static void judge_rate(struct rule_set *rules, enum interview_rule rule, uint64_t at_us)
{
    struct pace_state *pace = &rules->pace;
    pace->times[pace->count++ % TIMES_KEPT] = at_us;
    if (pace->count < TIMES_KEPT)
        return;
    const uint64_t spread_us = interview_since(pace->times[pace->count % TIMES_KEPT], at_us);
    const bool too_fast = spread_us <= WINDOW_US;
    if (too_fast && !pace->in_burst) {
        struct finding_draft draft;
        finding_begin_with(&draft, EXPECTED, "");
        text_add_u64(&draft.actual, TIMES_KEPT);
        text_add(&draft.actual, " chunks within ");
        text_add_u64(&draft.actual, spread_us / 1000);
        text_add(&draft.actual, " ms");
        draft.finding.excuse_us = WINDOW_US - spread_us;
        finding_book_end(&rules->book, rule, &draft, at_us, false);
    }
    pace->in_burst = too_fast;
}

/* How long a chunk is does not depend on when it comes: no lateness of a machine excuses it. */
static void broken_length(struct rule_set *rules, enum interview_rule rule, uint64_t at_us, size_t samples,
                          const char *what)
{
    struct finding_draft draft;
    finding_begin_with(&draft, EXPECTED, "");
    text_add_u64(&draft.actual, samples);
    text_add(&draft.actual, what);
    draft.finding.excuse_us = NO_EXCUSE_US;
    finding_book_end(&rules->book, rule, &draft, at_us, false);
}

/* The last chunk of a turn is what is left: only one that another follows was to be longer. */
static void judge_length(struct rule_set *rules, enum interview_rule rule, size_t samples, uint64_t at_us)
{
    struct pace_state *pace = &rules->pace;
    if (pace->short_open)
        broken_length(rules, rule, at_us, pace->short_samples,
                      " samples in a chunk that is not the last of its turn");
    pace->short_open = samples < CHUNK_SAMPLES_SHORT;
    pace->short_samples = samples;
    if (samples > CHUNK_SAMPLES_LONG)
        broken_length(rules, rule, at_us, samples, " samples in a chunk");
    else if (!pace->short_open)
        finding_book_kept(&rules->book, rule);
}

void interview_rule_pace(struct rule_set *rules, enum interview_rule rule, const struct interview_seen *seen)
{
    if (interview_client_sent(seen, INTERVIEW_MESSAGE_COMMIT_AUDIO))
        rules->pace.short_open = false;
    if (!interview_client_sent(seen, INTERVIEW_MESSAGE_AUDIO_CHUNK))
        return;
    judge_rate(rules, rule, seen->event->at_us);
    if (json_fault_of(&seen->message.faults, "audio") == NULL)
        judge_length(rules, rule, interview_sample_count(seen->message.audio), seen->event->at_us);
}
