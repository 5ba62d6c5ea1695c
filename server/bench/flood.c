/*
 * A session class whose whole service is one message after another, and the listener with it.
 *
 * A message is due as soon as the host has come round to the session again. That hangs on the host's clock,
 * which a class is not told; this one finds it where another has its persona.
 */
#include <stdio.h>
#include <stdlib.h>

#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "server/bench/bench.h"
#include "server/net/mock_server.h"
#include "server/ojin/messages.h"

struct persona {
    struct mock_server *server;
};

struct session {
    const struct persona *host;
    bool flooding;
    uint64_t due_us;
    struct session_progress progress;
};

static struct session *flood_create(const struct session_config *config)
{
    struct session *session = calloc(1, sizeof *session);
    if (session != NULL)
        session->host = config->persona;
    return session;
}

static void flood_destroy(struct session *session)
{
    free(session);
}

static void flood_send(struct actions *actions)
{
    static const uint8_t payload[FLOOD_MESSAGE_BYTES] = {1};
    struct action *action = NULL;
    uint8_t *room = actions_add(actions, ACTION_SEND_BINARY, "silence", sizeof payload, &action);
    if (room == NULL)
        return;
    memcpy(room, payload, sizeof payload);
    action->fault = true; /* no frame of any protocol, and none shall be dropped */
}

static void flood_step(struct session *session, const struct session_event *event, struct actions *actions)
{
    switch (event->kind) {
    case SESSION_REQUEST:
        actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL);
        break;
    case SESSION_BINARY:
        session->flooding = true;
        session->due_us = event->now_us + 1;
        break;
    case SESSION_TICK:
        if (session->flooding)
            flood_send(actions);
        session->due_us = mock_server_now_us(session->host->server) + 1;
        break;
    case SESSION_CLOSED:
        session->flooding = false;
        break;
    case SESSION_OPENED:
    case SESSION_TEXT:
    case SESSION_RESUMED:
    case SESSION_SHUTDOWN:
        break;
    }
}

static uint64_t flood_deadline_us(const struct session *session)
{
    return session->flooding ? session->due_us : UINT64_MAX;
}

static const struct session_progress *flood_progress(const struct session *session)
{
    return &session->progress;
}

static bool flood_compose(struct session *session, uint64_t now_us, const char *kind,
                          const struct compose_option *options, size_t option_count, struct actions *actions,
                          char error[200])
{
    (void)session, (void)now_us, (void)kind, (void)options, (void)option_count, (void)actions;
    error[0] = '\0';
    return false;
}

static const char *flood_classify(bool binary, struct bytes message)
{
    (void)binary, (void)message;
    return "other";
}

static const struct profile *const FLOOD_PROFILES[] = {NULL};
static const char *const FLOOD_GROUPS[] = {NULL};
static const struct family FLOOD_FAMILY = {.name = "flood",
                                           .profiles = FLOOD_PROFILES,
                                           .profile_groups = FLOOD_GROUPS,
                                           .rules = &OJIN_RULES,
                                           .server_rules = &OJIN_SERVER_RULES};

static const struct session_class FLOOD_SESSION_CLASS = {
    .family = &FLOOD_FAMILY,
    .messages = &OJIN_MESSAGES,
    .send_kinds = &(const struct send_kind){.name = NULL},
    .receive_types = &(const char *const){NULL},
    .create = flood_create,
    .destroy = flood_destroy,
    .step = flood_step,
    .deadline_us = flood_deadline_us,
    .progress = flood_progress,
    .compose = flood_compose,
    .classify = flood_classify,
};

static void on_stopped(void *context)
{
    (void)context;
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    struct persona *host = handle->data;
    uv_close((uv_handle_t *)handle, NULL);
    mock_server_stop(host->server, on_stopped, NULL);
}

void flood_serve(int fd, const void *context)
{
    const struct flood *flood = context;
    struct persona host = {NULL};
    char error[MOCK_ERROR_MAX];
    uv_loop_t loop;
    uv_signal_t terminate;
    struct mock_server_options options = {
        .path = "/realtime",
        .engine = {.session_class = &FLOOD_SESSION_CLASS,
                   .session = {.profile = &OJIN_PROFILES[0].base, .seed = 1, .persona = &host}},
        .recorder = {.rules = {.profile = &OJIN_PROFILES[0].base},
                     .session_class = &FLOOD_SESSION_CLASS,
                     .without_checksums = true},
        .tls = {.on = flood->tls}};
    uv_loop_init(&loop);
    host.server = mock_server_start(&loop, &options, error);
    if (host.server == NULL)
        return;
    uv_signal_init(&loop, &terminate);
    terminate.data = &host;
    uv_signal_start(&terminate, on_signal, SIGTERM);
    dprintf(fd, "{\"port\":%u}\n", mock_server_port(host.server));
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
}
