/*
 * What goes out on a connection: frames in order, each a header of its own and a payload that lies where it
 * lies. They are taken as pieces for one gathering write; nothing is joined or copied for that.
 *
 * A payload is made of parts. What a part says of its bytes decides who owns them and for how long:
 *   passing  they are the caller's and may change once this turn is over. ws_out_keep, to be called before
 *            they do, copies what has not left by then: what a socket takes at once is never copied.
 *   lasting  they stay as they are for as long as the queue lives (static data, the pictures of a persona).
 *   shared   they lie in a ws_block, of which the queue holds a reference until they have left.
 *
 * Bounded: data that wait are at most `bytes_max`, headers included, in WS_OUT_FRAMES_MAX frames. Control
 * frames go beyond it, so that there is room for them when the peer does not read: their owner bounds them. A
 * core: no I/O; one thread.
 */
#ifndef CODEC_WS_OUT_H
#define CODEC_WS_OUT_H

#include "codec/wire/buffer.h"
#include "codec/ws/frame.h"

/* Bytes with owners: freed when the last lets go. */
struct ws_block;

/* A copy of `bytes`, held once by the caller. NULL when memory runs out. */
struct ws_block *ws_block_new(struct bytes bytes);
/* Room for `len` bytes to be filled in through ws_block_data before anybody shares them. */
struct ws_block *ws_block_room(size_t len);
uint8_t *ws_block_data(struct ws_block *block);
/* Takes over what is in the buffer, which is empty after it. NULL, and nothing taken, when memory runs out.
 */
struct ws_block *ws_block_take(struct buffer *buffer);
struct bytes ws_block_bytes(const struct ws_block *block);
struct ws_block *ws_block_hold(struct ws_block *block);
/* NULL is let pass. */
void ws_block_drop(struct ws_block *block);

enum ws_part_life { WS_PART_PASSING, WS_PART_LASTING, WS_PART_SHARED };

struct ws_part {
    struct bytes bytes;
    enum ws_part_life life;
    struct ws_block *block; /* SHARED: holds the bytes; the queue takes a reference of its own */
};

/* All of a block as one shared part. */
struct ws_part ws_part_of(struct ws_block *block);

enum { WS_PARTS_MAX = 32 /* of one frame */, WS_OUT_FRAMES_MAX = 16384 };

enum ws_out_kind { WS_OUT_DATA, WS_OUT_CONTROL, WS_OUT_PONG };

struct ws_out_frame;

struct ws_out {
    struct ws_out_frame *first;
    struct ws_out_frame *last;
    struct ws_out_frame *passing; /* the first that may hold passing parts; NULL: none does */
    size_t first_sent;            /* bytes of the first that have left; some may be forgotten already */
    size_t bytes;                 /* that wait, of all kinds */
    size_t frames;                /* the same */
    size_t bytes_max;
    size_t pongs;    /* that wait, the first of them maybe begun */
    uint64_t queued; /* bytes ever: the offset of the next in the stream */
};

void ws_out_init(struct ws_out *out, size_t bytes_max);
/* Lets go of all that waits. */
void ws_out_free(struct ws_out *out);

/* Is there room for `bytes` more bytes of data, in `frames` frames? */
bool ws_out_has_room(const struct ws_out *out, size_t bytes, size_t frames);

/* A frame: its header (0 to WS_FRAME_HEADER_BYTES_MAX bytes, copied) and the parts of its payload (at most
 * WS_PARTS_MAX). False, and nothing queued, when it is too much or memory runs out. */
bool ws_out_add(struct ws_out *out, enum ws_out_kind kind, struct bytes header, const struct ws_part *parts,
                size_t count);
/* Copies what is passing. False when memory runs out: the queue is of no use then, and the connection is to
 * be ended. */
bool ws_out_keep(struct ws_out *out);

/* The next bytes to be written, in order; returns how many pieces of `max` were filled in. They stay as they
 * are until the next call. */
size_t ws_out_pieces(const struct ws_out *out, struct bytes *pieces, size_t max);
/* The first `len` bytes of the pieces have left. */
void ws_out_sent(struct ws_out *out, size_t len);

#endif
