/* What the client says: session.update, an append a second, session.close. 002 Message Format. */
#include "client/duplex/internal.h"

enum { MESSAGE_BYTES_MAX = 4 * DUPLEX_MESSAGE_BYTES_MAX };

static const char INSTRUCTIONS[] = "You are a helpful assistant. Answer in one or two short sentences.";

/* ---- messages on their way ---- */

void duplex_client_send(struct duplex_client *client, struct duplex_message *message,
                        struct client_actions *actions)
{
    struct buffer out;
    buffer_init(&out, MESSAGE_BYTES_MAX);
    bool good = duplex_message_write(client->profile, message, &out);
    if (!good)
        buffer_free(&out);
    else
        good = client_life_send(&client->life, CLIENT_SEND_TEXT, &out, actions);
    if (!good)
        client_life_no_memory(&client->life, "a message could not be written", actions);
}

void duplex_client_send_update(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    const struct duplex_client_config *config = &client->config;
    struct duplex_message update = {
        .type = DUPLEX_MESSAGE_UPDATE,
        .has_instructions = true,
        .instructions = config->instructions.len > 0 ? config->instructions : bytes_of_text(INSTRUCTIONS),
        .has_max_slices = client->profile->slices && config->max_slices != 0,
        .max_slices = config->max_slices,
        .ref_audio = config->ref_audio,
        .tts_ref_audio = config->tts_ref_audio,
    };
    client->life.stage = DUPLEX_CLIENT_CREATING;
    client->life.deadline_us = now_us + DUPLEX_CLIENT_CREATED_WAIT_US;
    duplex_client_send(client, &update, actions);
}

/* ---- appends ---- */

/* A second of sound into `waiting`; what it holds and the server did not take is lost. */
static void take_second(struct duplex_client *client)
{
    if (client->is_waiting)
        client->summary.appends_dropped++;
    client->waiting_speech = microphone_take(&client->microphone, client->append_samples, client->waiting);
    client->is_waiting = true;
}

static void send_append(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    const struct duplex_client_config *config = &client->config;
    struct duplex_message append = {
        .type = DUPLEX_MESSAGE_APPEND,
        .has_audio = true,
        .audio = bytes_of(client->waiting, client->append_samples * DUPLEX_SAMPLE_BYTES),
        .has_force_listen = true,
        .force_listen = client->force_due,
    };
    if (client->profile->pictures && config->picture_count > 0) {
        append.has_pictures = true;
        append.picture_count = 1;
        append.pictures[0].jpeg = config->pictures[client->next_picture++ % config->picture_count];
        client->summary.pictures_sent++;
    }
    client->is_waiting = false;
    if (client->force_due && client->muted_until_us == UINT64_MAX)
        client->muted_until_us = now_us + DUPLEX_CLIENT_LISTEN_WAIT_US;
    client->force_due = false;
    client->summary.appends++;
    client->summary.samples_sent += client->waiting_speech;
    if (client->waiting_speech > 0) {
        client->sent_speech = true;
        if (microphone_is_empty(&client->microphone))
            client->summary.talk_sent_us = now_us;
    }
    duplex_client_send(client, &append, actions);
}

/* The server does not take what was sent before: the newest second waits in its place. */
static bool must_wait(const struct duplex_client *client)
{
    return client->unsent > 0;
}

static bool may_append(const struct duplex_client *client)
{
    return client->life.stage == DUPLEX_CLIENT_STREAMING && !client->life.lost;
}

static void append_due(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    /* After a pause of our own the schedule begins anew: nothing is made up for in a burst. */
    const bool late = now_us > client->next_append_us + DUPLEX_CLIENT_APPEND_LATE_US;
    client->next_append_us = (late ? now_us : client->next_append_us) + DUPLEX_APPEND_US;
    take_second(client);
    if (!must_wait(client)) {
        send_append(client, now_us, actions);
    } else if (!client->not_reading && client->summary.appends_dropped > 0) {
        client->not_reading = true;
        client_life_report(&client->life, "NOT_READING",
                           "the server does not take what it is sent; older speech is dropped", actions);
    }
}

void duplex_client_send_due(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!may_append(client))
        return;
    if (client->is_waiting && !must_wait(client)) {
        client->not_reading = false;
        send_append(client, now_us, actions);
        client->next_append_us = now_us + DUPLEX_APPEND_US;
    }
    if (now_us >= client->next_append_us)
        append_due(client, now_us, actions);
    client->poll_us = now_us + DUPLEX_CLIENT_BACKLOG_POLL_US;
}

uint64_t duplex_client_send_deadline_us(const struct duplex_client *client)
{
    if (!may_append(client))
        return UINT64_MAX;
    if (!client->is_waiting)
        return client->next_append_us;
    return client_earlier(client->next_append_us, client->poll_us);
}

bool duplex_client_is_sent(const struct duplex_client *client)
{
    return client->life.progress.ready && microphone_is_empty(&client->microphone) &&
           !(client->is_waiting && client->waiting_speech > 0);
}
