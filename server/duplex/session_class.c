/*
 * The full-duplex family's session core: 002, and the field notes for audio mode and the later version. This
 * file holds the table of stage by event; what its cells do stands in the files that session.h lists.
 */
#include "server/duplex/session.h"

#include <stdlib.h>

#include "codec/duplex/family.h"
#include "server/duplex/messages.h"
#include "server/duplex/session_class.h"
#include "server/duplex/tables.h"

typedef void stage_handler(struct session *session, const struct session_event *event,
                           struct actions *actions);

static void on_opened(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)actions;
    session->opened_us = session->clock_us = event->now_us;
    session->stage = DUPLEX_STAGE_OPEN;
    session->phase = DUPLEX_PHASE_QUEUED;
    duplex_queue_enter(session, event->now_us);
}

static void on_tick(struct session *session, const struct session_event *event, struct actions *actions)
{
    duplex_run(session, event->now_us, actions);
}

static void on_closed(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)actions;
    session->stage = DUPLEX_STAGE_CLOSED;
    worker_seat_leave(&session->seat, event->now_us);
    duplex_hear_clear(session);
}

static void on_shutdown(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)actions;
    duplex_end(session, DUPLEX_REASON_SERVER_SHUTDOWN, event->now_us);
}

enum { EVENT_COUNT = SESSION_CLOSED + 1 };

/* An empty cell does nothing: the event is late, or the host's own affair. */
static stage_handler *const HANDLERS[DUPLEX_STAGE_COUNT][EVENT_COUNT] = {
    [DUPLEX_STAGE_NEW] =
        {[SESSION_REQUEST] = duplex_admit, [SESSION_OPENED] = on_opened, [SESSION_CLOSED] = on_closed},
    [DUPLEX_STAGE_ADMITTED] = {[SESSION_OPENED] = on_opened, [SESSION_CLOSED] = on_closed},
    [DUPLEX_STAGE_OPEN] = {[SESSION_TEXT] = duplex_receive_text,
                           [SESSION_BINARY] = duplex_receive_binary,
                           [SESSION_TICK] = on_tick,
                           [SESSION_RESUMED] = on_tick,
                           [SESSION_SHUTDOWN] = on_shutdown,
                           [SESSION_CLOSED] = on_closed},
    [DUPLEX_STAGE_LINGERS] = {[SESSION_TEXT] = duplex_receive_lingering,
                              [SESSION_TICK] = on_tick,
                              [SESSION_RESUMED] = on_tick,
                              [SESSION_CLOSED] = on_closed},
    [DUPLEX_STAGE_ENDED] =
        {[SESSION_TICK] = on_tick, [SESSION_RESUMED] = on_tick, [SESSION_CLOSED] = on_closed},
};

static void quirks_set(struct session *session, const struct quirks *quirks)
{
    session->config.quirks = *quirks;
    session->has_quirks = quirks_any(quirks);
}

static struct session *duplex_create(const struct session_config *config)
{
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->config = *config;
    if (session->config.speed == 0)
        session->config.speed = 1;
    quirks_set(session, &config->quirks);
    session->profile = duplex_session_profile(config);
    session->created_due_us = UINT64_MAX;
    session->close_us = UINT64_MAX;
    session->slices = DUPLEX_SLICES_DEFAULT;
    energy_init(&session->energy, DUPLEX_INPUT_RATE);
    buffer_init(&session->early, DUPLEX_EARLY_BYTES_MAX);
    return session;
}

static void duplex_destroy(struct session *session)
{
    if (session == NULL)
        return;
    worker_seat_leave(&session->seat, session->seen_us);
    duplex_hear_clear(session);
    buffer_free(&session->early);
    free(session);
}

static void duplex_step(struct session *session, const struct session_event *event, struct actions *actions)
{
    stage_handler *handler = HANDLERS[session->stage][event->kind];
    session->seen_us = event->now_us;
    if (handler != NULL)
        handler(session, event, actions);
}

static const struct session_progress *duplex_progress(const struct session *session)
{
    return &session->progress;
}

static void duplex_set_epoch_ms(struct session *session, uint64_t epoch_ms)
{
    session->config.epoch_ms = epoch_ms;
}

static const char *const RECEIVE_TYPES[] = {"session.update", "input_audio_buffer.append", "session.close",
                                            "other", NULL};

const struct session_class DUPLEX_SESSION_CLASS = {
    .family = &DUPLEX_FAMILY,
    .send_kinds = DUPLEX_SEND_KINDS,
    .receive_types = RECEIVE_TYPES,
    .quirks = DUPLEX_QUIRKS,
    .faults = DUPLEX_FAULTS,
    .cards = DUPLEX_CARDS,
    .messages = &DUPLEX_MESSAGES,
    .query = "mode=video",
    .profile_of = duplex_profile_of_request,
    .create = duplex_create,
    .destroy = duplex_destroy,
    .step = duplex_step,
    .deadline_us = duplex_run_deadline_us,
    .progress = duplex_progress,
    .set_quirks = quirks_set,
    .set_epoch_ms = duplex_set_epoch_ms,
    .compose = duplex_compose,
    .read_ahead = duplex_read_ahead,
    .free_ahead = duplex_free_ahead,
    .classify = duplex_classify,
};
