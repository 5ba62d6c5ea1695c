/*
 * One file a common player opens: motion JPEG with 16-bit mono sound, as AVI (RIFF, with an index).
 *
 * Each frame is one picture and the sound that goes with it, laid side by side, so the file plays in step
 * from anywhere. The size in the header is that of the first picture. The header is completed by
 * avi_writer_close; a file that was never closed is no AVI yet.
 */
#ifndef CLIENT_MEDIA_AVI_H
#define CLIENT_MEDIA_AVI_H

#include "codec/wire/bytes.h"

enum {
    AVI_ERROR_MAX = 400,
    AVI_BYTES_MAX = INT32_MAX /* of the whole file: many players read RIFF sizes as signed */
};

struct avi_writer;

/* Makes or replaces the file. NULL with a sentence in `error` that names the path. */
struct avi_writer *avi_writer_open(const char *path, unsigned frames_per_second, unsigned sample_rate,
                                   char error[AVI_ERROR_MAX]);

/* Holds the file to fewer bytes than AVI_BYTES_MAX. Before the first frame. */
void avi_writer_limit(struct avi_writer *writer, uint32_t bytes_max);

/*
 * Adds a frame. With no JPEG (len 0) players keep showing the picture before; `sample_count` may be 0, but
 * sound that is left out makes what follows come early. False with a sentence when the file has reached its
 * limit or cannot be written; it can still be closed then, and holds the frames before.
 */
bool avi_writer_frame(struct avi_writer *writer, struct bytes jpeg, const int16_t *samples,
                      size_t sample_count, char error[AVI_ERROR_MAX]);

/* Writes index and header, closes the file and releases the writer, whatever the result. */
bool avi_writer_close(struct avi_writer *writer, char error[AVI_ERROR_MAX]);

#endif
