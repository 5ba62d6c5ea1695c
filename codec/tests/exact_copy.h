/* Copies of test input on the heap, of exactly its size, so that the sanitizers catch a read of one byte too
 * many. */
#ifndef CODEC_TESTS_EXACT_COPY_H
#define CODEC_TESTS_EXACT_COPY_H

#include <stdlib.h>

#include "codec/wire/bytes.h"

struct exact_copy {
    uint8_t *owned;
    struct bytes bytes;
};

static inline struct exact_copy exact_copy_of(struct bytes input)
{
    /* An empty input gets a block too, of which nothing may be read. */
    uint8_t *owned = malloc(input.len == 0 ? 1 : input.len);
    if (owned == NULL)
        abort();
    if (input.len > 0)
        memcpy(owned, input.data, input.len);
    return (struct exact_copy){.owned = owned, .bytes = bytes_of(owned, input.len)};
}

static inline void exact_copy_free(struct exact_copy copy)
{
    free(copy.owned);
}

#endif
