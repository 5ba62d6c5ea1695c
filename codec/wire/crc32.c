#include "codec/wire/crc32.h"

#include <zlib.h>

uint32_t crc32_of(struct bytes bytes)
{
    /* zlib takes a null pointer for "give me the initial value", which an empty span has too: 0. */
    return (uint32_t)crc32_z(0, bytes.len == 0 ? NULL : bytes.data, bytes.len);
}
