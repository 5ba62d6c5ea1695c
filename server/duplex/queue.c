/*
 * Waiting for a worker: 002 Setup, Error Codes; field notes for the members. A session that has to wait is
 * told so once, then its place whenever that changes and every three seconds; with a worker it is told
 * session.queue_done, at once when one was free. By quirk it waits though one is there.
 */
#include "server/duplex/session.h"

static const enum duplex_error_code REFUSALS[] = {
    [DUPLEX_NO_WORKER_SERVICE] = DUPLEX_ERROR_SERVICE_UNAVAILABLE,
    [DUPLEX_NO_WORKER_QUEUE] = DUPLEX_ERROR_QUEUE_FULL,
    [DUPLEX_NO_WORKER_BUSY] = DUPLEX_ERROR_WORKER_BUSY,
    [DUPLEX_NO_WORKER_CONNECT] = DUPLEX_ERROR_WORKER_CONNECT_FAILED,
};

void duplex_queue_enter(struct session *session, uint64_t now_us)
{
    const uint64_t quirk = duplex_quirk(session, DUPLEX_QUIRK_NO_WORKER);
    worker_seat_take(&session->seat, session->config.workers, now_us);
    if (quirk != 0) {
        session->refused = true;
        session->refusal = REFUSALS[quirk];
    } else if (session->seat.state == WORKER_SEAT_TURNED_AWAY) {
        /* Without any place to wait there is no queue that could be full. */
        session->refused = true;
        session->refusal =
            session->seat.pool->queue_max == 0 ? DUPLEX_ERROR_WORKER_BUSY : DUPLEX_ERROR_QUEUE_FULL;
    }
    const uint64_t first = duplex_quirk(session, DUPLEX_QUIRK_PLACE);
    session->queue_first = first == 0 ? 1 : (uint32_t)first;
}

static uint64_t limit_us(const struct session *session)
{
    return session->profile->session_us / session->config.speed;
}

/* When the worker is there; UINT64_MAX: it is not known yet. */
static uint64_t worker_us(const struct session *session)
{
    if (session->seat.state != WORKER_SEAT_ASSIGNED)
        return UINT64_MAX;
    const uint64_t there = session->opened_us + duplex_quirk(session, DUPLEX_QUIRK_WAIT);
    return session->seat.assigned_us > there ? session->seat.assigned_us : there;
}

static bool waits_by_quirk(const struct session *session)
{
    return duplex_quirk(session, DUPLEX_QUIRK_WAIT) != 0;
}

/* With the quirk the place falls evenly from its first to 1. */
static struct duplex_place quirk_place(const struct session *session, uint64_t now_us)
{
    const uint64_t wait = duplex_quirk(session, DUPLEX_QUIRK_WAIT);
    const uint64_t gone = now_us - session->opened_us;
    const uint64_t left = gone >= wait ? 0 : wait - gone;
    const uint32_t position = (uint32_t)((left * session->queue_first + wait - 1) / wait);
    return (struct duplex_place){
        .position = position == 0 ? 1 : position, .length = session->queue_first, .wait_us = left};
}

static struct duplex_place place_now(const struct session *session, uint64_t now_us)
{
    const struct worker_seat *seat = &session->seat;
    if (seat->state != WORKER_SEAT_WAITING)
        return waits_by_quirk(session) ? quirk_place(session, now_us) : session->told;
    return duplex_place_of(seat->ahead, seat->pool->waiting, seat->pool->workers, limit_us(session));
}

static uint64_t update_us(const struct session *session)
{
    return DUPLEX_QUEUE_UPDATE_US / session->config.speed;
}

/* When the quirk's place falls next. */
static uint64_t quirk_falls_us(const struct session *session)
{
    const uint64_t wait = duplex_quirk(session, DUPLEX_QUIRK_WAIT);
    const uint64_t left = (session->told.position - 1) * wait / session->queue_first;
    return session->opened_us + wait - left;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t duplex_queue_due_us(const struct session *session)
{
    if (session->phase != DUPLEX_PHASE_QUEUED)
        return session->done_again ? session->looked_us : UINT64_MAX;
    if (session->refused)
        return session->opened_us;
    const uint64_t worker = worker_us(session);
    if (!session->queued_told)
        return session->opened_us;
    const uint64_t again = earlier(worker, session->told_us + update_us(session));
    /* Of a real queue the place is known only by looking. */
    if (session->seat.state == WORKER_SEAT_WAITING)
        return earlier(again, session->looked_us + DUPLEX_LOOK_US);
    return waits_by_quirk(session) ? earlier(again, quirk_falls_us(session)) : again;
}

void duplex_queue_finish(struct session *session, uint64_t now_us)
{
    session->phase = DUPLEX_PHASE_CONNECTED;
    if (duplex_quirk(session, DUPLEX_QUIRK_LIMIT_LATE) != 0)
        session->clock_us = now_us;
}

static void send_done(struct session *session, struct actions *actions)
{
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_QUEUE_DONE};
    if (duplex_quirk(session, DUPLEX_QUIRK_NO_QUEUE_DONE) == 0)
        (void)duplex_send(session, &message, "queue_done", false, actions);
}

static void send_refusal(struct session *session, uint64_t now_us, struct actions *actions)
{
    (void)duplex_send_error(session, session->refusal, duplex_error_description(session->refusal), actions);
    session->refused = false;
    if (duplex_quirk(session, DUPLEX_QUIRK_STAYS_OPEN) == 0)
        duplex_close(session, duplex_error_close(session->refusal), now_us);
    else
        session->phase = DUPLEX_PHASE_CLOSED;
}

static void send_place(struct session *session, uint64_t now_us, struct actions *actions)
{
    char ticket[32];
    struct text text = text_of(ticket, sizeof ticket);
    struct duplex_message message;
    const struct duplex_place place = place_now(session, now_us);
    const bool same = place.position == session->told.position && place.length == session->told.length;
    if (session->queued_told && same && now_us - session->told_us < update_us(session))
        return; /* it only looked */
    text_add(&text, "ticket_");
    text_add_u64(&text, session->seat.ticket);
    duplex_place_message(&message, &place,
                         session->queued_told ? bytes_of(NULL, 0) : bytes_of(ticket, text.len));
    (void)duplex_send(session, &message, session->queued_told ? "queue_update" : "queued", false, actions);
    session->queued_told = true;
    session->told = place;
    session->told_us = now_us;
}

void duplex_queue_tell(struct session *session, uint64_t now_us, struct actions *actions)
{
    session->looked_us = now_us;
    if (session->phase != DUPLEX_PHASE_QUEUED) {
        session->done_again = false;
        send_done(session, actions);
    } else if (session->refused) {
        send_refusal(session, now_us, actions);
    } else if (worker_us(session) <= now_us) {
        send_done(session, actions);
        duplex_queue_finish(session, now_us);
        session->done_again = duplex_quirk(session, DUPLEX_QUIRK_QUEUE_DONE_TWICE) != 0;
        duplex_receive_early(session, now_us, actions);
    } else {
        send_place(session, now_us, actions);
    }
}
