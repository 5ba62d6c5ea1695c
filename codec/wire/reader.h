/*
 * The one bounded reader: all pointer arithmetic on input happens here.
 *
 * It borrows its input. The first error is latched with offset and field name; after it every read gives 0 or
 * an empty span and touches nothing, so a decoder reads straight through and looks at `error` once at the
 * end. Integers are big-endian (000 Message Format); samples are little-endian and read by the media code.
 * `field` must be a static string.
 */
#ifndef CODEC_WIRE_READER_H
#define CODEC_WIRE_READER_H

#include "codec/wire/bytes.h"
#include "codec/wire/wire_status.h"

struct reader {
    struct bytes input;
    size_t offset;
    struct wire_error error;
};

struct reader reader_of(struct bytes input);
bool reader_ok(const struct reader *reader);
size_t reader_left(const struct reader *reader);
uint8_t reader_u8(struct reader *reader, const char *field);
uint16_t reader_u16(struct reader *reader, const char *field);
uint32_t reader_u32(struct reader *reader, const char *field);
uint64_t reader_u64(struct reader *reader, const char *field);
/* The next `len` bytes; WIRE_TRUNCATED when fewer are left. Valid as long as the input. */
struct bytes reader_take(struct reader *reader, size_t len, const char *field);
/* Like reader_take for a length that the message itself declared: WIRE_SIZE_PAST_END when fewer are left. */
struct bytes reader_take_declared(struct reader *reader, size_t len, const char *field);
/* Everything that is left. */
struct bytes reader_rest(struct reader *reader);
/* Latches an error of the caller's own at the current offset, unless one is latched already. */
void reader_fail(struct reader *reader, enum wire_status status, const char *field);

#endif
