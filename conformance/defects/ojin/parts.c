/* What the functions of the Ojin family's defects share. */
#include <stdlib.h>

#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "conformance/defects/ojin/tables.h"

struct ojin_client *defect_client(const struct defect_state *state)
{
    return state->core;
}

bool defect_frame(const struct defect_state *state, struct bytes message, struct ojin_frame *out)
{
    return state->binary && ojin_frame_decode(message, out).status == WIRE_OK;
}

enum defect_taking defect_hear_frame(struct defect_state *state, const struct ojin_frame *frame)
{
    struct ojin_frame whole = *frame;
    struct ojin_payload payloads[2];
    size_t count = 0;
    if (frame->has_audio)
        payloads[count++] = (struct ojin_payload){.type = OJIN_PAYLOAD_AUDIO, .data = frame->audio};
    if (frame->has_image)
        payloads[count++] = (struct ojin_payload){.type = OJIN_PAYLOAD_IMAGE, .data = frame->image};
    whole.payload_count = (uint32_t)count;
    const size_t bytes = ojin_frame_bytes(payloads, count);
    uint8_t *room = buffer_reserve(&state->instead, bytes + frame->trailing.len);
    if (room == NULL)
        return DEFECT_TAKE;
    struct writer writer = writer_of(room, bytes);
    ojin_frame_write_header(&writer, &whole);
    for (size_t i = 0; i < count; i++)
        ojin_frame_write_entry(&writer, payloads[i].type, payloads[i].data);
    state->instead.len += bytes;
    (void)buffer_append(&state->instead, frame->trailing);
    return DEFECT_TAKE;
}

enum defect_taking defect_refuse(struct defect_state *state, bool refused)
{
    if (refused)
        (void)buffer_append(&state->instead, bytes_of("", 1));
    return DEFECT_TAKE;
}

bool defect_is_played(const struct client_action *action)
{
    return action->kind == CLIENT_OBSERVE && action->observation.kind == OBSERVED_PLAYED;
}

/* ---- changes of the core ---- */

void defect_send_chunks(struct defect_state *state, uint32_t samples)
{
    struct ojin_client *client = defect_client(state);
    client->fresh_sender.chunk_samples = samples;
    client->sender.chunk_samples = samples;
}

void defect_wait_for_final_for_ever(struct defect_state *state)
{
    defect_client(state)->final_wait_us = DEFECT_FOR_EVER_US;
}

void defect_take_frames(struct defect_state *state)
{
    struct frame_buffer *buffer = &defect_client(state)->buffer;
    struct frame_buffer *stash = malloc(sizeof *stash);
    if (stash == NULL)
        return;
    *stash = *buffer;
    frame_buffer_init(buffer, stash->target);
    buffer->taken = stash->taken;
    state->stash = stash;
}

void defect_put_frames_back(struct defect_state *state)
{
    struct frame_buffer *buffer = &defect_client(state)->buffer;
    struct frame_buffer *stash = state->stash;
    if (stash == NULL)
        return;
    stash->taken = buffer->taken;
    *buffer = *stash;
    free(stash);
    state->stash = NULL;
}

/* ---- the opening ---- */

bool defect_keep_no_opening(struct defect_state *state, struct buffer *message)
{
    if (!state->binary || message->len != OJIN_INPUT_HEADER_BYTES + OJIN_FRAME_AUDIO_BYTES)
        return true;
    for (size_t i = OJIN_INPUT_HEADER_BYTES; i < message->len; i++)
        if (message->data[i] != 0)
            return true;
    return false;
}

enum defect_taking defect_hear_ready_late(struct defect_state *state, struct bytes text)
{
    struct ojin_message message;
    if (state->binary || !state->life->progress.ready || state->life->ready_at_us != UINT64_MAX)
        return DEFECT_TAKE;
    ojin_message_read(text, &message);
    state->seen = message.type == OJIN_MESSAGE_SESSION_READY;
    state->kept[0] = (struct observation){.kind = OBSERVED_READY, .has_load = true, .load = message.load};
    struct text whole = text_of(state->kept[0].text, sizeof state->kept[0].text);
    text_add_bytes(&whole, text);
    return state->seen ? DEFECT_HIDE : DEFECT_TAKE;
}

void defect_be_ready(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    if (client->life.opened && client->life.stage == OJIN_CLIENT_AWAITING_READY) {
        ojin_client_become_ready(client);
        ojin_client_send_due(client, state->now_us, state->actions);
    }
    if (!state->seen)
        return;
    state->seen = false;
    client_life_ready(&client->life, state->now_us);
    client_life_observe(&client->life, &state->kept[0], state->actions);
}
