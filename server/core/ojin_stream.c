/*
 * Which frame is due when (000 Frame Types, Faster-than-Realtime; spec README, bursts from a real-time
 * source).
 *
 * Silence at its own pace until speech may start; then a burst of speech frames as long as whole ones are
 * queued. When they run out nothing is sent for OJIN_SPEECH_END_WAIT_US, so that an utterance that arrives in
 * pieces stays one; then the rest goes out padded and silence goes on. After endInteraction nobody waits.
 * Due times follow from the events' times alone, not from when ticks come.
 */
#include "server/core/ojin_session.h"

static const uint8_t NIL_INTERACTION[UUID_BYTES] = {0};

static bool frame_is_whole(const struct session *session)
{
    return speech_queue_samples(&session->speech) >= OJIN_FRAME_SAMPLES;
}

static uint64_t speech_start_us(const struct session *session)
{
    if (speech_queue_samples(&session->speech) == 0)
        return UINT64_MAX;
    const uint64_t waited = session->audio_us + OJIN_SPEECH_START_WAIT_US;
    return session->speech_ready_us < waited ? session->speech_ready_us : waited;
}

static uint64_t speech_due_us(const struct session *session)
{
    if (frame_is_whole(session) || session->ending)
        return pacer_due_us(&session->pacer);
    return session->dry_us + OJIN_SPEECH_END_WAIT_US;
}

static uint64_t silence_due_us(const struct session *session)
{
    const uint64_t start = speech_start_us(session);
    const uint64_t due = pacer_due_us(&session->pacer);
    return start < due ? start : due;
}

uint64_t ojin_stream_deadline_us(const struct session *session)
{
    switch (session->phase) {
    case OJIN_PHASE_SENDING_AWAY:
        return session->opened_us;
    case OJIN_PHASE_OPEN:
        return session->progress.ready_sent ? UINT64_MAX : session->opened_us;
    case OJIN_PHASE_SILENCE:
        return session->progress.ready_sent ? silence_due_us(session) : session->opened_us;
    case OJIN_PHASE_SPEECH:
        return session->progress.ready_sent ? speech_due_us(session) : session->opened_us;
    case OJIN_PHASE_FINISHED:
        return session->finished_us + OJIN_FINAL_CLOSE_WAIT_US / session->config.speed;
    case OJIN_PHASE_NEW:
    case OJIN_PHASE_ADMITTED:
    case OJIN_PHASE_CLOSED:
    case OJIN_PHASE_COUNT:
        break;
    }
    return UINT64_MAX;
}

void ojin_stream_start(struct session *session, uint64_t now_us)
{
    if (session->phase != OJIN_PHASE_OPEN)
        return;
    session->phase = OJIN_PHASE_SILENCE;
    pacer_start(&session->pacer, now_us, session->config.silence_percent);
}

void ojin_stream_ready(struct session *session, uint64_t now_us)
{
    session->progress.ready_sent = true;
    if (session->config.profile->stream_start == OJIN_STREAM_ON_READY)
        ojin_stream_start(session, now_us);
}

void ojin_stream_resume(struct session *session, uint64_t now_us)
{
    if (session->phase == OJIN_PHASE_SILENCE)
        pacer_start(&session->pacer, now_us, session->config.silence_percent);
    if (session->phase == OJIN_PHASE_SPEECH) {
        pacer_start(&session->pacer, now_us, session->config.speech_percent);
        session->dry_us = now_us;
    }
}

void ojin_stream_audio(struct session *session, uint64_t now_us, size_t queued_before)
{
    session->audio_us = now_us;
    const size_t queued = speech_queue_samples(&session->speech);
    if (queued_before < OJIN_SPEECH_START_SAMPLES && queued >= OJIN_SPEECH_START_SAMPLES)
        session->speech_ready_us = now_us;
    if (session->phase != OJIN_PHASE_SPEECH || queued_before >= OJIN_FRAME_SAMPLES)
        return;
    if (now_us > session->dry_us)
        session->dry_us = now_us;
    /* It had run dry: frames go on from now, not from when the next one would have been due. */
    if (now_us > pacer_due_us(&session->pacer))
        pacer_start(&session->pacer, now_us, session->config.speech_percent);
}

void ojin_stream_end(struct session *session, uint64_t now_us)
{
    ojin_stream_start(session, now_us);
    if (session->ending)
        return;
    session->ending = true;
    if (session->phase == OJIN_PHASE_SILENCE && speech_queue_samples(&session->speech) > 0 &&
        now_us < session->speech_ready_us)
        session->speech_ready_us = now_us;
    /* Mid-speech with less than a frame left: what was waited for will not come. */
    if (session->phase == OJIN_PHASE_SPEECH && !frame_is_whole(session) &&
        now_us > pacer_due_us(&session->pacer))
        pacer_start(&session->pacer, now_us, session->config.speech_percent);
}

static void speech_begin(struct session *session, uint64_t at_us)
{
    session->phase = OJIN_PHASE_SPEECH;
    session->dry_us = session->audio_us; /* less than a frame has been waited for already */
    session->speech_ready_us = UINT64_MAX;
    pacer_start(&session->pacer, at_us, session->config.speech_percent);
    ojin_interaction_begin(session);
}

/* From speech back to silence, whose first frame is due at `at_us`. */
static void speech_leave(struct session *session, uint64_t at_us)
{
    session->phase = OJIN_PHASE_SILENCE;
    session->in_interaction = false;
    session->speech_ready_us = UINT64_MAX;
    session->progress.turns_ended++;
    pacer_start(&session->pacer, at_us, session->config.silence_percent);
}

void ojin_stream_cancel(struct session *session, uint64_t now_us)
{
    speech_queue_clear(&session->speech);
    session->speech_ready_us = UINT64_MAX;
    session->ending = false;
    session->in_interaction = false;
    if (session->phase == OJIN_PHASE_SPEECH)
        speech_leave(session, now_us);
}

void ojin_stream_finish(struct session *session, uint64_t now_us)
{
    session->phase = OJIN_PHASE_FINISHED;
    session->finished_us = now_us;
    session->ending = false;
    session->in_interaction = false;
    speech_queue_clear(&session->speech);
}

static void send_silence(struct session *session, uint64_t now_us, struct actions *actions)
{
    /* A late tick may find a silence frame due before speech that is to come first. */
    const bool final = session->ending && speech_queue_samples(&session->speech) == 0;
    const double mouth = mouth_rest(&session->mouth, &session->idle_params);
    struct frame_order order;
    session->in_interaction = false;
    memset(session->audio, 0, sizeof session->audio);
    pacer_advance(&session->pacer);
    if (!ojin_frame_draw(session, mouth, NIL_INTERACTION, 0))
        return;
    ojin_frame_order(session, now_us, FRAME_SILENCE, NIL_INTERACTION, &order);
    if (final) {
        order.label = "final";
        order.header.is_final = 1;
    }
    (void)ojin_frame_send(session, &order, actions);
    if (final)
        ojin_stream_finish(session, now_us);
}

/* A whole frame, or what is left of the speech, padded. */
static void send_speech(struct session *session, uint64_t now_us, struct actions *actions)
{
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    if (!ojin_frame_take_speech(session, &params))
        return;
    const bool final = session->ending && speech_queue_samples(&session->speech) == 0;
    const double mouth = mouth_speak(&session->mouth, session->audio, &params);
    pacer_advance(&session->pacer);
    if (!frame_is_whole(session))
        session->dry_us = pacer_due_us(&session->pacer);
    if (ojin_frame_draw(session, mouth, session->progress.interaction, session->position)) {
        struct frame_order order;
        ojin_frame_order(session, now_us, FRAME_SPEECH, session->progress.interaction, &order);
        if (final) {
            order.label = "final";
            order.header.is_final = 1;
        }
        (void)ojin_frame_send(session, &order, actions);
    }
    session->position += OJIN_FRAME_SAMPLES;
    if (final)
        ojin_stream_finish(session, now_us);
}

static void run_silence(struct session *session, uint64_t now_us, struct actions *actions)
{
    const uint64_t start = speech_start_us(session);
    if (start <= pacer_due_us(&session->pacer))
        speech_begin(session, start);
    else
        send_silence(session, now_us, actions);
}

static void run_speech(struct session *session, uint64_t now_us, struct actions *actions)
{
    const size_t queued = speech_queue_samples(&session->speech);
    const uint64_t due_us = speech_due_us(session);
    if (frame_is_whole(session) || (session->ending && queued > 0)) {
        send_speech(session, now_us, actions);
    } else if (queued > 0) {
        /* The wait for more is over: the rest goes out, and silence goes on one frame later. */
        send_speech(session, now_us, actions);
        speech_leave(session, due_us);
        pacer_advance(&session->pacer);
    } else {
        speech_leave(session, due_us);
    }
}

static void send_ready(struct session *session, uint64_t now_us, struct actions *actions)
{
    char json[OJIN_ERROR_BYTES_MAX];
    struct text text = text_of(json, sizeof json);
    ojin_write_session_ready(&text, session->trace_id, session->load, ojin_now_ms(session, now_us), "null");
    uint8_t *out = actions_add(actions, ACTION_SEND_TEXT, "ready", text.len, NULL);
    if (out == NULL)
        return;
    memcpy(out, json, text.len);
    ojin_stream_ready(session, now_us);
}

static void send_away(struct session *session, uint64_t now_us, struct actions *actions)
{
    ojin_send_error(session, now_us, session->refusal, ojin_error_description(session->refusal), actions);
    struct action *action = NULL;
    if (actions_add(actions, ACTION_CLOSE, "close", 0, &action) != NULL)
        action->code = OJIN_CLOSE_POLICY;
    session->phase = OJIN_PHASE_CLOSED;
}

static void send_close(struct session *session, struct actions *actions)
{
    struct action *action = NULL;
    if (actions_add(actions, ACTION_CLOSE, "close", 0, &action) != NULL)
        action->code = OJIN_CLOSE_NORMAL;
    session->phase = OJIN_PHASE_CLOSED;
}

static void run_one(struct session *session, uint64_t now_us, struct actions *actions)
{
    switch (session->phase) {
    case OJIN_PHASE_SENDING_AWAY:
        send_away(session, now_us, actions);
        break;
    case OJIN_PHASE_SILENCE:
        run_silence(session, now_us, actions);
        break;
    case OJIN_PHASE_SPEECH:
        run_speech(session, now_us, actions);
        break;
    case OJIN_PHASE_FINISHED:
        send_close(session, actions);
        break;
    case OJIN_PHASE_OPEN:
    case OJIN_PHASE_NEW:
    case OJIN_PHASE_ADMITTED:
    case OJIN_PHASE_CLOSED:
    case OJIN_PHASE_COUNT:
        break;
    }
}

static bool ready_is_due(const struct session *session)
{
    const bool open = session->phase == OJIN_PHASE_OPEN || session->phase == OJIN_PHASE_SILENCE ||
                      session->phase == OJIN_PHASE_SPEECH;
    return open && !session->progress.ready_sent;
}

void ojin_stream_run(struct session *session, uint64_t now_us, struct actions *actions)
{
    /* Sending away takes two actions; nothing takes more. */
    const size_t step_actions_max = 2;
    while (actions_room(actions) >= step_actions_max && ojin_stream_deadline_us(session) <= now_us) {
        if (ready_is_due(session)) {
            send_ready(session, now_us, actions);
            if (!session->progress.ready_sent)
                return;
        } else {
            run_one(session, now_us, actions);
        }
    }
}
