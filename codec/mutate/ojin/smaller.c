/* An InteractionResponse made smaller in one step, with what its headers say of the rest kept as true, or as
 * false, as it was. */
#include "codec/mutate/ojin/parts.h"
#include "codec/ojin/constants.h"

enum {
    AT_COUNT = OJIN_FRAME_HEADER_BYTES - 4,
    WAYS_OF_MANY = 126, /* halves, quarters … up to the 64th parts: 2 + 4 + … + 64 */
    WAYS_OF_ENTRY = 17
};

static uint32_t u32_at(struct bytes message, size_t at)
{
    const uint8_t *data = message.data + at;
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

static void put_u32(uint8_t *data, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        data[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The header of the n-th entry, and where its data ends as far as it is there. False: there are fewer. */
static bool find_entry(struct bytes message, size_t n, size_t *out_at, size_t *out_end)
{
    size_t end = OJIN_FRAME_HEADER_BYTES;
    for (size_t i = 0; i < u32_at(message, AT_COUNT); i++) {
        if (message.len - end < OJIN_ENTRY_HEADER_BYTES)
            return false;
        const size_t at = end;
        const size_t left = message.len - at - OJIN_ENTRY_HEADER_BYTES;
        const size_t size = u32_at(message, at);
        end = at + OJIN_ENTRY_HEADER_BYTES + (size < left ? size : left);
        if (i == n) {
            *out_at = at;
            *out_end = end;
            return true;
        }
    }
    return false;
}

static size_t cut_out(uint8_t *data, size_t len, size_t at, size_t count)
{
    memmove(data + at, data + at + count, len - at - count);
    return len - count;
}

static size_t count_entries(struct bytes message)
{
    size_t count = 0, end = OJIN_FRAME_HEADER_BYTES;
    while (count < u32_at(message, AT_COUNT) && message.len - end >= OJIN_ENTRY_HEADER_BYTES) {
        const size_t left = message.len - end - OJIN_ENTRY_HEADER_BYTES;
        const size_t size = u32_at(message, end);
        end += OJIN_ENTRY_HEADER_BYTES + (size < left ? size : left);
        count++;
    }
    return count;
}

/* Without the first half of its entries, the second, the first quarter, … where that is more than one. */
static size_t leave_out_many(size_t n, uint8_t *data, size_t len)
{
    const struct bytes message = bytes_of(data, len);
    size_t parts = 2, at = 0, end = 0;
    for (; n >= parts; parts *= 2)
        n -= parts;
    const size_t count = count_entries(message) / parts;
    if (count < 2 || !find_entry(message, n * count, &at, &end) ||
        !find_entry(message, n * count + count - 1, &(size_t){0}, &end))
        return len;
    put_u32(data + AT_COUNT, u32_at(message, AT_COUNT) - (uint32_t)count);
    return cut_out(data, len, at, end - at);
}

/* Many entries left out, then entry after entry: without it, with its data shorter by all, by half, by a
 * quarter, … */
size_t mutate_ojin_frame_smaller(size_t n, uint8_t *data, size_t len)
{
    const struct bytes message = bytes_of(data, len);
    size_t at = 0, end = 0;
    if (len < OJIN_FRAME_HEADER_BYTES)
        return MUTATE_NO_MORE;
    if (n < WAYS_OF_MANY)
        return leave_out_many(n, data, len);
    n -= WAYS_OF_MANY;
    if (!find_entry(message, n / WAYS_OF_ENTRY, &at, &end))
        return MUTATE_NO_MORE;
    if (n % WAYS_OF_ENTRY == 0) {
        put_u32(data + AT_COUNT, u32_at(message, AT_COUNT) - 1);
        return cut_out(data, len, at, end - at);
    }
    const size_t gone = (end - at - OJIN_ENTRY_HEADER_BYTES) >> (n % WAYS_OF_ENTRY - 1);
    put_u32(data + at, u32_at(message, at) - (uint32_t)gone);
    return cut_out(data, len, end - gone, gone);
}
