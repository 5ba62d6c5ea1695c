#include "server/ojin/messages.h"

#include <assert.h>

#include "codec/ojin/constants.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/wire/crc32.h"
#include "codec/wire/json.h"

/* ---- what the server sends ---- */

void ojin_frame_summarise(struct bytes message, bool checksums, struct frame_summary *out)
{
    struct ojin_frame frame;
    *out = (struct frame_summary){0};
    if (ojin_frame_decode(message, &frame).status != WIRE_OK)
        return;
    out->decodes = true;
    out->is_final = frame.is_final;
    out->index = frame.index;
    memcpy(out->interaction, frame.interaction, UUID_BYTES);
    out->has_audio = frame.has_audio;
    out->has_image = frame.has_image;
    out->audio_bytes = (uint32_t)frame.audio.len;
    out->image_bytes = (uint32_t)frame.image.len;
    out->has_checksums = checksums;
    out->audio_crc = checksums && frame.has_audio ? crc32_of(frame.audio) : 0;
    out->image_crc = checksums && frame.has_image ? crc32_of(frame.image) : 0;
}

static bool summarise(bool binary, struct bytes message, bool checksums, struct frame_summary *out)
{
    if (binary)
        ojin_frame_summarise(message, checksums, out);
    return binary;
}

static const char *mistake(bool binary, struct bytes message, const struct frame_summary *frame)
{
    if (binary) {
        if (!frame->decodes)
            return "a frame was sent that does not decode";
        if (frame->has_audio && frame->audio_bytes != OJIN_FRAME_AUDIO_BYTES)
            return "a frame was sent whose audio is not one frame of samples";
        return NULL;
    }
    struct ojin_message text;
    ojin_message_read(message, &text);
    const bool judged = text.type == OJIN_MESSAGE_SESSION_READY || text.type == OJIN_MESSAGE_ERROR_RESPONSE;
    return judged && text.error.status != WIRE_OK ? "a message was sent whose payload is wrong" : NULL;
}

/* ---- what the client sends ---- */

static size_t input_audio(bool binary, struct bytes message, struct buffer *out, size_t bytes_max)
{
    struct ojin_input input;
    if (!binary || ojin_input_decode(message, &input).status != WIRE_OK ||
        input.payload_type != OJIN_PAYLOAD_AUDIO)
        return SESSION_NO_INPUT;
    const size_t len = input.audio.len < bytes_max ? input.audio.len : bytes_max;
    if (out != NULL && !buffer_append(out, bytes_of(input.audio.data, len)))
        return SESSION_NO_INPUT;
    return input.audio.len;
}

static void params_add(struct text *out, const struct ojin_params *params)
{
    const struct {
        const char *name;
        double value;
    } members[] = {{"speech_filter_amount", params->speech_filter_amount},
                   {"idle_filter_amount", params->idle_filter_amount},
                   {"idle_mouth_opening_scale", params->idle_mouth_opening_scale},
                   {"speech_mouth_opening_scale", params->speech_mouth_opening_scale},
                   {"client_frame_index", (double)params->client_frame_index}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        text_add(out, i == 0 ? "{" : ",");
        text_add_json_string(out, bytes_of_text(members[i].name));
        text_add(out, ":");
        text_add_double(out, members[i].value, 6);
    }
    text_add(out, "}");
}

/* The session's defaults, overridden by the message's own. */
static bool input_params(bool binary, struct bytes message, struct text *out)
{
    struct ojin_input input;
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    if (message.len == 0) {
        params_add(out, &params);
        return false;
    }
    if (!binary || ojin_input_decode(message, &input).status != WIRE_OK || input.params.len == 0 ||
        ojin_params_read(input.params, &params).status != WIRE_OK)
        return false;
    params_add(out, &params);
    return true;
}

/* ---- errors ---- */

static bool is_error_code(struct bytes name)
{
    enum ojin_error_code code;
    return ojin_error_by_name(name, &code);
}

static bool is_clients(const char *name)
{
    enum ojin_error_code code;
    return ojin_error_by_name(bytes_of_text(name), &code) &&
           (code == OJIN_ERROR_INVALID_MESSAGE || code == OJIN_ERROR_MODEL_NOT_FOUND ||
            code == OJIN_ERROR_MISSING_CONFIG_ID);
}

static bool blames_client(struct bytes text, struct text *out)
{
    enum { SHOWN_MAX = 200 };
    struct ojin_message message;
    ojin_message_read(text, &message);
    if (message.type != OJIN_MESSAGE_ERROR_RESPONSE || !is_clients(message.code))
        return false;
    text_add(out, message.code);
    text_add(out, ": ");
    text_add_printable(out, bytes_of_text(message.message), SHOWN_MAX);
    return true;
}

/* Of an errorResponse that a script bent, too. */
static bool error_code(struct bytes text, struct text *out)
{
    cJSON *json = NULL;
    if (json_parse_last(text, &json).status != WIRE_OK)
        return false;
    const cJSON *code = json_member(json_member(json, "payload"), "code");
    const bool has = cJSON_IsString(code);
    if (has)
        text_add(out, code->valuestring);
    cJSON_Delete(json);
    return has;
}

static const char *error_of_status(uint16_t status)
{
    static const struct {
        uint16_t status;
        enum ojin_error_code code;
    } errors[] = {{401, OJIN_ERROR_AUTH_FAILED},
                  {403, OJIN_ERROR_UNAUTHORIZED},
                  {404, OJIN_ERROR_MODEL_NOT_FOUND},
                  {429, OJIN_ERROR_RATE_LIMITED},
                  {503, OJIN_ERROR_BACKEND_UNAVAILABLE}};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].status == status)
            return ojin_error_name(errors[i].code);
    return NULL;
}

static void error_body(struct text *out, const char *code, uint64_t now_ms)
{
    enum ojin_error_code known;
    const bool is_known = ojin_error_by_name(bytes_of_text(code), &known);
    ojin_write_error_response(out, code, is_known ? ojin_error_description(known) : code, NULL, now_ms);
}

static_assert((size_t)OJIN_FRAME_AUDIO_BYTES <= (size_t)SESSION_SILENCE_BYTES_MAX,
              "the judge makes as many zeros");

/* ---- for people ---- */

enum { PARAMS_SIZE_OFFSET = 9 };

static const struct message_field INPUT_FIELDS[] = {
    {"type", 1}, {"timestamp", 8}, {"params-size", 4}, {NULL, 0}};
static const struct message_field FRAME_FIELDS[] = {{"final", 1},     {"interaction", UUID_BYTES},
                                                    {"timestamp", 8}, {"usage", 4},
                                                    {"index", 4},     {"payloads", 4},
                                                    {"size", 4},      {"type", 1},
                                                    {NULL, 0}};

static size_t wrong_offset(struct bytes message)
{
    struct ojin_input input;
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    const struct wire_error error = ojin_input_decode(message, &input);
    if (error.status != WIRE_OK)
        return error.offset;
    if (input.payload_type != OJIN_PAYLOAD_AUDIO)
        return 0;
    if (input.params.len > 0 && ojin_params_read(input.params, &params).status != WIRE_OK)
        return PARAMS_SIZE_OFFSET;
    return input.audio.len % OJIN_SAMPLE_BYTES == 0 ? SIZE_MAX : message.len - 1;
}

const struct session_messages OJIN_MESSAGES = {.client_fields = INPUT_FIELDS,
                                               .server_fields = FRAME_FIELDS,
                                               .wrong_offset = wrong_offset,
                                               .index_silence = OJIN_INDEX_SILENCE,
                                               .index_speech = OJIN_INDEX_SPEECH,
                                               .silence_bytes = OJIN_FRAME_AUDIO_BYTES,
                                               .summarise = summarise,
                                               .mistake = mistake,
                                               .input_rate = OJIN_SAMPLE_RATE,
                                               .input_audio = input_audio,
                                               .input_params = input_params,
                                               .is_error_code = is_error_code,
                                               .blames_client = blames_client,
                                               .error_code = error_code,
                                               .challenge = OJIN_CHALLENGE,
                                               .error_of_status = error_of_status,
                                               .error_body = error_body};
