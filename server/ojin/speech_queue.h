/*
 * Speech that waits to be rendered: bytes of 16-bit little-endian samples, and the params of the chunk each
 * of them came with. Bounded; owns its memory.
 */
#ifndef SERVER_OJIN_SPEECH_QUEUE_H
#define SERVER_OJIN_SPEECH_QUEUE_H

#include "codec/ojin/input.h"
#include "codec/wire/buffer.h"

enum {
    SPEECH_QUEUE_SECONDS_MAX = 600,
    SPEECH_QUEUE_BYTES_MAX = SPEECH_QUEUE_SECONDS_MAX * OJIN_SAMPLE_RATE * OJIN_SAMPLE_BYTES,
    SPEECH_QUEUE_CHUNKS_MAX = 4096 /* stretches of speech with params of their own */
};

struct speech_chunk {
    size_t bytes; /* still queued */
    struct ojin_params params;
};

struct speech_queue {
    struct buffer audio; /* the first `taken` bytes are gone already */
    size_t taken;
    struct buffer chunks; /* struct speech_chunk, one after another; the first `chunks_taken` are gone */
    size_t chunks_taken;
};

void speech_queue_init(struct speech_queue *queue);
void speech_queue_free(struct speech_queue *queue);
void speech_queue_clear(struct speech_queue *queue);
size_t speech_queue_samples(const struct speech_queue *queue);
/* Takes all of `audio` (an even number of bytes) or, past a bound or without memory, nothing: false. */
bool speech_queue_push(struct speech_queue *queue, struct bytes audio, const struct ojin_params *params);
/* Takes up to one frame, padded with zeros, and the params of its first sample. Returns the samples taken: 0
 * when the queue is empty, with nothing written. */
size_t speech_queue_pop(struct speech_queue *queue, uint8_t frame[OJIN_FRAME_AUDIO_BYTES],
                        struct ojin_params *params);

#endif
