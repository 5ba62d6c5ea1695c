/*
 * Which frame is due when (000 Frame Types, Faster-than-Realtime; spec README, bursts from a real-time
 * source).
 *
 * Silence at its own pace until speech may start; then a burst of speech frames as long as whole ones are
 * queued. When they run out nothing is sent for OJIN_SPEECH_END_WAIT_US, so that an utterance that arrives in
 * pieces stays one; then the rest goes out padded and silence goes on. After endInteraction nobody waits.
 * Due times follow from the events' times alone, not from when ticks come.
 */
#include "server/ojin/session.h"

static uint32_t percent_of_rate(uint64_t frames_per_second)
{
    return (uint32_t)(frames_per_second * 100 / OJIN_FRAMES_PER_SECOND);
}

static uint32_t silence_percent(const struct session *session)
{
    const uint64_t rate = ojin_quirk(session, OJIN_QUIRK_SLOW_SILENCE);
    return rate == 0 ? session->config.silence_percent : percent_of_rate(rate);
}

static uint32_t speech_percent(const struct session *session)
{
    const uint64_t rate = ojin_quirk(session, OJIN_QUIRK_SPEECH_RATE);
    return rate == 0 ? session->config.speech_percent : percent_of_rate(rate);
}

static uint64_t samples_us(uint64_t samples)
{
    return samples * 1000000 / OJIN_SAMPLE_RATE;
}

/* Speech starts when this much is there, */
static uint64_t start_samples(const struct session *session)
{
    const uint64_t lead = ojin_quirk(session, OJIN_QUIRK_LEAD);
    return lead == 0 ? OJIN_SPEECH_START_SAMPLES : lead * OJIN_SAMPLE_RATE / 1000000;
}

/* or when nothing more came for this long. With a lead the source gets the time it would take to fill it. */
static uint64_t start_wait_us(const struct session *session)
{
    const uint64_t wanted = start_samples(session);
    const uint64_t queued = speech_queue_samples(&session->speech);
    if (ojin_quirk(session, OJIN_QUIRK_LEAD) == 0 || queued >= wanted)
        return OJIN_SPEECH_START_WAIT_US;
    return OJIN_SPEECH_START_WAIT_US + samples_us(wanted - queued);
}

uint64_t ojin_stream_speech_start_us(const struct session *session)
{
    if (speech_queue_samples(&session->speech) == 0 || ojin_cancel_has_tail(session) ||
        ojin_quirk(session, OJIN_QUIRK_SLOW_BACKEND) != 0)
        return UINT64_MAX;
    const uint64_t waited = session->audio_us + start_wait_us(session);
    const uint64_t start = session->speech_ready_us < waited ? session->speech_ready_us : waited;
    return start > session->held_us ? start : session->held_us;
}

/* By its pace, or at the time of the first of its group. */
static uint64_t speech_paced_us(const struct session *session)
{
    const uint64_t group = ojin_quirk(session, OJIN_QUIRK_GROUP);
    struct pacer first = session->pacer;
    if (group != 0)
        first.count -= first.count % group;
    return pacer_due_us(&first);
}

static uint64_t speech_due_us(const struct session *session)
{
    uint64_t due = session->dry_us + OJIN_SPEECH_END_WAIT_US;
    if (ojin_frame_is_whole(session) || session->ending)
        due = speech_paced_us(session);
    return due > session->stalled_us ? due : session->stalled_us;
}

static uint64_t silence_due_us(const struct session *session)
{
    const uint64_t start = ojin_stream_speech_start_us(session);
    const uint64_t due = pacer_due_us(&session->pacer);
    return start < due ? start : due;
}

uint64_t ojin_stream_due_us(const struct session *session)
{
    if (session->phase == OJIN_PHASE_SILENCE)
        return silence_due_us(session);
    return session->phase == OJIN_PHASE_SPEECH ? speech_due_us(session) : UINT64_MAX;
}

uint64_t ojin_stream_timeout_us(const struct session *session)
{
    const uint64_t limit = ojin_quirk(session, OJIN_QUIRK_SLOW_BACKEND);
    if (limit == 0 || session->phase != OJIN_PHASE_SILENCE || speech_queue_samples(&session->speech) == 0)
        return UINT64_MAX;
    return session->turn_audio_us + limit;
}

void ojin_stream_give_up(struct session *session)
{
    speech_queue_clear(&session->speech);
    session->speech_ready_us = UINT64_MAX;
}

void ojin_stream_start(struct session *session, uint64_t now_us)
{
    if (session->phase != OJIN_PHASE_OPEN)
        return;
    session->phase = OJIN_PHASE_SILENCE;
    pacer_start(&session->pacer, now_us, silence_percent(session));
}

/* Else with the first input. */
static bool starts_on_ready(const struct session *session)
{
    const bool on_ready = ojin_profile_of(session->config.profile)->stream_start == OJIN_STREAM_ON_READY;
    return on_ready != (ojin_quirk(session, OJIN_QUIRK_WRONG_START) != 0);
}

void ojin_stream_ready(struct session *session, uint64_t now_us)
{
    session->progress.ready_sent = true;
    if (starts_on_ready(session))
        ojin_stream_start(session, now_us);
}

void ojin_stream_resume(struct session *session, uint64_t now_us)
{
    session->held_us = now_us;
    if (session->phase == OJIN_PHASE_SILENCE)
        pacer_start(&session->pacer, now_us, silence_percent(session));
    if (session->phase == OJIN_PHASE_SPEECH) {
        pacer_start(&session->pacer, now_us, speech_percent(session));
        session->dry_us = now_us;
    }
}

void ojin_stream_pace(struct session *session)
{
    uint32_t percent = session->pacer.percent;
    if (session->phase == OJIN_PHASE_SILENCE)
        percent = silence_percent(session);
    if (session->phase == OJIN_PHASE_SPEECH)
        percent = speech_percent(session);
    if (percent != session->pacer.percent)
        pacer_start(&session->pacer, pacer_due_us(&session->pacer), percent);
}

void ojin_stream_audio(struct session *session, uint64_t now_us, size_t queued_before)
{
    session->audio_us = now_us;
    const uint64_t start = start_samples(session);
    const size_t queued = speech_queue_samples(&session->speech);
    if (session->phase != OJIN_PHASE_SPEECH && queued_before == 0)
        session->turn_audio_us = now_us;
    if (queued_before < start && queued >= start)
        session->speech_ready_us = now_us;
    if (session->phase != OJIN_PHASE_SPEECH || queued_before >= OJIN_FRAME_SAMPLES)
        return;
    if (now_us > session->dry_us)
        session->dry_us = now_us;
    /* It had run dry: frames go on from now, not from when the next one would have been due. */
    if (now_us > pacer_due_us(&session->pacer))
        pacer_start(&session->pacer, now_us, speech_percent(session));
}

void ojin_stream_end(struct session *session, uint64_t now_us)
{
    ojin_stream_start(session, now_us);
    if (session->cancel.settling) {
        session->cancel.end_after = true;
        return;
    }
    if (session->ending)
        return;
    session->ending = true;
    session->end_retaken = false;
    if (session->phase == OJIN_PHASE_SILENCE && speech_queue_samples(&session->speech) > 0 &&
        now_us < session->speech_ready_us)
        session->speech_ready_us = now_us;
    /* Mid-speech with less than a frame left: what was waited for will not come. */
    if (session->phase == OJIN_PHASE_SPEECH && !ojin_frame_is_whole(session) &&
        now_us > pacer_due_us(&session->pacer))
        pacer_start(&session->pacer, now_us, speech_percent(session));
}

void ojin_stream_begin_speech(struct session *session, uint64_t at_us)
{
    session->phase = OJIN_PHASE_SPEECH;
    session->dry_us = session->audio_us; /* less than a frame has been waited for already */
    session->speech_ready_us = UINT64_MAX;
    session->stalled_us = 0;
    session->turn_frames = 0;
    session->starved = false;
    session->has_silence_id = false;
    pacer_start(&session->pacer, at_us, speech_percent(session));
    ojin_interaction_begin(session);
    if (ojin_quirk(session, OJIN_QUIRK_UNKNOWN_TYPES) != 0)
        ojin_notice_add(session, at_us, OJIN_NOTICE_TURN);
}

void ojin_stream_leave_speech(struct session *session, uint64_t at_us)
{
    session->phase = OJIN_PHASE_SILENCE;
    session->in_interaction = false;
    session->has_silence_id = false;
    session->speech_ready_us = UINT64_MAX;
    session->progress.turns_ended++;
    session->cancel.start_due = ojin_quirk(session, OJIN_QUIRK_STRAY_START) != 0;
    pacer_start(&session->pacer, at_us, silence_percent(session));
}

void ojin_stream_finish(struct session *session, uint64_t now_us)
{
    session->phase = OJIN_PHASE_FINISHED;
    session->finished_us = now_us;
    session->ending = false;
    session->in_interaction = false;
    session->cancel = (struct ojin_cancel){0};
    speech_queue_clear(&session->speech);
}
