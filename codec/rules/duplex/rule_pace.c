/* DX-APP-03: appends of a second, about once a second, also while the server is speaking. 002
 * input_audio_buffer.append. */
#include "codec/rules/duplex/rule_set.h"

/* What a client may be ahead of real time: two appends at once, and what a timer may be early. */
static const uint64_t AHEAD_SAMPLES = 2 * DUPLEX_APPEND_SAMPLES + DUPLEX_APPEND_SAMPLES_MIN;
/* A pause is a stop, after which everything begins anew. */
static const uint64_t PAUSE_US = DUPLEX_APPEND_US_JUDGED_MAX;
/* Who sends no append for this long while the server speaks is not full duplex. */
static const uint64_t SILENT_WHILE_SPEAKING_US = 2500000;

static const char EXPECTED[] =
    "appends of 16000 samples, about one a second, also while the server is speaking";

static const char WITHOUT_APPEND[] = " ms without an append while the server was speaking";

/* `event`: the append that shows it. */
static void pace_broken(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, uint64_t event,
                        uint64_t number, const char *what)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, EXPECTED);
    text_add_u64(&draft.actual, number);
    text_add(&draft.actual, what);
    draft.finding.event = event;
    duplex_finding_end(rules, rule, &draft, at_us);
}

/* The last part of a speech may be short; the latest append is known to have ended one, or nothing came for a
 * while. */
static void judge_short(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, uint64_t gap_us)
{
    struct pace_state *pace = &rules->pace;
    if (!pace->short_open)
        return;
    pace->short_open = false;
    if (gap_us < PAUSE_US && !rules->source.place.at_end)
        pace_broken(rules, rule, at_us, pace->latest_event, pace->short_samples,
                    " samples in an append that is not the last");
}

static void judge_gap(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, uint64_t gap_us)
{
    if (gap_us > SILENT_WHILE_SPEAKING_US && rules->pace.speaking_all_along)
        pace_broken(rules, rule, at_us, rules->pace.latest_event, gap_us / 1000, WITHOUT_APPEND);
}

static void judge_rate(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us)
{
    struct pace_state *pace = &rules->pace;
    const uint64_t elapsed_us = duplex_since(pace->first_us, at_us);
    const uint64_t due = elapsed_us * DUPLEX_INPUT_RATE / 1000000;
    if (pace->samples <= due + AHEAD_SAMPLES)
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, EXPECTED);
    text_add_u64(&draft.actual, pace->samples);
    text_add(&draft.actual, " samples within ");
    text_add_u64(&draft.actual, elapsed_us / 1000);
    text_add(&draft.actual, " ms");
    duplex_finding_end(rules, rule, &draft, at_us);
    pace->started = false;
}

static void take_append(struct rule_set *rules, enum duplex_rule rule, size_t count, uint64_t at_us)
{
    struct pace_state *pace = &rules->pace;
    const uint64_t gap_us = pace->started ? duplex_since(pace->latest_us, at_us) : UINT64_MAX;
    if (pace->started) {
        judge_short(rules, rule, at_us, gap_us);
        judge_gap(rules, rule, at_us, gap_us);
    }
    if (!pace->started || gap_us > PAUSE_US) {
        pace->first_us = at_us;
        pace->samples = 0;
    }
    pace->started = true;
    pace->latest_us = at_us;
    pace->latest_event = finding_book_event(&rules->book);
    pace->samples += count;
    pace->speaking_all_along = rules->watch.speaking;
    pace->short_open = count < DUPLEX_APPEND_SAMPLES;
    pace->short_samples = count;
    if (count > DUPLEX_APPEND_SAMPLES)
        pace_broken(rules, rule, at_us, pace->latest_event, count, " samples in one append");
    else if (!pace->short_open)
        duplex_kept(rules, rule);
    judge_rate(rules, rule, at_us);
}

/* No append comes any more, as the client ends it or is gone, and the turn was never over. */
static void judge_last_gap(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us)
{
    struct pace_state *pace = &rules->pace;
    const uint64_t from_us = pace->latest_us > pace->turn_us ? pace->latest_us : pace->turn_us;
    const uint64_t gap_us = duplex_since(from_us, at_us);
    if (pace->started && rules->watch.in_turn && gap_us > SILENT_WHILE_SPEAKING_US)
        pace_broken(rules, rule, at_us, rules->pace.latest_event, gap_us / 1000, WITHOUT_APPEND);
    pace->started = false;
}

void duplex_rule_pace_ending(struct rule_set *rules, enum duplex_rule rule, uint64_t now_us)
{
    judge_last_gap(rules, rule, now_us);
}

void duplex_rule_pace(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    if (seen->from_server && duplex_seen_is(seen, DUPLEX_MESSAGE_LISTEN))
        rules->pace.speaking_all_along = false;
    if (seen->from_server && duplex_seen_is(seen, DUPLEX_MESSAGE_DELTA) && !rules->watch.in_turn)
        rules->pace.turn_us = seen->event->at_us;
    if (seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_CLOSE))
        judge_last_gap(rules, rule, seen->event->at_us);
    /* What is too short for any append is DX-APP-02's. */
    if (duplex_is_append(rules, seen) && float32_count(seen->message.audio) >= DUPLEX_APPEND_SAMPLES_MIN)
        take_append(rules, rule, float32_count(seen->message.audio), seen->event->at_us);
}
