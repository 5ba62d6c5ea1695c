/* The bytes that an Ojin client sends, right or wrong on purpose. */
#include "codec/ojin/constants.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/wire/http_head.h"
#include "conformance/script/ojin/client_side.h"

/* A key and a config that no server knows. */
#define WRONG_KEY      "ojin-conform-wrong-key"
#define UNKNOWN_CONFIG "ojin-conform-no-such-config"

enum { JSON_TEXT_MAX = 256, SAMPLES_PER_MS = OJIN_SAMPLE_RATE / 1000 };

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

/* ---- the request ---- */

/* Is it that word, and no text of its own? */
static bool is_word(const struct client_value *value, const char *word)
{
    return value->set && !value->is_string && strcmp(value->text, word) == 0;
}

static const char *config_of(const struct client_target *target, const struct client_value *config)
{
    if (!config->set || is_word(config, "right"))
        return target->config;
    if (is_word(config, "none"))
        return NULL;
    return is_word(config, "unknown") ? UNKNOWN_CONFIG : config->text;
}

bool ojin_client_target(const struct client_target *target, const struct profile *profile,
                        const struct client_step *step, struct text *out)
{
    const char *config = config_of(target, client_option(step, "config"));
    (void)profile;
    text_add(out, target->path);
    if (config != NULL) {
        text_add(out, "?config_id=");
        percent_encode(out, config);
    }
    if (target->query[0] != '\0') {
        text_add(out, config == NULL ? "?" : "&");
        text_add(out, target->query);
    }
    return !out->cut;
}

bool ojin_client_head(const struct client_target *target, const struct client_step *step, struct buffer *out)
{
    const struct client_value *key = client_option(step, "key");
    const char *value = !key->set || is_word(key, "right") || is_word(key, "bearer") ? target->key
                        : is_word(key, "wrong")                                      ? WRONG_KEY
                                                                                     : key->text;
    return is_word(key, "none") ||
           (add(out, "Authorization: ") && add(out, is_word(key, "bearer") ? "Bearer " : "") &&
            add(out, value) && add(out, "\r\n"));
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

static struct bytes params_of(const struct client_step *step)
{
    const struct client_value *params = client_option(step, "params");
    return params->set ? bytes_of_text(params->text) : bytes_of(NULL, 0);
}

/* Header and params first, then what the options change of them, then zeros. */
static bool any_input_add(const struct client_step *step, uint64_t now_ms, struct buffer *out)
{
    enum { PARAMS_SIZE_AT = 9 };
    const struct client_value *type = client_option(step, "type");
    const struct client_value *timestamp = client_option(step, "timestamp");
    const struct client_value *params_size = client_option(step, "params-size");
    const struct client_value *audio = client_option(step, "audio");
    const struct client_value *size = client_option(step, "size");
    const struct client_value *truncate = client_option(step, "truncate");
    const struct ojin_input input = {.payload_type = (uint8_t)(type->set ? type->number : OJIN_PAYLOAD_AUDIO),
                                     .timestamp_ms = timestamp->set ? timestamp->number : now_ms,
                                     .params = params_of(step)};
    size_t before = out->len;
    if (!input_add(&input, out))
        return false;
    if (params_size->set) {
        struct writer writer = writer_of(out->data + before + PARAMS_SIZE_AT, sizeof(uint32_t));
        writer_u32(&writer, (uint32_t)params_size->number);
    }
    size_t len = out->len - before;
    size_t zeros = audio->set || size->set ? (size_t)audio->number : OJIN_FRAME_AUDIO_BYTES;
    if (size->set && len + zeros < size->number)
        zeros = (size_t)size->number - len;
    if (!zeros_add(out, zeros))
        return false;
    if (truncate->set && before + truncate->number < out->len)
        out->len = before + (size_t)truncate->number;
    return true;
}

/* Cut, or followed by zeros, to the size that the message is to have. */
static bool speech_add(const struct client_step *step, const struct client_writing *with, struct buffer *out)
{
    struct ojin_input input = {
        .payload_type = OJIN_PAYLOAD_AUDIO, .timestamp_ms = with->now_ms, .params = params_of(step)};
    const struct client_value *size = client_option(step, "size");
    const size_t before = OJIN_INPUT_HEADER_BYTES + input.params.len;
    input.audio = part_of(with->pcm, client_option(step, "from")->number, client_option(step, "for")->number);
    if (!size->set)
        return input_add(&input, out);
    const size_t audio = size->number < before ? 0 : (size_t)size->number - before;
    if (input.audio.len > audio)
        input.audio.len = audio;
    return input_add(&input, out) && zeros_add(out, audio - input.audio.len);
}

static bool silence_add(const struct client_step *step, uint64_t now_ms, struct buffer *out)
{
    static const uint8_t SILENCE[OJIN_FRAME_AUDIO_BYTES];
    const struct ojin_input input = {.payload_type = OJIN_PAYLOAD_AUDIO,
                                     .timestamp_ms = now_ms,
                                     .params = params_of(step),
                                     .audio = bytes_of(SILENCE, sizeof SILENCE)};
    return input_add(&input, out);
}

static bool json_add(void (*write)(struct text *out, uint64_t now_ms), uint64_t now_ms, struct buffer *out)
{
    char space[JSON_TEXT_MAX];
    struct text text = text_of(space, sizeof space);
    write(&text, now_ms);
    return add(out, space);
}

bool ojin_client_write(const struct client_step *step, const struct client_writing *with, struct buffer *out)
{
    switch ((enum ojin_client_send)step->send) {
    case OJIN_SEND_SILENCE:
        return silence_add(step, with->now_ms, out);
    case OJIN_SEND_SPEECH:
        return speech_add(step, with, out);
    case OJIN_SEND_INPUT:
        return any_input_add(step, with->now_ms, out);
    case OJIN_SEND_END:
        return json_add(ojin_write_end_interaction, with->now_ms, out);
    case OJIN_SEND_CANCEL:
        return json_add(ojin_write_cancel_interaction, with->now_ms, out);
    }
    return false;
}
