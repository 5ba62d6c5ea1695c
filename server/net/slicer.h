/*
 * Where our own bytes are cut: tells how far one write to the client may reach.
 *
 * It is told at which place of the stream each frame (or run of raw bytes) begins that leaves in slices, and
 * never looks at the bytes themselves. A core: no I/O.
 */
#ifndef SERVER_NET_SLICER_H
#define SERVER_NET_SLICER_H

#include "server/core/actions.h"

enum { SLICER_FRAMES_MAX = 64 };

/* A frame that leaves in slices. */
struct sliced_frame {
    struct delivery delivery;
    uint64_t start; /* its first byte, in the stream */
    uint64_t header_bytes;
    uint64_t payload_bytes;
};

struct slicer {
    size_t first, count; /* ring of `frames` */
    struct sliced_frame frames[SLICER_FRAMES_MAX];
};

void slicer_init(struct slicer *slicer);
/* Room for `frames` more sliced frames? */
bool slicer_has_room(const struct slicer *slicer, size_t frames);
bool slicer_is_needed(const struct delivery *delivery);
/* The next one; it begins behind all before it. There must be room. */
void slicer_add(struct slicer *slicer, const struct sliced_frame *frame);
/* What ends at or before that position of the stream is out, and leaves its room. */
void slicer_forget(struct slicer *slicer, uint64_t position);
/* The stream position at which a write that begins at `position` must end at the latest; UINT64_MAX: none.
 * *gap_us is the pause due there. Forgets the frames that end before `position`. */
uint64_t slicer_next_cut(struct slicer *slicer, uint64_t position, uint32_t *gap_us);

#endif
