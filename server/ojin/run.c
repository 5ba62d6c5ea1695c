/*
 * What is due next, and doing it: in order of the times that things were due at, not of when ticks come, so a
 * late host gets the same actions in the same order.
 */
#include "server/ojin/session.h"

enum { PAUSE_AFTER_US = 2000000, STEP_ACTIONS_MAX = 2 };

/* Of several that are due at the same time the first goes first. */
enum due_kind {
    DUE_ANSWER, /* to the upgrade */
    DUE_AWAY,
    DUE_READY,
    DUE_SETTLE,
    DUE_NOTICE,
    DUE_TIMEOUT,
    DUE_PING,
    DUE_FRAME,
    DUE_CLOSE,
    DUE_NOTHING
};

struct due {
    enum due_kind kind;
    uint64_t at_us; /* UINT64_MAX: never */
};

static void due_earlier(struct due *due, enum due_kind kind, uint64_t at_us)
{
    if (at_us < due->at_us)
        *due = (struct due){.kind = kind, .at_us = at_us};
}

static uint64_t ready_due_us(const struct session *session)
{
    return session->opened_us + ojin_quirk(session, OJIN_QUIRK_COLD_START);
}

/* The pause of that quirk: from, to. False when there is none, or it is over. */
static bool pause_of(const struct session *session, uint64_t *from_us, uint64_t *to_us)
{
    const uint64_t pause = ojin_quirk(session, OJIN_QUIRK_PAUSE);
    if (pause == 0 || session->pause_over || session->first_frame_us == UINT64_MAX)
        return false;
    *from_us = session->first_frame_us + PAUSE_AFTER_US;
    *to_us = *from_us + pause;
    return true;
}

/* When what is due at `at_us` leaves. */
static uint64_t after_pause_us(const struct session *session, uint64_t at_us)
{
    uint64_t from_us = 0;
    uint64_t to_us = 0;
    if (!pause_of(session, &from_us, &to_us) || at_us < from_us || at_us >= to_us)
        return at_us;
    return to_us;
}

/* What a client has to close, once it is done. */
static uint64_t close_wait_us(const struct session *session)
{
    return OJIN_FINAL_CLOSE_WAIT_US / session->config.speed;
}

static struct due due_in_service(const struct session *session)
{
    struct due due = {.kind = DUE_NOTHING, .at_us = UINT64_MAX};
    if (!session->progress.ready_sent) {
        due_earlier(&due, DUE_READY, ready_due_us(session));
        return due;
    }
    if (session->cancel.settling)
        due_earlier(&due, DUE_SETTLE, session->cancel.settle_us);
    if (session->end_retaken)
        due_earlier(&due, DUE_CLOSE, session->retaken_us + close_wait_us(session));
    if (session->notices != 0)
        due_earlier(&due, DUE_NOTICE, after_pause_us(session, session->notice_us));
    due_earlier(&due, DUE_TIMEOUT, after_pause_us(session, ojin_stream_timeout_us(session)));
    if (ojin_quirk(session, OJIN_QUIRK_SESSION_PING) != 0)
        due_earlier(&due, DUE_PING, after_pause_us(session, session->ping_us));
    due_earlier(&due, DUE_FRAME, after_pause_us(session, ojin_stream_due_us(session)));
    return due;
}

static struct due due_next(const struct session *session)
{
    struct due due = {.kind = DUE_NOTHING, .at_us = UINT64_MAX};
    switch (session->phase) {
    case OJIN_PHASE_WAITING:
        due_earlier(&due, DUE_ANSWER, session->answer_us);
        break;
    case OJIN_PHASE_SENDING_AWAY:
        due_earlier(&due, DUE_AWAY, session->away_us);
        break;
    case OJIN_PHASE_OPEN:
    case OJIN_PHASE_SILENCE:
    case OJIN_PHASE_SPEECH:
        return due_in_service(session);
    case OJIN_PHASE_FINISHED:
        due_earlier(&due, DUE_CLOSE, session->finished_us + close_wait_us(session));
        break;
    case OJIN_PHASE_NEW:
    case OJIN_PHASE_ADMITTED:
    case OJIN_PHASE_CLOSED:
    case OJIN_PHASE_COUNT:
        break;
    }
    return due;
}

uint64_t ojin_run_deadline_us(const struct session *session)
{
    return due_next(session).at_us;
}

static void add_close(struct session *session, uint16_t code, struct actions *actions)
{
    struct action *action = NULL;
    if (actions_add(actions, ACTION_CLOSE, "close", 0, &action) != NULL)
        action->code = code;
    session->phase = OJIN_PHASE_CLOSED;
}

static void run_away(struct session *session, uint64_t now_us, struct actions *actions)
{
    const bool no_backend = session->refusal == OJIN_ERROR_BACKEND_UNAVAILABLE;
    if (session->refusal_text != NULL)
        ojin_send_plain("text", session->refusal_text, actions);
    else
        ojin_send_error(session, now_us, session->refusal, ojin_refusal_message(session, session->refusal),
                        actions);
    add_close(session, no_backend ? OJIN_CLOSE_TRY_AGAIN : OJIN_CLOSE_POLICY, actions);
}

static void run_ready(struct session *session, uint64_t at_us, uint64_t now_us, struct actions *actions)
{
    if (!ojin_send_ready(session, now_us, actions))
        return;
    /* The client may have spoken before the service was there: nothing of that time is caught up. */
    if (ojin_quirk(session, OJIN_QUIRK_COLD_START) != 0)
        ojin_stream_resume(session, at_us);
    ojin_stream_ready(session, now_us);
    session->ping_us = at_us + ojin_quirk(session, OJIN_QUIRK_SESSION_PING);
    if (ojin_quirk(session, OJIN_QUIRK_READY_TWICE) != 0)
        ojin_notice_add(session, at_us, OJIN_NOTICE_READY_AGAIN);
    if (ojin_quirk(session, OJIN_QUIRK_UNKNOWN_TYPES) == 0)
        return;
    ojin_notice_add(session, at_us, OJIN_NOTICE_SESSION_UPDATE);
    ojin_notice_add(session, at_us, OJIN_NOTICE_WEBRTC_STATUS);
}

/* After a number of speech frames the backend is lost; the client is told (field notes: plain texts seen). */
static void lose_backend(struct session *session, uint64_t at_us)
{
    const uint64_t after = ojin_quirk(session, OJIN_QUIRK_BACKEND_LOST);
    if (after == 0 || session->progress.speech_frames < after || session->phase == OJIN_PHASE_CLOSED)
        return;
    ojin_refuse_no_backend(session);
    if (session->refusal_text == NULL)
        session->refusal_text = "No backend servers available. Please try again later.";
    session->phase = OJIN_PHASE_SENDING_AWAY;
    session->away_us = at_us;
}

static void run_frame(struct session *session, uint64_t at_us, uint64_t now_us, struct actions *actions)
{
    uint64_t from_us = 0;
    uint64_t to_us = 0;
    if (pause_of(session, &from_us, &to_us) && ojin_stream_due_us(session) >= from_us &&
        ojin_stream_due_us(session) < to_us) {
        session->pause_over = true;
        ojin_stream_resume(session, to_us);
        return;
    }
    const uint32_t frames = session->frame_count;
    ojin_stream_frame(session, now_us, actions);
    if (session->first_frame_us == UINT64_MAX && session->frame_count != frames)
        session->first_frame_us = at_us;
    lose_backend(session, at_us);
}

static void run_one(struct session *session, struct due due, uint64_t now_us, struct actions *actions)
{
    switch (due.kind) {
    case DUE_ANSWER:
        ojin_admission_answer(session, now_us, actions);
        break;
    case DUE_AWAY:
        run_away(session, now_us, actions);
        break;
    case DUE_READY:
        run_ready(session, due.at_us, now_us, actions);
        break;
    case DUE_SETTLE:
        ojin_cancel_settle(session, due.at_us);
        break;
    case DUE_NOTICE:
        ojin_notice_send(session, now_us, actions);
        break;
    case DUE_TIMEOUT:
        ojin_send_error(session, now_us, OJIN_ERROR_TIMEOUT, ojin_error_description(OJIN_ERROR_TIMEOUT),
                        actions);
        ojin_stream_give_up(session);
        break;
    case DUE_PING:
        ojin_send_session_ping(actions);
        session->ping_us = due.at_us + ojin_quirk(session, OJIN_QUIRK_SESSION_PING);
        break;
    case DUE_FRAME:
        run_frame(session, due.at_us, now_us, actions);
        break;
    case DUE_CLOSE:
        add_close(session, OJIN_CLOSE_NORMAL, actions);
        break;
    case DUE_NOTHING:
        break;
    }
}

void ojin_run(struct session *session, uint64_t now_us, struct actions *actions)
{
    while (actions_room(actions) >= STEP_ACTIONS_MAX) {
        const struct due due = due_next(session);
        if (due.at_us > now_us || due.kind == DUE_NOTHING)
            return;
        run_one(session, due, now_us, actions);
        if (due.kind == DUE_READY && !session->progress.ready_sent)
            return;
    }
}
