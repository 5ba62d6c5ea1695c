/* A message of a journal, which keeps only the head of most frames, and the sums of their payloads. */
#include "client/inspect/ojin/parts.h"
#include "codec/wire/reader.h"

static void describe_kept(struct description *description, cJSON *list, const cJSON *frame, uint8_t type)
{
    const bool is_audio = type == OJIN_PAYLOAD_AUDIO;
    uint64_t bytes, crc;
    if (!describe_read_number(frame, is_audio ? "audio_bytes" : "image_bytes", &bytes) ||
        !describe_read_number(frame, is_audio ? "audio_crc" : "image_crc", &crc))
        return;
    struct description part = description_new(false);
    describe_u64(&part, "type", type);
    describe_string(&part, "name", ojin_inspect_payload_name(type));
    describe_u64(&part, "bytes", bytes);
    describe_crc32(&part, "crc32", (uint32_t)crc);
    cJSON *object = description_end(&part);
    if (object == NULL || !cJSON_AddItemToArray(list, object)) {
        cJSON_Delete(object);
        description->failed = true;
    }
}

/* The header, and what the journal says of the last audio and the last picture. */
static void describe_head(struct description *description, struct bytes head, uint64_t bytes,
                          const cJSON *frame)
{
    uint8_t header[OJIN_FRAME_HEADER_BYTES];
    struct ojin_frame decoded;
    describe_string(description, "kind", "frame");
    describe_u64(description, "bytes", bytes);
    describe_bool(description, "whole", false);
    if (head.len < sizeof header) {
        describe_error(description, ojin_frame_decode(head, &decoded));
        return;
    }
    /* With a count of 0 the header alone is a frame. */
    static const size_t count_at = OJIN_FRAME_HEADER_BYTES - 4;
    memcpy(header, head.data, sizeof header);
    memset(header + count_at, 0, 4);
    if (ojin_frame_decode(bytes_of(header, sizeof header), &decoded).status == WIRE_OK) {
        struct reader reader = reader_of(bytes_of(head.data + count_at, 4));
        decoded.payload_count = reader_u32(&reader, "payload count");
        ojin_inspect_frame_header(description, &decoded);
    }
    cJSON *list = description->failed ? NULL : cJSON_AddArrayToObject(description->object, "payloads");
    if (list == NULL) {
        description->failed = true;
        return;
    }
    describe_kept(description, list, frame, OJIN_PAYLOAD_AUDIO);
    describe_kept(description, list, frame, OJIN_PAYLOAD_IMAGE);
    if (cJSON_IsFalse(json_member(frame, "decodes")))
        describe_error(description,
                       (struct wire_error){.status = WIRE_SIZE_PAST_END, .field = "payload data"});
}

void ojin_inspect_entry(struct description *description, const struct inspect_entry *entry)
{
    if (entry->is_text)
        ojin_inspect_message(description, entry->data, INSPECT_TEXT);
    else if (entry->from_client)
        ojin_inspect_message(description, entry->data, INSPECT_INPUT);
    else if (entry->bytes > entry->data.len)
        describe_head(description, entry->data, entry->bytes, json_member(entry->line, "frame"));
    else
        ojin_inspect_message(description, entry->data, INSPECT_FRAME);
}
