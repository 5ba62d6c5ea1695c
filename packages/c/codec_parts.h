/* What the public readers and writers of messages share. Private to packages/c. */
#ifndef PACKAGES_C_CODEC_PARTS_H
#define PACKAGES_C_CODEC_PARTS_H

#include "codec/wire/buffer.h"
#include "codec/wire/json_fault.h"
#include "packages/c/ojin_codec.h"

static inline struct bytes bytes_from_public(struct ojin_codec_bytes span)
{
    return bytes_of(span.data, span.len);
}

static inline struct ojin_codec_bytes bytes_to_public(struct bytes span)
{
    return (struct ojin_codec_bytes){.data = span.data, .len = span.len};
}

/* The sentences of a message's faults; `sentences` holds what `kept` points to. */
void codec_faults_tell(const struct json_faults *faults, char sentences[][OJIN_CODEC_ERROR_MAX],
                       const char *kept[OJIN_CODEC_FAULTS_MAX]);
/* What was written, with a terminator; the caller owns it. NULL, and nothing left of `buffer`, unless `good`.
 */
char *codec_text_take(struct buffer *buffer, bool good, size_t *len);

#endif
