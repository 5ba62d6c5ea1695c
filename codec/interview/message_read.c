#include <stdlib.h>

#include "codec/interview/messages.h"
#include "codec/wire/json_members.h"
#include "codec/wire/json_span.h"

/* Where a message is read from, and for what. */
struct reading {
    struct json_reader json;
    struct bytes text;
    const struct interview_dialect *dialect;
    struct interview_message *message;
};

static void read_audio(const struct reading *reading)
{
    struct interview_message *message = reading->message;
    message->has_audio = json_read_samples(&reading->json, "audio", INTERVIEW_SAMPLE_BYTES,
                                           "whole samples of 2 bytes", &message->audio);
}

static void read_timestamp(const struct reading *reading)
{
    struct interview_message *message = reading->message;
    const bool milliseconds = reading->dialect->milliseconds;
    message->has_timestamp = json_read_integer(
        &reading->json, "timestamp", JSON_REQUIRED, milliseconds ? INTERVIEW_MILLISECONDS_MIN : 0,
        milliseconds ? INT64_MAX : INTERVIEW_MILLISECONDS_MIN - 1,
        milliseconds ? "a Unix time in milliseconds, an integer" : "a Unix time in seconds, an integer",
        &message->timestamp);
}

static void read_audio_chunk(const struct reading *reading)
{
    static const char *const names[] = {"type", "audio", "timestamp", NULL};
    read_audio(reading);
    read_timestamp(reading);
    json_note_unknown(&reading->json, names);
}

static void read_nothing(const struct reading *reading)
{
    static const char *const names[] = {"type", NULL};
    json_note_unknown(&reading->json, names);
}

static void read_ai_audio_chunk(const struct reading *reading)
{
    static const char *const names[] = {"type", "audio", "transcript", "is_final", NULL};
    struct interview_message *message = reading->message;
    read_audio(reading);
    message->has_text = json_read_text(&reading->json, "transcript", JSON_OPTIONAL, &message->text);
    message->has_is_final = json_read_bool(&reading->json, "is_final", JSON_REQUIRED, &message->is_final);
    json_note_unknown(&reading->json, names);
}

static void read_speaker(const struct reading *reading)
{
    const struct interview_dialect *dialect = reading->dialect;
    struct interview_message *message = reading->message;
    struct bytes word;
    if (!json_read_text(&reading->json, dialect->speaker, JSON_REQUIRED, &word))
        return;
    const bool is_candidate = bytes_equal_text(word, dialect->candidate);
    if (!is_candidate && !bytes_equal_text(word, dialect->ai)) {
        json_fail_word(&reading->json, JSON_FAULT_RANGE, dialect->speaker, "one of the two speakers", word);
        return;
    }
    message->has_speaker = true;
    message->speaker = is_candidate ? INTERVIEW_SPEAKER_CANDIDATE : INTERVIEW_SPEAKER_AI;
}

static void read_transcript(const struct reading *reading)
{
    const char *const names[] = {"type", reading->dialect->speaker, "text", "timestamp", NULL};
    struct interview_message *message = reading->message;
    read_speaker(reading);
    message->has_text = json_read_text(&reading->json, "text", JSON_REQUIRED, &message->text);
    read_timestamp(reading);
    json_note_unknown(&reading->json, names);
}

/* The member as the text has it, kept for as long as the message is. */
static bool keep_raw(const struct reading *reading, const char *name, struct bytes *out)
{
    struct interview_message *message = reading->message;
    struct bytes span;
    if (!json_member_span(reading->text, name, &span))
        return false;
    message->raw = malloc(span.len);
    if (message->raw == NULL)
        return false;
    memcpy(message->raw, span.data, span.len);
    *out = bytes_of(message->raw, span.len);
    return true;
}

static void read_function_result(const struct reading *reading)
{
    static const char *const names[] = {"type", "function_name", "result", NULL};
    struct interview_message *message = reading->message;
    message->has_function_name =
        json_read_text(&reading->json, "function_name", JSON_REQUIRED, &message->function_name);
    message->has_result = keep_raw(reading, "result", &message->result);
    if (!message->has_result)
        json_fail_type(&reading->json, "result", "a value", NULL);
    json_note_unknown(&reading->json, names);
}

static void read_error(const struct reading *reading)
{
    const char *const names[] = {"type", reading->dialect->error_code, "message", "details", NULL};
    struct interview_message *message = reading->message;
    message->has_code =
        json_read_text(&reading->json, reading->dialect->error_code, JSON_REQUIRED, &message->code);
    message->has_message = json_read_text(&reading->json, "message", JSON_REQUIRED, &message->message);
    message->has_details =
        json_optional(&reading->json, "details") != NULL && keep_raw(reading, "details", &message->details);
    json_note_unknown(&reading->json, names);
}

static void read_status(const struct reading *reading)
{
    static const char *const names[] = {"type", "status", "message", NULL};
    struct interview_message *message = reading->message;
    struct bytes word;
    if (json_read_text(&reading->json, "status", JSON_REQUIRED, &word)) {
        for (size_t i = 0; i < INTERVIEW_STATUS_COUNT && !message->has_status; i++) {
            message->status = (enum interview_status)i;
            message->has_status = bytes_equal_text(word, interview_status_name(message->status));
        }
        if (!message->has_status) {
            message->status = INTERVIEW_STATUS_CONNECTING;
            json_fail_word(&reading->json, JSON_FAULT_RANGE, "status",
                           "connecting, connected or disconnected", word);
        }
    }
    message->has_message = json_read_text(&reading->json, "message", JSON_REQUIRED, &message->message);
    json_note_unknown(&reading->json, names);
}

static void read_connected(const struct reading *reading)
{
    static const char *const names[] = {"type", "message", NULL};
    struct interview_message *message = reading->message;
    message->has_status = true;
    message->status = INTERVIEW_STATUS_CONNECTED;
    message->has_message = json_read_text(&reading->json, "message", JSON_OPTIONAL, &message->message);
    json_note_unknown(&reading->json, names);
}

/* --- the message --- */

static void (*const READERS[])(const struct reading *reading) = {
    [INTERVIEW_MESSAGE_AUDIO_CHUNK] = read_audio_chunk,
    [INTERVIEW_MESSAGE_COMMIT_AUDIO] = read_nothing,
    [INTERVIEW_MESSAGE_CANCEL_RESPONSE] = read_nothing,
    [INTERVIEW_MESSAGE_AI_AUDIO_CHUNK] = read_ai_audio_chunk,
    [INTERVIEW_MESSAGE_TRANSCRIPT] = read_transcript,
    [INTERVIEW_MESSAGE_FUNCTION_RESULT] = read_function_result,
    [INTERVIEW_MESSAGE_ERROR] = read_error,
    [INTERVIEW_MESSAGE_STATUS] = read_status,
    [INTERVIEW_MESSAGE_PING] = read_nothing,
    [INTERVIEW_MESSAGE_PONG] = read_nothing,
};

enum { READER_COUNT = sizeof READERS / sizeof READERS[0] };

static void read_object(const struct reading *reading)
{
    const struct interview_dialect *dialect = reading->dialect;
    struct bytes type;
    if (!json_read_text(&reading->json, "type", JSON_REQUIRED, &type))
        return;
    if (dialect->connected != NULL && bytes_equal_text(type, dialect->connected)) {
        reading->message->type = INTERVIEW_MESSAGE_STATUS;
        read_connected(reading);
        return;
    }
    for (size_t i = 0; i < READER_COUNT; i++) {
        const char *name = interview_message_type_in(dialect, (enum interview_message_type)i);
        if (name == NULL || !bytes_equal_text(type, name))
            continue;
        reading->message->type = (enum interview_message_type)i;
        READERS[i](reading);
        return;
    }
    json_fail_word(&reading->json, JSON_FAULT_UNKNOWN_TYPE, "type", "a message of the protocol", type);
}

void interview_message_read(struct bytes text, const struct interview_dialect *dialect,
                            struct interview_message *out)
{
    struct reading reading = {.text = text, .dialect = dialect, .message = out};
    *out = (struct interview_message){.type = INTERVIEW_MESSAGE_OTHER};
    switch (json_message_parse(text, &out->faults, &out->tree, &reading.json)) {
    case JSON_FORM_OBJECT:
        read_object(&reading);
        break;
    case JSON_FORM_NO_OBJECT:
        out->type = INTERVIEW_MESSAGE_NO_OBJECT;
        break;
    case JSON_FORM_UNREADABLE:
        out->type = INTERVIEW_MESSAGE_UNREADABLE;
        break;
    case JSON_FORM_NOT_JSON:
        out->type = INTERVIEW_MESSAGE_NOT_JSON;
        break;
    }
}

void interview_message_free(struct interview_message *message)
{
    cJSON_Delete(message->tree);
    free(message->raw);
    *message = (struct interview_message){.type = INTERVIEW_MESSAGE_OTHER};
}
