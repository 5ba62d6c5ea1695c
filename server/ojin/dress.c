/*
 * What quirks change about a frame of the service (field notes, Frames): bytes after the payloads, payloads
 * that are missing, doubled, unknown or large, sizes in the wrong byte order, speech that is not itself.
 */
#include "server/ojin/session.h"

#include <assert.h>

enum {
    PAYLOAD_TEXT = 0, /* field notes: types seen besides audio and image */
    PAYLOAD_VIDEO = 3,
    HOARSE_DIVISOR = 2,
    SILENT_DIVISOR = 256 /* what is left of full scale is 128 */
};

static const uint8_t ZEROS[OJIN_FRAME_AUDIO_BYTES] = {0};
static const char EXTRA_TEXT[] = "{\"emotion\":\"neutral\"}";
static const uint8_t EXTRA_VIDEO[] = {0, 0, 0, 1, 0x09, 0xF0};

void ojin_dress_type(struct frame_order *order, enum ojin_frame_type type)
{
    static const uint8_t types[] = {OJIN_FRAME_TYPE_IDLE, OJIN_FRAME_TYPE_SPEECH, OJIN_FRAME_TYPE_FADE,
                                    OJIN_FRAME_TYPE_START};
    order->trailing = bytes_of(&types[type], 1);
}

bool ojin_picture_pad(struct bytes jpeg, uint32_t pad, struct buffer *out)
{
    enum { SOI_BYTES = 2, SEGMENT_OVERHEAD = 4, SEGMENT_DATA_MAX = 65533 };
    if (jpeg.len < SOI_BYTES || !buffer_append(out, bytes_of(jpeg.data, SOI_BYTES)))
        return false;
    while (pad >= SEGMENT_OVERHEAD) {
        uint32_t data = pad - SEGMENT_OVERHEAD < SEGMENT_DATA_MAX ? pad - SEGMENT_OVERHEAD : SEGMENT_DATA_MAX;
        uint8_t *room = buffer_reserve(out, SEGMENT_OVERHEAD + data);
        if (room == NULL)
            return false;
        struct writer writer = writer_of(room, SEGMENT_OVERHEAD);
        writer_u16(&writer, 0xFFFE);
        writer_u16(&writer, (uint16_t)(data + 2));
        memset(room + SEGMENT_OVERHEAD, 0, data);
        out->len += SEGMENT_OVERHEAD + data;
        pad -= SEGMENT_OVERHEAD + data;
    }
    /* Fewer than four bytes make no segment: fill bytes in front of the next marker. */
    for (; pad > 0; pad--) {
        if (!buffer_append(out, bytes_of("\xFF", 1)))
            return false;
    }
    return buffer_append(out, bytes_of(jpeg.data + SOI_BYTES, jpeg.len - SOI_BYTES));
}

static void entries_insert(struct frame_order *order, size_t at, uint8_t type, struct bytes data)
{
    for (size_t i = order->entry_count; i > at; i--)
        order->entries[i] = order->entries[i - 1];
    order->entries[at] =
        (struct frame_entry){.type = type, .declared_bytes = (uint32_t)data.len, .data = data};
    order->entry_count++;
}

static void picture_enlarge(struct session *session, struct frame_order *order)
{
    const uint64_t bytes = ojin_quirk(session, OJIN_QUIRK_BIG_FRAMES);
    for (size_t i = 0; i < order->entry_count; i++) {
        struct frame_entry *entry = &order->entries[i];
        if (entry->type != OJIN_PAYLOAD_IMAGE || entry->data.len >= bytes)
            continue;
        buffer_clear(&session->padded);
        if (!ojin_picture_pad(entry->data, (uint32_t)(bytes - entry->data.len), &session->padded))
            continue;
        entry->data = buffer_bytes(&session->padded);
        entry->declared_bytes = (uint32_t)entry->data.len;
    }
}

static bool is_metadata_only(const struct session *session, const struct frame_order *order)
{
    const uint64_t every = ojin_quirk(session, OJIN_QUIRK_METADATA_FRAMES);
    if (every == 0 || order->kind != FRAME_SILENCE || order->header.is_final != 0)
        return false;
    return (session->progress.silence_frames + 1) % every == 0;
}

void ojin_dress_payloads(struct session *session, struct frame_order *order)
{
    static_assert(FRAME_ENTRIES_MAX >= 5, "two entries, one doubled, two extra");
    if (ojin_quirk(session, OJIN_QUIRK_BIG_FRAMES) != 0)
        picture_enlarge(session, order);
    if (ojin_quirk(session, OJIN_QUIRK_DUPLICATE_PAYLOADS) != 0)
        entries_insert(order, 0, OJIN_PAYLOAD_AUDIO, bytes_of(ZEROS, sizeof ZEROS));
    if (ojin_quirk(session, OJIN_QUIRK_EXTRA_PAYLOADS) != 0) {
        entries_insert(order, 0, PAYLOAD_TEXT, bytes_of(EXTRA_TEXT, sizeof EXTRA_TEXT - 1));
        entries_insert(order, order->entry_count, PAYLOAD_VIDEO, bytes_of(EXTRA_VIDEO, sizeof EXTRA_VIDEO));
    }
    if (is_metadata_only(session, order)) {
        order->entry_count = 0;
        session->drawing.due = false; /* its picture would follow the header */
    }
    order->header.payload_count = (uint32_t)order->entry_count;
    if (ojin_quirk(session, OJIN_QUIRK_LITTLE_ENDIAN) != 0 && order->entry_count > 0) {
        order->sizes_little_endian = true;
        order->fault = true;
    }
}

static void audio_divide(uint8_t audio[OJIN_FRAME_AUDIO_BYTES], int32_t divisor)
{
    for (size_t i = 0; i < OJIN_FRAME_SAMPLES; i++) {
        const uint32_t bits = (uint32_t)audio[2 * i] | (uint32_t)audio[2 * i + 1] << 8;
        const int32_t sample = (int32_t)bits - (bits >= 0x8000u ? 0x10000 : 0);
        const uint32_t divided = (uint32_t)(sample / divisor);
        audio[2 * i] = (uint8_t)(divided & 0xFFu);
        audio[2 * i + 1] = (uint8_t)(divided >> 8 & 0xFFu);
    }
}

void ojin_dress_audio(struct session *session)
{
    if (session->turn_frames < ojin_quirk(session, OJIN_QUIRK_SILENT_HEAD))
        audio_divide(session->audio, SILENT_DIVISOR);
    if (ojin_quirk(session, OJIN_QUIRK_HOARSE) != 0)
        audio_divide(session->audio, HOARSE_DIVISOR);
}
