#include "client/core/player.h"

#include <stdlib.h>

static uint64_t samples_of_us(const struct player *player, uint64_t us)
{
    const uint64_t rate = player->format->rate_hz;
    return us / 1000000 * rate + us % 1000000 * rate / 1000000;
}

/* How long `samples` take, rounded up: at that time all of them are due. */
static uint64_t us_of_samples(const struct player *player, uint64_t samples)
{
    const uint64_t rate = player->format->rate_hz;
    return samples / rate * 1000000 + (samples % rate * 1000000 + rate - 1) / rate;
}

void player_init(struct player *player, const struct player_format *format)
{
    *player = (struct player){.format = format};
}

void player_start(struct player *player, uint64_t now_us)
{
    player_free(player);
    *player = (struct player){.format = player->format, .start_us = now_us, .gaps = player->gaps};
}

static void free_list(struct held_delta **list)
{
    for (struct held_delta *delta; (delta = *list) != NULL;) {
        *list = delta->next;
        free(delta);
    }
}

void player_free(struct player *player)
{
    free_list(&player->first);
    free_list(&player->done);
    player->last = NULL;
}

void player_release(struct player *player)
{
    free_list(&player->done);
}

uint64_t player_clock(const struct player *player, uint64_t now_us)
{
    return now_us > player->start_us ? samples_of_us(player, now_us - player->start_us) : 0;
}

uint64_t player_at(const struct player *player, uint64_t now_us)
{
    const uint64_t at = player_clock(player, now_us);
    return at > player->next_at ? at : player->next_at;
}

/* ---- what came ---- */

static struct held_delta *delta_new(const struct player_format *format, struct bytes pcm, struct bytes text,
                                    bool end_of_turn)
{
    struct held_delta *delta = malloc(sizeof *delta + pcm.len + text.len + 1);
    if (delta == NULL)
        return NULL;
    *delta = (struct held_delta){.samples = pcm.len / format->sample_bytes,
                                 .end_of_turn = end_of_turn,
                                 .text_len = text.len,
                                 .text = (char *)(delta + 1),
                                 .pcm = (uint8_t *)(delta + 1) + text.len + 1};
    if (text.len > 0)
        memcpy(delta->text, text.data, text.len);
    delta->text[text.len] = '\0';
    if (pcm.len > 0)
        memcpy(delta->pcm, pcm.data, pcm.len);
    return delta;
}

static void put_last(struct player *player, struct held_delta *delta)
{
    if (player->last != NULL)
        player->last->next = delta;
    else
        player->first = delta;
    player->last = delta;
}

/* Of one that does not run: when it starts, now that `delta` came. Text may come before the first sound. */
static uint64_t start_of_run(const struct player *player, uint64_t now_us, const struct held_delta *delta,
                             bool first_held)
{
    const uint64_t margin = samples_of_us(player, player->format->margin_us);
    if (delta->end_of_turn || player->samples >= player->format->piece_samples + margin)
        return now_us;
    const uint64_t lacks = !player->sounds && delta->samples < player->format->piece_samples
                               ? player->format->piece_samples - delta->samples
                               : 0;
    const uint64_t start_us = now_us + player->format->margin_us + us_of_samples(player, lacks);
    return first_held || start_us < player->run_us ? start_us : player->run_us;
}

bool player_add(struct player *player, uint64_t now_us, struct bytes pcm, struct bytes text, bool end_of_turn)
{
    const bool first_held = player->first == NULL;
    struct held_delta *delta = delta_new(player->format, pcm, text, end_of_turn);
    if (delta == NULL)
        return false;
    put_last(player, delta);
    player->delta_count++;
    player->samples += delta->samples;
    if (!player->running)
        player->run_us = start_of_run(player, now_us, delta, first_held);
    player->in_turn = true;
    player->sounds = !end_of_turn && (player->sounds || delta->samples > 0);
    return true;
}

uint64_t player_drop(struct player *player)
{
    const uint64_t dropped = player->samples;
    /* What was handed out of the one being played is still in use. */
    while (player->first != NULL) {
        struct held_delta *delta = player->first;
        player->first = delta->next;
        delta->next = player->done;
        player->done = delta;
    }
    player->last = NULL;
    player->delta_count = 0;
    player->samples = 0;
    player->running = false;
    player->sounds = false;
    player->in_turn = false;
    player->turn_samples = 0;
    return dropped;
}

/* ---- playing ---- */

static void begin_run(struct player *player, uint64_t now_us)
{
    player->running = true;
    player->next_at = player_at(player, now_us);
}

/* The first delta is played out. */
static void end_delta(struct player *player, struct played_piece *out)
{
    struct held_delta *delta = player->first;
    player->first = delta->next;
    player->last = player->first == NULL ? NULL : player->last;
    player->delta_count--;
    delta->next = player->done;
    player->done = delta;
    if (delta->end_of_turn) {
        out->ends_turn = true;
        out->turn_samples = player->turn_samples;
        player->turn_samples = 0;
        player->in_turn = player->first != NULL;
    }
    if (player->first != NULL)
        return;
    player->running = false;
    player->gaps += !delta->end_of_turn;
}

bool player_take(struct player *player, uint64_t now_us, size_t samples_max, struct played_piece *out)
{
    if (player->first == NULL)
        return false;
    if (!player->running) {
        if (now_us < player->run_us)
            return false;
        begin_run(player, now_us);
    }
    struct held_delta *delta = player->first;
    const uint64_t at = player_clock(player, now_us);
    const uint64_t due = at > player->next_at ? at - player->next_at : 0;
    const size_t left = delta->samples - delta->played;
    size_t count = left < samples_max ? left : samples_max;
    count = due < count ? (size_t)due : count;
    if (count == 0 && left > 0)
        return false;
    *out = (struct played_piece){.at = player->next_at, .begins = !delta->begun};
    if (!delta->begun)
        out->text = bytes_of(delta->text, delta->text_len);
    const size_t sample_bytes = player->format->sample_bytes;
    out->pcm = bytes_of(delta->pcm + delta->played * sample_bytes, count * sample_bytes);
    delta->begun = true;
    delta->played += count;
    player->next_at += count;
    player->samples -= count;
    player->turn_samples += count;
    if (delta->played == delta->samples)
        end_delta(player, out);
    return true;
}

uint64_t player_deadline_us(const struct player *player, size_t samples_max)
{
    const struct held_delta *delta = player->first;
    if (delta == NULL)
        return UINT64_MAX;
    if (!player->running)
        return player->run_us;
    const size_t left = delta->samples - delta->played;
    const uint64_t until = player->next_at + (left < samples_max ? left : samples_max);
    return player->start_us + us_of_samples(player, until);
}
