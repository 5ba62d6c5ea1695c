/* Makes the client's messages and sends them as the sender allows: 000 Messages Reference. */
#include "client/ojin/internal.h"

#include <assert.h>

#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/wire/json.h"

/* Takes the message over. */
static void send_message(struct ojin_client *client, uint64_t now_us, bool binary, struct buffer *message,
                         struct client_actions *actions)
{
    sender_count(&client->sender, now_us, binary);
    if (client_life_send(&client->life, binary ? CLIENT_SEND_BINARY : CLIENT_SEND_TEXT, message, actions))
        client->summary.messages_sent++;
    else
        client_life_no_memory(&client->life, "a message could not be sent", actions);
}

/* `params`: JSON text, empty without. */
static bool send_audio(struct ojin_client *client, uint64_t now_us, struct bytes params,
                       const int16_t *samples, size_t count, struct client_actions *actions)
{
    struct buffer message;
    buffer_init(&message, OJIN_CLIENT_OUTGOING_MAX);
    size_t audio_bytes = count * OJIN_SAMPLE_BYTES;
    size_t head_bytes = OJIN_INPUT_HEADER_BYTES + params.len;
    uint8_t *room = buffer_reserve(&message, head_bytes + audio_bytes);
    if (room == NULL)
        return false;
    struct ojin_input input = {.payload_type = OJIN_PAYLOAD_AUDIO,
                               .timestamp_ms = ojin_client_now_ms(client, now_us),
                               .params = params};
    struct writer writer = writer_of(room, head_bytes);
    ojin_input_write(&writer, &input);
    assert(!writer.overflow && writer.len == head_bytes);
    for (size_t i = 0; i < count; i++) {
        uint16_t sample = (uint16_t)samples[i];
        room[head_bytes + 2 * i] = (uint8_t)(sample & 0xFF);
        room[head_bytes + 2 * i + 1] = (uint8_t)(sample >> 8);
    }
    message.len = head_bytes + audio_bytes;
    send_message(client, now_us, true, &message, actions);
    return true;
}

static void send_control(struct ojin_client *client, uint64_t now_us,
                         void (*write)(struct text *out, uint64_t now_ms), struct client_actions *actions)
{
    char line[256];
    struct text text = text_of(line, sizeof line);
    write(&text, ojin_client_now_ms(client, now_us));
    struct buffer message;
    buffer_init(&message, OJIN_CLIENT_OUTGOING_MAX);
    if (buffer_append(&message, bytes_of(line, text.len)))
        send_message(client, now_us, false, &message, actions);
    else
        client_life_no_memory(&client->life, "a message could not be written", actions);
}

static bool is_ready(const struct ojin_client *client)
{
    return client->life.stage == OJIN_CLIENT_STREAMING || client->life.stage == OJIN_CLIENT_ENDING;
}

enum next_message { NEXT_NOTHING, NEXT_OPENING, NEXT_CANCEL, NEXT_SPEECH, NEXT_END };

/* What goes next, and when; `*samples` is how much speech. A cancel goes before everything else. */
static enum next_message next_message(const struct ojin_client *client, uint64_t *due_us, size_t *samples)
{
    *due_us = UINT64_MAX;
    *samples = 0;
    if (!is_ready(client))
        return NEXT_NOTHING;
    if (client->cancel_due) {
        *due_us = sender_slot_us(&client->sender, false);
        return NEXT_CANCEL;
    }
    uint64_t slot_us = sender_slot_us(&client->sender, true);
    if (slot_us < client->sender.paused_until_us)
        slot_us = client->sender.paused_until_us;
    if (client->opening_due) {
        *due_us = slot_us;
        return NEXT_OPENING;
    }
    uint64_t unsent = speech_unsent(&client->speech);
    if (unsent > 0) {
        if (client->turn.settling || client->end_sent)
            return NEXT_NOTHING; /* the end of the settling is a deadline of its own */
        uint64_t alike = speech_unsent_alike(&client->speech);
        *samples = sender_chunk(&client->sender, alike, client->end_asked || alike < unsent, due_us);
        if (*due_us < slot_us)
            *due_us = slot_us;
        return NEXT_SPEECH;
    }
    if (client->end_asked && !client->end_sent) {
        *due_us = sender_slot_us(&client->sender, false);
        if (*due_us < client->sender.paused_until_us)
            *due_us = client->sender.paused_until_us;
        return NEXT_END;
    }
    return NEXT_NOTHING;
}

static bool tells_frame_index(struct bytes params)
{
    cJSON *json = NULL;
    if (params.len == 0 || json_parse(params, &json).status != WIRE_OK)
        return false;
    bool tells = json_member(json, "client_frame_index") != NULL;
    cJSON_Delete(json);
    return tells;
}

/* Adds which frame is being shown, for the server's way from silence to speech: 000 InteractionInputMessage.
 */
static void add_frame_index(const struct ojin_client *client, struct text *params)
{
    struct bytes given = bytes_of(params->data, params->len);
    const uint64_t *played = client->summary.played;
    uint64_t shown = played[0] + played[1] + played[2];
    if (shown == 0 || shown > INT32_MAX || tells_frame_index(given))
        return;
    bool others = false;
    if (given.len > 0) {
        while (params->data[params->len - 1] != '}')
            params->len--;
        params->len--;
        others = memchr(params->data, '"', params->len) != NULL;
    } else {
        text_add(params, "{");
    }
    text_add(params, others ? ",\"client_frame_index\":" : "\"client_frame_index\":");
    text_add_u64(params, shown - 1);
    text_add(params, "}");
}

static void send_speech(struct ojin_client *client, uint64_t now_us, size_t count,
                        struct client_actions *actions)
{
    char line[SENDER_PARAMS_BYTES_MAX];
    struct text params = text_of(line, sizeof line);
    text_add_bytes(&params, speech_params(&client->speech));
    if (turn_audio_sent(&client->turn, now_us)) {
        speech_begin_turn(&client->speech);
        add_frame_index(client, &params);
    }
    if (client->summary.samples_sent == 0)
        client->summary.first_sent_us = now_us;
    client->summary.samples_sent += count;
    client->sender.last_speech_us = now_us;
    client->sent_speech = true;
    const int16_t *samples = speech_send(&client->speech, count);
    ojin_client_wait_for_speech(client, now_us, samples, count);
    if (!send_audio(client, now_us, bytes_of(line, params.len), samples, count, actions))
        client_life_no_memory(&client->life, "an audio message could not be written", actions);
}

static void send_end(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    client->end_sent = true;
    ojin_client_wait_for_final(client, now_us);
    send_control(client, now_us, ojin_write_end_interaction, actions);
}

void ojin_client_send_due(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    static const int16_t SILENCE[OJIN_FRAME_SAMPLES] = {0};
    uint64_t due_us = 0;
    size_t samples = 0;
    while (client_actions_have_room(actions)) {
        enum next_message next = next_message(client, &due_us, &samples);
        if (due_us > now_us)
            return;
        switch (next) {
        case NEXT_NOTHING:
            return;
        case NEXT_OPENING:
            client->opening_due = false;
            if (!send_audio(client, now_us, (struct bytes){0}, SILENCE, OJIN_FRAME_SAMPLES, actions))
                client_life_no_memory(&client->life, "an audio message could not be written", actions);
            break;
        case NEXT_CANCEL:
            client->cancel_due = false;
            send_control(client, now_us, ojin_write_cancel_interaction, actions);
            break;
        case NEXT_SPEECH:
            send_speech(client, now_us, samples, actions);
            break;
        case NEXT_END:
            send_end(client, now_us, actions);
            break;
        }
    }
}

uint64_t ojin_client_send_deadline_us(const struct ojin_client *client)
{
    uint64_t due_us = 0;
    size_t samples = 0;
    next_message(client, &due_us, &samples);
    return due_us;
}
