/* Frames and inputs from their descriptions. */
#include "client/inspect/ojin/parts.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/wire/base64.h"

enum { NUMBER_TEXT_MAX = 40 };

static void build_payload(struct builder *builder, const cJSON *payload, size_t n, struct buffer *data)
{
    char where[NUMBER_TEXT_MAX];
    struct text text = text_of(where, sizeof where);
    text_add(&text, "payloads[");
    text_add_u64(&text, n);
    text_add(&text, "]");
    const uint8_t type = (uint8_t)builder_number(builder, payload, "type", 0, UINT8_MAX);
    buffer_clear(data);
    if (!builder_span(builder, payload, where, data))
        builder_fail(builder, where, "",
                     "an object with \"base64\" or \"hex\"; a journal keeps no more than sums");
    const size_t bytes = OJIN_ENTRY_HEADER_BYTES + data->len;
    uint8_t *at = builder->failed ? NULL : buffer_reserve(builder->out, bytes);
    if (at == NULL) {
        builder_fail(builder, "", "message", "at most 16 MiB");
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
        builder_fail(
            builder, "", "whole",
            "true, but of most frames a journal keeps only the head; decode --from client leaves them out");
    if (payloads != NULL && !cJSON_IsArray(payloads))
        builder_fail(builder, "", "payloads", "an array");
    const int count = builder->failed ? 0 : cJSON_GetArraySize(payloads);
    struct ojin_frame frame = {
        .is_final = (uint8_t)builder_number(builder, object, "is_final", 0, UINT8_MAX),
        .timestamp_ms = builder_number(builder, object, "timestamp_ms", 0, UINT64_MAX),
        .usage = (uint32_t)builder_number(builder, object, "usage", 0, UINT32_MAX),
        .index = (uint32_t)builder_number(builder, object, "index", 0, UINT32_MAX),
        .payload_count =
            (uint32_t)builder_number(builder, object, "payload_count", (uint64_t)count, UINT32_MAX),
    };
    if (interaction != NULL && !(cJSON_IsString(interaction) &&
                                 uuid_parse(bytes_of_text(interaction->valuestring), frame.interaction)))
        builder_fail(builder, "", "interaction", "a UUID");
    ojin_frame_write_header(&writer, &frame);
    builder_append(builder, bytes_of(header, writer.len));
    size_t n = 0;
    const cJSON *payload = NULL;
    cJSON_ArrayForEach(payload, payloads)
    {
        if (builder->failed)
            return;
        build_payload(builder, payload, n++, data);
    }
    buffer_clear(data);
    builder_span_member(builder, object, "trailing", data);
    builder_append(builder, buffer_bytes(data));
}

static void build_input(struct builder *builder, const cJSON *object, struct buffer *data)
{
    const cJSON *base64 = json_member(object, "params_base64");
    uint8_t header[OJIN_INPUT_HEADER_BYTES];
    struct writer writer = writer_of(header, sizeof header);
    struct ojin_input input = {
        .payload_type =
            (uint8_t)builder_number(builder, object, "payload_type", OJIN_PAYLOAD_AUDIO, UINT8_MAX),
        .timestamp_ms = builder_number(builder, object, "timestamp_ms", 0, UINT64_MAX)};
    if (base64 == NULL)
        builder_text_or_json(builder, object, "params_text", "params", data);
    else if (!(cJSON_IsString(base64) && base64_decode(bytes_of_text(base64->valuestring), data)))
        builder_fail(builder, "", "params_base64", "canonical base64 of at most 16 MiB");
    input.params = buffer_bytes(data);
    /* The header counts the params, which follow by themselves. */
    ojin_input_write(&writer, &input);
    builder_append(builder, bytes_of(header, sizeof header));
    builder_append(builder, input.params);
    buffer_clear(data);
    builder_span_member(builder, object, "audio", data);
    builder_append(builder, buffer_bytes(data));
}

bool ojin_inspect_build(struct builder *builder, const char *kind, const cJSON *object)
{
    if (strcmp(kind, "frame") == 0)
        build_frame(builder, object, builder->data);
    else if (strcmp(kind, "input") == 0)
        build_input(builder, object, builder->data);
    else
        return false;
    return true;
}
