/* What the families' parts of ojin-client conform share; private to them. */
#ifndef CLIENT_APP_CONFORM_PARTS_H
#define CLIENT_APP_CONFORM_PARTS_H

#include "client/app/app_class.h"
#include "client/media/speaker_file.h"

struct conforming {
    bool failed; /* an error was observed, or the connection lost */
};

/* Prints an observation and notes what it means for the exit. */
void conform_tell(struct conforming *conforming, const struct observation *seen);
/* A sentence on standard error; returns EXIT_BROKEN. */
int conform_broken(const char *what, const char *detail);

enum { HEARD_PATH_BYTES_MAX = 4096 };

/* What was heard, in sound.wav of the folder CONFORM_OUT. Zeroed it is none. */
struct heard_file {
    unsigned rate_hz;
    enum speaker_sample sample;
    struct speaker_file *file; /* NULL: nobody asks for it */
    char path[HEARD_PATH_BYTES_MAX];
    char error[SPEAKER_FILE_ERROR_MAX]; /* the first; then nothing more is written */
};

/* EXIT_DONE, with no file where the environment names no folder; else EXIT_BROKEN, said. */
int heard_file_open(struct heard_file *heard, unsigned rate_hz, enum speaker_sample sample);
/* The file begins anew with each session that is ready: it has a clock of its own. */
void heard_file_observe(struct heard_file *heard, const struct client_action *action);
/* As heard_file_open: whether all was written. */
int heard_file_close(struct heard_file *heard);

#endif
