/*
 * An ai_audio_chunk of a script: the next one of the reply in progress, or the first of a new one, with
 * overrides. Its sound goes on where the reply's was, whatever lengths the script gave those before it, so
 * that what is coded in it stays whole.
 */
#include <stdlib.h>

#include "server/interview/compose.h"

enum sound {
    SOUND_SPEECH,
    SOUND_CODED,
    SOUND_SILENCE,
    SOUND_EMPTY,
    SOUND_NULL,
    SOUND_ABSENT,
    SOUND_BAD,
    SOUND_ODD,
    SOUND_COUNT
};

static const char *const SOUNDS[SOUND_COUNT + 1] = {
    [SOUND_SPEECH] = "speech", [SOUND_CODED] = "coded", [SOUND_SILENCE] = "silence",
    [SOUND_EMPTY] = "empty",   [SOUND_NULL] = "null",   [SOUND_ABSENT] = "absent",
    [SOUND_BAD] = "bad",       [SOUND_ODD] = "odd",
};

/* No base64: a character that is none of its alphabet in the middle. */
static const char BAD_BASE64[] = "AAAAAAAA-AAAAAAA";

struct chunk_options {
    size_t sound;
    bool has_samples, has_source;
    int64_t samples, source;
};

static bool options_read(const struct compose_call *call, struct chunk_options *out)
{
    const bool coded = call->session != NULL && call->session->reply.step == INTERVIEW_REPLY_CHUNK &&
                       call->session->reply.coded;
    struct chunk_options options = {0};
    if (!compose_choice(call, "audio", SOUNDS, coded ? SOUND_CODED : SOUND_SPEECH, &options.sound) ||
        !compose_integer(call, "samples", &options.has_samples, &options.samples) ||
        !compose_integer(call, "source", &options.has_source, &options.source))
        return false;
    if (options.has_samples && (options.samples < 0 || options.samples > INTERVIEW_COMPOSE_SAMPLES_MAX))
        return compose_fail_value(call, "samples", compose_value(call, "samples"),
                                  "a whole number from 0 to 240000");
    if (options.has_source && (options.source < 0 || options.source > UINT16_MAX))
        return compose_fail_value(call, "source", compose_value(call, "source"),
                                  "a whole number from 0 to 65535");
    *out = options;
    return true;
}

static void part_next(struct session *session, uint64_t now_us, const struct chunk_options *options,
                      struct interview_part *part)
{
    if (session->reply.step != INTERVIEW_REPLY_CHUNK) {
        interview_saying_begin(session, interview_saying_after(session, NULL), now_us);
        session->reply.to_turn = false;
        session->reply.fails = false;
    }
    session->reply.coded = options->sound == SOUND_CODED;
    if (options->has_source)
        session->reply.source = (uint16_t)options->source;
    interview_part_next(session, part);
    if (options->has_samples)
        part->samples = (size_t)options->samples;
    if (options->sound == SOUND_EMPTY || options->sound == SOUND_NULL || options->sound == SOUND_ABSENT)
        part->samples = 0;
}

/* Fills in the sound; `pcm` has room for it and one more byte. */
static void sound_set(const struct session *session, const struct interview_part *part, size_t sound,
                      uint8_t *pcm, struct interview_message *message)
{
    size_t len = part->samples * INTERVIEW_SAMPLE_BYTES;
    interview_part_samples(session, part, pcm);
    if (sound == SOUND_SILENCE)
        memset(pcm, 0, len);
    if (sound == SOUND_ODD)
        pcm[len++] = 0;
    message->has_audio = sound != SOUND_NULL && sound != SOUND_ABSENT;
    message->audio = bytes_of(pcm, len);
    if (sound == SOUND_BAD)
        message->audio_encoded = bytes_of_text(BAD_BASE64);
}

static bool members_read(const struct compose_call *call, struct interview_message *message)
{
    compose_text(call, "transcript", &message->has_text, &message->text);
    return compose_bool(call, "is_final", &message->has_is_final, &message->is_final);
}

bool interview_compose_chunk(const struct compose_call *call)
{
    struct session *session = call->session;
    struct chunk_options options = {0};
    struct interview_part part;
    struct interview_message message = {.type = INTERVIEW_MESSAGE_AI_AUDIO_CHUNK};
    if (!options_read(call, &options) || !members_read(call, &message))
        return false;
    if (call->actions == NULL)
        return true;
    part_next(session, call->now_us, &options, &part);
    uint8_t *pcm = malloc(part.samples * INTERVIEW_SAMPLE_BYTES + 1);
    if (pcm == NULL)
        return compose_say(call, "there is not enough memory");
    message = (struct interview_message){.type = INTERVIEW_MESSAGE_AI_AUDIO_CHUNK,
                                         .has_text = *part.text != '\0',
                                         .text = bytes_of_text(part.text),
                                         .has_is_final = true,
                                         .is_final = part.is_final};
    sound_set(session, &part, options.sound, pcm, &message);
    (void)members_read(call, &message);
    part.is_final = message.has_is_final && message.is_final;
    const bool sent = interview_compose_add(
        call, &message, bytes_of_text(options.sound == SOUND_NULL ? ",\"audio\":null" : ""));
    free(pcm);
    if (sent)
        interview_part_said(session, call->now_us, &part);
    return sent;
}
