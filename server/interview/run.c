/*
 * What is due next, and doing it: in order of the times that things were due at, not of when ticks come, so a
 * late host gets the same actions in the same order.
 */
#include "codec/wire/text.h"
#include "server/interview/session.h"

enum { STEP_ACTIONS_MAX = 4, REASON_BYTES_MAX = WS_CLOSE_REASON_BYTES_MAX + 1 };

/* Of several that are due at the same time the first goes first. */
enum due_kind {
    DUE_CLOSE,
    DUE_LOST,
    DUE_STATUS,
    DUE_CONNECTED,
    DUE_ENDING,
    DUE_REPLY,
    DUE_PING,
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

/* By quirk, when the server fails or restarts. */
static uint64_t ending_us(const struct session *session, enum interview_quirk quirk)
{
    const uint64_t after_us = interview_quirk(session, quirk);
    return after_us == 0 || !session->connected || session->close_code != 0
               ? UINT64_MAX
               : session->connected_us + after_us;
}

static uint64_t ending_next_us(const struct session *session)
{
    const uint64_t error_us = ending_us(session, INTERVIEW_QUIRK_INTERNAL_ERROR);
    const uint64_t restart_us = ending_us(session, INTERVIEW_QUIRK_RESTART);
    return error_us < restart_us ? error_us : restart_us;
}

static bool may_be_lost(const struct session *session)
{
    return session->seat.lost || session->seat.rooms != NULL;
}

static bool replaces(const struct session *session)
{
    return session->profile->newer_replaces || interview_quirk(session, INTERVIEW_QUIRK_NEWEST_WINS) != 0;
}

static struct due due_next(const struct session *session)
{
    struct due due = {.kind = DUE_NOTHING, .at_us = UINT64_MAX};
    if (session->stage != INTERVIEW_STAGE_OPEN)
        return due;
    if (session->close_code != 0)
        due_earlier(&due, DUE_CLOSE, session->close_us);
    if (session->refusal != NULL)
        return due;
    if (session->close_code == 0 && replaces(session) && may_be_lost(session))
        due_earlier(&due, DUE_LOST, session->looked_us + INTERVIEW_LOOK_US);
    if (!session->greeted)
        due_earlier(&due, DUE_STATUS, session->opened_us);
    if (!session->connected)
        due_earlier(&due, DUE_CONNECTED, session->connected_us);
    due_earlier(&due, DUE_ENDING, ending_next_us(session));
    if (session->connected && session->reply.step != INTERVIEW_REPLY_NONE)
        due_earlier(&due, DUE_REPLY, session->reply.due_us);
    if (session->connected && interview_quirk(session, INTERVIEW_QUIRK_SERVER_PINGS) != 0)
        due_earlier(&due, DUE_PING, session->ping_us);
    return due;
}

uint64_t interview_run_deadline_us(const struct session *session)
{
    return due_next(session).at_us;
}

/* ---- the end ---- */

static uint16_t close_code(const struct session *session)
{
    const bool by_error =
        session->close_code == INTERVIEW_CLOSE_INTERNAL || session->close_code == INTERVIEW_CLOSE_RESTART;
    return by_error && interview_quirk(session, INTERVIEW_QUIRK_CLOSES_PLAINLY) != 0 ? INTERVIEW_CLOSE_NORMAL
                                                                                     : session->close_code;
}

static void run_close(struct session *session, struct actions *actions)
{
    char data[REASON_BYTES_MAX];
    struct text reason = text_of(data, sizeof data);
    struct action *action = NULL;
    if (session->refusal != NULL && session->refused_by != INTERVIEW_ERROR_COUNT &&
        interview_quirk(session, INTERVIEW_QUIRK_REFUSALS_SAY_WHY) != 0)
        (void)interview_send_error(session, session->refused_by, session->refusal, bytes_of(NULL, 0),
                                   actions);
    if (session->status_message != NULL && session->connected)
        interview_send_status(session, INTERVIEW_STATUS_DISCONNECTED, session->status_message, actions);
    text_add(&reason, session->close_reason);
    if (session->refusal != NULL) {
        text_add(&reason, ": ");
        text_add(&reason, session->refusal);
    }
    uint8_t *out = actions_add(actions, ACTION_CLOSE, "close", reason.len, &action);
    session->stage = INTERVIEW_STAGE_CLOSED;
    room_leave(&session->seat);
    if (out == NULL)
        return;
    if (reason.len > 0)
        memcpy(out, data, reason.len);
    action->code = close_code(session);
}

static void run_lost(struct session *session, uint64_t at_us)
{
    session->looked_us = at_us;
    if (!interview_is_lost(session))
        return;
    session->put_out = "There is a newer connection";
    interview_close(session, INTERVIEW_CLOSE_NORMAL, session->put_out, NULL, at_us);
}

static void run_ending(struct session *session, uint64_t at_us)
{
    if (ending_us(session, INTERVIEW_QUIRK_INTERNAL_ERROR) <= at_us)
        interview_close(session, INTERVIEW_CLOSE_INTERNAL, INTERVIEW_REASON_INTERNAL, NULL, at_us);
    else
        interview_close(session, INTERVIEW_CLOSE_RESTART, "SERVICE_RESTART", "The server restarts", at_us);
}

/* ---- the beginning ---- */

void interview_connected(struct session *session, uint64_t at_us)
{
    if (session->connected)
        return;
    session->greeted = true;
    session->connected = true;
    session->connected_us = at_us;
    session->ping_us = at_us + interview_quirk(session, INTERVIEW_QUIRK_SERVER_PINGS);
    session->progress.ready_sent = true;
    if (interview_quirk(session, INTERVIEW_QUIRK_GREETS) != 0)
        interview_reply_begin(session, at_us);
}

static void run_connected(struct session *session, uint64_t at_us, struct actions *actions)
{
    if (interview_quirk(session, INTERVIEW_QUIRK_NO_STATUS) == 0)
        interview_send_status(session, INTERVIEW_STATUS_CONNECTED, "Realtime session initialized", actions);
    interview_connected(session, at_us);
}

static void run_status(struct session *session, struct actions *actions)
{
    session->greeted = true;
    if (interview_quirk(session, INTERVIEW_QUIRK_NO_STATUS) == 0)
        interview_send_status(session, INTERVIEW_STATUS_CONNECTING, "Connecting to the interviewer", actions);
}

static void run_ping(struct session *session, uint64_t at_us, struct actions *actions)
{
    session->ping_us = at_us + interview_quirk(session, INTERVIEW_QUIRK_SERVER_PINGS);
    interview_send_ping(session, INTERVIEW_MESSAGE_PING, actions);
}

/* ---- all of it ---- */

static void run_one(struct session *session, struct due due, struct actions *actions)
{
    switch (due.kind) {
    case DUE_CLOSE:
        run_close(session, actions);
        break;
    case DUE_LOST:
        run_lost(session, due.at_us);
        break;
    case DUE_STATUS:
        run_status(session, actions);
        break;
    case DUE_CONNECTED:
        run_connected(session, due.at_us, actions);
        break;
    case DUE_ENDING:
        run_ending(session, due.at_us);
        break;
    case DUE_REPLY:
        interview_reply_next(session, due.at_us, actions);
        break;
    case DUE_PING:
        run_ping(session, due.at_us, actions);
        break;
    case DUE_NOTHING:
        break;
    }
}

void interview_run(struct session *session, uint64_t now_us, struct actions *actions)
{
    while (actions_room(actions) >= STEP_ACTIONS_MAX) {
        const struct due due = due_next(session);
        if (due.at_us > now_us || due.kind == DUE_NOTHING)
            return;
        run_one(session, due, actions);
    }
}
