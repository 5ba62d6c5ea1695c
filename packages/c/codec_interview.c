#include <assert.h>
#include <stdlib.h>

#include "codec/interview/messages.h"
#include "packages/c/codec_parts.h"
#include "packages/c/ojin_codec_interview.h"

static_assert((int)OJIN_CODEC_INTERVIEW_AI_AUDIO_CHUNK == (int)INTERVIEW_MESSAGE_AI_AUDIO_CHUNK,
              "types are copied");
static_assert((int)OJIN_CODEC_INTERVIEW_PONG == (int)INTERVIEW_MESSAGE_PONG, "types are copied");
static_assert((int)OJIN_CODEC_INTERVIEW_NOT_JSON == (int)INTERVIEW_MESSAGE_NOT_JSON, "types are copied");
static_assert((int)OJIN_CODEC_INTERVIEW_AI == (int)INTERVIEW_SPEAKER_AI, "speakers are copied");
static_assert((int)OJIN_CODEC_INTERVIEW_DISCONNECTED == (int)INTERVIEW_STATUS_DISCONNECTED,
              "statuses are copied");

/* The members that have the same name and type on both sides, and the spans. */
#define VALUES(EACH)                                                                                         \
    EACH(has_audio)                                                                                          \
    EACH(has_timestamp)                                                                                      \
    EACH(timestamp)                                                                                          \
    EACH(has_text)                                                                                           \
    EACH(has_is_final)                                                                                       \
    EACH(is_final)                                                                                           \
    EACH(has_speaker)                                                                                        \
    EACH(has_function_name)                                                                                  \
    EACH(has_result)                                                                                         \
    EACH(has_details)                                                                                        \
    EACH(has_code)                                                                                           \
    EACH(has_message)                                                                                        \
    EACH(has_status)
#define SPANS(EACH)                                                                                          \
    EACH(audio)                                                                                              \
    EACH(text)                                                                                               \
    EACH(function_name)                                                                                      \
    EACH(result)                                                                                             \
    EACH(details)                                                                                            \
    EACH(code)                                                                                               \
    EACH(message)
#define COPY(member)     out->member = in->member;
#define SPAN_OUT(member) out->member = bytes_to_public(in->member);
#define SPAN_IN(member)  out->member = bytes_from_public(in->member);

struct owned {
    struct interview_message message;
    char sentences[OJIN_CODEC_FAULTS_MAX][OJIN_CODEC_ERROR_MAX];
};

bool ojin_codec_interview_read(const char *profile, const char *text, size_t len,
                               struct ojin_codec_interview *out)
{
    const struct interview_profile *row = interview_profile_by_name(profile);
    struct owned *owned = row == NULL ? NULL : calloc(1, sizeof *owned);
    *out = (struct ojin_codec_interview){.owned = owned};
    if (owned == NULL)
        return false;
    interview_message_read(bytes_of(text, len), row->dialect, &owned->message);
    const struct interview_message *in = &owned->message;
    out->type = (enum ojin_codec_interview_type)in->type;
    out->speaker = (enum ojin_codec_interview_speaker)in->speaker;
    out->status = (enum ojin_codec_interview_status)in->status;
    VALUES(COPY)
    SPANS(SPAN_OUT)
    out->fault_count = in->faults.count;
    codec_faults_tell(&in->faults, owned->sentences, out->faults);
    return true;
}

void ojin_codec_interview_free(struct ojin_codec_interview *message)
{
    struct owned *owned = message->owned;
    if (owned != NULL)
        interview_message_free(&owned->message);
    free(owned);
    *message = (struct ojin_codec_interview){.owned = NULL};
}

char *ojin_codec_interview_write(const char *profile, const struct ojin_codec_interview *message, size_t *len)
{
    const struct interview_profile *row = interview_profile_by_name(profile);
    const struct ojin_codec_interview *in = message;
    struct interview_message whole = {.type = INTERVIEW_MESSAGE_OTHER}, *out = &whole;
    struct buffer buffer;
    if (row == NULL || in->type > OJIN_CODEC_INTERVIEW_PONG || in->speaker > OJIN_CODEC_INTERVIEW_AI ||
        in->status > OJIN_CODEC_INTERVIEW_DISCONNECTED)
        return NULL;
    out->type = (enum interview_message_type)in->type;
    out->speaker = (enum interview_speaker)in->speaker;
    out->status = (enum interview_status)in->status;
    VALUES(COPY)
    SPANS(SPAN_IN)
    buffer_init(&buffer, JSON_MESSAGE_BYTES_MAX);
    return codec_text_take(&buffer, interview_message_write(row->dialect, out, &buffer), len);
}
