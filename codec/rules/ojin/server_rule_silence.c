/*
 * OJ-SRV-05: without speech, silence frames, slightly faster than 25 a second. 000 Frame Types,
 * Faster-than-Realtime.
 *
 * Frames are counted over a stretch of pure silence, from the arrival of its first to that of its last. Only
 * the two ends of a stretch may be late or early, so each bound has an allowance of time in total, whatever
 * the stretch's length: what lies between the bounds is not decided, and a longer stretch decides more.
 */
#include "codec/rules/ojin/server_rule_set.h"

static const uint64_t STRETCH_MIN_US = 2000000;
/* Too slow is said only when it would be so had the last frame come this much earlier. */
static const uint64_t SLOW_ALLOWANCE_US = 100000;
/* Fast enough only when it would be so had it come this much later. */
static const uint64_t FAST_ALLOWANCE_US = 40000;
/* What "slightly" cannot mean any more, frames a second. */
static const uint64_t RATE_MAX = 35;
/* A reader that was late itself gets many frames at once at the beginning, so that bound is counted from the
 * second second on, and over a longer stretch. */
static const uint64_t SETTLE_US = 1000000;
static const uint64_t FAST_STRETCH_MIN_US = 5000000;
/* A gap of this length without any frame counts, too, when the session ends in it. */
static const uint64_t LULL_US = 2000000;

static const char expected_rate[] = "silence frames slightly faster than 25 a second";

static void rate_broken(struct server_rule_set *rules, enum server_rule rule, uint64_t frames,
                        uint64_t over_us, uint64_t at_us)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected_rate);
    text_add_u64(&draft.actual, frames);
    text_add(&draft.actual, " frames in ");
    text_add_u64(&draft.actual, over_us / 1000);
    text_add(&draft.actual, " ms, which is ");
    text_add_double(&draft.actual, (double)frames * 1e6 / (double)over_us, 2);
    text_add(&draft.actual, " a second");
    server_finding_end(rules, rule, &draft, at_us);
}

static bool is_slow(uint64_t frames, uint64_t over_us)
{
    return frames * 1000000 <= OJIN_FRAMES_PER_SECOND * (over_us - SLOW_ALLOWANCE_US);
}

static void end_stretch(struct server_rule_set *rules, enum server_rule rule, uint64_t until_us,
                        uint64_t at_us)
{
    struct silence_state *silence = &rules->silence;
    if (!silence->on)
        return;
    silence->on = false;
    const uint64_t over_us = server_elapsed_us(silence->first_us, until_us);
    if (over_us >= STRETCH_MIN_US && is_slow(silence->frames, over_us)) {
        rate_broken(rules, rule, silence->frames, over_us, at_us);
        return;
    }
    const uint64_t settled_over_us = server_elapsed_us(silence->settled_us, silence->last_us);
    if (silence->settled_us != 0 && settled_over_us >= FAST_STRETCH_MIN_US &&
        silence->settled_frames * 1000000 > RATE_MAX * (settled_over_us + SLOW_ALLOWANCE_US))
        rate_broken(rules, rule, silence->settled_frames, settled_over_us, at_us);
}

static void take_frame(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us)
{
    struct silence_state *silence = &rules->silence;
    if (!silence->on) {
        const double rate = silence->rate;
        *silence = (struct silence_state){.on = true, .first_us = at_us, .last_us = at_us, .rate = rate};
        return;
    }
    silence->frames++;
    silence->last_us = at_us;
    if (silence->settled_us != 0)
        silence->settled_frames++;
    const uint64_t over_us = server_elapsed_us(silence->first_us, at_us);
    if (silence->settled_us == 0 && over_us >= SETTLE_US)
        silence->settled_us = at_us;
    if (over_us < STRETCH_MIN_US)
        return;
    const double rate = (double)silence->frames * 1e6 / (double)over_us;
    if (silence->rate <= 0 || rate < silence->rate)
        silence->rate = rate;
    if (silence->frames * 1000000 > OJIN_FRAMES_PER_SECOND * (over_us + FAST_ALLOWANCE_US) &&
        silence->frames * 1000000 <= RATE_MAX * over_us)
        server_kept(rules, rule);
}

/* Is nothing but silence due? */
static bool is_pure(const struct server_session *session)
{
    return server_speech_is_idle(&session->speech) && !session->end_sent && !session->failed &&
           !session->over;
}

void server_rule_silence_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    const uint64_t last_us = rules->silence.last_us;
    const bool lull = is_pure(&rules->session) && server_elapsed_us(last_us, now_us) > LULL_US;
    end_stretch(rules, rule, lull ? now_us : last_us, now_us);
}

void server_rule_silence(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct server_session *session = &rules->session;
    const struct wire_event *event = seen->event;
    const bool silent_frame = seen->is_frame && frame_view_has_header(&seen->frame) &&
                              seen->frame.header.index == OJIN_INDEX_SILENCE &&
                              seen->frame.header.is_final == 0;
    const bool never_spoken =
        session->speech.base + session->speech.sent.len == 0 && !session->speech.uncertain;
    if (!is_pure(session) || (seen->is_frame && !silent_frame))
        end_stretch(rules, rule, rules->silence.last_us, event->at_us);
    else if (silent_frame)
        take_frame(rules, rule, event->at_us);
    const bool unasked = seen->step.kind == SPEECH_STEP_EXTRA && never_spoken && session->client_messages > 0;
    if (server_index_counts(&rules->silence.unasked, unasked, seen))
        server_broken(rules, rule, event->at_us, "silence frames, index 0, as no speech was sent",
                      "a frame with index 1");
}
