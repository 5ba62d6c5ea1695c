/* Answers from sound files: a file, or the files of a folder in the order of their names. */
#ifndef CLIENT_APP_INTERVIEW_ANSWERS_READ_H
#define CLIENT_APP_INTERVIEW_ANSWERS_READ_H

#include "codec/media/sound.h"

enum { ANSWERS_READ_MAX = 100 };

struct answer_files {
    size_t count;
    struct sound list[ANSWERS_READ_MAX]; /* at 24 kHz */
};

/* A folder's files are those that end with .wav, in whichever case. False with a sentence that names the
 * path: what sound_read says, there are none, or more than ANSWERS_READ_MAX. What was read then is still to
 * be freed. */
bool answers_read(struct answer_files *files, const char *path, char error[SOUND_ERROR_MAX]);
void answers_read_free(struct answer_files *files);

#endif
