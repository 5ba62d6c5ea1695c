/*
 * A delta of a script: the next one of the turn in progress, or the first of a new turn, with overrides. Its
 * sound goes on where the turn's was, whatever lengths the script gave those before it, so that what is
 * coded in it stays whole.
 */
#include <stdlib.h>

#include "server/duplex/compose.h"

enum sound {
    SOUND_SPEECH,
    SOUND_CODED,
    SOUND_SILENCE,
    SOUND_EMPTY,
    SOUND_NULL,
    SOUND_ABSENT,
    SOUND_BAD,
    SOUND_ODD,
    SOUND_NAN,
    SOUND_COUNT
};

static const char *const SOUNDS[SOUND_COUNT + 1] = {
    [SOUND_SPEECH] = "speech", [SOUND_CODED] = "coded", [SOUND_SILENCE] = "silence",
    [SOUND_EMPTY] = "empty",   [SOUND_NULL] = "null",   [SOUND_ABSENT] = "absent",
    [SOUND_BAD] = "bad",       [SOUND_ODD] = "odd",     [SOUND_NAN] = "nan",
};

/* No base64: a character that is none of its alphabet in the middle. */
static const char BAD_BASE64[] = "AAAAAAAA-AAAAAAA";

struct delta_options {
    size_t sound;
    bool has_samples, has_source;
    int64_t samples, source;
};

static bool options_read(const struct compose_call *call, struct delta_options *out)
{
    const size_t otherwise = call->session != NULL && call->session->turn.active && call->session->turn.coded
                                 ? SOUND_CODED
                                 : SOUND_SPEECH;
    struct delta_options options = {0};
    if (!compose_choice(call, "audio", SOUNDS, otherwise, &options.sound) ||
        !compose_integer(call, "samples", &options.has_samples, &options.samples) ||
        !compose_integer(call, "source", &options.has_source, &options.source))
        return false;
    if (options.has_samples && (options.samples < 0 || options.samples > DUPLEX_COMPOSE_SAMPLES_MAX))
        return compose_fail_value(call, "samples", compose_value(call, "samples"),
                                  "a whole number from 0 to 240000");
    if (options.has_source && (options.source < 0 || options.source > UINT16_MAX))
        return compose_fail_value(call, "source", compose_value(call, "source"),
                                  "a whole number from 0 to 65535");
    *out = options;
    return true;
}

/* The part of the turn that is next. */
static void part_next(struct session *session, const struct delta_options *options,
                      struct duplex_turn_part *part)
{
    struct duplex_turn_state *state = &session->turn;
    if (!state->active)
        duplex_speak_begin(session);
    state->coded = options->sound == SOUND_CODED;
    if (options->has_source)
        state->source = (uint16_t)options->source;
    if (state->next < state->turn.delta_count)
        duplex_turn_part(&state->turn, state->next, part);
    else
        *part = (struct duplex_turn_part){.samples = DUPLEX_DELTA_SAMPLES};
    part->first = state->said;
    if (options->has_samples)
        part->samples = (size_t)options->samples;
    if (options->sound == SOUND_EMPTY || options->sound == SOUND_NULL || options->sound == SOUND_ABSENT)
        part->samples = 0;
}

/* Fills in the sound; `pcm` has room for it and two more bytes. */
static void sound_set(const struct session *session, const struct duplex_turn_part *part, size_t sound,
                      uint8_t *pcm, struct duplex_message *message)
{
    size_t len = part->samples * FLOAT32_BYTES;
    duplex_speak_samples(session, part, pcm);
    if (sound == SOUND_SILENCE)
        memset(pcm, 0, len);
    if (sound == SOUND_NAN && len > 0)
        memset(pcm + len - FLOAT32_BYTES, 0xff, FLOAT32_BYTES);
    if (sound == SOUND_ODD) {
        memset(pcm + len, 0, 2);
        len += 2;
    }
    message->has_audio = sound != SOUND_NULL && sound != SOUND_ABSENT;
    message->audio = bytes_of(pcm, len);
    if (sound == SOUND_BAD)
        message->audio_encoded = bytes_of_text(BAD_BASE64);
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
    struct delta_options options = {0};
    struct duplex_turn_part part;
    struct duplex_message message = {.type = DUPLEX_MESSAGE_DELTA};
    if (!options_read(call, &options) || !members_read(call, &message))
        return false;
    if (call->actions == NULL)
        return true;
    part_next(session, &options, &part);
    uint8_t *pcm = malloc(part.samples * FLOAT32_BYTES + 2);
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
    const bool sent = duplex_compose_add(call, &message, "delta",
                                         bytes_of_text(options.sound == SOUND_NULL ? ",\"audio\":null" : ""));
    free(pcm);
    if (sent)
        duplex_speak_said(session, call->now_us, &part);
    return sent;
}
