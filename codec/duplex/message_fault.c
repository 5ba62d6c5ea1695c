/* Names of messages, and what is said of their faults. */
#include "codec/duplex/messages.h"
#include "codec/duplex/profile.h"

const char *duplex_message_type_name(enum duplex_message_type type)
{
    switch (type) {
    case DUPLEX_MESSAGE_UPDATE:
        return "session.update";
    case DUPLEX_MESSAGE_APPEND:
        return "input_audio_buffer.append";
    case DUPLEX_MESSAGE_CLOSE:
        return "session.close";
    case DUPLEX_MESSAGE_QUEUED:
        return "session.queued";
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
        return "session.queue_update";
    case DUPLEX_MESSAGE_QUEUE_DONE:
        return "session.queue_done";
    case DUPLEX_MESSAGE_CREATED:
        return "session.created";
    case DUPLEX_MESSAGE_DELTA:
        return "response.output_audio.delta";
    case DUPLEX_MESSAGE_LISTEN:
        return "response.listen";
    case DUPLEX_MESSAGE_CLOSED:
        return "session.closed";
    case DUPLEX_MESSAGE_ERROR:
        return "error";
    case DUPLEX_MESSAGE_OTHER:
        return "other";
    case DUPLEX_MESSAGE_NO_OBJECT:
        return "no-object";
    case DUPLEX_MESSAGE_UNREADABLE:
        return "unreadable";
    case DUPLEX_MESSAGE_NOT_JSON:
        return "not-json";
    }
    return "?";
}

const char *duplex_message_type_shown(const struct duplex_dialect *dialect, enum duplex_message_type type)
{
    const char *name = duplex_message_type_in(dialect, type);
    return name != NULL ? name : duplex_message_type_name(type);
}

enum duplex_error_code duplex_fault_error(const struct json_fault *fault)
{
    switch (fault->kind) {
    case JSON_FAULT_UNKNOWN_TYPE:
        return DUPLEX_ERROR_UNKNOWN_EVENT;
    case JSON_FAULT_MISSING:
        return DUPLEX_ERROR_MISSING_FIELD;
    case JSON_FAULT_NOT_JSON:
    case JSON_FAULT_UNREADABLE:
    case JSON_FAULT_NOT_OBJECT:
    case JSON_FAULT_WRONG_TYPE:
    case JSON_FAULT_RANGE:
    case JSON_FAULT_BASE64:
    case JSON_FAULT_ODD_AUDIO:
    case JSON_FAULT_NOT_FINITE:
    case JSON_FAULT_TOO_SHORT:
    case JSON_FAULT_TOO_LONG:
    case JSON_FAULT_NO_PICTURE:
    case JSON_FAULT_NO_WAV:
    case JSON_FAULT_NO_MEMORY:
        return DUPLEX_ERROR_INVALID_PAYLOAD;
    }
    return DUPLEX_ERROR_INVALID_PAYLOAD;
}
