/*
 * JPEG through libjpeg-turbo, in memory: encode, decode, probe. No file access and nothing printed; what
 * libjpeg complains of is a return value.
 */
#ifndef CODEC_MEDIA_JPEG_H
#define CODEC_MEDIA_JPEG_H

#include "codec/wire/buffer.h"
#include "codec/wire/bytes.h"

enum {
    JPEG_SIDE_MAX = 4096,
    /* Pixels times scans: a picture of the longest sides in two, one of 1280x720 in 36. A legal one may have
     * more, and would take as many times as long as its bytes let one think. */
    JPEG_WORK_MAX = 2 * JPEG_SIDE_MAX * JPEG_SIDE_MAX
};

/* Pixels are R, G, B bytes, rows from the top, without padding. Owned by whoever set it up. */
struct picture {
    unsigned width;  /* pixels */
    unsigned height; /* pixels */
    uint8_t *rgb;    /* width * height * 3 bytes */
};

/* All black. False when a side is 0 or above JPEG_SIDE_MAX, or memory runs out. */
bool picture_init(struct picture *picture, unsigned width, unsigned height);
void picture_free(struct picture *picture);

/*
 * 4:2:0, the given quality (1 to 100), with a restart marker after every row of 16 lines, so that the bytes
 * of each row stand alone. Appends to `out`; false, with nothing appended, when that is full.
 */
bool jpeg_encode(const struct picture *picture, int quality, struct buffer *out);
/*
 * False for anything that is no whole, clean JPEG up to JPEG_SIDE_MAX a side and JPEG_WORK_MAX (a warning of
 * libjpeg counts as not clean). Bytes after the end of the image are no fault. On success *out is the
 * caller's: picture_free.
 */
bool jpeg_decode(struct bytes jpeg, struct picture *out);
/* Is it one that jpeg_decode would take? Tells its sides, and keeps no picture: in less than half the time.
 */
bool jpeg_check(struct bytes jpeg, unsigned *width, unsigned *height);
/* The same, as rules and messages take it (picture_size); `context` is not looked at. */
bool jpeg_picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
/* Reads the header only, and tells sides of any length. */
bool jpeg_probe(struct bytes jpeg, unsigned *width, unsigned *height);

#endif
