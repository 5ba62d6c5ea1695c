#include "conformance/server/client_bytes.h"

#include "client/ojin/client.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/wire/base64.h"
#include "codec/wire/text.h"

enum { TARGET_MAX = 4096, JSON_TEXT_MAX = 256, SAMPLES_PER_MS = OJIN_SAMPLE_RATE / 1000 };

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

/* ---- the request ---- */

static const char *config_of(const struct client_target *target, const struct client_step *step)
{
    switch (step->config) {
    case CONFIG_RIGHT:
        return target->config;
    case CONFIG_NONE:
        return NULL;
    case CONFIG_UNKNOWN:
        return CLIENT_UNKNOWN_CONFIG;
    case CONFIG_TEXT:
        return step->other;
    }
    return NULL;
}

static bool target_add(const struct client_target *target, const struct client_step *step, struct buffer *out)
{
    char space[TARGET_MAX];
    struct text text = text_of(space, sizeof space);
    const char *config = config_of(target, step);
    if (config == NULL)
        text_add(&text, target->path);
    else if (!client_request_target(&text, target->path, config))
        return false;
    if (target->query[0] != '\0') {
        text_add(&text, config == NULL ? "?" : "&");
        text_add(&text, target->query);
    }
    return !text.cut && add(out, space);
}

static bool key_add(const struct client_target *target, const struct client_step *step, struct buffer *out)
{
    if (step->key == KEY_NONE)
        return true;
    bool good = add(out, "Authorization: ");
    switch (step->key) {
    case KEY_RIGHT:
        good = good && add(out, target->key);
        break;
    case KEY_BEARER:
        good = good && add(out, "Bearer ") && add(out, target->key);
        break;
    case KEY_WRONG:
        good = good && add(out, CLIENT_WRONG_KEY);
        break;
    case KEY_TEXT:
        good = good && add(out, step->text);
        break;
    case KEY_NONE:
        break;
    }
    return good && add(out, "\r\n");
}

bool client_request_write(const struct client_target *target, const struct client_step *step,
                          const uint8_t nonce[16], struct buffer *out)
{
    bool good = add(out, "GET ") && target_add(target, step, out) && add(out, " HTTP/1.1\r\nHost: ") &&
                add(out, target->authority) &&
                add(out, "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: ") &&
                base64_encode(bytes_of(nonce, 16), out) && add(out, "\r\n") && key_add(target, step, out);
    if (good && step->header[0] != '\0')
        good = add(out, step->header) && add(out, "\r\n");
    return good && add(out, "\r\n");
}

/* ---- frames ---- */

bool client_frame_write(enum ws_opcode opcode, struct bytes payload, const uint8_t mask[4],
                        struct buffer *out)
{
    enum { FIN = 0x80, MASKED = 0x80, SHORT_MAX = 125, LENGTH_16 = 126, LENGTH_64 = 127 };
    uint8_t *to = buffer_reserve(out, WS_FRAME_HEADER_BYTES_MAX + payload.len);
    if (to == NULL)
        return false;
    struct writer writer = writer_of(to, WS_FRAME_HEADER_BYTES_MAX);
    writer_u8(&writer, (uint8_t)(FIN | (unsigned)opcode));
    if (payload.len <= SHORT_MAX) {
        writer_u8(&writer, (uint8_t)(MASKED | payload.len));
    } else if (payload.len <= UINT16_MAX) {
        writer_u8(&writer, MASKED | LENGTH_16);
        writer_u16(&writer, (uint16_t)payload.len);
    } else {
        writer_u8(&writer, MASKED | LENGTH_64);
        writer_u64(&writer, payload.len);
    }
    writer_bytes(&writer, bytes_of(mask, 4));
    for (size_t i = 0; i < payload.len; i++)
        to[writer.len + i] = payload.data[i] ^ mask[i % 4];
    out->len += writer.len + payload.len;
    return true;
}

/* ---- messages ---- */

static bool zeros_add(struct buffer *out, size_t count)
{
    uint8_t *to = buffer_reserve(out, count);
    if (to == NULL)
        return false;
    memset(to, 0, count);
    out->len += count;
    return true;
}

static bool input_add(const struct ojin_input *input, struct buffer *out)
{
    size_t size = OJIN_INPUT_HEADER_BYTES + input->params.len + input->audio.len;
    uint8_t *to = buffer_reserve(out, size);
    if (to == NULL)
        return false;
    struct writer writer = writer_of(to, size);
    ojin_input_write(&writer, input);
    out->len += size;
    return true;
}

static struct bytes part_of(struct bytes pcm, uint64_t from_us, uint64_t for_us)
{
    uint64_t from = from_us / 1000 * SAMPLES_PER_MS * OJIN_SAMPLE_BYTES;
    uint64_t len = for_us / 1000 * SAMPLES_PER_MS * OJIN_SAMPLE_BYTES;
    if (from >= pcm.len)
        return bytes_of(pcm.data, 0);
    uint64_t left = pcm.len - from;
    return bytes_of(pcm.data + from, (size_t)(for_us == 0 || len > left ? left : len));
}

/* Header and params first, then what the options change of them, then zeros. */
static bool any_input_add(const struct client_step *step, uint64_t now_ms, struct buffer *out)
{
    enum { PARAMS_SIZE_AT = 9 };
    const struct client_input *say = &step->input;
    const struct ojin_input input = {
        .payload_type = (uint8_t)(say->type.set ? say->type.value : OJIN_PAYLOAD_AUDIO),
        .timestamp_ms = say->timestamp.set ? say->timestamp.value : now_ms,
        .params = step->has_text ? bytes_of_text(step->text) : (struct bytes){0}};
    size_t before = out->len;
    if (!input_add(&input, out))
        return false;
    if (say->params_size.set) {
        struct writer writer = writer_of(out->data + before + PARAMS_SIZE_AT, sizeof(uint32_t));
        writer_u32(&writer, (uint32_t)say->params_size.value);
    }
    size_t len = out->len - before;
    size_t audio = say->audio.set || say->size.set ? (size_t)say->audio.value : OJIN_FRAME_AUDIO_BYTES;
    if (say->size.set && len + audio < say->size.value)
        audio = (size_t)say->size.value - len;
    if (!zeros_add(out, audio))
        return false;
    if (say->truncate.set && before + say->truncate.value < out->len)
        out->len = before + (size_t)say->truncate.value;
    return true;
}

/* Cut, or followed by zeros, to the size that the message is to have. */
static bool speech_add(const struct ojin_input *speech, const struct client_number *size, struct buffer *out)
{
    struct ojin_input input = *speech;
    const size_t before = OJIN_INPUT_HEADER_BYTES + input.params.len;
    if (!size->set)
        return input_add(&input, out);
    const size_t audio = size->value < before ? 0 : (size_t)size->value - before;
    if (input.audio.len > audio)
        input.audio.len = audio;
    return input_add(&input, out) && zeros_add(out, audio - input.audio.len);
}

static bool hex_add(const char *digits, struct buffer *out)
{
    static const char HEX[] = "0123456789abcdef";
    for (; digits[0] != '\0' && digits[1] != '\0'; digits += 2) {
        uint8_t byte = 0;
        for (int i = 0; i < 2; i++) {
            char lower = digits[i] >= 'A' && digits[i] <= 'F' ? (char)(digits[i] + ('a' - 'A')) : digits[i];
            const char *at = strchr(HEX, lower);
            byte = (uint8_t)(byte * 16 + (at == NULL ? 0 : at - HEX));
        }
        if (!buffer_append(out, bytes_of(&byte, 1)))
            return false;
    }
    return true;
}

static bool json_add(void (*write)(struct text *out, uint64_t now_ms), uint64_t now_ms, struct buffer *out)
{
    char space[JSON_TEXT_MAX];
    struct text text = text_of(space, sizeof space);
    write(&text, now_ms);
    return add(out, space);
}

bool client_message_write(const struct client_step *step, uint64_t now_ms, struct bytes pcm,
                          struct buffer *out)
{
    static const uint8_t SILENCE[OJIN_FRAME_AUDIO_BYTES];
    struct ojin_input input = {.payload_type = OJIN_PAYLOAD_AUDIO, .timestamp_ms = now_ms};
    if (step->has_text)
        input.params = bytes_of_text(step->text);
    switch (step->send) {
    case STEP_SEND_SILENCE:
        input.audio = bytes_of(SILENCE, sizeof SILENCE);
        return input_add(&input, out);
    case STEP_SEND_SPEECH:
        input.audio = part_of(pcm, step->from_us, step->for_us);
        return speech_add(&input, &step->input.size, out);
    case STEP_SEND_INPUT:
        return any_input_add(step, now_ms, out);
    case STEP_SEND_END:
        return json_add(ojin_write_end_interaction, now_ms, out);
    case STEP_SEND_CANCEL:
        return json_add(ojin_write_cancel_interaction, now_ms, out);
    case STEP_SEND_TEXT:
    case STEP_SEND_PING:
        return add(out, step->text);
    case STEP_SEND_BINARY:
        return hex_add(step->text, out);
    }
    return false;
}

enum ws_opcode client_message_opcode(enum step_send send)
{
    switch (send) {
    case STEP_SEND_SILENCE:
    case STEP_SEND_SPEECH:
    case STEP_SEND_INPUT:
    case STEP_SEND_BINARY:
        return WS_OPCODE_BINARY;
    case STEP_SEND_END:
    case STEP_SEND_CANCEL:
    case STEP_SEND_TEXT:
        return WS_OPCODE_TEXT;
    case STEP_SEND_PING:
        return WS_OPCODE_PING;
    }
    return WS_OPCODE_BINARY;
}
