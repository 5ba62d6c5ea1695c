/*
 * What a loudspeaker played, as a WAV of float32 samples (libsndfile): pieces at their places on its clock,
 * with silence between them. Its header is kept up to date, so that the file can be read however its writer
 * ends.
 */
#ifndef CLIENT_MEDIA_SPEAKER_FILE_H
#define CLIENT_MEDIA_SPEAKER_FILE_H

#include "codec/wire/bytes.h"

enum { SPEAKER_FILE_ERROR_MAX = 400, SPEAKER_FILE_SECONDS_MAX = 6 * 3600 };

struct speaker_file;

/* NULL with a sentence that names the path. */
struct speaker_file *speaker_file_open(const char *path, unsigned rate_hz,
                                       char error[SPEAKER_FILE_ERROR_MAX]);
/* `pcm` (float32, little-endian) belongs at sample `at`. False with a sentence when it cannot be written, or
 * lies before what is written or beyond SPEAKER_FILE_SECONDS_MAX. */
bool speaker_file_write(struct speaker_file *file, uint64_t at, struct bytes pcm,
                        char error[SPEAKER_FILE_ERROR_MAX]);
/* Samples so far. */
uint64_t speaker_file_samples(const struct speaker_file *file);
/* Frees it. False with a sentence when the file could not be finished. NULL is no file. */
bool speaker_file_close(struct speaker_file *file, char error[SPEAKER_FILE_ERROR_MAX]);

#endif
