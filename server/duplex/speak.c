/*
 * Which event is due when. Each second heard allows one (002: at most one for each append): the next delta
 * of a turn, or a listen; by quirk more, less, or an error in its place.
 */
#include "codec/media/coded_signal.h"
#include "server/duplex/session.h"

enum { ERROR_EVERY = 5 /* of inference-fatal alone */, STALL_DELTA = 2 /* the third */ };

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- a turn ---- */

static uint64_t turn_samples(const struct session *session, const struct duplex_utterance *utterance)
{
    const uint64_t length = duplex_quirk(session, DUPLEX_QUIRK_TURN_LENGTH);
    return length == 0 ? utterance->sample_count : length * DUPLEX_OUTPUT_RATE / 1000000;
}

void duplex_speak_begin(struct session *session)
{
    struct duplex_turn_state *state = &session->turn;
    const uint64_t only = duplex_quirk(session, DUPLEX_QUIRK_UTTERANCE);
    const size_t n = only == 0 ? (size_t)(session->turns % DUPLEX_UTTERANCE_COUNT) : (size_t)only - 1;
    state->utterance = duplex_utterance_of(n);
    const size_t samples = (size_t)turn_samples(session, &state->utterance);
    session->turns++;
    state->active = true;
    state->coded = duplex_quirk(session, DUPLEX_QUIRK_CODED_AUDIO) != 0;
    state->source = (uint16_t)session->turns;
    state->next = 0;
    state->said = 0;
    /* A turn that is too short for its text says what fits in its last delta. */
    (void)duplex_turn_divide(samples, DUPLEX_FIRST_SAMPLES, bytes_of_text(state->utterance.text),
                             &state->turn);
    session->answer_due = false;
}

void duplex_speak_samples(const struct session *session, const struct duplex_turn_part *part, uint8_t *out)
{
    const struct duplex_turn_state *state = &session->turn;
    for (size_t i = 0; i < part->samples; i++) {
        const size_t n = part->first + i;
        const float sample =
            state->coded ? coded_sample(state->source, (uint32_t)n)
                         : duplex_utterance_sample(&state->utterance, n % state->utterance.sample_count);
        float32_put(out + i * FLOAT32_BYTES, sample);
    }
}

void duplex_speak_said(struct session *session, uint64_t at_us, const struct duplex_turn_part *part)
{
    duplex_playout_add(&session->playout, at_us, part->samples);
    session->progress.speech_frames++;
    session->deltas++;
    session->turn.next++;
    session->turn.said += part->samples;
    if (!part->end_of_turn)
        return;
    session->turn.active = false;
    session->listen_owed = true;
    session->progress.finals++;
    if (session->credit > DUPLEX_APPEND_SAMPLES && duplex_quirk(session, DUPLEX_QUIRK_HASTY_LISTEN) == 0)
        session->credit = DUPLEX_APPEND_SAMPLES;
}

void duplex_speak_listened(struct session *session)
{
    session->progress.silence_frames++;
    if (session->listen_owed || session->playout.started)
        session->progress.turns_ended++;
    session->listen_owed = false;
    session->forced = false; /* it is answered */
    session->playout = (struct duplex_playout){.started = false};
}

void duplex_speak_force(struct session *session, uint64_t now_us)
{
    if (duplex_quirk(session, DUPLEX_QUIRK_FORCE_IGNORED) != 0)
        return;
    session->answer_due = false;
    if (!duplex_speak_is_busy(session, now_us) && !session->listen_owed)
        return;
    if (session->turn.active)
        session->force_deltas = duplex_quirk(session, DUPLEX_QUIRK_FORCE_DELTAS);
    session->turn.active = session->force_deltas > 0;
    session->forced = true;
    session->forced_us = now_us;
}

/* ---- when ---- */

static bool has_credit(const struct session *session)
{
    return session->credit >= DUPLEX_APPEND_SAMPLES;
}

/* When the delta that is next leaves: each with its second, by quirk with the clock. */
static uint64_t delta_us(const struct session *session)
{
    const bool first = session->turn.next == 0;
    uint64_t at_us = session->event_us;
    if (duplex_quirk(session, DUPLEX_QUIRK_BURST) != 0 && !first)
        return session->delta_us;
    if (duplex_quirk(session, DUPLEX_QUIRK_UNPACED) != 0 && !first)
        at_us = session->delta_us + DUPLEX_APPEND_US;
    else if (!has_credit(session))
        return UINT64_MAX;
    if (session->turn.next == STALL_DELTA)
        at_us += duplex_quirk(session, DUPLEX_QUIRK_STALL);
    return at_us;
}

static uint64_t event_us(const struct session *session)
{
    if (session->forced)
        return session->forced_us;
    if (session->turn.active)
        return delta_us(session);
    if (!has_credit(session))
        return UINT64_MAX;
    if (session->listen_owed && duplex_quirk(session, DUPLEX_QUIRK_HASTY_LISTEN) == 0)
        return later(session->event_us, session->playout.end_us + DUPLEX_PLAYOUT_MARGIN_US);
    if (session->answer_due && !session->listen_owed)
        return later(session->event_us, session->answer_us);
    return session->event_us;
}

uint64_t duplex_speak_due_us(const struct session *session)
{
    const uint64_t at_us = event_us(session);
    return at_us == UINT64_MAX ? at_us : at_us + duplex_quirk(session, DUPLEX_QUIRK_SLOW);
}

/* ---- doing it ---- */

/* By quirk, in place of every Nth event. */
static bool error_is_next(const struct session *session)
{
    const bool fatal = duplex_quirk(session, DUPLEX_QUIRK_INFERENCE_FATAL) != 0;
    uint64_t every = duplex_quirk(session, DUPLEX_QUIRK_INFERENCE_ERROR);
    if (every == 0 && fatal)
        every = ERROR_EVERY;
    return every != 0 && session->events % every == 0;
}

static void send_inference_error(struct session *session, uint64_t at_us, struct actions *actions)
{
    const bool renamed = duplex_quirk(session, DUPLEX_QUIRK_INFERENCE_FAILED) != 0;
    const enum duplex_error_code code =
        renamed ? DUPLEX_ERROR_INFERENCE_FAILED : DUPLEX_ERROR_INFERENCE_ERROR;
    (void)duplex_send_error(session, code, duplex_error_description(code), actions);
    if (duplex_quirk(session, DUPLEX_QUIRK_INFERENCE_FATAL) != 0)
        duplex_end(session, DUPLEX_REASON_ERROR, at_us);
}

static void speak(struct session *session, uint64_t at_us, struct actions *actions)
{
    const bool forced = session->forced && session->force_deltas == 0;
    if (forced)
        session->forced = false;
    if (session->force_deltas > 0 && --session->force_deltas == 0)
        session->forced_us = at_us;
    if (!forced && !session->turn.active && session->answer_due && !session->listen_owed)
        duplex_speak_begin(session);
    if (forced)
        session->turn.active = false;
    if (!session->turn.active) {
        duplex_send_listen(session, actions);
        return;
    }
    duplex_send_delta(session, at_us, actions);
    session->delta_us = at_us;
    if (!session->turn.active)
        session->force_deltas = 0;
}

void duplex_speak_next(struct session *session, uint64_t at_us, struct actions *actions)
{
    const bool clocked =
        session->turn.active && session->turn.next > 0 &&
        (duplex_quirk(session, DUPLEX_QUIRK_BURST) != 0 || duplex_quirk(session, DUPLEX_QUIRK_UNPACED) != 0);
    session->events++;
    if (!clocked || has_credit(session))
        session->credit -= DUPLEX_APPEND_SAMPLES;
    session->event_us = at_us;
    if (duplex_quirk(session, DUPLEX_QUIRK_HASTY_LISTEN) == 0)
        session->event_us += DUPLEX_EVENT_SPACING_US;
    if (error_is_next(session) && !session->forced)
        send_inference_error(session, at_us, actions);
    else
        speak(session, at_us, actions);
}
