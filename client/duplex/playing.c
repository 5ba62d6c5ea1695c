/* What is heard, and when: 002 Text/Audio Alignment, response.listen. */
#include "client/duplex/internal.h"

#include "codec/wire/crc32.h"

bool duplex_client_is_played_out(const struct duplex_client *client)
{
    return client->player.first == NULL;
}

static uint32_t narrow(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void observe_turn(struct duplex_client *client, uint64_t at, uint64_t samples, bool whole,
                         struct client_actions *actions)
{
    struct observation turn = {.kind = OBSERVED_TURN,
                               .has_at = true,
                               .at = narrow(at),
                               .has_samples = true,
                               .samples = narrow(samples),
                               .is_final = whole};
    struct text text = text_of(turn.text, sizeof turn.text);
    text_add_bytes(&text, bytes_of(client->turn_text, client->turn_text_len));
    client->turn_text_len = 0;
    if (whole)
        client->summary.turns++;
    else
        client->summary.turns_cut++;
    client->life.progress.turns++;
    client->life.progress.idle = client->player.first == NULL;
    client_life_observe(&client->life, &turn, actions);
}

static void play(struct duplex_client *client, uint64_t now_us, const struct played_piece *piece,
                 struct client_actions *actions)
{
    const uint64_t samples = piece->pcm.len / DUPLEX_SAMPLE_BYTES;
    if (piece->begins) {
        struct text text = {
            .data = client->turn_text, .capacity = sizeof client->turn_text, .len = client->turn_text_len};
        text_add_bytes(&text, piece->text);
        client->turn_text_len = text.len;
        client->life.progress.speech++;
        client->life.progress.idle = false;
    }
    if (samples > 0 && client->summary.first_heard_us == 0)
        client->summary.first_heard_us = now_us;
    client->summary.samples_heard += samples;
    if (samples > 0 || piece->text.len > 0) {
        struct observation heard = {.kind = OBSERVED_HEARD,
                                    .has_at = true,
                                    .at = narrow(piece->at),
                                    .has_samples = true,
                                    .samples = (uint32_t)samples,
                                    .has_audio = samples > 0,
                                    .audio_crc = crc32_of(piece->pcm)};
        struct text text = text_of(heard.text, sizeof heard.text);
        text_add_bytes(&text, piece->text);
        const size_t before = actions->count;
        client_life_observe(&client->life, &heard, actions);
        if (actions->count > before)
            actions->list[before].data = piece->pcm;
    }
    if (piece->ends_turn)
        observe_turn(client, piece->at + samples, piece->turn_samples, true, actions);
}

void duplex_client_play_due(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    struct played_piece piece;
    while (client_actions_have_room(actions) &&
           player_take(&client->player, now_us, DUPLEX_CLIENT_PIECE_SAMPLES_MAX, &piece)) {
        play(client, now_us, &piece, actions);
        if (piece.pcm.len > 0 || piece.ends_turn) /* a delta without sound breaks no silence */
            client->quiet_at_us = now_us;
    }
    client->summary.gaps = client->player.gaps;
}

/* `told` NULL: nothing but the turn is told. */
static void drop(struct duplex_client *client, uint64_t now_us, struct observation *told,
                 struct client_actions *actions)
{
    const bool in_turn = client->player.in_turn;
    const uint64_t heard = client->player.turn_samples;
    const uint64_t at = player_at(&client->player, now_us);
    const uint64_t dropped = player_drop(&client->player);
    client->summary.samples_dropped += dropped;
    if (told != NULL) {
        told->has_at = told->has_samples = true;
        told->at = narrow(at);
        told->samples = narrow(dropped);
        client_life_observe(&client->life, told, actions);
    }
    if (!in_turn) /* it was quiet already */
        return;
    observe_turn(client, at, heard, false, actions);
    client->quiet_at_us = now_us;
}

void duplex_client_drop(struct duplex_client *client, uint64_t now_us, enum observation_kind kind,
                        const uint32_t *cache, struct client_actions *actions)
{
    struct observation told = {.kind = kind, .has_cache = cache != NULL, .cache = cache != NULL ? *cache : 0};
    drop(client, now_us, &told, actions);
}

void duplex_client_cut(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    drop(client, now_us, NULL, actions);
}

uint64_t duplex_client_play_deadline_us(const struct duplex_client *client)
{
    return player_deadline_us(&client->player, DUPLEX_CLIENT_PIECE_SAMPLES_MAX);
}
