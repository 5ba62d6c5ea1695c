#include "codec/wire/reader.h"

struct reader reader_of(struct bytes input)
{
    return (struct reader){.input = input, .error = {.status = WIRE_OK}};
}

bool reader_ok(const struct reader *reader)
{
    return reader->error.status == WIRE_OK;
}

size_t reader_left(const struct reader *reader)
{
    return reader_ok(reader) ? reader->input.len - reader->offset : 0;
}

void reader_fail(struct reader *reader, enum wire_status status, const char *field)
{
    if (!reader_ok(reader))
        return;
    reader->error = (struct wire_error){.status = status, .offset = reader->offset, .field = field};
}

/* The only place where the cursor moves. */
static struct bytes reader_advance(struct reader *reader, size_t len, enum wire_status shortage,
                                   const char *field)
{
    if (!reader_ok(reader))
        return bytes_of(NULL, 0);
    if (len > reader->input.len - reader->offset) {
        reader_fail(reader, shortage, field);
        return bytes_of(NULL, 0);
    }
    if (len == 0)
        return bytes_of(NULL, 0);
    struct bytes taken = bytes_of(reader->input.data + reader->offset, len);
    reader->offset += len;
    return taken;
}

static uint64_t reader_big_endian(struct reader *reader, size_t len, const char *field)
{
    struct bytes taken = reader_advance(reader, len, WIRE_TRUNCATED, field);
    uint64_t value = 0;
    for (size_t i = 0; i < taken.len; i++)
        value = value << 8 | taken.data[i];
    return value;
}

uint8_t reader_u8(struct reader *reader, const char *field)
{
    return (uint8_t)reader_big_endian(reader, 1, field);
}

uint16_t reader_u16(struct reader *reader, const char *field)
{
    return (uint16_t)reader_big_endian(reader, 2, field);
}

uint32_t reader_u32(struct reader *reader, const char *field)
{
    return (uint32_t)reader_big_endian(reader, 4, field);
}

uint64_t reader_u64(struct reader *reader, const char *field)
{
    return reader_big_endian(reader, 8, field);
}

struct bytes reader_take(struct reader *reader, size_t len, const char *field)
{
    return reader_advance(reader, len, WIRE_TRUNCATED, field);
}

struct bytes reader_take_declared(struct reader *reader, size_t len, const char *field)
{
    return reader_advance(reader, len, WIRE_SIZE_PAST_END, field);
}

struct bytes reader_rest(struct reader *reader)
{
    return reader_advance(reader, reader_left(reader), WIRE_TRUNCATED, NULL);
}
