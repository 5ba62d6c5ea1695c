/*
 * The frames a client holds between receiving and playing them, oldest first, and which of them to skip: 000
 * Best Practices, Buffer Management. Private to the client core.
 *
 * It owns copies of the frames. A frame taken out stays readable until frame_buffer_release.
 */
#ifndef CLIENT_OJIN_FRAME_BUFFER_H
#define CLIENT_OJIN_FRAME_BUFFER_H

#include "codec/ojin/frame.h"

/* One frame held: the decoded header, and spans into a copy of its two payloads. */
struct held_frame {
    struct ojin_frame frame;
    uint32_t image_crc; /* 0: it has no picture */
    struct held_frame *next;
    size_t bytes;
};

struct frame_buffer {
    struct held_frame *first;
    struct held_frame *last;
    struct held_frame *taken; /* out of the queue, not yet released */
    size_t count;
    size_t bytes;
    uint32_t target;  /* frames */
    bool skip_next;   /* the silence frame played last was above the target: the next one is skipped */
    uint64_t skipped; /* silence frames dropped */
    uint64_t high_water;
};

void frame_buffer_init(struct frame_buffer *buffer, uint32_t target);
void frame_buffer_free(struct frame_buffer *buffer);
/* Copies the frame. False when OJIN_CLIENT_BUFFER_FRAMES_MAX, OJIN_CLIENT_BUFFER_BYTES_MAX or memory is
 * passed. */
bool frame_buffer_add(struct frame_buffer *buffer, const struct ojin_frame *frame, uint32_t image_crc);
/*
 * The next frame to play, NULL when none is held. While more than `target` frames are held, one of every two
 * silence frames is dropped on the way; never a speech frame, never a final one, and never the first silence
 * after speech.
 */
const struct held_frame *frame_buffer_take(struct frame_buffer *buffer);
/* Drops the held frames for which `drop` says so. */
void frame_buffer_drop(struct frame_buffer *buffer,
                       bool (*drop)(void *context, const struct ojin_frame *frame), void *context);
/* Frees the frames taken so far. */
void frame_buffer_release(struct frame_buffer *buffer);

#endif
