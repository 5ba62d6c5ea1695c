#include "server/ojin/speech_queue.h"

static bool params_equal(const struct ojin_params *a, const struct ojin_params *b)
{
    return a->speech_filter_amount == b->speech_filter_amount &&
           a->idle_filter_amount == b->idle_filter_amount &&
           a->idle_mouth_opening_scale == b->idle_mouth_opening_scale &&
           a->speech_mouth_opening_scale == b->speech_mouth_opening_scale &&
           a->client_frame_index == b->client_frame_index;
}

void speech_queue_init(struct speech_queue *queue)
{
    *queue = (struct speech_queue){0};
    /* Twice the bound, as what was taken is only dropped when it is half of the whole. */
    buffer_init(&queue->audio, 2 * (size_t)SPEECH_QUEUE_BYTES_MAX);
    buffer_init(&queue->chunks, (size_t)2 * SPEECH_QUEUE_CHUNKS_MAX * sizeof(struct speech_chunk));
}

void speech_queue_free(struct speech_queue *queue)
{
    buffer_free(&queue->audio);
    buffer_free(&queue->chunks);
    queue->taken = 0;
    queue->chunks_taken = 0;
}

void speech_queue_clear(struct speech_queue *queue)
{
    buffer_clear(&queue->audio);
    buffer_clear(&queue->chunks);
    queue->taken = 0;
    queue->chunks_taken = 0;
}

static size_t queue_bytes(const struct speech_queue *queue)
{
    return queue->audio.len - queue->taken;
}

static size_t queue_chunks(const struct speech_queue *queue)
{
    return queue->chunks.len / sizeof(struct speech_chunk) - queue->chunks_taken;
}

size_t speech_queue_samples(const struct speech_queue *queue)
{
    return queue_bytes(queue) / OJIN_SAMPLE_BYTES;
}

static struct speech_chunk chunk_read(const struct speech_queue *queue, size_t n)
{
    struct speech_chunk chunk;
    memcpy(&chunk, queue->chunks.data + n * sizeof chunk, sizeof chunk);
    return chunk;
}

static void chunk_write(struct speech_queue *queue, size_t n, const struct speech_chunk *chunk)
{
    memcpy(queue->chunks.data + n * sizeof *chunk, chunk, sizeof *chunk);
}

/* Moves what is left to the front once that costs less than it has saved. */
static void queue_compact(struct speech_queue *queue)
{
    if (queue->taken > queue->audio.len / 2) {
        buffer_consume(&queue->audio, queue->taken);
        queue->taken = 0;
    }
    size_t chunks_len = queue->chunks.len / sizeof(struct speech_chunk);
    if (queue->chunks_taken > chunks_len / 2) {
        buffer_consume(&queue->chunks, queue->chunks_taken * sizeof(struct speech_chunk));
        queue->chunks_taken = 0;
    }
}

static bool queue_push_chunk(struct speech_queue *queue, size_t bytes, const struct ojin_params *params)
{
    size_t count = queue_chunks(queue);
    if (count > 0) {
        size_t last = queue->chunks_taken + count - 1;
        struct speech_chunk chunk = chunk_read(queue, last);
        if (params_equal(&chunk.params, params)) {
            chunk.bytes += bytes;
            chunk_write(queue, last, &chunk);
            return true;
        }
    }
    if (count >= SPEECH_QUEUE_CHUNKS_MAX)
        return false;
    const struct speech_chunk chunk = {.bytes = bytes, .params = *params};
    return buffer_append(&queue->chunks, bytes_of(&chunk, sizeof chunk));
}

bool speech_queue_push(struct speech_queue *queue, struct bytes audio, const struct ojin_params *params)
{
    if (audio.len == 0)
        return true;
    if (audio.len > SPEECH_QUEUE_BYTES_MAX - queue_bytes(queue))
        return false;
    queue_compact(queue);
    size_t len = queue->audio.len;
    if (!buffer_append(&queue->audio, audio))
        return false;
    if (queue_push_chunk(queue, audio.len, params))
        return true;
    queue->audio.len = len;
    return false;
}

size_t speech_queue_pop(struct speech_queue *queue, uint8_t frame[OJIN_FRAME_AUDIO_BYTES],
                        struct ojin_params *params)
{
    size_t bytes = queue_bytes(queue);
    if (bytes == 0)
        return 0;
    if (bytes > OJIN_FRAME_AUDIO_BYTES)
        bytes = OJIN_FRAME_AUDIO_BYTES;
    memset(frame, 0, OJIN_FRAME_AUDIO_BYTES);
    memcpy(frame, queue->audio.data + queue->taken, bytes);
    queue->taken += bytes;
    *params = chunk_read(queue, queue->chunks_taken).params;
    for (size_t left = bytes; left > 0;) {
        struct speech_chunk chunk = chunk_read(queue, queue->chunks_taken);
        size_t step = chunk.bytes < left ? chunk.bytes : left;
        chunk.bytes -= step;
        left -= step;
        chunk_write(queue, queue->chunks_taken, &chunk);
        if (chunk.bytes == 0)
            queue->chunks_taken++;
    }
    queue_compact(queue);
    return bytes / OJIN_SAMPLE_BYTES;
}
