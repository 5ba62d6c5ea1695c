/*
 * The interview family's session core: 004, and the field notes for what a deployed server does. This file
 * holds the table of stage by event; what its cells do stands in the files that session.h lists.
 */
#include "server/interview/session.h"

#include <stdlib.h>

#include "codec/interview/family.h"
#include "server/interview/messages.h"
#include "server/interview/session_class.h"
#include "server/interview/tables.h"

typedef void stage_handler(struct session *session, const struct session_event *event,
                           struct actions *actions);

static void on_opened(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)actions;
    session->opened_us = session->looked_us = event->now_us;
    session->stage = INTERVIEW_STAGE_OPEN;
    session->connected_us = event->now_us + INTERVIEW_CONNECT_US;
    if (interview_quirk(session, INTERVIEW_QUIRK_SLOW_CONNECT) != 0)
        session->connected_us = event->now_us + interview_quirk(session, INTERVIEW_QUIRK_SLOW_CONNECT);
    if (session->refusal != NULL)
        interview_close(session, INTERVIEW_CLOSE_POLICY, INTERVIEW_REASON_POLICY, NULL, event->now_us);
}

/* In a replay nobody else is there: what the others did is told with the tick that found it. */
static void lose_again(struct session *session, uint64_t now_us)
{
    session->seat.lost = true;
    session->looked_us = now_us < INTERVIEW_LOOK_US ? 0 : now_us - INTERVIEW_LOOK_US;
}

static void on_tick(struct session *session, const struct session_event *event, struct actions *actions)
{
    if (event->put_out.len > 0 && !session->seat.lost)
        lose_again(session, event->now_us);
    interview_run(session, event->now_us, actions);
}

static void on_closed(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)event;
    (void)actions;
    session->stage = INTERVIEW_STAGE_CLOSED;
    room_leave(&session->seat);
}

static void on_shutdown(struct session *session, const struct session_event *event, struct actions *actions)
{
    (void)actions;
    interview_close(session, INTERVIEW_CLOSE_RESTART, "SERVICE_RESTART", "The server restarts",
                    event->now_us);
}

enum { EVENT_COUNT = SESSION_CLOSED + 1 };

/* An empty cell does nothing: the event is late, or the host's own affair. */
static stage_handler *const HANDLERS[INTERVIEW_STAGE_COUNT][EVENT_COUNT] = {
    [INTERVIEW_STAGE_NEW] =
        {[SESSION_REQUEST] = interview_admit, [SESSION_OPENED] = on_opened, [SESSION_CLOSED] = on_closed},
    [INTERVIEW_STAGE_ADMITTED] = {[SESSION_OPENED] = on_opened, [SESSION_CLOSED] = on_closed},
    [INTERVIEW_STAGE_OPEN] = {[SESSION_TEXT] = interview_receive_text,
                              [SESSION_BINARY] = interview_receive_binary,
                              [SESSION_TICK] = on_tick,
                              [SESSION_RESUMED] = on_tick,
                              [SESSION_SHUTDOWN] = on_shutdown,
                              [SESSION_CLOSED] = on_closed},
};

/* A quirk of spelling takes that one member from the deployed server's dialect. */
static void dialect_set(struct session *session)
{
    const struct interview_dialect *deployed = INTERVIEW_PROFILES[INTERVIEW_PROFILE_DEPLOYED].dialect;
    struct interview_dialect *dialect = &session->dialect;
    *dialect = *session->profile->dialect;
    if (interview_quirk(session, INTERVIEW_QUIRK_CONNECTED_TYPE) != 0)
        dialect->connected = deployed->connected;
    if (interview_quirk(session, INTERVIEW_QUIRK_AUDIO_COMMIT) != 0)
        dialect->commit = deployed->commit;
    if (interview_quirk(session, INTERVIEW_QUIRK_TRANSCRIPT_ROLES) != 0) {
        dialect->speaker = deployed->speaker;
        dialect->candidate = deployed->candidate;
        dialect->ai = deployed->ai;
    }
    if (interview_quirk(session, INTERVIEW_QUIRK_ERROR_MEMBER) != 0)
        dialect->error_code = deployed->error_code;
    if (interview_quirk(session, INTERVIEW_QUIRK_MILLISECONDS) != 0)
        dialect->milliseconds = deployed->milliseconds;
    if (interview_quirk(session, INTERVIEW_QUIRK_PING_PONG) != 0 ||
        interview_quirk(session, INTERVIEW_QUIRK_SERVER_PINGS) != 0)
        dialect->pings = deployed->pings;
}

static void quirks_set(struct session *session, const struct quirks *quirks)
{
    session->config.quirks = *quirks;
    session->has_quirks = quirks_any(quirks);
    dialect_set(session);
}

static struct session *interview_create(const struct session_config *config)
{
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->config = *config;
    if (session->config.speech_percent == 0)
        session->config.speech_percent = SPEECH_PERCENT_DEFAULT;
    session->profile = interview_profile_of(config->profile);
    session->refused_by = INTERVIEW_ERROR_COUNT;
    energy_init(&session->energy, INTERVIEW_RATE);
    quirks_set(session, &config->quirks);
    return session;
}

static void interview_destroy(struct session *session)
{
    if (session == NULL)
        return;
    room_leave(&session->seat);
    free(session);
}

static void interview_step(struct session *session, const struct session_event *event,
                           struct actions *actions)
{
    stage_handler *handler = HANDLERS[session->stage][event->kind];
    session->put_out = NULL;
    if (handler != NULL)
        handler(session, event, actions);
}

static const struct session_progress *interview_progress(const struct session *session)
{
    return &session->progress;
}

static const char *interview_refusal(const struct session *session)
{
    return session->refusal;
}

static const char *interview_put_out(const struct session *session)
{
    return session->put_out;
}

static void interview_set_epoch_ms(struct session *session, uint64_t epoch_ms)
{
    session->config.epoch_ms = epoch_ms;
}

const struct session_class INTERVIEW_SESSION_CLASS = {
    .family = &INTERVIEW_FAMILY,
    .send_kinds = INTERVIEW_SEND_KINDS,
    .receive_types = INTERVIEW_RECEIVE_TYPES,
    .quirks = INTERVIEW_QUIRKS,
    .faults = INTERVIEW_FAULTS,
    .cards = INTERVIEW_CARDS,
    .messages = &INTERVIEW_MESSAGES,
    .has_tokens = true,
    .config_of = interview_id_of,
    .create = interview_create,
    .destroy = interview_destroy,
    .step = interview_step,
    .deadline_us = interview_run_deadline_us,
    .progress = interview_progress,
    .refusal = interview_refusal,
    .put_out = interview_put_out,
    .set_quirks = quirks_set,
    .set_epoch_ms = interview_set_epoch_ms,
    .compose = interview_compose,
    .classify = interview_classify,
};
