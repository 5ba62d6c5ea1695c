#include "codec/ojin/input.h"

#include <assert.h>
#include <math.h>

#include "codec/wire/json.h"
#include "codec/wire/reader.h"

static_assert(OJIN_INPUT_HEADER_BYTES == 1 + 8 + 4, "struct '!BQI'");

const struct ojin_params OJIN_PARAMS_DEFAULT = {
    .speech_filter_amount = 5,
    .idle_filter_amount = 1000,
    .idle_mouth_opening_scale = 0,
    .speech_mouth_opening_scale = 1,
    .client_frame_index = 0,
};

struct wire_error ojin_input_decode(struct bytes message, struct ojin_input *out)
{
    struct reader reader = reader_of(message);
    struct ojin_input input = {0};
    input.payload_type = reader_u8(&reader, "payload type");
    input.timestamp_ms = reader_u64(&reader, "timestamp");
    uint32_t params_size = reader_u32(&reader, "params size");
    input.params = reader_take_declared(&reader, params_size, "params");
    input.audio = reader_rest(&reader);
    if (reader_ok(&reader))
        *out = input;
    return reader.error;
}

void ojin_input_write(struct writer *writer, const struct ojin_input *input)
{
    assert(input->params.len <= UINT32_MAX);
    writer_u8(writer, input->payload_type);
    writer_u64(writer, input->timestamp_ms);
    writer_u32(writer, (uint32_t)input->params.len);
    writer_bytes(writer, input->params);
    writer_bytes(writer, input->audio);
}

static struct wire_error params_error(enum wire_status status, const char *field)
{
    return (struct wire_error){.status = status, .field = status == WIRE_OK ? NULL : field};
}

static struct wire_error params_number(const cJSON *object, const char *name, double *out)
{
    const cJSON *value = json_member(object, name);
    if (value == NULL)
        return params_error(WIRE_OK, name);
    if (!cJSON_IsNumber(value))
        return params_error(WIRE_WRONG_MEMBER_TYPE, name);
    if (!isfinite(value->valuedouble))
        return params_error(WIRE_OUT_OF_RANGE, name);
    *out = value->valuedouble;
    return params_error(WIRE_OK, name);
}

static struct wire_error params_integer(const cJSON *object, const char *name, int64_t *out)
{
    const cJSON *value = json_member(object, name);
    return params_error(value == NULL ? WIRE_OK : json_integer_read(value, out), name);
}

static struct wire_error params_read_members(const cJSON *object, struct ojin_params *params)
{
    if (!cJSON_IsObject(object))
        return params_error(WIRE_NOT_AN_OBJECT, "params");
    const struct {
        const char *name;
        double *value;
    } numbers[] = {
        {"speech_filter_amount", &params->speech_filter_amount},
        {"idle_filter_amount", &params->idle_filter_amount},
        {"idle_mouth_opening_scale", &params->idle_mouth_opening_scale},
        {"speech_mouth_opening_scale", &params->speech_mouth_opening_scale},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct wire_error error = params_number(object, numbers[i].name, numbers[i].value);
        if (error.status != WIRE_OK)
            return error;
    }
    return params_integer(object, "client_frame_index", &params->client_frame_index);
}

struct wire_error ojin_params_read(struct bytes json, struct ojin_params *params)
{
    cJSON *object = NULL;
    struct wire_error error = json_parse_last(json, &object);
    if (error.status != WIRE_OK)
        return error;
    struct ojin_params changed = *params;
    error = params_read_members(object, &changed);
    cJSON_Delete(object);
    if (error.status == WIRE_OK)
        *params = changed;
    return error;
}
