/* Any bytes as an InteractionResponse: every span lies inside them, and what was read can be written and read
 * again. */
#include <stdlib.h>

#include "codec/ojin/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_inside(struct bytes message, struct bytes span)
{
    if (span.len > 0)
        check(span.data >= message.data && span.data + span.len <= message.data + message.len);
}

static void check_same(const struct ojin_frame *a, const struct ojin_frame *b)
{
    check(a->is_final == b->is_final && a->timestamp_ms == b->timestamp_ms && a->usage == b->usage &&
          a->index == b->index && memcmp(a->interaction, b->interaction, UUID_BYTES) == 0);
    check(a->has_audio == b->has_audio && bytes_equal(a->audio, b->audio));
    check(a->has_image == b->has_image && bytes_equal(a->image, b->image));
    check(bytes_equal(a->trailing, b->trailing));
}

/* Writes the entries that count, image first, so that reading also meets the other order. */
static void check_written(const struct ojin_frame *frame, size_t len)
{
    /* Of several entries of a type only the last was kept, so this is never longer than what was read. */
    uint8_t *out = malloc(len);
    struct writer writer = writer_of(out, len);
    struct ojin_frame header = *frame;
    header.payload_count = (uint32_t)frame->has_audio + (uint32_t)frame->has_image;
    check(out != NULL && header.payload_count <= frame->payload_count);
    ojin_frame_write_header(&writer, &header);
    if (frame->has_image)
        ojin_frame_write_entry(&writer, OJIN_PAYLOAD_IMAGE, frame->image);
    if (frame->has_audio)
        ojin_frame_write_entry(&writer, OJIN_PAYLOAD_AUDIO, frame->audio);
    writer_bytes(&writer, frame->trailing);
    check(!writer.overflow);
    struct ojin_frame again;
    check(ojin_frame_decode(bytes_of(out, writer.len), &again).status == WIRE_OK);
    check_same(frame, &again);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct bytes message = bytes_of(data, len);
    struct ojin_frame frame;
    struct wire_error error = ojin_frame_decode(message, &frame);
    if (error.status != WIRE_OK) {
        check(error.status == WIRE_TRUNCATED || error.status == WIRE_SIZE_PAST_END);
        check(error.offset <= len && error.field != NULL);
        return 0;
    }
    check_inside(message, frame.audio);
    check_inside(message, frame.image);
    check_inside(message, frame.trailing);
    check((uint64_t)frame.payload_count * OJIN_ENTRY_HEADER_BYTES <= len);
    check_written(&frame, len);
    return 0;
}
