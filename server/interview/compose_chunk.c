/*
 * An ai_audio_chunk of a script: the next one of the reply in progress, or the first of a new one, with
 * overrides. Its sound goes on where the reply's was, whatever lengths the script gave those before it, so
 * that what is coded in it stays whole.
 */
#include <stdlib.h>

#include "server/core/compose_sound.h"
#include "server/interview/compose.h"

static void part_next(struct session *session, uint64_t now_us, const struct compose_sound_options *options,
                      struct interview_part *part)
{
    if (session->reply.step != INTERVIEW_REPLY_CHUNK) {
        interview_saying_begin(session, interview_saying_after(session, NULL), now_us);
        session->reply.to_turn = false;
        session->reply.fails = false;
    }
    session->reply.coded = options->sound == COMPOSE_SOUND_CODED;
    if (options->has_source)
        session->reply.source = options->source;
    interview_part_next(session, part);
    part->samples = compose_sound_samples(options, part->samples);
}

/* Fills in the sound; `pcm` has room for it and COMPOSE_SOUND_ODD_MAX bytes more. */
static void sound_set(const struct session *session, const struct interview_part *part,
                      enum compose_sound sound, uint8_t *pcm, struct interview_message *message)
{
    const size_t speech = part->samples * INTERVIEW_SAMPLE_BYTES;
    interview_part_samples(session, part, pcm);
    message->has_audio = compose_sound_has(sound);
    message->audio = bytes_of(pcm, compose_sound_change(sound, pcm, speech, INTERVIEW_SAMPLE_BYTES));
    message->audio_encoded = compose_sound_encoded(sound);
}

static bool members_read(const struct compose_call *call, struct interview_message *message)
{
    compose_text(call, "transcript", &message->has_text, &message->text);
    return compose_bool(call, "is_final", &message->has_is_final, &message->is_final);
}

bool interview_compose_chunk(const struct compose_call *call)
{
    struct session *session = call->session;
    const bool coded =
        session != NULL && session->reply.step == INTERVIEW_REPLY_CHUNK && session->reply.coded;
    struct compose_sound_options options = {0};
    struct interview_part part;
    struct interview_message message = {.type = INTERVIEW_MESSAGE_AI_AUDIO_CHUNK};
    if (!compose_sound_read(call, false, coded, &options) || !members_read(call, &message))
        return false;
    if (call->actions == NULL || session == NULL)
        return true;
    part_next(session, call->now_us, &options, &part);
    uint8_t *pcm = malloc(part.samples * INTERVIEW_SAMPLE_BYTES + COMPOSE_SOUND_ODD_MAX);
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
    const bool sent = compose_json_add(call, &INTERVIEW_COMPOSE, &message, call->kind,
                                       compose_sound_members(options.sound));
    free(pcm);
    if (sent)
        interview_part_said(session, call->now_us, &part);
    return sent;
}
