#include "server/control/wav.h"

#include <string.h>

static void put_u32(uint8_t *at, uint32_t value)
{
    for (unsigned n = 0; n < 4; n++)
        at[n] = (uint8_t)(value >> (8 * n));
}

void wav_head(uint8_t out[WAV_HEAD_BYTES], uint32_t rate, uint32_t audio_bytes)
{
    memcpy(out, "RIFF\0\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\0\0\0\0\0\0\0\0\2\0\20\0data\0\0\0\0", WAV_HEAD_BYTES);
    put_u32(out + 4, WAV_HEAD_BYTES - 8 + audio_bytes);
    put_u32(out + 24, rate);
    put_u32(out + 28, rate * 2);
    put_u32(out + 40, audio_bytes);
}
