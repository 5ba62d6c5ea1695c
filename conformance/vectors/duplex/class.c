#include <math.h>

#include "codec/duplex/messages.h"
#include "codec/media/jpeg.h"
#include "conformance/vectors/vector_class.h"

enum { OUT_MAX = 256 * 1024, DELTA_SAMPLES = 240 };

static void add(struct vector_maker *maker, const struct duplex_profile *profile,
                const struct duplex_message *message)
{
    struct buffer out;
    const char *type = duplex_message_type_shown(profile->dialect, message->type);
    buffer_init(&out, OUT_MAX);
    /* A dialect need not have each of them. */
    if (duplex_message_write(profile, message, &out))
        vectors_add_text(maker, type, profile->base.name, duplex_message_is_clients(message->type),
                         buffer_bytes(&out));
    buffer_free(&out);
}

static void add_of_client(struct vector_maker *maker, const struct duplex_profile *profile)
{
    static uint8_t sound[DUPLEX_APPEND_SAMPLES_MIN * DUPLEX_SAMPLE_BYTES];
    vector_fill_float32(sound, DUPLEX_APPEND_SAMPLES_MIN);
    add(maker, profile,
        &(struct duplex_message){.type = DUPLEX_MESSAGE_UPDATE,
                                 .has_instructions = true,
                                 .instructions = bytes_of_text("Answer in a sentence."),
                                 .has_max_slices = profile->slices,
                                 .max_slices = DUPLEX_SLICES_DEFAULT});
    struct duplex_message append = {.type = DUPLEX_MESSAGE_APPEND,
                                    .has_audio = true,
                                    .audio = bytes_of(sound, sizeof sound),
                                    .has_force_listen = true,
                                    .has_pictures = profile->pictures,
                                    .picture_count = profile->pictures};
    append.pictures[0].jpeg = VECTOR_JPEG;
    add(maker, profile, &append);
    add(maker, profile,
        &(struct duplex_message){.type = DUPLEX_MESSAGE_CLOSE,
                                 .has_reason = true,
                                 .reason = bytes_of_text(duplex_reason_name(DUPLEX_REASON_USER_STOP))});
}

/* Sound with a sample that is no number. */
static void add_not_finite(struct vector_maker *maker, const struct duplex_profile *profile, bool from_client)
{
    static uint8_t sound[DUPLEX_APPEND_SAMPLES_MIN * DUPLEX_SAMPLE_BYTES];
    const struct duplex_message message = {.type = from_client ? DUPLEX_MESSAGE_APPEND : DUPLEX_MESSAGE_DELTA,
                                           .has_audio = true,
                                           .audio = bytes_of(sound, sizeof sound),
                                           .has_text = !profile->dialect->by_kind,
                                           .has_end_of_turn = true,
                                           .has_kv_cache_length = true};
    struct buffer out;
    buffer_init(&out, OUT_MAX);
    float32_put(sound + DUPLEX_SAMPLE_BYTES, NAN);
    if (duplex_message_write(profile, &message, &out))
        vectors_add(maker, from_client ? "append, a sample is no number" : "delta, a sample is no number",
                    "text", profile->base.name, from_client, buffer_bytes(&out), NULL);
    buffer_free(&out);
}

static void add_before_created(struct vector_maker *maker, const struct duplex_profile *profile)
{
    struct duplex_message place = {.type = DUPLEX_MESSAGE_QUEUED,
                                   .has_position = true,
                                   .position = 2,
                                   .has_wait = true,
                                   .wait_s = 7.5,
                                   .ticket_id = bytes_of_text("ticket-7"),
                                   .has_queue_length = true,
                                   .queue_length = 3};
    add(maker, profile, &place);
    place.type = DUPLEX_MESSAGE_QUEUE_UPDATE;
    add(maker, profile, &place);
    add(maker, profile, &(struct duplex_message){.type = DUPLEX_MESSAGE_QUEUE_DONE});
    add(maker, profile,
        &(struct duplex_message){.type = DUPLEX_MESSAGE_CREATED,
                                 .has_session_id = true,
                                 .session_id = bytes_of_text(DUPLEX_SESSION_ID_PREFIX "1700000000123"),
                                 .has_prompt_length = true,
                                 .prompt_length = DUPLEX_PROMPT_TOKENS});
}

static void add_of_server(struct vector_maker *maker, const struct duplex_profile *profile)
{
    static uint8_t sound[DELTA_SAMPLES * DUPLEX_SAMPLE_BYTES];
    vector_fill_float32(sound, DELTA_SAMPLES);
    add_before_created(maker, profile);
    add(maker, profile,
        &(struct duplex_message){.type = DUPLEX_MESSAGE_DELTA,
                                 .has_text = true,
                                 .text = bytes_of_text("Good morning"),
                                 .has_audio = true,
                                 .audio = bytes_of(sound, sizeof sound),
                                 .has_end_of_turn = true,
                                 .has_kv_cache_length = true,
                                 .kv_cache_length = 512});
    add(maker, profile,
        &(struct duplex_message){
            .type = DUPLEX_MESSAGE_LISTEN, .has_kv_cache_length = true, .kv_cache_length = 600});
    add(maker, profile,
        &(struct duplex_message){.type = DUPLEX_MESSAGE_CLOSED,
                                 .has_reason = true,
                                 .reason = bytes_of_text(duplex_reason_name(DUPLEX_REASON_STOPPED))});
    add(maker, profile,
        &(struct duplex_message){.type = DUPLEX_MESSAGE_ERROR,
                                 .code = bytes_of_text(duplex_error_name(DUPLEX_ERROR_MISSING_FIELD)),
                                 .error_message =
                                     bytes_of_text(duplex_error_description(DUPLEX_ERROR_MISSING_FIELD)),
                                 .error_type = bytes_of_text(duplex_error_type(DUPLEX_ERROR_MISSING_FIELD))});
}

static void make(struct vector_maker *maker)
{
    /* One of each dialect; the modes differ in pictures alone. */
    for (size_t i = 0; i < DUPLEX_PROFILE_COUNT; i++) {
        const struct duplex_profile *profile = &DUPLEX_PROFILES[i];
        if (profile->mode != DUPLEX_MODE_VIDEO)
            continue;
        add_of_client(maker, profile);
        add_of_server(maker, profile);
        add_not_finite(maker, profile, true);
        add_not_finite(maker, profile, false);
        vectors_add_strange_texts(maker, profile->base.name, false);
        vectors_add_strange_texts(maker, profile->base.name, true);
    }
}

/* --- judging --- */

static const char *requirement_of_server(const struct duplex_message *message, bool valid)
{
    switch (message->type) {
    case DUPLEX_MESSAGE_QUEUED:
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
    case DUPLEX_MESSAGE_QUEUE_DONE:
        return "DX-FLD-02";
    case DUPLEX_MESSAGE_CREATED:
        return "DX-SES-02";
    case DUPLEX_MESSAGE_DELTA:
        if (valid)
            return "DX-OUT-01";
        return json_fault_of(&message->faults, "audio") != NULL ? "DX-ERR-04" : "DX-SRV-18";
    case DUPLEX_MESSAGE_LISTEN:
        return valid ? "DX-OUT-04" : "DX-SRV-18";
    case DUPLEX_MESSAGE_CLOSED:
        return "DX-CLS-02";
    case DUPLEX_MESSAGE_ERROR:
        return valid ? "DX-ERR-01" : "DX-SRV-17";
    case DUPLEX_MESSAGE_OTHER:
        return "DX-OUT-08";
    case DUPLEX_MESSAGE_UPDATE:
    case DUPLEX_MESSAGE_APPEND:
    case DUPLEX_MESSAGE_CLOSE:
    case DUPLEX_MESSAGE_NO_OBJECT:
    case DUPLEX_MESSAGE_UNREADABLE:
    case DUPLEX_MESSAGE_NOT_JSON:
        break;
    }
    return NULL;
}

static const char *requirement_of_client(const struct duplex_message *message, bool valid)
{
    if (message->type == DUPLEX_MESSAGE_NOT_JSON)
        return "DX-SRV-05";
    if (!valid)
        return "DX-SRV-04";
    if (message->type == DUPLEX_MESSAGE_UPDATE)
        return "DX-SES-01";
    return message->type == DUPLEX_MESSAGE_APPEND ? "DX-APP-01" : NULL;
}

static void put_sound(struct vector *vector, const struct duplex_message *message)
{
    if (message->has_audio)
        vector_put_span(vector, "audio", message->audio, DUPLEX_SAMPLE_BYTES);
    if (message->has_pictures)
        vector_put_number(vector, "pictures", (double)message->picture_count);
    for (size_t i = 0; i < message->picture_count; i++)
        vector_put_span(vector, i == 0 ? "picture_1" : "picture_more", message->pictures[i].jpeg, 0);
    if (message->has_force_listen)
        vector_put_bool(vector, "force_listen", message->force_listen);
    if (message->has_max_slices)
        vector_put_number(vector, "max_slices", (double)message->max_slices);
}

static void put_session(struct vector *vector, const struct duplex_message *message)
{
    if (message->has_position)
        vector_put_number(vector, "position", (double)message->position);
    if (message->has_wait)
        vector_put_number(vector, "wait_s", message->wait_s);
    if (message->has_queue_length)
        vector_put_number(vector, "queue_length", (double)message->queue_length);
    if (message->has_session_id)
        vector_put_text(vector, "session_id", message->session_id);
    if (message->has_prompt_length)
        vector_put_number(vector, "prompt_length_tokens", (double)message->prompt_length);
    if (message->has_kv_cache_length)
        vector_put_number(vector, "kv_cache_length_tokens", (double)message->kv_cache_length);
}

static void put_words(struct vector *vector, const struct duplex_message *message)
{
    if (message->has_instructions)
        vector_put_text(vector, "instructions", message->instructions);
    if (message->has_text)
        vector_put_text(vector, "text", message->text);
    if (message->has_end_of_turn)
        vector_put_bool(vector, "end_of_turn", message->end_of_turn);
    if (message->has_reason)
        vector_put_text(vector, "reason", message->reason);
    if (message->type != DUPLEX_MESSAGE_ERROR)
        return;
    vector_put_text(vector, "code", message->code);
    vector_put_text(vector, "message", message->error_message);
    vector_put_text(vector, "error_type", message->error_type);
}

static void judge(struct vector *vector)
{
    const struct duplex_read_options options = {.profile = duplex_profile_by_name(vector->profile),
                                                .picture_size = jpeg_picture_size};
    struct duplex_message message;
    duplex_message_read(vector->message, &options, &message);
    vector_set_faults(vector, &message.faults);
    vector->requirement = vector->from_client ? requirement_of_client(&message, vector->valid)
                                              : requirement_of_server(&message, vector->valid);
    vector_put_text(vector, "type", bytes_of_text(duplex_message_type_name(message.type)));
    if (vector->valid) {
        put_words(vector, &message);
        put_sound(vector, &message);
        put_session(vector, &message);
    }
    duplex_message_free(&message);
}

const struct vector_class DUPLEX_VECTORS = {.family = "duplex", .make = make, .judge = judge};
