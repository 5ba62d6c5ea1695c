/* The head of a WAV file: PCM, 16-bit, mono. */
#ifndef SERVER_CONTROL_WAV_H
#define SERVER_CONTROL_WAV_H

#include <stdint.h>

enum { WAV_HEAD_BYTES = 44 };

void wav_head(uint8_t out[WAV_HEAD_BYTES], uint32_t rate, uint32_t audio_bytes);

#endif
