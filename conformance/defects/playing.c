/* What is held for playing, in the families whose clients have a loudspeaker of their own. */
#include "conformance/defects/playing.h"

void defect_note_piece(struct defect_state *state, const struct player *player, bool comes)
{
    state->seen = comes;
    state->count = player->delta_count;
}

struct held_delta *defect_fresh_piece(struct defect_state *state, const struct player *player)
{
    const bool fresh = state->seen && player->delta_count > state->count;
    state->seen = false;
    return fresh ? player->last : NULL;
}

void defect_cut_piece(struct player *player, struct held_delta *piece, uint64_t samples)
{
    if (samples >= piece->samples)
        return;
    player->samples -= piece->samples - samples;
    piece->samples = (size_t)samples;
}

void defect_hold_at_most(struct player *player, struct held_delta *piece, uint64_t samples)
{
    const uint64_t held = player->samples - piece->samples;
    defect_cut_piece(player, piece, held < samples ? samples - held : 0);
}

void defect_play_end_twice(struct player *player, uint64_t now_us, struct held_delta *piece, size_t samples)
{
    const size_t bytes = player->format->sample_bytes;
    const bool ends = piece->end_of_turn;
    if (piece->samples < samples)
        return;
    piece->end_of_turn = false;
    (void)player_add(player, now_us,
                     bytes_of(piece->pcm + (piece->samples - samples) * bytes, samples * bytes),
                     (struct bytes){0}, ends);
}

void defect_put_first(struct player *player, struct held_delta *newest)
{
    struct held_delta **at = &player->first;
    while (*at != newest && (*at)->begun)
        at = &(*at)->next;
    if (*at == newest)
        return;
    struct held_delta *before = *at;
    newest->next = before;
    *at = newest;
    while (before->next != newest)
        before = before->next;
    before->next = NULL;
    player->last = before;
}
