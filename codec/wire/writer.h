/*
 * The bounded writer: fills a buffer that the caller owns, big-endian, and latches overflow.
 *
 * After an overflow nothing more is written; `len` stays at what fitted. Check `overflow` once at the end.
 */
#ifndef CODEC_WIRE_WRITER_H
#define CODEC_WIRE_WRITER_H

#include "codec/wire/bytes.h"

struct writer {
    uint8_t *data;
    size_t capacity;
    size_t len;
    bool overflow;
};

struct writer writer_of(void *data, size_t capacity);
void writer_u8(struct writer *writer, uint8_t value);
void writer_u16(struct writer *writer, uint16_t value);
void writer_u32(struct writer *writer, uint32_t value);
void writer_u64(struct writer *writer, uint64_t value);
void writer_bytes(struct writer *writer, struct bytes bytes);

#endif
