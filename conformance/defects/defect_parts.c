/* What the functions of defects share. */
#define _GNU_SOURCE /* memmem */
#include <stdlib.h>
#include <string.h>

#include "client/core/player.h"
#include "conformance/defects/defect.h"

bool defect_holds(struct bytes message, const char *text)
{
    return message.len > 0 && memmem(message.data, message.len, text, strlen(text)) != NULL;
}

bool defect_is_16k(unsigned rate, unsigned channels)
{
    (void)channels;
    return rate == 16000;
}

bool defect_is_mono(unsigned rate, unsigned channels)
{
    (void)rate;
    return channels == 1;
}

static bool is_meant(struct bytes words, const char *text)
{
    return text != NULL && defect_holds(words, text);
}

bool defect_tell(struct defect_state *state, struct observation *observation)
{
    return (state->defect->blunt.mute & 1U << (unsigned)observation->kind) == 0;
}

enum defect_taking defect_hear(struct defect_state *state, struct bytes words)
{
    const struct defect_blunt *blunt = &state->defect->blunt;
    const bool since = blunt->since == NULL || state->seen;
    state->seen = state->seen || is_meant(words, blunt->since);
    if (since && is_meant(words, blunt->leaves_at))
        return DEFECT_LEAVE;
    return since && is_meant(words, blunt->deaf_to) ? DEFECT_HIDE : DEFECT_TAKE;
}

bool defect_says(struct defect_state *state, struct bytes words)
{
    const struct defect_blunt *blunt = &state->defect->blunt;
    const bool since = blunt->drops_since == NULL || state->said;
    state->said = state->said || is_meant(words, blunt->drops_since);
    return !since || !is_meant(words, blunt->drops) || state->count++ < blunt->drops_first;
}

void defect_take_queue(struct defect_state *state, struct player *player)
{
    struct player *stash = malloc(sizeof *stash);
    if (stash == NULL)
        return;
    *stash = *player;
    player->first = player->last = NULL;
    player->delta_count = 0;
    player->samples = player->turn_samples = 0;
    player->in_turn = false;
    state->stash = stash;
}

void defect_return_queue(struct defect_state *state, struct player *player)
{
    struct player *stash = state->stash;
    if (stash == NULL)
        return;
    stash->done = player->done;
    *player = *stash;
    free(stash);
    state->stash = NULL;
}

void defect_swap_in_head(struct defect_state *state, struct buffer *head)
{
    (void)ws_replace(head, state->defect->swap.from, state->defect->swap.to);
}

bool defect_swap_in_message(struct defect_state *state, struct buffer *message)
{
    (void)ws_replace(message, state->defect->swap.from, state->defect->swap.to);
    return true;
}
