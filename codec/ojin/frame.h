/*
 * InteractionResponse (server to client, binary): 000 InteractionResponse.
 *
 * A 37-byte header, then payload entries of 5 bytes and their data, all integers big-endian. Decoding borrows
 * from the message. Payload types that are not known are skipped by their size; of several entries of a type
 * the last wins; bytes after the last entry are kept as `trailing` (field notes: a frame-type byte).
 */
#ifndef CODEC_OJIN_FRAME_H
#define CODEC_OJIN_FRAME_H

#include "codec/ojin/constants.h"
#include "codec/wire/bytes.h"
#include "codec/wire/uuid.h"
#include "codec/wire/wire_status.h"
#include "codec/wire/writer.h"

struct ojin_frame {
    uint8_t is_final; /* 1: last frame of the interaction; any other value as sent */
    uint8_t interaction[UUID_BYTES];
    uint64_t timestamp_ms; /* milliseconds since the Unix epoch */
    uint32_t usage;
    uint32_t index;         /* OJIN_INDEX_SILENCE, OJIN_INDEX_SPEECH, or any value as sent */
    uint32_t payload_count; /* as the header says */
    bool has_audio;
    bool has_image;
    struct bytes audio;    /* data of the last audio entry: 16-bit little-endian PCM */
    struct bytes image;    /* data of the last image entry: JPEG */
    struct bytes trailing; /* what follows the last entry */
};

struct ojin_payload {
    uint8_t type;
    struct bytes data;
};

/* Statuses: WIRE_OK, WIRE_TRUNCATED (header or entry header), WIRE_SIZE_PAST_END. *out only on success.
 * Neither time nor memory depends on payload_count beyond the entries that are really there. */
struct wire_error ojin_frame_decode(struct bytes message, struct ojin_frame *out);

/* The header fields of `frame` (payload_count too, whatever follows); entries are written one by one after
 * it. */
void ojin_frame_write_header(struct writer *writer, const struct ojin_frame *frame);
void ojin_frame_write_entry(struct writer *writer, uint8_t type, struct bytes data);
/* Bytes of a frame with those entries: 37 + 5 for each + their data. */
size_t ojin_frame_bytes(const struct ojin_payload *payloads, size_t count);

#endif
