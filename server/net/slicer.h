/*
 * Where our own bytes are cut: finds the frames of the server's stream and tells how far one write to the
 * client may reach.
 *
 * It counts the frames that the mock wrote (text, binary, continuation, ping), so that the pongs and close
 * frames which the library puts between them shift nothing. A core: no I/O.
 */
#ifndef SERVER_NET_SLICER_H
#define SERVER_NET_SLICER_H

#include "server/core/actions.h"

enum { SLICER_FRAMES_MAX = 64, SLICER_HEADER_BYTES_MAX = 10 };

/* A frame that leaves in slices. */
struct sliced_frame {
    uint64_t ordinal; /* among the mock's own frames, from 0 */
    struct delivery delivery;
    bool located; /* its header went by; what follows is set */
    uint64_t start;
    uint64_t header_bytes;
    uint64_t payload_bytes;
};

struct slicer {
    uint64_t expected; /* own frames announced */
    uint64_t seen;     /* own frames whose header went by */
    uint64_t position; /* bytes of the stream read so far */
    unsigned head_matched;
    bool head_over; /* the 101 is past */
    uint8_t header[SLICER_HEADER_BYTES_MAX];
    size_t header_len;
    uint64_t payload_left;
    size_t first, count; /* ring of `frames` */
    struct sliced_frame frames[SLICER_FRAMES_MAX];
};

void slicer_init(struct slicer *slicer);
/* Room for another sliced frame? */
bool slicer_has_room(const struct slicer *slicer);
/* The next frame the mock writes is delivered like that. With one that asks for slices there must be room. */
void slicer_expect(struct slicer *slicer, const struct delivery *delivery);
/* The next bytes of the stream, from the status line of the 101 on. */
void slicer_feed(struct slicer *slicer, struct bytes data);
/* The stream position at which a write that begins at `position` must end at the latest; UINT64_MAX: none.
 * *gap_us is the pause due there. Forgets the frames that end before `position`. */
uint64_t slicer_next_cut(struct slicer *slicer, uint64_t position, uint32_t *gap_us);

#endif
