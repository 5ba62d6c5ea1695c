/*
 * What stands in the messages of the family: the sound of appends, and what errors say. Which version of the
 * protocol a message is of shows in its type. Where only the length of the sound is asked for, the message
 * is not parsed: every append comes by here.
 */
#include "server/duplex/messages.h"

#include "codec/duplex/messages.h"
#include "codec/wire/base64.h"
#include "codec/wire/crc32.h"
#include "server/duplex/scan.h"

enum { SHOWN_MAX = 200, READ_BYTES_MAX = 16384 };

/* Reads a message in the version that knows its type; false: none does. Freed by the caller if true. */
static bool message_read(struct bytes text, struct duplex_message *out)
{
    static const size_t versions[] = {DUPLEX_PROFILE_VIDEO, DUPLEX_PROFILE_LATER};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        const struct duplex_read_options options = {.profile = &DUPLEX_PROFILES[versions[i]]};
        duplex_message_read(text, &options, out);
        if (out->type < DUPLEX_MESSAGE_OTHER)
            return true;
        duplex_message_free(out);
    }
    return false;
}

/* ---- what the server sends ---- */

static bool speech_summarise(const struct duplex_message *message, struct buffer *pcm,
                             struct speech_summary *out)
{
    struct speech_summary summary = {.stops = message->type == DUPLEX_MESSAGE_LISTEN};
    if (message->type != DUPLEX_MESSAGE_DELTA && !summary.stops)
        return false;
    struct text text = text_of(summary.text, sizeof summary.text);
    text_add_bytes(&text, message->text);
    summary.text_len = text.len;
    summary.ends_turn = summary.stops || message->end_of_turn;
    const struct json_fault *fault = json_fault_of(&message->faults, "audio");
    summary.has_audio = message->has_audio && fault == NULL;
    summary.decodes = fault == NULL || fault->kind == JSON_FAULT_MISSING || strcmp(fault->found, "null") == 0;
    const struct bytes audio = summary.has_audio ? message->audio : bytes_of(NULL, 0);
    if (!buffer_append(pcm, audio))
        return false;
    summary.samples = (uint32_t)float32_count(audio);
    summary.audio_crc = crc32_of(audio);
    *out = summary;
    return true;
}

static bool speech(struct bytes text, struct buffer *pcm, struct speech_summary *out)
{
    struct duplex_message message;
    if (!message_read(text, &message))
        return false;
    const bool is = speech_summarise(&message, pcm, out);
    duplex_message_free(&message);
    return is;
}

/* All of a message is looked at, the sound of a delta too: that is little beside what an append costs. */
static const char *mistake(bool binary, struct bytes message, const struct frame_summary *frame)
{
    struct duplex_message read;
    (void)frame;
    if (binary)
        return "a binary message was sent";
    if (!message_read(message, &read))
        return NULL;
    const bool wrong = read.faults.count > 0;
    duplex_message_free(&read);
    return wrong ? "a message was sent whose members are wrong" : NULL;
}

/* ---- what the client sends ---- */

static int16_t sample_of(float value)
{
    const float scaled = value * 32768.0F;
    if (!(scaled > -32768.0F)) /* what is no number too */
        return INT16_MIN;
    return scaled >= 32767.0F ? INT16_MAX : (int16_t)scaled;
}

static size_t samples_append(struct bytes pcm, struct buffer *out, size_t bytes_max)
{
    const size_t count = float32_count(pcm);
    const size_t kept = count < bytes_max / 2 ? count : bytes_max / 2;
    uint8_t *room = buffer_reserve(out, 2 * kept);
    if (room == NULL)
        return SESSION_NO_INPUT;
    for (size_t i = 0; i < kept; i++) {
        const uint16_t bits = (uint16_t)sample_of(float32_at(pcm, i));
        room[2 * i] = (uint8_t)(bits & 0xFFU);
        room[2 * i + 1] = (uint8_t)(bits >> 8);
    }
    out->len += 2 * kept;
    return 2 * count;
}

static size_t input_audio(bool binary, struct bytes message, struct buffer *out, size_t bytes_max)
{
    struct bytes encoded;
    if (binary || !duplex_scan_is_append(message) || !duplex_scan_audio(message, &encoded))
        return SESSION_NO_INPUT;
    if (out == NULL)
        return base64_decoded_len(encoded) / FLOAT32_BYTES * 2;
    struct buffer pcm;
    buffer_init(&pcm, DUPLEX_MESSAGE_BYTES_MAX);
    const size_t bytes =
        base64_decode(encoded, &pcm) ? samples_append(buffer_bytes(&pcm), out, bytes_max) : SESSION_NO_INPUT;
    buffer_free(&pcm);
    return bytes;
}

static bool input_params(bool binary, struct bytes message, struct text *out)
{
    (void)binary;
    if (message.len == 0)
        text_add(out, "{}");
    return false;
}

static bool interrupts(bool binary, struct bytes text)
{
    struct duplex_message message;
    if (binary || !duplex_scan_is_append(text) || !message_read(text, &message))
        return false;
    const bool does = message.force_listen;
    duplex_message_free(&message);
    return does;
}

/* ---- errors ---- */

static bool is_error_code(struct bytes name)
{
    enum duplex_error_code code;
    return duplex_error_by_name(name, &code);
}

static bool tells_to_wait(struct bytes text)
{
    struct duplex_message message;
    if (text.len > READ_BYTES_MAX || !message_read(text, &message))
        return false;
    const bool waits = message.type == DUPLEX_MESSAGE_QUEUED || message.type == DUPLEX_MESSAGE_QUEUE_UPDATE;
    duplex_message_free(&message);
    return waits;
}

/* An error of the server, freed by the caller; false: the text is none. */
static bool error_read(struct bytes text, struct duplex_message *message)
{
    if (text.len > READ_BYTES_MAX || !message_read(text, message))
        return false;
    if (message->type == DUPLEX_MESSAGE_ERROR)
        return true;
    duplex_message_free(message);
    return false;
}

static bool blames_client(struct bytes text, struct text *out)
{
    struct duplex_message message;
    enum duplex_error_code code;
    if (!error_read(text, &message))
        return false;
    const bool blames = duplex_error_by_name(message.code, &code) &&
                        strcmp(duplex_error_type(code), DUPLEX_ERROR_TYPE_CLIENT) == 0;
    if (blames) {
        text_add_bytes(out, message.code);
        text_add(out, ": ");
        text_add_printable(out, message.error_message, SHOWN_MAX);
    }
    duplex_message_free(&message);
    return blames;
}

static bool error_code(struct bytes text, struct text *out)
{
    struct duplex_message message;
    if (!error_read(text, &message))
        return false;
    text_add_bytes(out, message.code);
    duplex_message_free(&message);
    return true;
}

static bool session_id(struct bytes text, struct text *out)
{
    struct duplex_message message;
    if (!message_read(text, &message))
        return false;
    const bool tells = message.type == DUPLEX_MESSAGE_CREATED && message.has_session_id;
    if (tells)
        text_add_bytes(out, message.session_id);
    duplex_message_free(&message);
    return tells;
}

static const char *error_of_status(uint16_t status)
{
    return status == 503 ? duplex_error_name(DUPLEX_ERROR_SERVICE_UNAVAILABLE) : NULL;
}

static void error_body(struct text *out, const char *code, uint64_t now_ms)
{
    enum duplex_error_code known = DUPLEX_ERROR_SERVICE_UNAVAILABLE;
    const bool is_known = duplex_error_by_name(bytes_of_text(code), &known);
    (void)now_ms;
    text_add(out, "{\"type\":\"error\",\"error\":{\"code\":");
    text_add_json_string(out, bytes_of_text(code));
    text_add_json_text_member(out, "message", is_known ? duplex_error_description(known) : code);
    text_add_json_text_member(out, "type", duplex_error_type(known));
    text_add(out, "}}");
}

const struct session_messages DUPLEX_MESSAGES = {.index_silence = 0,
                                                 .index_speech = 1,
                                                 .mistake = mistake,
                                                 .input_rate = DUPLEX_INPUT_RATE,
                                                 .input_audio = input_audio,
                                                 .input_params = input_params,
                                                 .output_rate = DUPLEX_OUTPUT_RATE,
                                                 .speech_read_requirement = "DX-OUT-01",
                                                 .speech_order_requirement = "DX-OUT-02",
                                                 .speech = speech,
                                                 .interrupts = interrupts,
                                                 .is_error_code = is_error_code,
                                                 .blames_client = blames_client,
                                                 .session_id = session_id,
                                                 .tells_to_wait = tells_to_wait,
                                                 .error_code = error_code,
                                                 .challenge = NULL,
                                                 .error_of_status = error_of_status,
                                                 .error_body = error_body};
