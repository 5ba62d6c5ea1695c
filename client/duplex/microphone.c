#include "client/duplex/microphone.h"

#include "codec/wire/float32.h"

void microphone_init(struct microphone *microphone, size_t samples_max)
{
    *microphone = (struct microphone){.sent = 0};
    buffer_init(&microphone->pcm, samples_max * FLOAT32_BYTES);
}

void microphone_free(struct microphone *microphone)
{
    buffer_free(&microphone->pcm);
}

bool microphone_add(struct microphone *microphone, const float *samples, size_t count)
{
    buffer_consume(&microphone->pcm, microphone->sent);
    microphone->sent = 0;
    if (count == 0)
        return true;
    if (count > microphone->pcm.len_max / FLOAT32_BYTES)
        return false;
    uint8_t *to = buffer_reserve(&microphone->pcm, count * FLOAT32_BYTES);
    if (to == NULL)
        return false;
    float32_write(samples, count, to);
    microphone->pcm.len += count * FLOAT32_BYTES;
    return true;
}

size_t microphone_take(struct microphone *microphone, size_t samples, uint8_t *out)
{
    const size_t left = (microphone->pcm.len - microphone->sent) / FLOAT32_BYTES;
    const size_t count = left < samples ? left : samples;
    if (count > 0)
        memcpy(out, microphone->pcm.data + microphone->sent, count * FLOAT32_BYTES);
    memset(out + count * FLOAT32_BYTES, 0, (samples - count) * FLOAT32_BYTES);
    microphone->sent += count * FLOAT32_BYTES;
    return count;
}

void microphone_drop(struct microphone *microphone)
{
    microphone->sent = microphone->pcm.len;
}
