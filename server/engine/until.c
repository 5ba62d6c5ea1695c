/* What `serve until=` waits for: counted from the beginning of the step. */
#include "server/engine/engine_state.h"

struct since {
    const struct session_progress *now;
    const struct session_progress *base;
    const struct counts *counts;
    const struct counts *counts_base;
    bool client_left;
};

static uint64_t since_ready(const struct since *since)
{
    return since->now->ready_sent ? 1 : 0;
}

static uint64_t since_audio(const struct since *since)
{
    return since->now->audio_bytes - since->base->audio_bytes;
}

static uint64_t since_messages(const struct since *since)
{
    return since->now->audio_messages - since->base->audio_messages;
}

static uint64_t since_speech(const struct since *since)
{
    return since->now->speech_frames - since->base->speech_frames;
}

static uint64_t since_silence(const struct since *since)
{
    return since->now->silence_frames - since->base->silence_frames;
}

static uint64_t since_idle(const struct since *since)
{
    return since->now->turns_ended - since->base->turns_ended;
}

static uint64_t since_cancel(const struct since *since)
{
    return since->now->cancels - since->base->cancels;
}

static uint64_t since_end(const struct since *since)
{
    return since->now->ends - since->base->ends;
}

static uint64_t since_final(const struct since *since)
{
    return since->now->finals - since->base->finals;
}

static uint64_t since_close(const struct since *since)
{
    return since->client_left ? 1 : 0;
}

static uint64_t since_pong(const struct since *since)
{
    return since->counts->pongs - since->counts_base->pongs;
}

static uint64_t since_ping(const struct since *since)
{
    return since->counts->pings - since->counts_base->pings;
}

static uint64_t since_received(const struct since *since)
{
    return since->counts->received - since->counts_base->received;
}

static uint64_t since_other(const struct since *since)
{
    return since->counts->other - since->counts_base->other;
}

static uint64_t since_sent(const struct since *since)
{
    return since->counts->sent - since->counts_base->sent;
}

static uint64_t since_error(const struct since *since)
{
    return since->counts->errors - since->counts_base->errors;
}

static uint64_t since_fade(const struct since *since)
{
    return since->counts->fades - since->counts_base->fades;
}

static const struct {
    const char *name;
    uint64_t (*count)(const struct since *since);
} CONDITIONS[] = {
    {"ready", since_ready},       {"audio", since_audio},     {"messages", since_messages},
    {"speech", since_speech},     {"silence", since_silence}, {"idle", since_idle},
    {"cancel", since_cancel},     {"end", since_end},         {"final", since_final},
    {"close", since_close},       {"pong", since_pong},       {"ping", since_ping},
    {"received", since_received}, {"other", since_other},     {"sent", since_sent},
    {"error", since_error},       {"fade", since_fade},
};

bool until_is_met(const struct engine *engine, const struct script_condition *until)
{
    const struct since since = {
        .now = engine->config.session_class->progress(engine->session),
        .base = &engine->state.progress,
        .counts = &engine->counts,
        .counts_base = &engine->state.counts,
        .client_left = engine->connection == CONNECTION_NONE || engine->connection == CONNECTION_LEFT,
    };
    for (size_t i = 0; i < sizeof CONDITIONS / sizeof CONDITIONS[0]; i++)
        if (strcmp(CONDITIONS[i].name, until->name) == 0)
            return CONDITIONS[i].count(&since) >= until->count;
    return false;
}
