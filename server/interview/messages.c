/*
 * What stands in the messages of the family: the sound of chunks, and what errors say. However they are
 * spelled: quirks mix the two dialects, member by member. Where only the length of the sound is asked for,
 * the message is not parsed: every chunk comes by here.
 */
#include "server/interview/messages.h"

#include "codec/interview/messages.h"
#include "codec/wire/base64.h"
#include "codec/wire/crc32.h"
#include "codec/wire/float32.h"
#include "codec/wire/json_scan.h"

enum { SHOWN_MAX = 200, READ_BYTES_MAX = 16384, STATUS_UNAUTHORIZED = 401, STATUS_FORBIDDEN = 403 };

/* How the message is spelled: as documented, but for what shows that it is not. */
static struct interview_dialect dialect_of(struct bytes text)
{
    const struct interview_dialect *documented = INTERVIEW_PROFILES[INTERVIEW_PROFILE_DOCUMENTED].dialect;
    const struct interview_dialect *deployed = INTERVIEW_PROFILES[INTERVIEW_PROFILE_DEPLOYED].dialect;
    struct interview_dialect dialect = *documented;
    struct bytes type, value;
    dialect.pings = true;
    if (!json_scan_text(text, "type", 1, &type))
        return dialect;
    if (bytes_equal_text(type, deployed->connected))
        dialect.connected = deployed->connected;
    if (bytes_equal_text(type, deployed->commit))
        dialect.commit = deployed->commit;
    if (!json_scan_text(text, documented->error_code, 1, &value))
        dialect.error_code = deployed->error_code;
    if (!json_scan_text(text, documented->speaker, 1, &value)) {
        dialect.speaker = deployed->speaker;
        dialect.candidate = deployed->candidate;
        dialect.ai = deployed->ai;
    }
    return dialect;
}

/* Freed by the caller. */
static void message_read(struct bytes text, struct interview_message *out)
{
    struct interview_dialect dialect = dialect_of(text);
    interview_message_read(text, &dialect, out);
    const struct json_fault *time = json_fault_of(&out->faults, "timestamp");
    if (time == NULL || time->kind != JSON_FAULT_RANGE)
        return;
    interview_message_free(out);
    dialect.milliseconds = true;
    interview_message_read(text, &dialect, out);
}

/* ---- what the server sends ---- */

/* As the others read speech: float32. */
static bool samples_add(struct bytes audio, struct buffer *pcm)
{
    const size_t count = interview_sample_count(audio);
    uint8_t *room = buffer_reserve(pcm, count * FLOAT32_BYTES);
    if (room == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        float32_put(room + i * FLOAT32_BYTES, (float)interview_sample_at(audio, i) / 32768.0F);
    pcm->len += count * FLOAT32_BYTES;
    return true;
}

static bool speech(struct bytes text, struct buffer *pcm, struct speech_summary *out)
{
    struct interview_message message;
    struct speech_summary summary = {.decodes = false};
    message_read(text, &message);
    const bool is = message.type == INTERVIEW_MESSAGE_AI_AUDIO_CHUNK;
    if (is) {
        struct text said = text_of(summary.text, sizeof summary.text);
        text_add_bytes(&said, message.text);
        summary.text_len = said.len;
        summary.ends_turn = message.is_final;
        summary.decodes = json_fault_of(&message.faults, "audio") == NULL;
        summary.has_audio = message.has_audio && summary.decodes;
        const struct bytes audio = summary.has_audio ? message.audio : bytes_of(NULL, 0);
        if (samples_add(audio, pcm)) {
            summary.samples = (uint32_t)interview_sample_count(audio);
            summary.audio_crc = crc32_of(audio);
        }
        *out = summary;
    }
    interview_message_free(&message);
    return is;
}

/* All of a message is looked at, its sound too. */
static const char *mistake(bool binary, struct bytes text, const struct frame_summary *frame)
{
    struct interview_message message;
    (void)frame;
    if (binary)
        return "a binary message was sent";
    message_read(text, &message);
    const bool wrong = message.faults.count > 0 && message.type != INTERVIEW_MESSAGE_OTHER;
    interview_message_free(&message);
    return wrong ? "a message was sent whose members are wrong" : NULL;
}

/* ---- what the client sends ---- */

static size_t input_audio(bool binary, struct bytes message, struct buffer *out, size_t bytes_max)
{
    struct bytes type, encoded;
    if (binary || !json_scan_text(message, "type", 1, &type) || !bytes_equal_text(type, "audio_chunk") ||
        !json_scan_text(message, "audio", 1, &encoded))
        return SESSION_NO_INPUT;
    if (out == NULL)
        return base64_decoded_len(encoded) / INTERVIEW_SAMPLE_BYTES * INTERVIEW_SAMPLE_BYTES;
    struct buffer pcm;
    buffer_init(&pcm, INTERVIEW_MESSAGE_BYTES_MAX);
    size_t bytes = SESSION_NO_INPUT;
    if (base64_decode(encoded, &pcm)) {
        bytes = interview_sample_count(buffer_bytes(&pcm)) * INTERVIEW_SAMPLE_BYTES;
        if (!buffer_append(out, bytes_of(pcm.data, bytes < bytes_max ? bytes : bytes_max)))
            bytes = SESSION_NO_INPUT;
    }
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

/* ---- errors ---- */

static bool is_error_code(struct bytes name)
{
    enum interview_error_code code;
    return interview_error_by_name(name, &code);
}

/* An error of the server, freed by the caller; false: the text is none. */
static bool error_read(struct bytes text, struct interview_message *message)
{
    if (text.len > READ_BYTES_MAX)
        return false;
    message_read(text, message);
    if (message->type == INTERVIEW_MESSAGE_ERROR)
        return true;
    interview_message_free(message);
    return false;
}

static bool blames_client(struct bytes text, struct text *out)
{
    struct interview_message message;
    enum interview_error_code code;
    if (!error_read(text, &message))
        return false;
    const bool blames = interview_error_by_name(message.code, &code) && code != INTERVIEW_ERROR_OPENAI_API;
    if (blames) {
        text_add_bytes(out, message.code);
        text_add(out, ": ");
        text_add_printable(out, message.message, SHOWN_MAX);
    }
    interview_message_free(&message);
    return blames;
}

static bool error_code(struct bytes text, struct text *out)
{
    struct interview_message message;
    if (!error_read(text, &message))
        return false;
    text_add_bytes(out, message.code);
    interview_message_free(&message);
    return true;
}

static const char *error_of_status(uint16_t status)
{
    return status == STATUS_UNAUTHORIZED || status == STATUS_FORBIDDEN
               ? interview_error_name(INTERVIEW_ERROR_SESSION_NOT_FOUND)
               : NULL;
}

static void error_body(struct text *out, const char *code, uint64_t now_ms)
{
    enum interview_error_code known = INTERVIEW_ERROR_SESSION_NOT_FOUND;
    const bool is_known = interview_error_by_name(bytes_of_text(code), &known);
    (void)now_ms;
    text_add(out, "{\"type\":\"error\",\"code\":");
    text_add_json_string(out, bytes_of_text(code));
    text_add_json_text_member(out, "message", is_known ? interview_error_description(known) : code);
    text_add(out, "}");
}

const struct session_messages INTERVIEW_MESSAGES = {.index_silence = 0,
                                                    .index_speech = 1,
                                                    .mistake = mistake,
                                                    .input_rate = INTERVIEW_RATE,
                                                    .input_audio = input_audio,
                                                    .input_params = input_params,
                                                    .output_rate = INTERVIEW_RATE,
                                                    .speech_is_pcm16 = true,
                                                    .speech_read_requirement = "IV-OUT-01",
                                                    .speech_order_requirement = "IV-OUT-02",
                                                    .speech = speech,
                                                    .is_error_code = is_error_code,
                                                    .blames_client = blames_client,
                                                    .error_code = error_code,
                                                    .challenge = NULL,
                                                    .error_of_status = error_of_status,
                                                    .error_body = error_body};
