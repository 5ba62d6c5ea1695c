/*
 * What is due next, and doing it: in order of the times that things were due at, not of when ticks come, so a
 * late host gets the same actions in the same order.
 */
#include "server/duplex/session.h"

enum { STEP_ACTIONS_MAX = 4 };

/* Of several that are due at the same time the first goes first. */
enum due_kind { DUE_CLOSE, DUE_END, DUE_QUEUE, DUE_CREATED, DUE_HEAR, DUE_SPEAK, DUE_NOTHING };

struct due {
    enum due_kind kind;
    uint64_t at_us; /* UINT64_MAX: never */
};

static void due_earlier(struct due *due, enum due_kind kind, uint64_t at_us)
{
    if (at_us < due->at_us)
        *due = (struct due){.kind = kind, .at_us = at_us};
}

/* ---- the end ---- */

static void sooner(uint64_t at_us, enum duplex_reason reason, uint64_t *end_us, enum duplex_reason *out)
{
    if (at_us >= *end_us)
        return;
    *end_us = at_us;
    *out = reason;
}

/* When the session ends as it stands, and why. */
static uint64_t end_us(const struct session *session, enum duplex_reason *reason)
{
    uint64_t at_us = UINT64_MAX;
    *reason = session->reason;
    if (session->ending)
        return session->end_us;
    if (duplex_quirk(session, DUPLEX_QUIRK_ENDLESS) == 0)
        sooner(session->clock_us + session->profile->session_us / session->config.speed,
               DUPLEX_REASON_TIMEOUT, &at_us, reason);
    if (session->phase != DUPLEX_PHASE_ACTIVE)
        return at_us;
    if (duplex_quirk(session, DUPLEX_QUIRK_SHUTDOWN) != 0)
        sooner(session->created_us + duplex_quirk(session, DUPLEX_QUIRK_SHUTDOWN),
               DUPLEX_REASON_SERVER_SHUTDOWN, &at_us, reason);
    if (duplex_quirk(session, DUPLEX_QUIRK_FATAL_ERROR) != 0)
        sooner(session->created_us + duplex_quirk(session, DUPLEX_QUIRK_FATAL_ERROR), DUPLEX_REASON_ERROR,
               &at_us, reason);
    if (duplex_quirk(session, DUPLEX_QUIRK_IMPATIENT) != 0)
        sooner(session->appended_us + duplex_quirk(session, DUPLEX_QUIRK_IMPATIENT), DUPLEX_REASON_STOPPED,
               &at_us, reason);
    return at_us;
}

/* ---- what is due ---- */

static struct due due_next(const struct session *session)
{
    struct due due = {.kind = DUE_NOTHING, .at_us = UINT64_MAX};
    enum duplex_reason reason;
    if (session->stage == DUPLEX_STAGE_CLOSED)
        return due;
    if (session->stage == DUPLEX_STAGE_ENDED && session->after_closed > 0)
        due_earlier(&due, DUE_SPEAK, session->end_us);
    if (session->close_code != 0)
        due_earlier(&due, DUE_CLOSE, session->close_us);
    if (session->stage == DUPLEX_STAGE_LINGERS && session->listens_due > 0)
        due_earlier(&due, DUE_SPEAK, session->end_us);
    if (session->stage == DUPLEX_STAGE_LINGERS && session->ending)
        due_earlier(&due, DUE_END, session->end_us);
    if (session->stage != DUPLEX_STAGE_OPEN || session->phase == DUPLEX_PHASE_CLOSED)
        return due;
    due_earlier(&due, DUE_END, end_us(session, &reason));
    due_earlier(&due, DUE_QUEUE, duplex_queue_due_us(session));
    if (session->phase == DUPLEX_PHASE_CONNECTED || session->phase == DUPLEX_PHASE_ACTIVE)
        due_earlier(&due, DUE_CREATED, session->created_due_us);
    if (session->phase == DUPLEX_PHASE_ACTIVE) {
        due_earlier(&due, DUE_HEAR, duplex_hear_due_us(session));
        due_earlier(&due, DUE_SPEAK, duplex_speak_due_us(session));
    }
    return due;
}

uint64_t duplex_run_deadline_us(const struct session *session)
{
    return due_next(session).at_us;
}

/* ---- doing it ---- */

static void run_close(struct session *session, struct actions *actions)
{
    struct action *action = NULL;
    if (actions_add(actions, ACTION_CLOSE, "close", 0, &action) != NULL)
        action->code = session->close_code;
    session->stage = DUPLEX_STAGE_CLOSED;
}

/* By quirk, one more delta, whether a turn is under way or not. */
static void say_last(struct session *session, uint64_t at_us, struct actions *actions)
{
    if (!session->turn.active)
        duplex_speak_begin(session);
    duplex_send_delta(session, at_us, actions);
}

static void run_end(struct session *session, uint64_t at_us, struct actions *actions)
{
    enum duplex_reason reason = DUPLEX_REASON_ERROR;
    (void)end_us(session, &reason);
    duplex_hear_clear(session);
    session->end_us = at_us;
    const bool asked = reason == DUPLEX_REASON_STOPPED || reason == DUPLEX_REASON_SERVER_SHUTDOWN;
    if (asked && duplex_quirk(session, DUPLEX_QUIRK_NO_CLOSED) != 0) {
        duplex_close(session, DUPLEX_CLOSE_NORMAL, at_us);
        return;
    }
    const bool full = reason == DUPLEX_REASON_CONTEXT_FULL;
    if (full && duplex_quirk(session, DUPLEX_QUIRK_CONTEXT_LINGERS) != 0) {
        say_last(session, at_us, actions);
        (void)duplex_send_closed(session, reason, actions);
        duplex_linger(session, at_us);
        return;
    }
    (void)duplex_send_closed(session, reason, actions);
    duplex_ended(session, at_us);
    if (full)
        session->after_closed = duplex_quirk(session, DUPLEX_QUIRK_AFTER_CLOSED);
}

void duplex_active(struct session *session, uint64_t at_us)
{
    session->created_due_us = UINT64_MAX;
    session->created_us = session->appended_us = at_us;
    session->phase = DUPLEX_PHASE_ACTIVE;
    session->progress.ready_sent = true;
}

static void run_created(struct session *session, uint64_t at_us, struct actions *actions)
{
    duplex_send_created(session, at_us, actions);
    if (session->phase == DUPLEX_PHASE_ACTIVE) /* by quirk, once more */
        session->created_due_us = UINT64_MAX;
    else
        duplex_active(session, at_us);
}

/* By quirk, what follows the end. */
static void run_after_closed(struct session *session, uint64_t at_us, struct actions *actions)
{
    session->after_closed--;
    say_last(session, at_us, actions);
}

/* By quirk, the answer to an append that comes after the end. */
static void run_lingering(struct session *session, struct actions *actions)
{
    session->listens_due--;
    duplex_send_listen(session, actions);
}

static void run_speak(struct session *session, uint64_t at_us, struct actions *actions)
{
    if (session->stage == DUPLEX_STAGE_ENDED)
        run_after_closed(session, at_us, actions);
    else if (session->stage == DUPLEX_STAGE_LINGERS)
        run_lingering(session, actions);
    else
        duplex_speak_next(session, at_us, actions);
}

static void run_one(struct session *session, struct due due, struct actions *actions)
{
    switch (due.kind) {
    case DUE_CLOSE:
        run_close(session, actions);
        break;
    case DUE_END:
        run_end(session, due.at_us, actions);
        break;
    case DUE_QUEUE:
        duplex_queue_tell(session, due.at_us, actions);
        break;
    case DUE_CREATED:
        run_created(session, due.at_us, actions);
        break;
    case DUE_HEAR:
        duplex_hear_next(session, due.at_us);
        break;
    case DUE_SPEAK:
        run_speak(session, due.at_us, actions);
        break;
    case DUE_NOTHING:
        break;
    }
    if (session->phase == DUPLEX_PHASE_ACTIVE && duplex_cache_is_full(&session->cache) &&
        duplex_quirk(session, DUPLEX_QUIRK_ENDLESS_CONTEXT) == 0)
        duplex_end(session, DUPLEX_REASON_CONTEXT_FULL, due.at_us);
}

void duplex_run(struct session *session, uint64_t now_us, struct actions *actions)
{
    while (actions_room(actions) >= STEP_ACTIONS_MAX) {
        const struct due due = due_next(session);
        if (due.at_us > now_us || due.kind == DUE_NOTHING)
            return;
        run_one(session, due, actions);
    }
}
