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

void duplex_fault_write(struct text *out, const struct duplex_fault *fault)
{
    text_add(out, fault->member);
    text_add(out, ": expected ");
    text_add(out, fault->expected);
    text_add(out, ", found ");
    text_add(out, fault->found);
}

enum duplex_error_code duplex_fault_error(const struct duplex_fault *fault)
{
    switch (fault->kind) {
    case DUPLEX_FAULT_UNKNOWN_TYPE:
        return DUPLEX_ERROR_UNKNOWN_EVENT;
    case DUPLEX_FAULT_MISSING:
        return DUPLEX_ERROR_MISSING_FIELD;
    case DUPLEX_FAULT_NOT_JSON:
    case DUPLEX_FAULT_UNREADABLE:
    case DUPLEX_FAULT_NOT_OBJECT:
    case DUPLEX_FAULT_WRONG_TYPE:
    case DUPLEX_FAULT_RANGE:
    case DUPLEX_FAULT_BASE64:
    case DUPLEX_FAULT_ODD_AUDIO:
    case DUPLEX_FAULT_NOT_FINITE:
    case DUPLEX_FAULT_TOO_SHORT:
    case DUPLEX_FAULT_TOO_LONG:
    case DUPLEX_FAULT_NO_PICTURE:
    case DUPLEX_FAULT_NO_WAV:
        return DUPLEX_ERROR_INVALID_PAYLOAD;
    }
    return DUPLEX_ERROR_INVALID_PAYLOAD;
}

/* "video_frames" is also the name of "video_frames[1]". */
static bool is_member(const char *member, const char *name)
{
    const size_t len = strlen(name);
    return strncmp(member, name, len) == 0 && (member[len] == '\0' || member[len] == '[');
}

const struct duplex_fault *duplex_message_fault(const struct duplex_message *message, const char *member)
{
    for (size_t i = 0; i < message->fault_count && i < DUPLEX_FAULTS_MAX; i++) {
        if (is_member(message->faults[i].member, member))
            return &message->faults[i];
    }
    return NULL;
}
