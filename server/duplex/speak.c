/*
 * Which event is due when. Each second heard allows one (002: at most one for each append): the next delta
 * of a turn, or a listen; by quirk more, less, or an error in its place.
 */
#include "server/duplex/session.h"

enum { ERROR_EVERY = 5 /* of inference-fatal alone */, STALL_DELTA = 2 /* the third */ };

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
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
