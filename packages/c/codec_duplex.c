#include <assert.h>
#include <stdlib.h>

#include "codec/duplex/messages.h"
#include "packages/c/codec_parts.h"
#include "packages/c/ojin_codec_duplex.h"

static_assert((int)OJIN_CODEC_DUPLEX_CLOSE == (int)DUPLEX_MESSAGE_CLOSE, "types are copied");
static_assert((int)OJIN_CODEC_DUPLEX_ERROR == (int)DUPLEX_MESSAGE_ERROR, "types are copied");
static_assert((int)OJIN_CODEC_DUPLEX_NOT_JSON == (int)DUPLEX_MESSAGE_NOT_JSON, "types are copied");
static_assert((int)OJIN_CODEC_PICTURES_MAX == (int)DUPLEX_PICTURES_MAX, "pictures are copied");

/* The members that have the same name and type on both sides, and the spans. */
#define VALUES(EACH)                                                                                         \
    EACH(has_instructions)                                                                                   \
    EACH(has_max_slices)                                                                                     \
    EACH(max_slices)                                                                                         \
    EACH(has_audio)                                                                                          \
    EACH(has_pictures)                                                                                       \
    EACH(picture_count)                                                                                      \
    EACH(has_force_listen)                                                                                   \
    EACH(force_listen)                                                                                       \
    EACH(has_reason)                                                                                         \
    EACH(has_position)                                                                                       \
    EACH(position)                                                                                           \
    EACH(has_wait)                                                                                           \
    EACH(wait_s)                                                                                             \
    EACH(has_queue_length)                                                                                   \
    EACH(queue_length)                                                                                       \
    EACH(has_session_id)                                                                                     \
    EACH(has_prompt_length)                                                                                  \
    EACH(prompt_length)                                                                                      \
    EACH(has_text)                                                                                           \
    EACH(has_end_of_turn)                                                                                    \
    EACH(end_of_turn)                                                                                        \
    EACH(has_kv_cache_length)                                                                                \
    EACH(kv_cache_length)
#define SPANS(EACH)                                                                                          \
    EACH(instructions)                                                                                       \
    EACH(ref_audio)                                                                                          \
    EACH(tts_ref_audio)                                                                                      \
    EACH(audio)                                                                                              \
    EACH(reason)                                                                                             \
    EACH(ticket_id)                                                                                          \
    EACH(session_id)                                                                                         \
    EACH(text)                                                                                               \
    EACH(code)                                                                                               \
    EACH(error_message)                                                                                      \
    EACH(error_type)
#define COPY(member)     out->member = in->member;
#define SPAN_OUT(member) out->member = bytes_to_public(in->member);
#define SPAN_IN(member)  out->member = bytes_from_public(in->member);

struct owned {
    struct duplex_message message;
    char sentences[OJIN_CODEC_FAULTS_MAX][OJIN_CODEC_ERROR_MAX];
};

bool ojin_codec_duplex_read(const char *profile, const char *text, size_t len, struct ojin_codec_duplex *out)
{
    const struct duplex_read_options options = {.profile = duplex_profile_by_name(profile)};
    struct owned *owned = options.profile == NULL ? NULL : calloc(1, sizeof *owned);
    *out = (struct ojin_codec_duplex){.owned = owned};
    if (owned == NULL)
        return false;
    duplex_message_read(bytes_of(text, len), &options, &owned->message);
    const struct duplex_message *in = &owned->message;
    out->type = (enum ojin_codec_duplex_type)in->type;
    VALUES(COPY)
    SPANS(SPAN_OUT)
    for (size_t i = 0; i < in->picture_count; i++)
        out->pictures[i] = bytes_to_public(in->pictures[i].jpeg);
    out->fault_count = in->faults.count;
    codec_faults_tell(&in->faults, owned->sentences, out->faults);
    return true;
}

void ojin_codec_duplex_free(struct ojin_codec_duplex *message)
{
    struct owned *owned = message->owned;
    if (owned != NULL)
        duplex_message_free(&owned->message);
    free(owned);
    *message = (struct ojin_codec_duplex){.owned = NULL};
}

char *ojin_codec_duplex_write(const char *profile, const struct ojin_codec_duplex *message, size_t *len)
{
    const struct duplex_profile *row = duplex_profile_by_name(profile);
    const struct ojin_codec_duplex *in = message;
    struct duplex_message whole = {.type = DUPLEX_MESSAGE_OTHER}, *out = &whole;
    struct buffer buffer;
    if (row == NULL || in->picture_count > OJIN_CODEC_PICTURES_MAX || in->type > OJIN_CODEC_DUPLEX_ERROR)
        return NULL;
    out->type = (enum duplex_message_type)in->type;
    VALUES(COPY)
    SPANS(SPAN_IN)
    for (size_t i = 0; i < in->picture_count; i++)
        out->pictures[i].jpeg = bytes_from_public(in->pictures[i]);
    buffer_init(&buffer, DUPLEX_MESSAGE_BYTES_MAX);
    return codec_text_take(&buffer, duplex_message_write(row, out, &buffer), len);
}
