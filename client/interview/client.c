#include "client/interview/client.h"

#include <stdlib.h>

#include "client/interview/internal.h"

/* ---- what its life asks of it ---- */

static void begin(void *owner, uint64_t now_us)
{
    struct interview_client *client = owner;
    client->life.deadline_us = now_us + INTERVIEW_CLIENT_UPGRADE_WAIT_US;
    client->due_us = UINT64_MAX;
    client->blocked_us = UINT64_MAX;
    client->awaits_reply = false;
    client->reply_open = false;
    client->muted = false;
    client->quiet_at_us = now_us;
}

static void opened(void *owner, uint64_t now_us, struct client_actions *actions)
{
    (void)actions;
    struct interview_client *client = owner;
    client->life.stage = INTERVIEW_CLIENT_JOINING;
    client->life.deadline_us = now_us + INTERVIEW_CLIENT_CONNECTED_WAIT_US;
    if (!client->clock_runs)
        player_start(&client->player, now_us);
    client->clock_runs = true;
}

static void message_came(void *owner, const struct client_event *event, struct client_actions *actions)
{
    struct interview_client *client = owner;
    if (event->kind == CLIENT_BINARY) /* the protocol has none */
        client->summary.unknown++;
    else if (client->life.stage != 0) /* else it closes */
        interview_client_receive(client, event->now_us, event->data, actions);
}

static const char *const STAGES[] = {
    [INTERVIEW_CLIENT_JOINING] = "waiting for the session",
    [INTERVIEW_CLIENT_TALKING] = "talking",
};

static const struct client_life_family LIFE = {
    .stages = STAGES,
    .begin = begin,
    .opened = opened,
    .message = message_came,
    .overdue = interview_client_overdue,
    .is_done = interview_client_is_done,
    .plays_on = interview_client_plays_on,
    .leave = interview_client_leave,
    .retry_wait_us = interview_client_retry_wait_us,
    .read_refusal = interview_client_read_refusal,
};

/* ---- its making ---- */

static const struct player_format FORMAT = {.rate_hz = INTERVIEW_RATE,
                                            .sample_bytes = INTERVIEW_SAMPLE_BYTES,
                                            .margin_us = INTERVIEW_CLIENT_MARGIN_US};

struct interview_client *interview_client_new(const struct interview_client_config *config)
{
    struct interview_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    client->config = *config;
    client->dialect = config->profile->dialect;
    player_init(&client->player, &FORMAT);
    client_life_init(&client->life, &LIFE, client, &config->life);
    return client;
}

void interview_client_free(struct interview_client *client)
{
    if (client == NULL)
        return;
    client_life_release(&client->life);
    player_free(&client->player);
    answers_free(&client->answers);
    free(client);
}

/* ---- steps ---- */

static void advance(struct interview_client *client, uint64_t now_us, struct client_actions *actions)
{
    interview_client_play_due(client, now_us, actions);
    interview_client_send_due(client, now_us, actions);
    interview_client_check_waits(client, now_us, actions);
    client_life_check_end(&client->life, now_us, actions);
}

void interview_client_step(struct interview_client *client, const struct client_event *event,
                           struct client_actions *actions)
{
    client_life_release(&client->life);
    player_release(&client->player);
    answers_release(&client->answers);
    client->said = (struct bytes){0};
    if (client->life.standing == CLIENT_STANDS_OVER)
        return;
    client->unsent = event->unsent;
    /* What was due before the event was heard before it. */
    interview_client_play_due(client, event->now_us, actions);
    client_life_event(&client->life, event, actions);
    if (client->life.standing != CLIENT_STANDS_OVER)
        advance(client, event->now_us, actions);
}

uint64_t interview_client_deadline_us(const struct interview_client *client)
{
    uint64_t deadline_us = interview_client_waits_deadline_us(client);
    if (client->life.standing == CLIENT_STANDS_OVER || client->life.standing == CLIENT_STANDS_WAITING)
        return deadline_us;
    deadline_us = client_earlier(deadline_us, interview_client_play_deadline_us(client));
    return client_earlier(deadline_us, interview_client_send_deadline_us(client));
}

/* ---- commands ---- */

bool interview_client_answer(struct interview_client *client, const int16_t *samples, size_t count)
{
    if (client->life.user_closed || client->end_asked || client->life.standing == CLIENT_STANDS_OVER)
        return true; /* nobody is there to hear it */
    if (!answers_add(&client->answers, samples, count, INTERVIEW_CLIENT_ANSWER_SAMPLES_MAX))
        return false;
    client->life.progress.speech = 0;
    client->life.progress.turns = 0;
    client->life.progress.idle = false;
    client->life.progress.final = false;
    return true;
}

void interview_client_cancel(struct interview_client *client, uint64_t now_us, struct client_actions *actions)
{
    struct interview_message message = {.type = INTERVIEW_MESSAGE_CANCEL_RESPONSE};
    if (client->life.stage != INTERVIEW_CLIENT_TALKING)
        return;
    interview_client_play_due(client, now_us, actions);
    client->muted = client->muted || client->awaits_reply || client->reply_open;
    client->quiet_at_us = now_us;
    interview_client_send(client, &message, actions);
    const uint64_t turns = client->life.progress.turns;
    interview_client_drop(client, now_us, true, actions);
    if (client->awaits_reply)
        client->life.progress.turns = turns + 1; /* also when nothing of it came yet */
    client->awaits_reply = false;
}

void interview_client_end(struct interview_client *client, uint64_t now_us, struct client_actions *actions)
{
    client->end_asked = true;
    if (client->life.standing != CLIENT_STANDS_OVER)
        advance(client, now_us, actions);
}

void interview_client_close(struct interview_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->life.standing == CLIENT_STANDS_OVER)
        return;
    interview_client_play_due(client, now_us, actions);
    interview_client_drop(client, now_us, false, actions);
    if (client_life_leave(&client->life))
        client_life_begin_close(&client->life, now_us, now_us, INTERVIEW_CLOSE_NORMAL, true);
    client_life_check_end(&client->life, now_us, actions);
}

void interview_client_set_reconnect(struct interview_client *client, uint32_t times)
{
    client_life_set_reconnect(&client->life, times);
}

/* ---- looking at it ---- */

const struct client_life *interview_client_life(const struct interview_client *client)
{
    return &client->life;
}

const struct interview_client_summary *interview_client_summary(const struct interview_client *client)
{
    return &client->summary;
}

void interview_client_progress(const struct interview_client *client, struct client_progress *out)
{
    *out = client->life.progress;
    out->sent = client->life.progress.ready && answers_are_empty(&client->answers);
}

bool interview_client_said(const struct interview_client *client, uint64_t *at, struct bytes *pcm)
{
    *at = client->said_at;
    *pcm = client->said;
    return client->said.len > 0;
}
