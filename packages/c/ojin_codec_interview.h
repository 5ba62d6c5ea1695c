/*
 * The messages of the realtime interview protocol, of both sides and versions, as one C struct, and back to
 * JSON: Realtime Interview API, Message Protocol. See ojin_codec.h for spans and texts.
 *
 *     struct ojin_codec_interview chunk = {.type = OJIN_CODEC_INTERVIEW_AUDIO_CHUNK, .has_audio = true,
 *                                          .audio = {samples, bytes}, .has_timestamp = true, .timestamp =
 * time(NULL)}; char *text = ojin_codec_interview_write("interview-1.0", &chunk, &len); …
 *     ojin_codec_text_free(text);
 */
#ifndef OJIN_CODEC_INTERVIEW_H
#define OJIN_CODEC_INTERVIEW_H

#include "ojin_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum ojin_codec_interview_type {
    /* client to server */
    OJIN_CODEC_INTERVIEW_AUDIO_CHUNK,
    OJIN_CODEC_INTERVIEW_COMMIT_AUDIO,
    OJIN_CODEC_INTERVIEW_CANCEL_RESPONSE,
    /* server to client */
    OJIN_CODEC_INTERVIEW_AI_AUDIO_CHUNK,
    OJIN_CODEC_INTERVIEW_TRANSCRIPT,
    OJIN_CODEC_INTERVIEW_FUNCTION_RESULT,
    OJIN_CODEC_INTERVIEW_ERROR,
    OJIN_CODEC_INTERVIEW_STATUS, /* "connected" too, where that is a message of its own */
    /* either way, in versions that have them */
    OJIN_CODEC_INTERVIEW_PING,
    OJIN_CODEC_INTERVIEW_PONG,
    /* no message of the protocol */
    OJIN_CODEC_INTERVIEW_OTHER,      /* a JSON object whose type is missing, no string or none of these */
    OJIN_CODEC_INTERVIEW_NO_OBJECT,  /* JSON, but no object */
    OJIN_CODEC_INTERVIEW_UNREADABLE, /* legal JSON that is not read here: nested too deep, say, or too large
                                      */
    OJIN_CODEC_INTERVIEW_NOT_JSON
};

enum ojin_codec_interview_speaker { OJIN_CODEC_INTERVIEW_CANDIDATE, OJIN_CODEC_INTERVIEW_AI };

enum ojin_codec_interview_status {
    OJIN_CODEC_INTERVIEW_CONNECTING,
    OJIN_CODEC_INTERVIEW_CONNECTED,
    OJIN_CODEC_INTERVIEW_DISCONNECTED
};

/* Only the members of its type are set, the others are 0 or empty. To be written, spans borrow from the
 * caller; a member is written when its `has_` is true. */
struct ojin_codec_interview {
    enum ojin_codec_interview_type type;
    /* Reading: what is wrong, a sentence each. The count is of all, of which the first OJIN_CODEC_FAULTS_MAX
     * are kept. */
    size_t fault_count;
    const char *faults[OJIN_CODEC_FAULTS_MAX];

    /* audio_chunk, ai_audio_chunk: 16-bit little-endian PCM, 24,000 Hz, mono; whole samples */
    bool has_audio;
    struct ojin_codec_bytes audio;
    /* audio_chunk, transcript: since the Unix epoch; seconds in the document, milliseconds in the deployed
     * version */
    bool has_timestamp;
    int64_t timestamp;
    /* ai_audio_chunk: the text so far; transcript: the text */
    bool has_text;
    struct ojin_codec_bytes text;
    /* ai_audio_chunk */
    bool has_is_final, is_final;
    /* transcript */
    bool has_speaker;
    enum ojin_codec_interview_speaker speaker;
    /* function_result; `result` is JSON as it stood in the message */
    bool has_function_name;
    struct ojin_codec_bytes function_name;
    bool has_result;
    struct ojin_codec_bytes result;
    /* error; `details` is JSON as it stood in the message */
    bool has_code;
    struct ojin_codec_bytes code;
    bool has_details;
    struct ojin_codec_bytes details;
    /* error, status */
    bool has_message;
    struct ojin_codec_bytes message;
    /* status */
    bool has_status;
    enum ojin_codec_interview_status status;

    void *owned; /* what a message that was read borrows from */
};

/* `profile`: a version, of `ojin-mock --list profiles` ("interview-1.0", "interview-deployed"). `text` is not
 * needed afterwards. False only when there is no such profile or no memory, with `*out` empty: what is wrong
 * with a message is in `type` and `faults`, and members that are right are set all the same. To be freed in
 * any case. */
bool ojin_codec_interview_read(const char *profile, const char *text, size_t len,
                               struct ojin_codec_interview *out);
void ojin_codec_interview_free(struct ojin_codec_interview *message);

/* The message as JSON in the words of the profile, with a terminator that `*len` does not count; freed with
 * ojin_codec_text_free. NULL: there is no such profile or no memory, or the profile has no such message. */
char *ojin_codec_interview_write(const char *profile, const struct ojin_codec_interview *message,
                                 size_t *len);

#ifdef __cplusplus
}
#endif

#endif
