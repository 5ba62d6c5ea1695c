/*
 * A conversation as a WAV of two channels, 16 bit (libsndfile): left what was said, right what was heard,
 * each piece at its place on one clock, with silence between them. Its header is kept up to date, so that the
 * file can be read however its writer ends.
 *
 * Pieces of one channel come in order. What lies more than CONVERSATION_FILE_BEHIND_SECONDS behind the latest
 * piece of either is written, and cannot be changed any more.
 */
#ifndef CLIENT_MEDIA_CONVERSATION_FILE_H
#define CLIENT_MEDIA_CONVERSATION_FILE_H

#include "codec/wire/bytes.h"

enum {
    CONVERSATION_FILE_ERROR_MAX = 400,
    CONVERSATION_FILE_SECONDS_MAX = 6 * 3600,
    CONVERSATION_FILE_BEHIND_SECONDS = 4,
    CONVERSATION_FILE_PIECE_SECONDS_MAX = 1 /* of one piece */
};

enum conversation_side { CONVERSATION_SAID, CONVERSATION_HEARD };

struct conversation_file;

/* NULL with a sentence that names the path. */
struct conversation_file *conversation_file_open(const char *path, unsigned rate_hz,
                                                 char error[CONVERSATION_FILE_ERROR_MAX]);
/* `pcm` (16 bit, little-endian) belongs at sample `at`. False with a sentence when it cannot be written: it
 * lies before what is written, overlaps its own channel, is too long, or lies beyond
 * CONVERSATION_FILE_SECONDS_MAX. */
bool conversation_file_write(struct conversation_file *file, enum conversation_side side, uint64_t at,
                             struct bytes pcm, char error[CONVERSATION_FILE_ERROR_MAX]);
/* Frees it. False with a sentence when the file could not be finished. NULL is no file. */
bool conversation_file_close(struct conversation_file *file, char error[CONVERSATION_FILE_ERROR_MAX]);

#endif
