/* Names of messages and of what stands in them, and what a server says of their faults. */
#include "codec/interview/messages.h"

static const char *const TYPE_NAMES[] = {
    [INTERVIEW_MESSAGE_AUDIO_CHUNK] = "audio_chunk",
    [INTERVIEW_MESSAGE_COMMIT_AUDIO] = "commit_audio",
    [INTERVIEW_MESSAGE_CANCEL_RESPONSE] = "cancel_response",
    [INTERVIEW_MESSAGE_AI_AUDIO_CHUNK] = "ai_audio_chunk",
    [INTERVIEW_MESSAGE_TRANSCRIPT] = "transcript",
    [INTERVIEW_MESSAGE_FUNCTION_RESULT] = "function_result",
    [INTERVIEW_MESSAGE_ERROR] = "error",
    [INTERVIEW_MESSAGE_STATUS] = "status",
    [INTERVIEW_MESSAGE_PING] = "ping",
    [INTERVIEW_MESSAGE_PONG] = "pong",
    [INTERVIEW_MESSAGE_OTHER] = "other",
    [INTERVIEW_MESSAGE_NO_OBJECT] = "no-object",
    [INTERVIEW_MESSAGE_UNREADABLE] = "unreadable",
    [INTERVIEW_MESSAGE_NOT_JSON] = "not-json",
};

static const char *const STATUS_NAMES[INTERVIEW_STATUS_COUNT] = {
    [INTERVIEW_STATUS_CONNECTING] = "connecting",
    [INTERVIEW_STATUS_CONNECTED] = "connected",
    [INTERVIEW_STATUS_DISCONNECTED] = "disconnected",
};

const char *interview_message_type_name(enum interview_message_type type)
{
    return (size_t)type < sizeof TYPE_NAMES / sizeof TYPE_NAMES[0] ? TYPE_NAMES[type] : "?";
}

const char *interview_message_type_in(const struct interview_dialect *dialect,
                                      enum interview_message_type type)
{
    if (type == INTERVIEW_MESSAGE_COMMIT_AUDIO)
        return dialect->commit;
    if (type >= INTERVIEW_MESSAGE_OTHER)
        return NULL;
    const bool is_ping = type == INTERVIEW_MESSAGE_PING || type == INTERVIEW_MESSAGE_PONG;
    return is_ping && !dialect->pings ? NULL : TYPE_NAMES[type];
}

const char *interview_speaker_name(enum interview_speaker speaker)
{
    return speaker == INTERVIEW_SPEAKER_CANDIDATE ? "candidate" : "ai";
}

const char *interview_status_name(enum interview_status status)
{
    return (size_t)status < INTERVIEW_STATUS_COUNT ? STATUS_NAMES[status] : "?";
}

enum interview_error_code interview_fault_error(const struct json_fault *fault)
{
    const bool of_audio = fault->kind == JSON_FAULT_BASE64 || fault->kind == JSON_FAULT_ODD_AUDIO;
    return of_audio ? INTERVIEW_ERROR_AUDIO_PROCESSING : INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT;
}
