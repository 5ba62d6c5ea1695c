#include "client/inspect/ojin/parts.h"
#include "codec/media/block_code.h"
#include "codec/media/jpeg.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/wire/reader.h"

/* A message that cannot be taken apart. */
static void describe_whole(struct description *description, struct bytes message, struct wire_error error)
{
    describe_error(description, error);
    if (description->with_data)
        describe_base64(description, "base64", message);
}

/* ---- frames ---- */

const char *ojin_inspect_payload_name(uint8_t type)
{
    if (type == OJIN_PAYLOAD_AUDIO)
        return "audio";
    return type == OJIN_PAYLOAD_IMAGE ? "image" : NULL;
}

void ojin_inspect_frame_header(struct description *description, const struct ojin_frame *frame)
{
    describe_u64(description, "is_final", frame->is_final);
    describe_uuid(description, "interaction", frame->interaction);
    describe_u64(description, "timestamp_ms", frame->timestamp_ms);
    describe_u64(description, "usage", frame->usage);
    describe_u64(description, "index", frame->index);
    describe_u64(description, "payload_count", frame->payload_count);
}

static void describe_code(struct description *description, const struct block_code *code)
{
    struct description part = description_new(false);
    describe_u64(&part, "frame_number", code->frame_number);
    describe_crc32(&part, "interaction", code->interaction);
    describe_u64(&part, "sample_position", code->sample_position);
    describe_part(description, "code", &part);
}

static void describe_picture(struct description *description, struct bytes jpeg)
{
    unsigned width, height;
    struct block_code code;
    if (!jpeg_probe(jpeg, &width, &height))
        return;
    struct description part = description_new(false);
    describe_u64(&part, "width", width);
    describe_u64(&part, "height", height);
    describe_part(description, "picture", &part);
    if (block_code_read_jpeg(jpeg, &code))
        describe_code(description, &code);
}

static void describe_payload(struct description *description, cJSON *list, uint8_t type, struct bytes data)
{
    struct description part = description_new(description->with_data);
    describe_u64(&part, "type", type);
    if (ojin_inspect_payload_name(type) != NULL)
        describe_string(&part, "name", ojin_inspect_payload_name(type));
    if (type == OJIN_PAYLOAD_IMAGE)
        describe_picture(&part, data);
    describe_span(&part, data);
    cJSON *object = description_end(&part);
    if (object == NULL || !cJSON_AddItemToArray(list, object)) {
        cJSON_Delete(object);
        description->failed = true;
    }
}

/* Every entry, in order: a frame that decoded has them all. */
static void describe_payloads(struct description *description, struct bytes message, uint32_t count)
{
    cJSON *list = cJSON_AddArrayToObject(description->object, "payloads");
    struct reader reader = reader_of(message);
    reader_take(&reader, OJIN_FRAME_HEADER_BYTES, "header");
    if (list == NULL)
        description->failed = true;
    for (uint32_t i = 0; i < count && reader_ok(&reader) && !description->failed; i++) {
        uint32_t size = reader_u32(&reader, "data size");
        uint8_t type = reader_u8(&reader, "payload type");
        describe_payload(description, list, type, reader_take_declared(&reader, size, "payload data"));
    }
}

static void describe_frame(struct description *description, struct bytes message)
{
    struct ojin_frame frame;
    struct wire_error error = ojin_frame_decode(message, &frame);
    if (error.status == WIRE_OK && frame.payload_count > INSPECT_PAYLOADS_MAX)
        error = (struct wire_error){.status = WIRE_TOO_LARGE, .offset = 33, .field = "payload count"};
    if (error.status != WIRE_OK) {
        describe_whole(description, message, error);
        return;
    }
    ojin_inspect_frame_header(description, &frame);
    if (!description->failed)
        describe_payloads(description, message, frame.payload_count);
    if (frame.trailing.len > 0) {
        struct description part = description_new(description->with_data);
        describe_span(&part, frame.trailing);
        describe_part(description, "trailing", &part);
    }
}

/* ---- inputs ---- */

static void describe_params(struct description *description, struct bytes params)
{
    struct ojin_params read = OJIN_PARAMS_DEFAULT;
    struct wire_error error = ojin_params_read(params, &read);
    error.offset += OJIN_INPUT_HEADER_BYTES;
    describe_error(description, error);
    describe_json(description, "params", params);
    if (describe_is_plain(params))
        describe_text(description, "params_text", params);
    else
        describe_base64(description, "params_base64", params);
}

static void describe_input(struct description *description, struct bytes message)
{
    struct ojin_input input;
    struct wire_error error = ojin_input_decode(message, &input);
    if (error.status != WIRE_OK) {
        describe_whole(description, message, error);
        return;
    }
    describe_u64(description, "payload_type", input.payload_type);
    describe_u64(description, "timestamp_ms", input.timestamp_ms);
    if (input.payload_type != OJIN_PAYLOAD_AUDIO)
        describe_error(description,
                       (struct wire_error){.status = WIRE_WRONG_PAYLOAD_TYPE, .field = "payload type"});
    if (input.params.len > 0)
        describe_params(description, input.params);
    struct description audio = description_new(description->with_data);
    describe_u64(&audio, "samples", input.audio.len / OJIN_SAMPLE_BYTES);
    describe_span(&audio, input.audio);
    describe_part(description, "audio", &audio);
    if (input.audio.len % OJIN_SAMPLE_BYTES != 0)
        describe_error(description, (struct wire_error){.status = WIRE_ODD_AUDIO,
                                                        .offset = message.len - input.audio.len,
                                                        .field = "audio"});
}

/* ---- texts ---- */

static void describe_text_message(struct description *description, struct bytes message)
{
    struct ojin_message read;
    ojin_message_read(message, &read);
    describe_string(description, "type", ojin_message_type_name(read.type));
    describe_error(description, read.error);
    describe_json(description, "json", message);
    if (describe_is_plain(message))
        describe_text(description, "text", message);
    else
        describe_base64(description, "base64", message);
}

/* ---- all ---- */

void ojin_inspect_message(struct description *description, struct bytes message, enum inspect_kind kind)
{
    static const char *const names[] = {
        [INSPECT_INPUT] = "input", [INSPECT_FRAME] = "frame", [INSPECT_TEXT] = "text"};
    if (kind == INSPECT_AUTO)
        kind = ojin_inspect_guess(message);
    describe_string(description, "kind", names[kind]);
    describe_u64(description, "bytes", message.len);
    if (kind == INSPECT_FRAME)
        describe_frame(description, message);
    else if (kind == INSPECT_INPUT)
        describe_input(description, message);
    else
        describe_text_message(description, message);
}
