/* What the functions of the full-duplex family's defects share. */
#include "conformance/defects/duplex/tables.h"

struct duplex_client *defect_duplex_client(const struct defect_state *state)
{
    return state->core;
}

static void read_message(const struct defect_state *state, struct bytes text, struct duplex_message *out)
{
    const struct duplex_read_options options = {.profile = defect_duplex_client(state)->profile};
    duplex_message_read(text, &options, out);
}

bool defect_say_changed(struct defect_state *state, struct buffer *text)
{
    struct duplex_message message;
    read_message(state, buffer_bytes(text), &message);
    bool said = state->defect->change(state, &message);
    buffer_clear(text);
    said = said && duplex_message_write(defect_duplex_client(state)->profile, &message, text);
    duplex_message_free(&message);
    return said;
}

enum defect_taking defect_hear_changed(struct defect_state *state, struct bytes text)
{
    struct duplex_message message;
    read_message(state, text, &message);
    if (message.faults.count == 0 && state->defect->change(state, &message))
        (void)duplex_message_write(defect_duplex_client(state)->profile, &message, &state->instead);
    duplex_message_free(&message);
    return DEFECT_TAKE;
}

/* ---- when it appends ---- */

static bool is_append(const struct buffer *message)
{
    return defect_holds(buffer_bytes(message), "\"input_audio_buffer.append\"") ||
           defect_holds(buffer_bytes(message), "\"input.append\"");
}

void defect_append_every(struct defect_state *state, const struct buffer *message, uint64_t every_us)
{
    struct duplex_client *client = defect_duplex_client(state);
    if (is_append(message))
        client->next_append_us = client->next_append_us + every_us - DUPLEX_APPEND_US;
}

void defect_append_burst(struct defect_state *state, const struct buffer *message, uint64_t count,
                         uint64_t every_us)
{
    struct duplex_client *client = defect_duplex_client(state);
    if (!is_append(message))
        return;
    state->count++;
    client->next_append_us = state->now_us + (state->count % count == 0 ? every_us : 0);
}

void defect_append_eighths(struct defect_state *state)
{
    defect_duplex_client(state)->append_samples = DUPLEX_APPEND_SAMPLES / 8;
}

bool defect_time_eighths(struct defect_state *state, struct buffer *message)
{
    defect_append_every(state, message, DUPLEX_APPEND_US / 8);
    return true;
}

void defect_stream_at_once(struct defect_state *state)
{
    if (state->life->stage == DUPLEX_CLIENT_CREATING)
        duplex_client_stream(defect_duplex_client(state), state->now_us);
    if (state->kept[0].kind != OBSERVED_READY || !state->seen)
        return;
    state->seen = false;
    client_life_observe(state->life, &state->kept[0], state->actions);
}

enum defect_taking defect_note_created(struct defect_state *state, struct bytes text)
{
    struct duplex_message message;
    read_message(state, text, &message);
    if (message.type == DUPLEX_MESSAGE_CREATED && state->life->stage == DUPLEX_CLIENT_STREAMING) {
        struct text id = text_of(state->kept[0].text, sizeof state->kept[0].text);
        text_add_bytes(&id, message.session_id);
        state->kept[0].kind = OBSERVED_READY;
        state->seen = true;
    }
    duplex_message_free(&message);
    return DEFECT_TAKE;
}

/* ---- what it plays ---- */

static void take_queue(struct defect_state *state)
{
    defect_take_queue(state, &defect_duplex_client(state)->player);
}

void defect_put_queue_back(struct defect_state *state)
{
    defect_return_queue(state, &defect_duplex_client(state)->player);
}

enum defect_taking defect_keep_queue(struct defect_state *state, struct bytes text)
{
    struct duplex_message message;
    read_message(state, text, &message);
    if (message.type == DUPLEX_MESSAGE_LISTEN)
        take_queue(state);
    duplex_message_free(&message);
    return DEFECT_TAKE;
}

bool defect_keep_playing(struct defect_state *state, const struct client_plan_step *step)
{
    if (step->what == DO_FORCE_LISTEN)
        take_queue(state);
    return true;
}

void defect_play_on(struct defect_state *state)
{
    defect_put_queue_back(state);
    defect_duplex_client(state)->muted_until_us = 0;
}

/* The core may begin in the step in which a turn came whole; nothing was played then. */
void defect_start_late(struct defect_state *state, uint64_t late_us)
{
    struct player *player = &defect_duplex_client(state)->player;
    const bool waits =
        player->first != NULL && (!player->running || (player->turn_samples == 0 && !player->first->begun));
    if (waits && !state->said)
        state->count = player->run_us + late_us;
    state->said = waits;
    if (!waits || state->now_us >= state->count)
        return;
    player->running = false;
    player->run_us = state->count;
}
