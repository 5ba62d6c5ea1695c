/* Speech and the frames made of it: OJ-SRV-06, OJ-SRV-20, OJ-SRV-22. 000 Frame Types; 001 Frame
 * Synchronization, Audio Input. */
#include "codec/rules/ojin/server_rule_set.h"

/* A turn with fewer frames is not judged for its pace. */
enum { PACE_FRAMES_MIN = 12 };
/* Too slow is said only when it would be so had the last frame come this much earlier. */
static const uint64_t PACE_ALLOWANCE_US = 100000;

static const char expected_frames[] =
    "a speech frame for each 640 samples of the speech, in order, then silence";

static void add_frames(struct text *out, uint64_t samples)
{
    text_add_u64(out, samples);
    text_add(out, " samples (");
    text_add_u64(out, (samples + OJIN_FRAME_SAMPLES - 1) / OJIN_FRAME_SAMPLES);
    text_add(out, " frames)");
}

static void order_broken(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us,
                         const char *before, uint64_t samples, const char *after)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected_frames);
    text_add(&draft.actual, before);
    add_frames(&draft.actual, samples);
    text_add(&draft.actual, after);
    server_finding_end(rules, rule, &draft, at_us);
}

/* Where a whole message is missing that came later than others of its turn, it is the pace of its arrival
 * that was not coped with, if the profile asks for that. */
static bool is_pace(const struct server_rule_set *rules, bool later_message)
{
    return later_message && rules->applies[SERVER_RULE_22];
}

static void judge_overdue(struct server_rule_set *rules, enum server_rule rule,
                          const struct speech_overdue *overdue, uint64_t now_us)
{
    struct finding_draft draft;
    if (rules->context.slow_backend)
        return;
    finding_begin(&draft);
    text_add(&draft.expected, expected_frames);
    text_add(&draft.actual, "nothing but silence for ");
    text_add_u64(&draft.actual, overdue->waited_us / 1000);
    text_add(&draft.actual, " ms, with ");
    add_frames(&draft.actual, overdue->samples);
    text_add(&draft.actual, overdue->begun ? " of speech that had begun still due" : " of speech due");
    server_finding_end(rules, rule, &draft, now_us);
}

static void pace_broken(struct server_rule_set *rules, enum server_rule rule, const struct speech_turn *turn,
                        double silence_rate, uint64_t at_us)
{
    const uint64_t over_us = server_elapsed_us(turn->first_us, turn->last_us);
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "queued speech in frames faster than silence, which comes at ");
    text_add_double(&draft.expected, silence_rate, 2);
    text_add(&draft.expected, " a second");
    text_add_u64(&draft.actual, turn->frames);
    text_add(&draft.actual, " speech frames within ");
    text_add_u64(&draft.actual, over_us / 1000);
    text_add(&draft.actual, " ms, which is ");
    text_add_double(&draft.actual, (double)(turn->frames - 1) * 1e6 / (double)over_us, 2);
    text_add(&draft.actual, " a second");
    server_finding_end(rules, rule, &draft, at_us);
}

/* A turn is over, with all its speech. Between fast enough and too slow lies what is not decided. */
static void judge_turn(struct server_rule_set *rules, enum server_rule rule, const struct speech_turn *turn,
                       uint64_t at_us)
{
    const double measured = rules->silence.rate;
    const double silence_rate = measured > OJIN_FRAMES_PER_SECOND ? measured : OJIN_FRAMES_PER_SECOND;
    if (!turn->all_due || turn->frames < PACE_FRAMES_MIN)
        return;
    const uint64_t over_us = server_elapsed_us(turn->first_us, turn->last_us);
    const double intervals = (double)(turn->frames - 1) * 1e6;
    if (intervals > silence_rate * (double)over_us)
        server_kept(rules, rule);
    else if (over_us > PACE_ALLOWANCE_US && intervals <= silence_rate * (double)(over_us - PACE_ALLOWANCE_US))
        pace_broken(rules, rule, turn, silence_rate, at_us);
}

void server_rule_speech_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    struct speech_overdue overdue;
    const struct server_session *session = &rules->session;
    if (session->failed || session->final_seen ||
        !server_speech_overdue(&rules->session.speech, now_us, &overdue))
        return;
    judge_overdue(rules, is_pace(rules, overdue.later_message) ? SERVER_RULE_22 : rule, &overdue, now_us);
}

void server_rule_speech(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct server_session *session = &rules->session;
    const struct speech_step *step = &seen->step;
    const uint64_t at_us = seen->event->at_us;
    const bool ever_spoken = session->speech.base + session->speech.sent.len > 0;
    if (seen->is_overdue && !is_pace(rules, seen->overdue.later_message))
        judge_overdue(rules, rule, &seen->overdue, at_us);
    if (step->gap)
        order_broken(rules, rule, at_us, "a silence frame while ", step->samples,
                     " of the same message are due");
    if (step->kind == SPEECH_STEP_SKIPPED && !is_pace(rules, step->whole_message))
        order_broken(rules, rule, at_us, "a speech frame that leaves out ", step->samples, " before it");
    if (step->kind == SPEECH_STEP_REPEATED)
        order_broken(rules, rule, at_us, "the same ", OJIN_FRAME_SAMPLES, " a second time");
    if (step->kind == SPEECH_STEP_EXTRA && ever_spoken)
        order_broken(rules, rule, at_us, "a speech frame more, beside those for the ",
                     (session->speech.base + session->speech.sent.len) / OJIN_SAMPLE_BYTES,
                     " that were sent");
    if (step->turn_ends && step->complete && step->by_silence && step->turn.clean)
        judge_turn(rules, rule, &step->turn, at_us);
}

void server_rule_audio(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct speech_step *step = &seen->step;
    static const char expected[] =
        "the audio of the speech frames is the speech that was sent, padded at its end";
    if (step->kind == SPEECH_STEP_WRONG) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, expected);
        text_add(&draft.actual, "speech frame ");
        text_add_u64(&draft.actual, rules->session.speech.turn.frames);
        text_add(&draft.actual, " of its turn holds audio that was not sent");
        server_finding_end(rules, rule, &draft, seen->event->at_us);
    } else if (step->padding_inside) {
        server_broken(rules, rule, seen->event->at_us, expected, "zeros within an utterance, before its end");
    } else if (step->turn_ends && step->turn.clean && !step->turn.wrong && step->complete) {
        server_kept(rules, rule);
    }
}

void server_rule_any_pace(struct server_rule_set *rules, enum server_rule rule,
                          const struct server_seen *seen)
{
    const struct speech_step *step = &seen->step;
    const uint64_t at_us = seen->event->at_us;
    if (seen->is_overdue && is_pace(rules, seen->overdue.later_message))
        judge_overdue(rules, rule, &seen->overdue, at_us);
    if (step->kind == SPEECH_STEP_SKIPPED && is_pace(rules, step->whole_message))
        order_broken(rules, rule, at_us, "a speech frame that leaves out ", step->samples,
                     ", which came in messages of their own");
    if (step->turn_ends && step->complete && step->turn.clean && step->turn.messages >= 2)
        server_kept(rules, rule);
}
