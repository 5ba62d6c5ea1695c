#include "client/inspect/inspect.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/wire/base64.h"
#include "codec/wire/text.h"

enum { NUMBER_TEXT_MAX = 40 };

/* Reads members and latches the first thing wrong, as a sentence. */
struct builder {
    struct buffer *out;
    struct text error;
    bool failed;
};

static void fail(struct builder *builder, const char *where, const char *name, const char *expected)
{
    if (builder->failed)
        return;
    builder->failed = true;
    text_add(&builder->error, where);
    text_add(&builder->error, where[0] != '\0' && name[0] != '\0' ? "." : "");
    text_add(&builder->error, name);
    text_add(&builder->error, ": expected ");
    text_add(&builder->error, expected);
}

static void append(struct builder *builder, struct bytes bytes)
{
    if (!builder->failed && !buffer_append(builder->out, bytes))
        fail(builder, "", "message", "at most 16 MiB");
}

static bool digits_read(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    if (text[0] == '\0')
        return false;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '9')
            return false;
        const uint64_t digit = (uint64_t)(*c - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

static uint64_t number(struct builder *builder, const cJSON *object, const char *name, uint64_t absent,
                       uint64_t max)
{
    const cJSON *member = json_member(object, name);
    uint64_t value = absent;
    int64_t integer = 0;
    if (member == NULL)
        return absent;
    bool good = false;
    if (cJSON_IsString(member)) {
        good = digits_read(member->valuestring, &value);
    } else if (json_integer(member, &integer) && integer >= 0) {
        good = true;
        value = (uint64_t)integer;
    }
    if (good && value <= max)
        return value;
    fail(builder, "", name,
         max == UINT8_MAX    ? "a whole number up to 255"
         : max == UINT32_MAX ? "a whole number up to 4294967295"
                             : "a whole number, above 2^53 as a string of digits");
    return absent;
}

/* Appends what an object's "base64" or "hex" stand for. False when it has neither. */
static bool span(struct builder *builder, const cJSON *object, const char *where, struct buffer *out)
{
    const cJSON *base64 = json_member(object, "base64");
    const cJSON *hex = json_member(object, "hex");
    if (base64 == NULL && hex == NULL)
        return false;
    if (base64 != NULL && !(cJSON_IsString(base64) && base64_decode(bytes_of_text(base64->valuestring), out)))
        fail(builder, where, "base64", "canonical base64 of at most 16 MiB");
    else if (base64 == NULL && !(cJSON_IsString(hex) && inspect_hex_decode(hex->valuestring, out)))
        fail(builder, where, "hex", "pairs of hex digits, of at most 16 MiB");
    return true;
}

/* Appends what a member that is a span stands for; nothing when it is absent. */
static void span_member(struct builder *builder, const cJSON *object, const char *name, struct buffer *out)
{
    const cJSON *member = json_member(object, name);
    if (member != NULL && !span(builder, member, name, out))
        fail(builder, name, "", "an object with \"base64\" or \"hex\"");
}

/* Appends the member `json` as compact text. */
static void printed(struct builder *builder, const cJSON *json, struct buffer *out)
{
    char *text = cJSON_PrintUnformatted(json);
    if (text == NULL || !buffer_append(out, bytes_of_text(text)))
        fail(builder, "", "json", "less of it");
    cJSON_free(text);
}

/* A string member, else a JSON member, else nothing. */
static bool text_or_json(struct builder *builder, const cJSON *object, const char *text_name,
                         const char *json_name, struct buffer *out)
{
    const cJSON *text = json_member(object, text_name);
    const cJSON *json = json_member(object, json_name);
    if (text != NULL && !cJSON_IsString(text))
        fail(builder, "", text_name, "a string");
    else if (text != NULL && !buffer_append(out, bytes_of_text(text->valuestring)))
        fail(builder, "", text_name, "at most 16 MiB");
    else if (text == NULL && json != NULL)
        printed(builder, json, out);
    return text != NULL || json != NULL;
}

/* ---- kinds ---- */

static void build_payload(struct builder *builder, const cJSON *payload, size_t n, struct buffer *data)
{
    char where[NUMBER_TEXT_MAX];
    struct text text = text_of(where, sizeof where);
    text_add(&text, "payloads[");
    text_add_u64(&text, n);
    text_add(&text, "]");
    const uint8_t type = (uint8_t)number(builder, payload, "type", 0, UINT8_MAX);
    buffer_clear(data);
    if (!span(builder, payload, where, data))
        fail(builder, where, "", "an object with \"base64\" or \"hex\"; a journal keeps no more than sums");
    const size_t bytes = OJIN_ENTRY_HEADER_BYTES + data->len;
    uint8_t *at = builder->failed ? NULL : buffer_reserve(builder->out, bytes);
    if (at == NULL) {
        fail(builder, "", "message", "at most 16 MiB");
        return;
    }
    struct writer writer = writer_of(at, bytes);
    ojin_frame_write_entry(&writer, type, buffer_bytes(data));
    builder->out->len += writer.len;
}

static void build_frame(struct builder *builder, const cJSON *object, struct buffer *data)
{
    const cJSON *payloads = json_member(object, "payloads");
    const cJSON *interaction = json_member(object, "interaction");
    uint8_t header[OJIN_FRAME_HEADER_BYTES];
    struct writer writer = writer_of(header, sizeof header);
    if (cJSON_IsFalse(json_member(object, "whole")))
        fail(builder, "", "whole",
             "true, but of most frames a journal keeps only the head; decode --from client leaves them out");
    if (payloads != NULL && !cJSON_IsArray(payloads))
        fail(builder, "", "payloads", "an array");
    const int count = builder->failed ? 0 : cJSON_GetArraySize(payloads);
    struct ojin_frame frame = {
        .is_final = (uint8_t)number(builder, object, "is_final", 0, UINT8_MAX),
        .timestamp_ms = number(builder, object, "timestamp_ms", 0, UINT64_MAX),
        .usage = (uint32_t)number(builder, object, "usage", 0, UINT32_MAX),
        .index = (uint32_t)number(builder, object, "index", 0, UINT32_MAX),
        .payload_count = (uint32_t)number(builder, object, "payload_count", (uint64_t)count, UINT32_MAX),
    };
    if (interaction != NULL && !(cJSON_IsString(interaction) &&
                                 uuid_parse(bytes_of_text(interaction->valuestring), frame.interaction)))
        fail(builder, "", "interaction", "a UUID");
    ojin_frame_write_header(&writer, &frame);
    append(builder, bytes_of(header, writer.len));
    size_t n = 0;
    const cJSON *payload = NULL;
    cJSON_ArrayForEach(payload, payloads)
    {
        if (builder->failed)
            return;
        build_payload(builder, payload, n++, data);
    }
    buffer_clear(data);
    span_member(builder, object, "trailing", data);
    append(builder, buffer_bytes(data));
}

static void build_input(struct builder *builder, const cJSON *object, struct buffer *data)
{
    const cJSON *base64 = json_member(object, "params_base64");
    uint8_t header[OJIN_INPUT_HEADER_BYTES];
    struct writer writer = writer_of(header, sizeof header);
    struct ojin_input input = {
        .payload_type = (uint8_t)number(builder, object, "payload_type", OJIN_PAYLOAD_AUDIO, UINT8_MAX),
        .timestamp_ms = number(builder, object, "timestamp_ms", 0, UINT64_MAX)};
    if (base64 == NULL)
        text_or_json(builder, object, "params_text", "params", data);
    else if (!(cJSON_IsString(base64) && base64_decode(bytes_of_text(base64->valuestring), data)))
        fail(builder, "", "params_base64", "canonical base64 of at most 16 MiB");
    input.params = buffer_bytes(data);
    /* The header counts the params, which follow by themselves. */
    ojin_input_write(&writer, &input);
    append(builder, bytes_of(header, sizeof header));
    append(builder, input.params);
    buffer_clear(data);
    span_member(builder, object, "audio", data);
    append(builder, buffer_bytes(data));
}

static void build(struct builder *builder, const cJSON *object, struct buffer *data)
{
    const cJSON *kind = json_member(object, "kind");
    const char *name = cJSON_IsString(kind) ? kind->valuestring : "";
    if (!cJSON_IsObject(object))
        fail(builder, "", "message", "a JSON object");
    else if (span(builder, object, "", data))
        append(builder, buffer_bytes(data));
    else if (strcmp(name, "frame") == 0)
        build_frame(builder, object, data);
    else if (strcmp(name, "input") == 0)
        build_input(builder, object, data);
    else if (strcmp(name, "text") != 0)
        fail(builder, "", "kind", "\"input\", \"frame\" or \"text\"");
    else if (text_or_json(builder, object, "text", "json", data))
        append(builder, buffer_bytes(data));
    else
        fail(builder, "", "text", "it, or \"json\"");
}

bool inspect_build(struct bytes json, struct buffer *out, char error[INSPECT_ERROR_MAX])
{
    cJSON *object = NULL;
    struct buffer data;
    const size_t len = out->len;
    struct builder builder = {.out = out, .error = text_of(error, INSPECT_ERROR_MAX)};
    struct wire_error wrong = json_parse(json, &object);
    buffer_init(&data, INSPECT_MESSAGE_BYTES_MAX);
    if (wrong.status == WIRE_OK) {
        build(&builder, object, &data);
    } else {
        builder.failed = true;
        text_add(&builder.error, "not JSON at byte ");
        text_add_u64(&builder.error, wrong.offset);
        text_add(&builder.error, ": ");
        text_add(&builder.error, wrong.field == NULL ? wire_status_sentence(wrong.status) : wrong.field);
    }
    buffer_free(&data);
    cJSON_Delete(object);
    if (builder.failed)
        out->len = len;
    return !builder.failed;
}
