#include "codec/wire/crc32.h"

#include <zlib.h>

uint32_t crc32_of(struct bytes bytes)
{
    return crc32_more(0, bytes);
}

uint32_t crc32_more(uint32_t before, struct bytes bytes)
{
    /* zlib takes a null pointer for "give me the initial value". */
    return bytes.len == 0 ? before : (uint32_t)crc32_z(before, bytes.data, bytes.len);
}
