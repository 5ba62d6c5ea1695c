#include "client/duplex/client.h"

#include <stdlib.h>

#include "client/duplex/internal.h"

/* ---- its life ---- */

struct duplex_client *duplex_client_new(const struct duplex_client_config *config)
{
    struct duplex_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    client->config = *config;
    client->profile = config->profile;
    if (config->seams != NULL)
        client->seams = *config->seams;
    client->config.seams = NULL;
    const uint32_t asked = client->seams.append_samples;
    client->append_samples = asked == 0                                 ? DUPLEX_APPEND_SAMPLES
                             : asked < DUPLEX_CLIENT_APPEND_SAMPLES_MAX ? asked
                                                                        : DUPLEX_CLIENT_APPEND_SAMPLES_MAX;
    microphone_init(&client->microphone, DUPLEX_CLIENT_TALK_SAMPLES_MAX);
    client->waiting = malloc((size_t)client->append_samples * DUPLEX_SAMPLE_BYTES);
    if (client->waiting == NULL) {
        duplex_client_free(client);
        return NULL;
    }
    client->reconnect = (struct reconnect){.random = config->reconnect_seed,
                                           .no_delay = client->seams.no_reconnect_delay,
                                           .no_growth = client->seams.no_reconnect_growth,
                                           .no_limit = client->seams.no_reconnect_limit};
    duplex_client_set_reconnect(client, config->reconnect_times);
    duplex_client_reset_session(client, 0);
    return client;
}

void duplex_client_free(struct duplex_client *client)
{
    if (client == NULL)
        return;
    duplex_client_release_outgoing(client);
    duplex_player_free(&client->player);
    microphone_free(&client->microphone);
    free(client->waiting);
    free(client);
}

void duplex_client_set_reconnect(struct duplex_client *client, uint32_t times)
{
    if (client->seams.reconnect_times != 0)
        times = client->seams.reconnect_times;
    if (client->seams.no_reconnect)
        times = 0;
    client->reconnect.times = times < RECONNECT_TIMES_MAX ? times : RECONNECT_TIMES_MAX;
}

/* ---- events ---- */

static void opened(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    const uint64_t given_us = client->seams.queue_wait_us;
    client->opened = true;
    client->summary.queued_us = now_us;
    if (client->phase != DUPLEX_CLIENT_CONNECTING)
        return;
    client->phase = DUPLEX_CLIENT_QUEUED;
    client->deadline_us = now_us + (given_us != 0 ? given_us : DUPLEX_CLIENT_QUEUE_WAIT_US);
    duplex_client_wait_for_pongs(client, now_us);
    if (client->seams.no_queue_wait)
        duplex_client_send_update(client, now_us, actions);
}

static void text_came(struct duplex_client *client, const struct client_event *event,
                      struct client_actions *actions)
{
    const struct duplex_client_seams *seams = &client->seams;
    enum client_taking taking = CLIENT_TAKE;
    if (!client->opened || client->lost)
        return;
    if (seams->incoming != NULL)
        taking = seams->incoming(seams->context, event->data);
    if (client->phase == DUPLEX_CLIENT_CLOSING)
        return;
    if (taking == CLIENT_GIVE_UP)
        duplex_client_begin_close(client, event->now_us, event->now_us, DUPLEX_CLOSE_NORMAL, true);
    else if (taking == CLIENT_TAKE)
        duplex_client_receive(client, event->now_us, event->data, actions);
}

static void handle(struct duplex_client *client, const struct client_event *event,
                   struct client_actions *actions)
{
    if (client->phase == DUPLEX_CLIENT_BACKING_OFF)
        return;
    switch (event->kind) {
    case CLIENT_OPENED:
        opened(client, event->now_us, actions);
        break;
    case CLIENT_REFUSED:
        if (!client->lost)
            duplex_client_refused(client, event, actions);
        break;
    case CLIENT_TEXT:
        text_came(client, event, actions);
        break;
    case CLIENT_CLOSED:
        if (!client->lost)
            duplex_client_connection_closed(client, event, actions);
        break;
    case CLIENT_PONG:
        client->pong_deadline_us = UINT64_MAX;
        break;
    case CLIENT_BINARY: /* the protocol has none */
        client->summary.unknown++;
        break;
    case CLIENT_TICK:
        break;
    }
}

static void advance(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    duplex_client_play_due(client, now_us, actions);
    duplex_client_send_due(client, now_us, actions);
    duplex_client_check_waits(client, now_us, actions);
    duplex_client_check_closing(client, now_us, actions);
    duplex_client_check_retry(client, now_us, actions);
}

void duplex_client_step(struct duplex_client *client, const struct client_event *event,
                        struct client_actions *actions)
{
    duplex_client_release_outgoing(client);
    duplex_player_release(&client->player);
    if (client->phase == DUPLEX_CLIENT_OVER)
        return;
    client->unsent = event->unsent;
    /* What was due before the event was heard before it. */
    duplex_client_play_due(client, event->now_us, actions);
    handle(client, event, actions);
    if (client->phase != DUPLEX_CLIENT_OVER)
        advance(client, event->now_us, actions);
}

uint64_t duplex_client_deadline_us(const struct duplex_client *client)
{
    if (client->phase == DUPLEX_CLIENT_OVER)
        return UINT64_MAX;
    if (client->phase == DUPLEX_CLIENT_BACKING_OFF)
        return client->retry_at_us;
    uint64_t deadline_us = duplex_client_play_deadline_us(client);
    deadline_us = duplex_client_earlier(deadline_us, duplex_client_send_deadline_us(client));
    deadline_us = duplex_client_earlier(deadline_us, duplex_client_waits_deadline_us(client));
    if (client->phase == DUPLEX_CLIENT_CLOSING && !client->lost) {
        deadline_us = duplex_client_earlier(deadline_us, client->deadline_us);
        if (client->opened)
            deadline_us = duplex_client_earlier(deadline_us, client->close_at_us);
    }
    return deadline_us;
}

/* ---- commands ---- */

bool duplex_client_talk(struct duplex_client *client, const float *samples, size_t count)
{
    if (client->user_closed || client->end_asked || client->phase == DUPLEX_CLIENT_OVER)
        return true; /* nobody is there to hear it */
    if (!microphone_add(&client->microphone, samples, count))
        return false;
    client->talked = true;
    client->progress.deltas = 0;
    client->progress.turns = 0;
    client->progress.listens = 0;
    client->progress.idle = false;
    return true;
}

void duplex_client_force_listen(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase != DUPLEX_CLIENT_STREAMING)
        return;
    duplex_client_play_due(client, now_us, actions);
    client->force_due = true;
    client->progress.listens = 0;
    if (client->seams.keep_playing_on_interrupt) {
        struct observation cancelled = {.kind = OBSERVED_CANCELLED,
                                        .has_at = true,
                                        .at = (uint32_t)duplex_player_at(&client->player, now_us)};
        duplex_client_observe(client, &cancelled, actions);
        return;
    }
    if (!client->seams.play_before_listen)
        client->muted_until_us = UINT64_MAX; /* until the append has left, and then for a while */
    duplex_client_drop(client, now_us, OBSERVED_CANCELLED, NULL, actions);
}

void duplex_client_end(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    client->end_asked = true;
    if (client->phase != DUPLEX_CLIENT_OVER)
        advance(client, now_us, actions);
}

void duplex_client_close(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    const bool early = client->seams.no_early_close && client->phase >= DUPLEX_CLIENT_CONNECTING &&
                       client->phase < DUPLEX_CLIENT_STREAMING;
    if (client->phase == DUPLEX_CLIENT_OVER || early)
        return;
    duplex_client_play_due(client, now_us, actions);
    duplex_client_stop(client, now_us, actions);
    duplex_client_check_closing(client, now_us, actions);
}

/* ---- looking at it ---- */

enum duplex_client_phase duplex_client_phase(const struct duplex_client *client)
{
    return client->phase;
}

const char *duplex_client_phase_name(enum duplex_client_phase phase)
{
    static const char *const NAMES[] = {
        [DUPLEX_CLIENT_BACKING_OFF] = "waiting to try again",
        [DUPLEX_CLIENT_CONNECTING] = "connecting",
        [DUPLEX_CLIENT_QUEUED] = "in the queue",
        [DUPLEX_CLIENT_CREATING] = "waiting for session.created",
        [DUPLEX_CLIENT_STREAMING] = "talking",
        [DUPLEX_CLIENT_STOPPING] = "ending",
        [DUPLEX_CLIENT_CLOSING] = "closing",
        [DUPLEX_CLIENT_OVER] = "over",
    };
    return NAMES[phase];
}

const struct duplex_client_summary *duplex_client_summary(const struct duplex_client *client)
{
    return &client->summary;
}

void duplex_client_progress(const struct duplex_client *client, struct duplex_client_progress *out)
{
    *out = client->progress;
    out->sent = duplex_client_is_sent(client);
}
