/* What is to be said and not yet sent, at 16 kHz. Private to the client core. */
#ifndef CLIENT_DUPLEX_MICROPHONE_H
#define CLIENT_DUPLEX_MICROPHONE_H

#include "codec/wire/buffer.h"

struct microphone {
    struct buffer pcm; /* float32, little-endian */
    size_t sent;       /* bytes at its front that were sent */
};

void microphone_init(struct microphone *microphone, size_t samples_max);
void microphone_free(struct microphone *microphone);
bool microphone_add(struct microphone *microphone, const float *samples, size_t count);
/* Writes `samples` into `out`, silence where there are no more; returns how many were not silence. */
size_t microphone_take(struct microphone *microphone, size_t samples, uint8_t *out);
void microphone_drop(struct microphone *microphone);
static inline bool microphone_is_empty(const struct microphone *microphone)
{
    return microphone->sent == microphone->pcm.len;
}

#endif
