/*
 * The persona: the talking head in the mock's pictures.
 *
 * persona_picture gives a whole JPEG of a face that sways, breathes and blinks by itself, whose mouth is as
 * open as asked, with a block code in its lowest rows. Pictures are assembled, not encoded: with a restart
 * marker after every row of 16 lines each row's bytes stand alone. Rows are drawn and encoded when first
 * needed and kept, so a picture costs a few copies. The same arguments give the same bytes, whatever was
 * asked before.
 *
 * 000 InteractionResponse, payload type 2. No I/O and no clock: the caller counts the frames. Not for several
 * threads at once.
 */
#ifndef SERVER_PERSONA_PERSONA_H
#define SERVER_PERSONA_PERSONA_H

#include "codec/media/block_code.h"
#include "codec/wire/buffer.h"

enum {
    PERSONA_SIDE_MIN = 160,
    PERSONA_SIDE_MAX = 2048,
    PERSONA_SIDE_STEP = 16,
    PERSONA_MOUTH_LEVELS = 8,
    PERSONA_QUALITY = 85,
    PERSONA_SPANS_MAX = 7,
    PERSONA_ERROR_MAX = 160
};

struct persona;

/* The least height of a picture that wide, of which the block code may take half: 384 lines at 160 wide, 192
 * at 320, and from 384 on PERSONA_SIDE_MIN. */
unsigned persona_height_min(unsigned width);
/* False with a sentence in `error` when a side is not a multiple of PERSONA_SIDE_STEP from PERSONA_SIDE_MIN
 * to PERSONA_SIDE_MAX, or the height is below persona_height_min. */
bool persona_size_fits(unsigned width, unsigned height, char error[PERSONA_ERROR_MAX]);
/* NULL with a sentence in `error` when the size does not fit, or when memory runs out. */
struct persona *persona_new(unsigned width, unsigned height, char error[PERSONA_ERROR_MAX]);
void persona_free(struct persona *persona);
unsigned persona_width(const struct persona *persona);
unsigned persona_height(const struct persona *persona);
/* One with half the sides, rounded down to a multiple of PERSONA_SIDE_STEP; where that is too small,
 * another size. It belongs to `persona`, which is itself the answer when there is no
 * such size. Not of one that is a half. */
struct persona *persona_half(struct persona *persona);

/*
 * Appends one JPEG. `idle_tick` counts the frames since the session began and drives the idle motion;
 * `mouth_opening` goes from 0.0 (closed) to 1.0 (wide open), held to that range and rounded to one of
 * PERSONA_MOUTH_LEVELS. False, with nothing appended, when `out` is full or memory runs out.
 */
bool persona_picture(struct persona *persona, uint64_t idle_tick, double mouth_opening,
                     const struct block_code *code, struct buffer *out);

/*
 * The same JPEG in three parts: what persona_begin appends, the rows of the face, which are kept as they are
 * for the persona's life and given out in at most PERSONA_SPANS_MAX spans, and what persona_end appends.
 */
bool persona_begin(const struct persona *persona, struct buffer *out);
/* False when memory runs out. */
bool persona_face(struct persona *persona, uint64_t idle_tick, double mouth_opening,
                  struct bytes spans[PERSONA_SPANS_MAX], size_t *count);
bool persona_end(struct persona *persona, const struct block_code *code, struct buffer *out);

/*
 * Makes rows ahead of their use, one part of one pose at a call (a millisecond or two at 1280x720, half a
 * second for all), for a caller that has time now and wants every picture on time later. False once there is
 * nothing left to make.
 */
bool persona_prepare(struct persona *persona);

/*
 * How far the mouth opens for a speech frame of that loudness (root mean square, 0.0 to 1.0 of full scale):
 * nothing for near silence, all for loud speech; `scale` is speech_mouth_opening_scale (1.0 is normal). From
 * 0.0 to 1.0.
 */
double persona_mouth_opening(double loudness, double scale);

/* Bytes kept by now, for limits and measurements. */
size_t persona_bytes(const struct persona *persona);

#endif
