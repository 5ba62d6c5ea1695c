#include "codec/ws/sha1.h"

#include <assert.h>
#include <openssl/sha.h>

static_assert((int)SHA1_BYTES == (int)SHA_DIGEST_LENGTH, "the library's hash is as long");

void sha1_of(struct bytes data, uint8_t out[SHA1_BYTES])
{
    (void)SHA1(data.data, data.len, out);
}
