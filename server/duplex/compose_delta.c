/*
 * A delta of a script: the next one of the turn in progress, or the first of a new turn, with overrides. Its
 * sound goes on where the turn's was, whatever lengths the script gave those before it, so that what is
 * coded in it stays whole.
 */
#include <stdlib.h>

#include "server/core/compose_sound.h"
#include "server/duplex/compose.h"

/* The part of the turn that is next. */
static void part_next(struct session *session, const struct compose_sound_options *options,
                      struct duplex_turn_part *part)
{
    struct duplex_turn_state *state = &session->turn;
    if (!state->active)
        duplex_speak_begin(session);
    state->coded = options->sound == COMPOSE_SOUND_CODED;
    if (options->has_source)
        state->source = options->source;
    if (state->next < state->turn.delta_count)
        duplex_turn_part(&state->turn, state->next, part);
    else
        *part = (struct duplex_turn_part){.samples = DUPLEX_DELTA_SAMPLES};
    part->first = state->said;
    part->samples = compose_sound_samples(options, part->samples);
}

/* Fills in the sound; `pcm` has room for it and COMPOSE_SOUND_ODD_MAX bytes more. */
static void sound_set(const struct session *session, const struct duplex_turn_part *part,
                      enum compose_sound sound, uint8_t *pcm, struct duplex_message *message)
{
    duplex_speak_samples(session, part, pcm);
    const size_t len = compose_sound_change(sound, pcm, part->samples * FLOAT32_BYTES, FLOAT32_BYTES);
    message->has_audio = compose_sound_has(sound);
    message->audio = bytes_of(pcm, len);
    message->audio_encoded = compose_sound_encoded(sound);
}

static bool members_read(const struct compose_call *call, struct duplex_message *message)
{
    compose_text(call, "text", &message->has_text, &message->text);
    return compose_bool(call, "end_of_turn", &message->has_end_of_turn, &message->end_of_turn) &&
           compose_integer(call, "kv_cache_length", &message->has_kv_cache_length, &message->kv_cache_length);
}

bool duplex_compose_delta(const struct compose_call *call)
{
    struct session *session = call->session;
    const bool coded = session != NULL && session->turn.active && session->turn.coded;
    struct compose_sound_options options = {0};
    struct duplex_turn_part part;
    struct duplex_message message = {.type = DUPLEX_MESSAGE_DELTA};
    if (!compose_sound_read(call, true, coded, &options) || !members_read(call, &message))
        return false;
    if (call->actions == NULL || session == NULL)
        return true;
    part_next(session, &options, &part);
    uint8_t *pcm = malloc(part.samples * FLOAT32_BYTES + COMPOSE_SOUND_ODD_MAX);
    if (pcm == NULL)
        return compose_say(call, "there is not enough memory");
    message = (struct duplex_message){.type = DUPLEX_MESSAGE_DELTA,
                                      .has_text = true,
                                      .text = part.text,
                                      .has_end_of_turn = true,
                                      .end_of_turn = part.end_of_turn,
                                      .has_kv_cache_length = true};
    sound_set(session, &part, options.sound, pcm, &message);
    duplex_cache_speak(&session->cache, part.samples);
    message.kv_cache_length = session->cache.tokens;
    (void)members_read(call, &message);
    part.end_of_turn = message.has_end_of_turn && message.end_of_turn;
    if (message.has_audio) /* else it is a message of text itself */
        duplex_send_text_of_its_own(session, &message, call->actions);
    const bool sent =
        compose_json_add(call, &DUPLEX_COMPOSE, &message, "delta", compose_sound_members(options.sound));
    free(pcm);
    if (sent)
        duplex_speak_said(session, call->now_us, &part);
    return sent;
}
