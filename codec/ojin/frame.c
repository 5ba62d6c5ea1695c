#include "codec/ojin/frame.h"

#include <assert.h>

#include "codec/wire/reader.h"

static_assert(OJIN_FRAME_HEADER_BYTES == 1 + UUID_BYTES + 8 + 4 + 4 + 4, "struct '!B16sQIII'");
static_assert(OJIN_ENTRY_HEADER_BYTES == 4 + 1, "struct '!IB'");

static void frame_read_header(struct reader *reader, struct ojin_frame *frame)
{
    frame->is_final = reader_u8(reader, "is final");
    struct bytes interaction = reader_take(reader, UUID_BYTES, "interaction id");
    if (reader_ok(reader))
        memcpy(frame->interaction, interaction.data, UUID_BYTES);
    frame->timestamp_ms = reader_u64(reader, "timestamp");
    frame->usage = reader_u32(reader, "usage");
    frame->index = reader_u32(reader, "frame index");
    frame->payload_count = reader_u32(reader, "payload count");
}

static void frame_read_entry(struct reader *reader, struct ojin_frame *frame)
{
    uint32_t size = reader_u32(reader, "data size");
    uint8_t type = reader_u8(reader, "payload type");
    struct bytes data = reader_take_declared(reader, size, "payload data");
    if (type == OJIN_PAYLOAD_AUDIO) {
        frame->has_audio = true;
        frame->audio = data;
    } else if (type == OJIN_PAYLOAD_IMAGE) {
        frame->has_image = true;
        frame->image = data;
    }
}

struct wire_error ojin_frame_decode(struct bytes message, struct ojin_frame *out)
{
    struct reader reader = reader_of(message);
    struct ojin_frame frame = {0};
    frame_read_header(&reader, &frame);
    /* An entry takes at least five bytes, so the message itself bounds this loop, whatever the count says. */
    for (uint32_t i = 0; i < frame.payload_count && reader_ok(&reader); i++)
        frame_read_entry(&reader, &frame);
    frame.trailing = reader_rest(&reader);
    if (reader_ok(&reader))
        *out = frame;
    return reader.error;
}

void ojin_frame_write_header(struct writer *writer, const struct ojin_frame *frame)
{
    writer_u8(writer, frame->is_final);
    writer_bytes(writer, bytes_of(frame->interaction, UUID_BYTES));
    writer_u64(writer, frame->timestamp_ms);
    writer_u32(writer, frame->usage);
    writer_u32(writer, frame->index);
    writer_u32(writer, frame->payload_count);
}

void ojin_frame_write_entry(struct writer *writer, uint8_t type, struct bytes data)
{
    assert(data.len <= UINT32_MAX);
    writer_u32(writer, (uint32_t)data.len);
    writer_u8(writer, type);
    writer_bytes(writer, data);
}

size_t ojin_frame_bytes(const struct ojin_payload *payloads, size_t count)
{
    size_t bytes = OJIN_FRAME_HEADER_BYTES;
    for (size_t i = 0; i < count; i++)
        bytes += OJIN_ENTRY_HEADER_BYTES + payloads[i].data.len;
    return bytes;
}
