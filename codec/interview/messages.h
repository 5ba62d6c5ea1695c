/*
 * The messages of the realtime interview protocol, of both sides and in any dialect: 004 Message Protocol;
 * what a deployed server spells otherwise: field notes.
 *
 * One struct for all, and the same one is read and written: only the members of its type are set, the others
 * are zero. interview_message_read parses the JSON, and decodes base64 where it stands, in the memory of the
 * parsed text; so sound and strings borrow from the message, which owns that text until
 * interview_message_free. A message that is written borrows everything from its caller and owns nothing.
 *
 * Reading never fails: what is wrong is a list of faults (codec/wire/json_fault.h).
 */
#ifndef CODEC_INTERVIEW_MESSAGES_H
#define CODEC_INTERVIEW_MESSAGES_H

#include <cjson/cJSON.h>

#include "codec/interview/constants.h"
#include "codec/interview/error_code.h"
#include "codec/interview/profile.h"
#include "codec/wire/buffer.h"
#include "codec/wire/json_fault.h"

enum interview_message_type {
    /* client to server */
    INTERVIEW_MESSAGE_AUDIO_CHUNK,
    INTERVIEW_MESSAGE_COMMIT_AUDIO,
    INTERVIEW_MESSAGE_CANCEL_RESPONSE,
    /* server to client */
    INTERVIEW_MESSAGE_AI_AUDIO_CHUNK,
    INTERVIEW_MESSAGE_TRANSCRIPT,
    INTERVIEW_MESSAGE_FUNCTION_RESULT,
    INTERVIEW_MESSAGE_ERROR,
    INTERVIEW_MESSAGE_STATUS, /* "connected" too, where that is a message of its own */
    /* either way, in dialects that have them */
    INTERVIEW_MESSAGE_PING,
    INTERVIEW_MESSAGE_PONG,

    INTERVIEW_MESSAGE_OTHER,      /* a JSON object whose type is missing, no string or none of these */
    INTERVIEW_MESSAGE_NO_OBJECT,  /* JSON, but no object */
    INTERVIEW_MESSAGE_UNREADABLE, /* legal JSON that is not read here; above JSON_MESSAGE_BYTES_MAX too */
    INTERVIEW_MESSAGE_NOT_JSON
};

/* As journals and tools name it, whatever the dialect: "audio_chunk", "not-json" …; static. */
const char *interview_message_type_name(enum interview_message_type type);
/* As the dialect spells it on the wire, a status "connected" aside; static. NULL of the last four, and of a
 * ping and a pong where there are none. */
const char *interview_message_type_in(const struct interview_dialect *dialect,
                                      enum interview_message_type type);
/* Is it one that a client sends, and only a client? */
static inline bool interview_message_is_clients(enum interview_message_type type)
{
    return type <= INTERVIEW_MESSAGE_CANCEL_RESPONSE;
}
/* ... and only a server? */
static inline bool interview_message_is_servers(enum interview_message_type type)
{
    return type >= INTERVIEW_MESSAGE_AI_AUDIO_CHUNK && type <= INTERVIEW_MESSAGE_STATUS;
}

enum interview_speaker { INTERVIEW_SPEAKER_CANDIDATE, INTERVIEW_SPEAKER_AI };
/* "candidate" or "ai", whatever the dialect; static. */
const char *interview_speaker_name(enum interview_speaker speaker);

enum interview_status {
    INTERVIEW_STATUS_CONNECTING,
    INTERVIEW_STATUS_CONNECTED,
    INTERVIEW_STATUS_DISCONNECTED,
    INTERVIEW_STATUS_COUNT
};
/* "connecting", "connected", "disconnected"; static. */
const char *interview_status_name(enum interview_status status);

struct interview_message {
    enum interview_message_type type;
    struct json_faults faults; /* its strings borrow as all others do */

    /* audio_chunk, ai_audio_chunk: whole samples of PCM16, for interview_sample_at */
    bool has_audio;
    struct bytes audio;
    /* writing only: the base64 of `audio`, made ahead, which is then written in its place */
    struct bytes audio_encoded;

    /* audio_chunk, transcript: as the dialect counts, interview_time_of */
    bool has_timestamp;
    int64_t timestamp;

    /* ai_audio_chunk: the text so far; transcript: the text */
    bool has_text;
    struct bytes text;

    /* ai_audio_chunk */
    bool has_is_final;
    bool is_final;

    /* transcript */
    bool has_speaker;
    enum interview_speaker speaker;

    /* function_result */
    bool has_function_name;
    struct bytes function_name;
    /* function_result: `result`; error: `details`. JSON as it stood in the message, whatever it is */
    bool has_result;
    struct bytes result;
    bool has_details;
    struct bytes details;

    /* error */
    bool has_code;
    struct bytes code;
    /* error, status */
    bool has_message;
    struct bytes message;

    /* status */
    bool has_status;
    enum interview_status status;

    cJSON *tree;  /* what is borrowed from; NULL in a message that is written */
    uint8_t *raw; /* what `result` or `details` borrow from; NULL where there is none */
};

static inline size_t interview_sample_count(struct bytes audio)
{
    return audio.len / INTERVIEW_SAMPLE_BYTES;
}
/* `index` is below the count. */
static inline int16_t interview_sample_at(struct bytes audio, size_t index)
{
    const uint8_t *at = audio.data + index * INTERVIEW_SAMPLE_BYTES;
    return (int16_t)((uint16_t)at[0] | (uint16_t)((uint16_t)at[1] << 8));
}

/*
 * Reads any text message. `text` is not needed afterwards. Null where a member may be absent is as though it
 * were, and JSON_FAULT_WRONG_TYPE elsewhere. The members, by type, in the words of the document:
 * - audio_chunk: audio base64 of whole samples, timestamp a time
 * - commit_audio, cancel_response, ping, pong: nothing else
 * - ai_audio_chunk: audio as above, is_final a bool; transcript a string, or absent
 * - transcript: speaker one of the two, text a string, timestamp a time
 * - function_result: function_name a string; result anything, null too
 * - error: code and message strings; details anything, or absent
 * - status: status one of the three, message a string. A message "connected", where the dialect has it:
 *   message a string, or absent
 * A time is an integer, in seconds below INTERVIEW_MILLISECONDS_MIN, in milliseconds from there on.
 */
void interview_message_read(struct bytes text, const struct interview_dialect *dialect,
                            struct interview_message *out);
void interview_message_free(struct interview_message *message);

/* What a server answers a fault of a client's message with. */
enum interview_error_code interview_fault_error(const struct json_fault *fault);

/*
 * Appends the message as one JSON object, in the words of the dialect; no member is written that is not set.
 * False, with `out` unchanged, when it does not fit or the dialect has no such message.
 */
bool interview_message_write(const struct interview_dialect *dialect, const struct interview_message *message,
                             struct buffer *out);

#endif
