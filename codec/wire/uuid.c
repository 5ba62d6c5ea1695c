#include "codec/wire/uuid.h"

/* Steele, Lea and Flood: Fast splittable pseudorandom number generators (2014). */
uint64_t seeded_next(struct seeded *seeded)
{
    seeded->state += 0x9e3779b97f4a7c15U;
    uint64_t z = seeded->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

void uuid_generate(struct seeded *seeded, uint8_t out[UUID_BYTES])
{
    uint64_t halves[2] = {seeded_next(seeded), seeded_next(seeded)};
    for (size_t i = 0; i < UUID_BYTES; i++)
        out[i] = (uint8_t)(halves[i / 8] >> (56 - 8 * (i % 8)));
    out[6] = (uint8_t)((out[6] & 0x0f) | 0x40); /* version 4 */
    out[8] = (uint8_t)((out[8] & 0x3f) | 0x80); /* the variant of RFC 4122 */
}

bool uuid_is_nil(const uint8_t uuid[UUID_BYTES])
{
    static const uint8_t nil[UUID_BYTES] = {0};
    return memcmp(uuid, nil, UUID_BYTES) == 0;
}

/* 16 for a character that is no hex digit. */
static unsigned hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A' + 10);
    return 16;
}

bool uuid_parse(struct bytes text, uint8_t out[UUID_BYTES])
{
    if (text.len != UUID_TEXT_BYTES)
        return false;
    uint8_t uuid[UUID_BYTES];
    size_t at = 0;
    for (size_t i = 0; i < UUID_BYTES; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            if (text.data[at++] != '-')
                return false;
        }
        unsigned high = hex_value(text.data[at++]);
        unsigned low = hex_value(text.data[at++]);
        if (high > 15 || low > 15)
            return false;
        uuid[i] = (uint8_t)(high << 4 | low);
    }
    memcpy(out, uuid, UUID_BYTES);
    return true;
}
