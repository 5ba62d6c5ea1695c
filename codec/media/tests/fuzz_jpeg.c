/* Any bytes as a picture: probed, decoded, checked with the same result, and its block code read. */
#include <stdlib.h>

#include "codec/media/block_code.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct bytes jpeg = bytes_of(data, size);
    struct block_code code;
    unsigned width = 0;
    unsigned height = 0;
    (void)jpeg_probe(jpeg, &width, &height);
    (void)block_code_read_jpeg(jpeg, &code);
    struct picture picture;
    const bool decoded = jpeg_decode(jpeg, &picture);
    if (decoded)
        picture_free(&picture);
    if (decoded != jpeg_check(jpeg, &width, &height))
        abort();
    return 0;
}
