/*
 * The Ojin family's session core: 000, 001 and 003 as spec README settles them. This file holds the state
 * machine, a table of phase by event; what its cells do stands in the files that session.h lists.
 */
#include <assert.h>
#include <stdlib.h>

#include "server/core/warm.h"
#include "server/ojin/session.h"

#include "codec/ojin/family.h"
#include "server/ojin/messages.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tables.h"

typedef void phase_handler(struct session *session, const struct session_event *event,
                           struct actions *actions);

static void on_opened(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)actions;
    session->opened_us = event->now_us;
    session->away_us += event->now_us;
    session->phase = session->refused ? OJIN_PHASE_SENDING_AWAY : OJIN_PHASE_OPEN;
}

static void on_tick(struct session *session, const struct session_event *event, struct actions *actions)
{
    ojin_run(session, event->now_us, actions);
}

static void on_resumed(struct session *session, const struct session_event *event, struct actions *actions)
{
    ojin_stream_resume(session, event->now_us);
    ojin_run(session, event->now_us, actions);
}

static void on_closed(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)event;
    (void)actions;
    session->phase = OJIN_PHASE_CLOSED;
    speech_queue_clear(&session->speech);
}

enum { EVENT_COUNT = SESSION_CLOSED + 1 };

/* An empty cell does nothing: the event is late (a message after the final frame) or the host's own affair
 * (OPENED without REQUEST, when a script lets anybody in, has a cell). */
static phase_handler *const HANDLERS[OJIN_PHASE_COUNT][EVENT_COUNT] = {
    [OJIN_PHASE_NEW] =
        {[SESSION_REQUEST] = ojin_admit, [SESSION_OPENED] = on_opened, [SESSION_CLOSED] = on_closed},
    [OJIN_PHASE_WAITING] = {[SESSION_TICK] = on_tick, [SESSION_CLOSED] = on_closed},
    [OJIN_PHASE_ADMITTED] = {[SESSION_OPENED] = on_opened, [SESSION_CLOSED] = on_closed},
    [OJIN_PHASE_SENDING_AWAY] =
        {[SESSION_TICK] = on_tick, [SESSION_RESUMED] = on_tick, [SESSION_CLOSED] = on_closed},
    [OJIN_PHASE_OPEN] = {[SESSION_TEXT] = ojin_receive_text,
                         [SESSION_BINARY] = ojin_receive_binary,
                         [SESSION_TICK] = on_tick,
                         [SESSION_RESUMED] = on_resumed,
                         [SESSION_CLOSED] = on_closed},
    [OJIN_PHASE_SILENCE] = {[SESSION_TEXT] = ojin_receive_text,
                            [SESSION_BINARY] = ojin_receive_binary,
                            [SESSION_TICK] = on_tick,
                            [SESSION_RESUMED] = on_resumed,
                            [SESSION_CLOSED] = on_closed},
    [OJIN_PHASE_SPEECH] = {[SESSION_TEXT] = ojin_receive_text,
                           [SESSION_BINARY] = ojin_receive_binary,
                           [SESSION_TICK] = on_tick,
                           [SESSION_RESUMED] = on_resumed,
                           [SESSION_CLOSED] = on_closed},
    [OJIN_PHASE_FINISHED] =
        {[SESSION_TICK] = on_tick, [SESSION_RESUMED] = on_tick, [SESSION_CLOSED] = on_closed},
};

static double seeded_fraction(struct seeded *seeded)
{
    return (double)(seeded_next(seeded) >> 11) / 9007199254740992.0; /* 2^53 */
}

static struct session *ojin_create(const struct session_config *config)
{
    assert(config->profile != NULL);
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->config = *config;
    session->has_quirks = quirks_any(&config->quirks);
    if (session->config.silence_percent == 0)
        session->config.silence_percent = SILENCE_PERCENT_DEFAULT;
    if (session->config.speech_percent == 0)
        session->config.speech_percent = SPEECH_PERCENT_DEFAULT;
    if (session->config.speed == 0)
        session->config.speed = 1;
    session->phase = OJIN_PHASE_NEW;
    session->speech_ready_us = UINT64_MAX;
    session->idle_params = OJIN_PARAMS_DEFAULT;
    struct seeded seeded = {.state = config->seed};
    uuid_generate(&seeded, session->trace_id);
    session->load = seeded_fraction(&seeded);
    session->interaction_seed = (struct seeded){.state = seeded_next(&seeded)};
    session->silence_seed = (struct seeded){.state = seeded_next(&seeded)};
    session->first_frame_us = UINT64_MAX;
    buffer_init(&session->picture, OJIN_PICTURE_BYTES_MAX);
    buffer_init(&session->padded, 2 * (size_t)OJIN_PICTURE_BYTES_MAX);
    speech_queue_init(&session->speech);
    return session;
}

static void ojin_destroy(struct session *session)
{
    if (session == NULL)
        return;
    speech_queue_free(&session->speech);
    buffer_free(&session->picture);
    buffer_free(&session->padded);
    free(session);
}

static void ojin_step(struct session *session, const struct session_event *event, struct actions *actions)
{
    assert((unsigned)event->kind < (unsigned)EVENT_COUNT);
    session->seen_us = event->now_us;
    phase_handler *handler = HANDLERS[session->phase][event->kind];
    if (handler != NULL)
        handler(session, event, actions);
}

static uint64_t ojin_deadline_us(const struct session *session)
{
    return ojin_run_deadline_us(session);
}

/* What a frame of silence needs: not the values of quirks before it, nor what is kept of speech behind it. */
static void ojin_warm(const struct session *session)
{
    warm(&session->config, offsetof(struct session_config, quirks));
    warm(&session->has_quirks, offsetof(struct session, refusal_text) - offsetof(struct session, has_quirks));
    warm(&session->finished_us, WARM_LINE_BYTES);
    warm(&session->speech, offsetof(struct session, padded) - offsetof(struct session, speech));
}

static const struct session_progress *ojin_progress(const struct session *session)
{
    return &session->progress;
}

static void ojin_set_epoch_ms(struct session *session, uint64_t epoch_ms)
{
    session->config.epoch_ms = epoch_ms;
}

static void ojin_set_quirks(struct session *session, const struct quirks *quirks)
{
    const bool pinged = ojin_quirk(session, OJIN_QUIRK_SESSION_PING) != 0;
    session->config.quirks = *quirks;
    session->has_quirks = quirks_any(quirks);
    ojin_stream_pace(session);
    if (!pinged)
        session->ping_us = session->seen_us + ojin_quirk(session, OJIN_QUIRK_SESSION_PING);
}

static const char *const RECEIVE_TYPES[] = {"audio", "endInteraction", "cancelInteraction", "other", NULL};

const struct session_class OJIN_SESSION_CLASS = {
    .family = &OJIN_FAMILY,
    .faults = OJIN_FAULTS,
    .cards = OJIN_CARDS,
    .messages = &OJIN_MESSAGES,
    .send_kinds = OJIN_SEND_KINDS,
    .receive_types = RECEIVE_TYPES,
    .quirks = OJIN_QUIRKS,
    .create = ojin_create,
    .destroy = ojin_destroy,
    .step = ojin_step,
    .deadline_us = ojin_deadline_us,
    .warm = ojin_warm,
    .progress = ojin_progress,
    .set_quirks = ojin_set_quirks,
    .set_epoch_ms = ojin_set_epoch_ms,
    .compose = ojin_compose,
    .classify = ojin_classify,
};
