#include "client/ojin/client.h"

#include <stdlib.h>

#include "client/ojin/internal.h"
#include "codec/ojin/messages.h"
#include "codec/wire/json.h"

/* ---- what its life asks of it ---- */

static void opened(void *owner, uint64_t now_us, struct client_actions *actions)
{
    struct ojin_client *client = owner;
    (void)actions;
    client->life.stage = OJIN_CLIENT_AWAITING_READY;
    client->life.deadline_us = now_us + client->ready_wait_us;
}

static void message_came(void *owner, const struct client_event *event, struct client_actions *actions)
{
    struct ojin_client *client = owner;
    if (client->life.stage == 0) /* it closes */
        return;
    if (event->kind == CLIENT_BINARY)
        ojin_client_receive_frame(client, event->now_us, event->data, actions);
    else
        ojin_client_receive_text(client, event->now_us, event->data, actions);
}

static const char *const STAGES[] = {
    [OJIN_CLIENT_AWAITING_READY] = "waiting for sessionReady",
    [OJIN_CLIENT_STREAMING] = "speaking",
    [OJIN_CLIENT_ENDING] = "speaking, then ending",
};

static const struct client_life_family LIFE = {
    .stages = STAGES,
    .begin = ojin_client_begin,
    .opened = opened,
    .message = message_came,
    .overdue = ojin_client_overdue,
    .closing = ojin_client_closing,
    .is_done = ojin_client_is_done,
    .plays_on = ojin_client_plays_on,
    .leave = ojin_client_leave,
    .read_refusal = ojin_client_read_refusal,
};

/* ---- its making ---- */

struct ojin_client *ojin_client_new(const struct ojin_client_config *config)
{
    struct ojin_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    const struct ojin_profile *profile = ojin_profile_of(config->profile);
    client->profile = profile;
    client->played_audio = profile->played_audio;
    client->ready_wait_us = config->ready_wait_us != 0 ? config->ready_wait_us : OJIN_CLIENT_READY_WAIT_US;
    client->stall_wait_us = OJIN_CLIENT_STALL_WAIT_US;
    client->final_wait_us = OJIN_CLIENT_FINAL_WAIT_US;
    speech_init(&client->speech, profile->played_audio == OJIN_PLAY_OWN_SPEECH);
    frame_buffer_init(&client->buffer,
                      config->buffer_target != 0 ? config->buffer_target : OJIN_BUFFER_TARGET_FRAMES);
    const uint32_t profile_chunk =
        profile->chunk_samples != 0 ? profile->chunk_samples : OJIN_CLIENT_CHUNK_SAMPLES_DEFAULT;
    client->fresh_sender = (struct sender){
        .chunk_samples = config->chunk_samples != 0 ? config->chunk_samples : profile_chunk,
        .whole_chunks = config->chunk_samples == 0 && profile->chunk_samples != 0,
        .last_speech_us = UINT64_MAX,
    };
    client_life_init(&client->life, &LIFE, client, &config->life);
    return client;
}

void ojin_client_free(struct ojin_client *client)
{
    if (client == NULL)
        return;
    client_life_release(&client->life);
    frame_buffer_free(&client->buffer);
    speech_free(&client->speech);
    free(client);
}

/* ---- time ---- */

static void advance(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->turn.settling && now_us >= client->turn.cancelled_us + OJIN_CLIENT_SETTLE_WAIT_US)
        turn_settle(&client->turn);
    ojin_client_send_due(client, now_us, actions);
    ojin_client_check_waits(client, now_us, actions);
    client_life_check_end(&client->life, now_us, actions);
}

uint64_t ojin_client_deadline_us(const struct ojin_client *client)
{
    uint64_t deadline_us =
        client_earlier(ojin_client_waits_deadline_us(client), ojin_client_play_deadline_us(client));
    if (client->life.standing == CLIENT_STANDS_OVER || client->life.standing == CLIENT_STANDS_WAITING)
        return client_life_deadline_us(&client->life);
    if (client->life.stage != 0 && client->turn.settling)
        deadline_us = client_earlier(deadline_us, client->turn.cancelled_us + OJIN_CLIENT_SETTLE_WAIT_US);
    return client_earlier(deadline_us, ojin_client_send_deadline_us(client));
}

/* ---- steps ---- */

void ojin_client_step(struct ojin_client *client, const struct client_event *event,
                      struct client_actions *actions)
{
    client_life_release(&client->life);
    frame_buffer_release(&client->buffer);
    client->plays = 0;
    if (client->life.standing == CLIENT_STANDS_OVER)
        return;
    sender_taken(&client->sender, event->now_us, event->unsent, event->taken_us);
    client_life_event(&client->life, event, actions);
    if (client->life.standing == CLIENT_STANDS_OVER)
        return;
    ojin_client_play_due(client, event->now_us, actions);
    advance(client, event->now_us, actions);
}

/* ---- commands ---- */

static bool are_params(struct bytes params)
{
    cJSON *json = NULL;
    if (params.len == 0)
        return true;
    bool good = params.len <= OJIN_CLIENT_PARAMS_BYTES_MAX && json_parse(params, &json).status == WIRE_OK &&
                cJSON_IsObject(json);
    cJSON_Delete(json);
    return good;
}

bool ojin_client_speak(struct ojin_client *client, uint64_t now_us, const int16_t *samples, size_t count,
                       struct client_actions *actions)
{
    return ojin_client_speak_with(client, now_us, samples, count, (struct bytes){0}, actions);
}

bool ojin_client_speak_with(struct ojin_client *client, uint64_t now_us, const int16_t *samples, size_t count,
                            struct bytes params, struct client_actions *actions)
{
    if (client_life_is_ending(&client->life) || client->end_asked)
        return true; /* nobody is there to hear it */
    if (!are_params(params) || !speech_add(&client->speech, samples, count, params))
        return false;
    client->sender.last_handed_us = now_us;
    client->life.progress.speech = 0;
    client->life.progress.idle = false;
    client->spoke = false;
    ojin_client_send_due(client, now_us, actions);
    return true;
}

struct cancel_scan {
    struct turn *turn;
    bool any;
};

static bool is_speech(void *context, const struct ojin_frame *frame)
{
    struct cancel_scan *scan = context;
    if (frame->index != OJIN_INDEX_SPEECH)
        return false;
    scan->any = true;
    turn_add_cancelled(scan->turn, frame->interaction);
    return true;
}

void ojin_client_cancel(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client_life_is_ending(&client->life))
        return;
    speech_drop(&client->speech);
    struct cancel_scan scan = {.turn = &client->turn};
    frame_buffer_drop(&client->buffer, is_speech, &scan);
    const bool asked = (scan.any || turn_is_due(&client->turn)) && !client->life.lost;
    turn_cancel(&client->turn, now_us, asked);
    client->cancel_due = client->cancel_due || asked;
    client->final_waived = client->final_waived || (asked && client->end_sent);
    client->spoke = true;
    client->stall_at_us = UINT64_MAX;
    struct observation observation = {.kind = OBSERVED_CANCELLED};
    client_life_observe(&client->life, &observation, actions);
    advance(client, now_us, actions);
}

void ojin_client_end(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client_life_is_ending(&client->life))
        return;
    client->end_asked = true;
    if (client->life.stage == OJIN_CLIENT_STREAMING)
        client->life.stage = OJIN_CLIENT_ENDING;
    advance(client, now_us, actions);
}

void ojin_client_close(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!client_life_leave(&client->life))
        return;
    client_life_begin_close(&client->life, now_us, now_us, OJIN_CLOSE_NORMAL, true);
    client_life_check_end(&client->life, now_us, actions);
}

void ojin_client_set_reconnect(struct ojin_client *client, uint32_t times)
{
    client_life_set_reconnect(&client->life, times);
}

/* ---- looking at it ---- */

const struct client_life *ojin_client_life(const struct ojin_client *client)
{
    return &client->life;
}

const struct ojin_client_summary *ojin_client_summary(const struct ojin_client *client)
{
    return &client->summary;
}

void ojin_client_progress(const struct ojin_client *client, struct client_progress *out)
{
    *out = client->life.progress;
    out->sent = client->life.progress.ready && !client->opening_due && speech_unsent(&client->speech) == 0;
}
