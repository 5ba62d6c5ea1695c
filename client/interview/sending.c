/* What the client says: audio_chunk, commit_audio, cancel_response. 004 Client → Server Messages, Rate
 * Limiting. */
#include "client/interview/internal.h"

void interview_client_send(struct interview_client *client, struct interview_message *message,
                           struct client_actions *actions)
{
    struct buffer out;
    buffer_init(&out, INTERVIEW_MESSAGE_BYTES_MAX);
    bool good = interview_message_write(client->dialect, message, &out);
    if (good)
        good = client_life_send(&client->life, CLIENT_SEND_TEXT, &out, actions);
    else
        buffer_free(&out);
    if (!good)
        client_life_no_memory(&client->life, "a message could not be written", actions);
}

static uint64_t us_of_samples(size_t samples)
{
    return ((uint64_t)samples * 1000000 + INTERVIEW_RATE - 1) / INTERVIEW_RATE;
}

/* The answer begins to be said: its first chunk is due once that was said. */
static void begin_answer(struct interview_client *client, uint64_t from_us)
{
    const size_t samples = answers_chunk(&client->answers);
    const uint64_t at = player_clock(&client->player, from_us);
    if (samples == 0) {
        client->due_us = UINT64_MAX;
        return;
    }
    client->due_us = from_us + us_of_samples(samples);
    client->said_to = at > client->said_to ? at : client->said_to;
}

static void commit(struct interview_client *client, uint64_t now_us, struct client_actions *actions)
{
    struct interview_message message = {.type = INTERVIEW_MESSAGE_COMMIT_AUDIO};
    interview_client_send(client, &message, actions);
    answers_end(&client->answers);
    client->summary.answers++;
    client->summary.committed_us = now_us;
    client->life.progress.turns = 0; /* of what was said before */
    client->muted = false;
    client->awaits_reply = true;
    client->reply_deadline_us = now_us + INTERVIEW_CLIENT_REPLY_WAIT_US;
    client->quiet_at_us = now_us;
}

static void send_chunk(struct interview_client *client, uint64_t now_us, struct client_actions *actions)
{
    const bool late = now_us > client->due_us + INTERVIEW_CLIENT_CHUNK_LATE_US;
    const uint64_t epoch_ms = client->config.life.epoch_ms + now_us / 1000;
    client->said = answers_take(&client->answers);
    if (late) { /* nothing is made up for in a burst: what was said was said up to now */
        const uint64_t at = player_clock(&client->player, now_us);
        const size_t samples = interview_sample_count(client->said);
        client->due_us = now_us;
        client->said_to = at > client->said_to + samples ? at - samples : client->said_to;
    }
    struct interview_message message = {.type = INTERVIEW_MESSAGE_AUDIO_CHUNK,
                                        .has_audio = true,
                                        .audio = client->said,
                                        .has_timestamp = true,
                                        .timestamp = interview_time_of(client->dialect, epoch_ms)};
    interview_client_send(client, &message, actions);
    client->summary.chunks_sent++;
    client->summary.samples_sent += interview_sample_count(client->said);
    client->said_at = client->said_to;
    client->said_to += interview_sample_count(client->said);
    client->quiet_at_us = now_us;
    const size_t next = answers_chunk(&client->answers);
    if (next > 0) {
        client->due_us += us_of_samples(next);
        return;
    }
    commit(client, now_us, actions);
    begin_answer(client, now_us);
}

/* The server does not take what was sent before. True: nor will it. */
static bool is_blocked_for_good(struct interview_client *client, uint64_t now_us)
{
    if (client->blocked_us == UINT64_MAX)
        client->blocked_us = now_us;
    return now_us - client->blocked_us >= INTERVIEW_CLIENT_TAKE_WAIT_US;
}

void interview_client_send_due(struct interview_client *client, uint64_t now_us,
                               struct client_actions *actions)
{
    if (client->life.stage != INTERVIEW_CLIENT_TALKING)
        return;
    if (client->due_us == UINT64_MAX)
        begin_answer(client, now_us);
    if (now_us < client->due_us)
        return;
    if (client->unsent == 0) {
        client->blocked_us = UINT64_MAX;
        send_chunk(client, now_us, actions);
    } else if (is_blocked_for_good(client, now_us)) {
        client_life_report(&client->life, "NOT_READING", "the server does not take what it is sent", actions);
        client_life_begin_close(&client->life, now_us, now_us, INTERVIEW_CLOSE_NORMAL, false);
    } else {
        client->poll_us = now_us + INTERVIEW_CLIENT_BACKLOG_POLL_US;
    }
}

uint64_t interview_client_send_deadline_us(const struct interview_client *client)
{
    if (client->life.stage != INTERVIEW_CLIENT_TALKING)
        return UINT64_MAX;
    return client->blocked_us != UINT64_MAX ? client->poll_us : client->due_us;
}
