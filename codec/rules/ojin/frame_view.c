#include "codec/rules/ojin/frame_view.h"

#include "codec/wire/reader.h"

static void read_header(struct reader *reader, struct ojin_frame *header)
{
    header->is_final = reader_u8(reader, "is final");
    const struct bytes interaction = reader_take(reader, UUID_BYTES, "interaction id");
    if (reader_ok(reader))
        memcpy(header->interaction, interaction.data, UUID_BYTES);
    header->timestamp_ms = reader_u64(reader, "timestamp");
    header->usage = reader_u32(reader, "usage");
    header->index = reader_u32(reader, "frame index");
    header->payload_count = reader_u32(reader, "payload count");
}

static void note_fault(struct frame_view *view, enum frame_fault fault, uint32_t entry, uint64_t left)
{
    view->fault = fault;
    view->entry = entry;
    view->left = left;
}

/* False when the entry is not whole. */
static bool read_entry(struct reader *reader, uint32_t entry, struct frame_view *view)
{
    const size_t left = reader_left(reader);
    if (left < OJIN_ENTRY_HEADER_BYTES) {
        note_fault(view, FRAME_FAULT_ENTRY_HEADER, entry, left);
        return false;
    }
    const uint32_t size = reader_u32(reader, "data size");
    const uint8_t type = reader_u8(reader, "payload type");
    if (size > reader_left(reader)) {
        note_fault(view, FRAME_FAULT_ENTRY_SIZE, entry, reader_left(reader));
        view->entry_bytes = size;
        return false;
    }
    const struct bytes data = reader_take(reader, size, "payload data");
    if (type == OJIN_PAYLOAD_AUDIO) {
        view->audio_count++;
        view->audio = data;
    } else if (type == OJIN_PAYLOAD_IMAGE) {
        view->image_count++;
        view->image = data;
    }
    return true;
}

void frame_view_read(const struct wire_event *event, struct frame_view *out)
{
    *out = (struct frame_view){.fault = FRAME_FAULT_NONE};
    struct reader reader = reader_of(event->data);
    read_header(&reader, &out->header);
    if (!reader_ok(&reader)) {
        out->header = (struct ojin_frame){0};
        note_fault(out, FRAME_FAULT_SHORT, 0, event->data.len);
        return;
    }
    if (event->message_bytes > event->data.len) {
        out->fault = FRAME_FAULT_CUT;
        return;
    }
    /* An entry takes at least five bytes, so the message itself bounds this loop, whatever the count says. */
    for (uint32_t i = 0; i < out->header.payload_count; i++) {
        if (!read_entry(&reader, i, out))
            return;
    }
    if (reader_left(&reader) > 0)
        note_fault(out, FRAME_FAULT_TRAILING, out->header.payload_count, reader_left(&reader));
}
