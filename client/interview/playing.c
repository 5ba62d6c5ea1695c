/* What is heard, and when: 004 AI Audio Chunk, Cancel Response. */
#include "client/interview/internal.h"

#include "codec/wire/crc32.h"

bool interview_client_is_played_out(const struct interview_client *client)
{
    return client->player.first == NULL;
}

static uint32_t narrow(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void observe_reply(struct interview_client *client, uint64_t at, uint64_t samples, bool whole,
                          struct client_actions *actions)
{
    struct observation turn = {.kind = OBSERVED_TURN,
                               .has_at = true,
                               .at = narrow(at),
                               .has_samples = true,
                               .samples = narrow(samples),
                               .is_final = whole};
    memcpy(turn.text, client->reply_text, sizeof turn.text);
    client->reply_text[0] = '\0';
    if (whole)
        client->summary.replies++;
    else
        client->summary.replies_cut++;
    client->life.progress.turns++;
    client->life.progress.idle = client->player.first == NULL;
    client_life_observe(&client->life, &turn, actions);
}

static void begin_chunk(struct interview_client *client, const struct played_piece *piece)
{
    client->life.progress.speech++;
    client->life.progress.idle = false;
    if (piece->text.len == 0)
        return;
    struct text text = text_of(client->reply_text, sizeof client->reply_text); /* it holds what was before */
    text_add_bytes(&text, piece->text);
}

static void play(struct interview_client *client, uint64_t now_us, const struct played_piece *piece,
                 struct client_actions *actions)
{
    const uint64_t samples = interview_sample_count(piece->pcm);
    if (piece->begins)
        begin_chunk(client, piece);
    if (samples > 0) {
        struct observation heard = {.kind = OBSERVED_HEARD,
                                    .has_at = true,
                                    .at = narrow(piece->at),
                                    .has_samples = true,
                                    .samples = (uint32_t)samples,
                                    .has_audio = true,
                                    .audio_crc = crc32_of(piece->pcm)};
        const size_t before = actions->count;
        client->summary.samples_heard += samples;
        client_life_observe(&client->life, &heard, actions);
        if (actions->count > before)
            actions->list[before].data = piece->pcm;
    }
    if (piece->ends_turn)
        observe_reply(client, piece->at + samples, piece->turn_samples, true, actions);
    client->quiet_at_us = now_us;
}

void interview_client_play_due(struct interview_client *client, uint64_t now_us,
                               struct client_actions *actions)
{
    struct played_piece piece;
    while (client_actions_have_room(actions) &&
           player_take(&client->player, now_us, INTERVIEW_CLIENT_PIECE_SAMPLES_MAX, &piece))
        play(client, now_us, &piece, actions);
    client->summary.gaps = client->player.gaps;
}

void interview_client_drop(struct interview_client *client, uint64_t now_us, bool told,
                           struct client_actions *actions)
{
    const bool in_turn = client->player.in_turn;
    const uint64_t heard = client->player.turn_samples;
    const uint64_t at = player_at(&client->player, now_us);
    const uint64_t dropped = player_drop(&client->player);
    client->summary.samples_dropped += dropped;
    if (told) {
        struct observation cancelled = {.kind = OBSERVED_CANCELLED,
                                        .has_at = true,
                                        .at = narrow(at),
                                        .has_samples = true,
                                        .samples = narrow(dropped)};
        client_life_observe(&client->life, &cancelled, actions);
    }
    if (in_turn)
        observe_reply(client, at, heard, false, actions);
}

uint64_t interview_client_play_deadline_us(const struct interview_client *client)
{
    return player_deadline_us(&client->player, INTERVIEW_CLIENT_PIECE_SAMPLES_MAX);
}
