/*
 * What a loudspeaker played, as a WAV of one channel (libsndfile): pieces at their places on its clock, with
 * silence between them, each sample with the bits that were played. Its header is kept up to date, so that
 * the file can be read however its writer ends.
 */
#ifndef CLIENT_MEDIA_SPEAKER_FILE_H
#define CLIENT_MEDIA_SPEAKER_FILE_H

#include "codec/wire/bytes.h"

enum { SPEAKER_FILE_ERROR_MAX = 400, SPEAKER_FILE_SECONDS_MAX = 6 * 3600 };

/* As samples are played and stand in the file; little-endian. The value is the bytes of one. */
enum speaker_sample { SPEAKER_PCM16 = 2, SPEAKER_FLOAT32 = 4 };

struct speaker_file;

/* NULL with a sentence that names the path. */
struct speaker_file *speaker_file_open(const char *path, unsigned rate_hz, enum speaker_sample sample,
                                       char error[SPEAKER_FILE_ERROR_MAX]);
/* `pcm` belongs at sample `at`. False with a sentence when it cannot be written, or
 * lies before what is written or beyond SPEAKER_FILE_SECONDS_MAX. */
bool speaker_file_write(struct speaker_file *file, uint64_t at, struct bytes pcm,
                        char error[SPEAKER_FILE_ERROR_MAX]);
/* Samples so far. */
uint64_t speaker_file_samples(const struct speaker_file *file);
/* Frees it. False with a sentence when the file could not be finished. NULL is no file. */
bool speaker_file_close(struct speaker_file *file, char error[SPEAKER_FILE_ERROR_MAX]);

#endif
