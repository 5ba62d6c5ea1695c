#include "codec/interview/messages.h"
#include "codec/wire/object_writer.h"

static void put_audio(struct object_writer *writer, const struct interview_message *message)
{
    object_put_base64(writer, message->has_audio, "audio", message->audio, message->audio_encoded);
}

static void put_transcript(struct object_writer *writer, const struct interview_dialect *dialect,
                           const struct interview_message *message)
{
    const char *speaker = message->speaker == INTERVIEW_SPEAKER_CANDIDATE ? dialect->candidate : dialect->ai;
    object_put_text(writer, message->has_speaker, dialect->speaker, bytes_of_text(speaker));
    object_put_text(writer, message->has_text, "text", message->text);
    object_put_integer(writer, message->has_timestamp, "timestamp", message->timestamp);
}

static void put_members(struct object_writer *writer, const struct interview_dialect *dialect,
                        const struct interview_message *message)
{
    switch (message->type) {
    case INTERVIEW_MESSAGE_AUDIO_CHUNK:
        put_audio(writer, message);
        object_put_integer(writer, message->has_timestamp, "timestamp", message->timestamp);
        break;
    case INTERVIEW_MESSAGE_AI_AUDIO_CHUNK:
        put_audio(writer, message);
        object_put_text(writer, message->has_text, "transcript", message->text);
        object_put_bool(writer, message->has_is_final, "is_final", message->is_final);
        break;
    case INTERVIEW_MESSAGE_TRANSCRIPT:
        put_transcript(writer, dialect, message);
        break;
    case INTERVIEW_MESSAGE_FUNCTION_RESULT:
        object_put_text(writer, message->has_function_name, "function_name", message->function_name);
        object_put_raw(writer, message->has_result, "result", message->result);
        break;
    case INTERVIEW_MESSAGE_ERROR:
        object_put_text(writer, message->has_code, dialect->error_code, message->code);
        object_put_text(writer, message->has_message, "message", message->message);
        object_put_raw(writer, message->has_details, "details", message->details);
        break;
    case INTERVIEW_MESSAGE_STATUS:
        object_put_text(writer, message->has_status, "status",
                        bytes_of_text(interview_status_name(message->status)));
        object_put_text(writer, message->has_message, "message", message->message);
        break;
    case INTERVIEW_MESSAGE_COMMIT_AUDIO:
    case INTERVIEW_MESSAGE_CANCEL_RESPONSE:
    case INTERVIEW_MESSAGE_PING:
    case INTERVIEW_MESSAGE_PONG:
    case INTERVIEW_MESSAGE_OTHER:
    case INTERVIEW_MESSAGE_NO_OBJECT:
    case INTERVIEW_MESSAGE_UNREADABLE:
    case INTERVIEW_MESSAGE_NOT_JSON:
        break;
    }
}

/* One that is a message of its own, where the dialect has that. */
static bool is_connected(const struct interview_dialect *dialect, const struct interview_message *message)
{
    return dialect->connected != NULL && message->type == INTERVIEW_MESSAGE_STATUS && message->has_status &&
           message->status == INTERVIEW_STATUS_CONNECTED;
}

bool interview_message_write(const struct interview_dialect *dialect, const struct interview_message *message,
                             struct buffer *out)
{
    const bool connected = is_connected(dialect, message);
    const char *type = connected ? dialect->connected : interview_message_type_in(dialect, message->type);
    if (type == NULL)
        return false;
    struct object_writer writer = object_writer_of(out);
    object_put_text(&writer, true, "type", bytes_of_text(type));
    if (connected)
        object_put_text(&writer, message->has_message, "message", message->message);
    else
        put_members(&writer, dialect, message);
    return object_writer_end(&writer);
}
