/* The playing clock: 25 frames a second from when enough frames are held, and the sound that goes with each.
 * 000 Best Practices, Audio and Video Synchronization; 001 Frame Synchronization. */
#include "client/ojin/internal.h"

#include "codec/wire/crc32.h"

void ojin_client_play_arrived(struct ojin_client *client, uint64_t now_us)
{
    if (client->playing && client->starved) {
        client->starved = false;
        client->next_play_us = now_us;
    } else if (!client->playing && (client->flush || client->buffer.count >= client->buffer.target)) {
        client->playing = true;
        client->starved = false;
        client->next_play_us = now_us;
    }
}

/* The client's own speech: its next turn begins with the first speech frame of another interaction. Silence
 * plays nothing. */
static const int16_t *own_speech(struct ojin_client *client, const struct ojin_frame *frame, int16_t *sound)
{
    if (frame->index != OJIN_INDEX_SPEECH)
        return NULL;
    if (!client->heard_turn || memcmp(client->heard, frame->interaction, UUID_BYTES) != 0) {
        speech_next_turn(&client->speech);
        client->heard_turn = true;
        memcpy(client->heard, frame->interaction, UUID_BYTES);
    }
    return speech_play(&client->speech, sound, OJIN_FRAME_SAMPLES) ? sound : NULL;
}

/* The audio of the frame: one frame's worth, padded with zeros. */
static const int16_t *response_audio(const struct ojin_frame *frame, int16_t *sound)
{
    if (!frame->has_audio)
        return NULL;
    for (size_t i = 0; i < OJIN_FRAME_SAMPLES; i++) {
        const uint8_t *data = frame->audio.data + 2 * i;
        sound[i] = 0;
        if (frame->audio.len >= 2 * (i + 1))
            sound[i] = (int16_t)(uint16_t)((unsigned)data[0] | (unsigned)data[1] << 8);
    }
    return sound;
}

static uint32_t sound_crc(const int16_t *sound)
{
    uint8_t bytes[OJIN_FRAME_AUDIO_BYTES];
    for (size_t i = 0; i < OJIN_FRAME_SAMPLES; i++) {
        bytes[2 * i] = (uint8_t)((uint16_t)sound[i] & 0xFF);
        bytes[2 * i + 1] = (uint8_t)((uint16_t)sound[i] >> 8);
    }
    return crc32_of(bytes_of(bytes, sizeof bytes));
}

static void note_progress(struct ojin_client *client, const struct ojin_frame *frame)
{
    if (frame->index == OJIN_INDEX_SPEECH) {
        client->spoke = true;
        client->life.progress.speech++;
    } else if (client->spoke) {
        client->life.progress.idle = true;
    }
    client->summary.played[frame->index < 2 ? frame->index : 2]++;
}

static void play(struct ojin_client *client, const struct held_frame *held, struct client_actions *actions)
{
    const struct ojin_frame *frame = &held->frame;
    int16_t *room = client->sounds[client->plays++];
    const int16_t *sound = NULL;
    switch (client->played_audio) {
    case OJIN_PLAY_OWN_SPEECH:
        sound = own_speech(client, frame, room);
        break;
    case OJIN_PLAY_RESPONSE_AUDIO:
        sound = response_audio(frame, room);
        break;
    }
    note_progress(client, frame);
    struct observation observation = {
        .kind = OBSERVED_PLAYED,
        .index = frame->index,
        .is_final = frame->is_final == 1,
        .has_interaction = true,
        .has_audio = sound != NULL,
        .audio_crc = sound != NULL ? sound_crc(sound) : 0,
        .has_image = frame->has_image,
        .image_crc = held->image_crc,
    };
    struct text timestamp = text_of(observation.timestamp, sizeof observation.timestamp);
    text_add_u64(&timestamp, frame->timestamp_ms);
    memcpy(observation.interaction, frame->interaction, UUID_BYTES);
    size_t before = actions->count;
    client_life_observe(&client->life, &observation, actions);
    if (actions->count == before)
        return;
    actions->list[before].data = frame->image;
    actions->list[before].samples = sound;
}

void ojin_client_play_due(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    while (client->playing && !client->starved && client->next_play_us <= now_us &&
           client->plays < OJIN_CLIENT_PLAYS_PER_STEP_MAX && client_actions_have_room(actions)) {
        const struct held_frame *held = frame_buffer_take(&client->buffer);
        if (held == NULL) {
            client->starved = true;
            break;
        }
        play(client, held, actions);
        client->next_play_us += OJIN_FRAME_US;
    }
    client->summary.silence_dropped = client->buffer.skipped;
    client->summary.buffer_high_water = client->buffer.high_water;
}

uint64_t ojin_client_play_deadline_us(const struct ojin_client *client)
{
    return client->playing && !client->starved ? client->next_play_us : UINT64_MAX;
}
