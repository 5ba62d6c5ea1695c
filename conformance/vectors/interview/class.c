#include "codec/interview/messages.h"
#include "conformance/vectors/vector_class.h"

#define TIME_MS INT64_C(1700000000123)

enum { OUT_MAX = 64 * 1024, CHUNK_SAMPLES = 240 };

static void add(struct vector_maker *maker, const struct interview_profile *profile, bool from_client,
                const struct interview_message *message)
{
    struct buffer out;
    char what[VECTOR_NAME_MAX];
    struct text text = text_of(what, sizeof what);
    const char *type = interview_message_type_in(profile->dialect, message->type);
    if (type == NULL)
        return;
    text_add(&text, type);
    if (message->has_status) {
        text_add(&text, " ");
        text_add(&text, interview_status_name(message->status));
    }
    if (message->type == INTERVIEW_MESSAGE_PING || message->type == INTERVIEW_MESSAGE_PONG)
        text_add(&text, from_client ? " of a client" : " of a server");
    buffer_init(&out, OUT_MAX);
    if (interview_message_write(profile->dialect, message, &out))
        vectors_add_text(maker, what, profile->base.name, from_client, buffer_bytes(&out));
    buffer_free(&out);
}

static void add_of_client(struct vector_maker *maker, const struct interview_profile *profile,
                          struct bytes sound)
{
    add(maker, profile, true,
        &(struct interview_message){.type = INTERVIEW_MESSAGE_AUDIO_CHUNK,
                                    .has_audio = true,
                                    .audio = sound,
                                    .has_timestamp = true,
                                    .timestamp = interview_time_of(profile->dialect, TIME_MS)});
    add(maker, profile, true, &(struct interview_message){.type = INTERVIEW_MESSAGE_COMMIT_AUDIO});
    add(maker, profile, true, &(struct interview_message){.type = INTERVIEW_MESSAGE_CANCEL_RESPONSE});
}

static void add_of_server(struct vector_maker *maker, const struct interview_profile *profile,
                          struct bytes sound)
{
    add(maker, profile, false,
        &(struct interview_message){.type = INTERVIEW_MESSAGE_AI_AUDIO_CHUNK,
                                    .has_audio = true,
                                    .audio = sound,
                                    .has_text = true,
                                    .text = bytes_of_text("Tell me about"),
                                    .has_is_final = true});
    add(maker, profile, false,
        &(struct interview_message){.type = INTERVIEW_MESSAGE_TRANSCRIPT,
                                    .has_speaker = true,
                                    .speaker = INTERVIEW_SPEAKER_AI,
                                    .has_text = true,
                                    .text = bytes_of_text("Tell me about yourself."),
                                    .has_timestamp = true,
                                    .timestamp = interview_time_of(profile->dialect, TIME_MS)});
    add(maker, profile, false,
        &(struct interview_message){.type = INTERVIEW_MESSAGE_FUNCTION_RESULT,
                                    .has_function_name = true,
                                    .function_name = bytes_of_text(INTERVIEW_FUNCTION),
                                    .has_result = true,
                                    .result = bytes_of_text("{\"score\":8,\"tags\":[\"clear\"]}")});
    add(maker, profile, false,
        &(struct interview_message){.type = INTERVIEW_MESSAGE_ERROR,
                                    .has_code = true,
                                    .code = bytes_of_text(interview_error_name((enum interview_error_code)0)),
                                    .has_message = true,
                                    .message = bytes_of_text("It could not be done."),
                                    .has_details = true,
                                    .details = bytes_of_text("{\"retry\":true}")});
    for (int status = 0; status < INTERVIEW_STATUS_COUNT; status++)
        add(maker, profile, false,
            &(struct interview_message){.type = INTERVIEW_MESSAGE_STATUS,
                                        .has_status = true,
                                        .status = (enum interview_status)status,
                                        .has_message = true,
                                        .message = bytes_of_text("As of now.")});
}

static void make(struct vector_maker *maker)
{
    uint8_t sound[CHUNK_SAMPLES * INTERVIEW_SAMPLE_BYTES];
    vector_fill_pcm16(sound, CHUNK_SAMPLES);
    for (size_t i = 0; i < INTERVIEW_PROFILE_COUNT; i++) {
        const struct interview_profile *profile = &INTERVIEW_PROFILES[i];
        add_of_client(maker, profile, bytes_of(sound, sizeof sound));
        add_of_server(maker, profile, bytes_of(sound, sizeof sound));
        for (int side = 0; side < 2; side++) {
            add(maker, profile, side == 1, &(struct interview_message){.type = INTERVIEW_MESSAGE_PING});
            add(maker, profile, side == 1, &(struct interview_message){.type = INTERVIEW_MESSAGE_PONG});
            vectors_add_strange_texts(maker, profile->base.name, side == 1);
        }
    }
}

/* --- judging --- */

static const char *requirement_of(const struct interview_message *message, bool from_client, bool valid)
{
    if (!valid)
        return from_client ? "IV-SRV-06" : "IV-OUT-06";
    switch (message->type) {
    case INTERVIEW_MESSAGE_AUDIO_CHUNK:
        return "IV-IN-01";
    case INTERVIEW_MESSAGE_COMMIT_AUDIO:
        return "IV-IN-05";
    case INTERVIEW_MESSAGE_CANCEL_RESPONSE:
        return "IV-IN-06";
    case INTERVIEW_MESSAGE_AI_AUDIO_CHUNK:
        return "IV-OUT-01";
    case INTERVIEW_MESSAGE_TRANSCRIPT:
        return "IV-OUT-03";
    case INTERVIEW_MESSAGE_FUNCTION_RESULT:
        return "IV-OUT-04";
    case INTERVIEW_MESSAGE_ERROR:
        return "IV-ERR-01";
    case INTERVIEW_MESSAGE_STATUS:
        return "IV-OUT-05";
    case INTERVIEW_MESSAGE_PING:
    case INTERVIEW_MESSAGE_PONG:
    case INTERVIEW_MESSAGE_OTHER:
    case INTERVIEW_MESSAGE_NO_OBJECT:
    case INTERVIEW_MESSAGE_UNREADABLE:
    case INTERVIEW_MESSAGE_NOT_JSON:
        break;
    }
    return NULL;
}

static void put_words(struct vector *vector, const struct interview_message *message)
{
    if (message->has_speaker)
        vector_put_text(vector, "speaker", bytes_of_text(interview_speaker_name(message->speaker)));
    if (message->has_text)
        vector_put_text(vector, "text", message->text);
    if (message->has_function_name)
        vector_put_text(vector, "function_name", message->function_name);
    if (message->has_result)
        vector_put_text(vector, "result_json", message->result);
    if (message->has_details)
        vector_put_text(vector, "details_json", message->details);
    if (message->has_code)
        vector_put_text(vector, "code", message->code);
    if (message->has_message)
        vector_put_text(vector, "message", message->message);
    if (message->has_status)
        vector_put_text(vector, "status", bytes_of_text(interview_status_name(message->status)));
}

static void judge(struct vector *vector)
{
    const struct interview_profile *profile = interview_profile_by_name(vector->profile);
    struct interview_message message;
    interview_message_read(vector->message, profile->dialect, &message);
    vector_set_faults(vector, &message.faults);
    vector->requirement = requirement_of(&message, vector->from_client, vector->valid);
    vector_put_text(vector, "type", bytes_of_text(interview_message_type_name(message.type)));
    if (vector->valid) {
        if (message.has_audio)
            vector_put_span(vector, "audio", message.audio, INTERVIEW_SAMPLE_BYTES);
        if (message.has_is_final)
            vector_put_bool(vector, "is_final", message.is_final);
        if (message.has_timestamp)
            vector_put_number(vector, profile->dialect->milliseconds ? "timestamp_ms" : "timestamp_s",
                              (double)message.timestamp);
        put_words(vector, &message);
    }
    interview_message_free(&message);
}

const struct vector_class INTERVIEW_VECTORS = {.family = "interview", .make = make, .judge = judge};
