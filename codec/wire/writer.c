#include "codec/wire/writer.h"

struct writer writer_of(void *data, size_t capacity)
{
    return (struct writer){.data = data, .capacity = capacity};
}

void writer_bytes(struct writer *writer, struct bytes bytes)
{
    if (writer->overflow)
        return;
    if (bytes.len > writer->capacity - writer->len) {
        writer->overflow = true;
        return;
    }
    if (bytes.len == 0)
        return;
    memcpy(writer->data + writer->len, bytes.data, bytes.len);
    writer->len += bytes.len;
}

static void writer_big_endian(struct writer *writer, uint64_t value, size_t len)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)(value >> 8 * (len - 1 - i));
    writer_bytes(writer, bytes_of(bytes, len));
}

void writer_u8(struct writer *writer, uint8_t value)
{
    writer_big_endian(writer, value, 1);
}
void writer_u16(struct writer *writer, uint16_t value)
{
    writer_big_endian(writer, value, 2);
}
void writer_u32(struct writer *writer, uint32_t value)
{
    writer_big_endian(writer, value, 4);
}
void writer_u64(struct writer *writer, uint64_t value)
{
    writer_big_endian(writer, value, 8);
}
