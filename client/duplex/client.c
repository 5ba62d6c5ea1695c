#include "client/duplex/client.h"

#include <stdlib.h>

#include "client/duplex/internal.h"

/* ---- what its life asks of it ---- */

static void opened(void *owner, uint64_t now_us, struct client_actions *actions)
{
    struct duplex_client *client = owner;
    (void)actions;
    client->life.stage = DUPLEX_CLIENT_QUEUED;
    client->life.deadline_us = now_us + DUPLEX_CLIENT_QUEUE_WAIT_US;
}

static void message_came(void *owner, const struct client_event *event, struct client_actions *actions)
{
    struct duplex_client *client = owner;
    if (event->kind == CLIENT_BINARY) /* the protocol has none */
        client->summary.unknown++;
    else if (client->life.stage != 0) /* else it closes */
        duplex_client_receive(client, event->now_us, event->data, actions);
}

static const char *const STAGES[] = {
    [DUPLEX_CLIENT_QUEUED] = "in the queue",
    [DUPLEX_CLIENT_CREATING] = "waiting for session.created",
    [DUPLEX_CLIENT_STREAMING] = "talking",
    [DUPLEX_CLIENT_STOPPING] = "ending",
};

static const struct client_life_family LIFE = {
    .stages = STAGES,
    .begin = duplex_client_begin,
    .opened = opened,
    .message = message_came,
    .overdue = duplex_client_overdue,
    .plays_on = duplex_client_plays_on,
    .leave = duplex_client_leave,
    .read_refusal = duplex_client_read_refusal,
};

/* ---- its making ---- */

static const struct player_format FORMAT = {.rate_hz = DUPLEX_OUTPUT_RATE,
                                            .sample_bytes = DUPLEX_SAMPLE_BYTES,
                                            .margin_us = DUPLEX_PLAYER_MARGIN_US,
                                            .piece_samples = DUPLEX_DELTA_SAMPLES};

struct duplex_client *duplex_client_new(const struct duplex_client_config *config)
{
    struct duplex_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    client->config = *config;
    client->profile = config->profile;
    client->append_samples = DUPLEX_APPEND_SAMPLES;
    player_init(&client->player, &FORMAT);
    microphone_init(&client->microphone, DUPLEX_CLIENT_TALK_SAMPLES_MAX);
    client_life_init(&client->life, &LIFE, client, &config->life);
    return client;
}

void duplex_client_free(struct duplex_client *client)
{
    if (client == NULL)
        return;
    client_life_release(&client->life);
    player_free(&client->player);
    microphone_free(&client->microphone);
    free(client);
}

/* ---- steps ---- */

static void advance(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    duplex_client_play_due(client, now_us, actions);
    duplex_client_send_due(client, now_us, actions);
    duplex_client_check_waits(client, now_us, actions);
    client_life_check_end(&client->life, now_us, actions);
}

void duplex_client_step(struct duplex_client *client, const struct client_event *event,
                        struct client_actions *actions)
{
    client_life_release(&client->life);
    player_release(&client->player);
    if (client->life.standing == CLIENT_STANDS_OVER)
        return;
    client->unsent = event->unsent;
    /* What was due before the event was heard before it. */
    duplex_client_play_due(client, event->now_us, actions);
    client_life_event(&client->life, event, actions);
    if (client->life.standing != CLIENT_STANDS_OVER)
        advance(client, event->now_us, actions);
}

uint64_t duplex_client_deadline_us(const struct duplex_client *client)
{
    uint64_t deadline_us = duplex_client_waits_deadline_us(client);
    if (client->life.standing == CLIENT_STANDS_OVER || client->life.standing == CLIENT_STANDS_WAITING)
        return deadline_us;
    deadline_us = client_earlier(deadline_us, duplex_client_play_deadline_us(client));
    return client_earlier(deadline_us, duplex_client_send_deadline_us(client));
}

/* ---- commands ---- */

bool duplex_client_talk(struct duplex_client *client, const float *samples, size_t count)
{
    if (client->life.user_closed || client->end_asked || client->life.standing == CLIENT_STANDS_OVER)
        return true; /* nobody is there to hear it */
    if (!microphone_add(&client->microphone, samples, count))
        return false;
    client->talked = true;
    client->life.progress.speech = 0;
    client->life.progress.turns = 0;
    client->life.progress.listens = 0;
    client->life.progress.idle = false;
    return true;
}

void duplex_client_force_listen(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->life.stage != DUPLEX_CLIENT_STREAMING)
        return;
    duplex_client_play_due(client, now_us, actions);
    client->force_due = true;
    client->life.progress.listens = 0;
    client->muted_until_us = UINT64_MAX; /* until the append has left, and then for a while */
    duplex_client_drop(client, now_us, OBSERVED_CANCELLED, NULL, actions);
}

void duplex_client_end(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    client->end_asked = true;
    if (client->life.standing != CLIENT_STANDS_OVER)
        advance(client, now_us, actions);
}

void duplex_client_close(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->life.standing == CLIENT_STANDS_OVER)
        return;
    duplex_client_play_due(client, now_us, actions);
    duplex_client_stop(client, now_us, actions);
    client_life_check_end(&client->life, now_us, actions);
}

void duplex_client_set_reconnect(struct duplex_client *client, uint32_t times)
{
    client_life_set_reconnect(&client->life, times);
}

/* ---- looking at it ---- */

const struct client_life *duplex_client_life(const struct duplex_client *client)
{
    return &client->life;
}

const struct duplex_client_summary *duplex_client_summary(const struct duplex_client *client)
{
    return &client->summary;
}

void duplex_client_progress(const struct duplex_client *client, struct client_progress *out)
{
    *out = client->life.progress;
    out->sent = duplex_client_is_sent(client);
}
