/*
 * One session of the Ojin realtime API on a bare socket, for the programs beside this file, which show what
 * each tier asks for. It plays nothing; a real client plays what it receives.
 */
#ifndef MINIMAL_SESSION_H
#define MINIMAL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MESSAGE_MAX = 2 * 1024 * 1024, ID_BYTES = 16, DROPPED_MAX = 64 };

struct session {
    bool observes; /* says what it sees, a line of JSON each on standard output */
    bool earlier;  /* the earlier revision: it streams by itself, and its frames hold the sound to play */
    int socket;
    bool open, ready, final, failed, over;
    unsigned long speech; /* frames of it, since the latest speech */
    bool idle;            /* silence was played after them */
    uint8_t interaction[ID_BYTES];
    bool speaks;                            /* there is such an interaction */
    uint8_t dropped[DROPPED_MAX][ID_BYTES]; /* interactions that were cancelled */
    size_t dropped_count;
    bool cancelled;
    bool closing;         /* its close frame is sent */
    uint8_t *speech_file; /* what is spoken; `unsent` points into it */
    const uint8_t *unsent;
    size_t unsent_bytes;
    uint64_t next_chunk_ms;
    int kind; /* of the message being received; 0: none is */
    size_t length;
    uint8_t message[MESSAGE_MAX + 1];
};

/* Opens it and waits until it is ready, has failed or is over. */
void session_open(struct session *session, const char *url, const char *key, const char *config,
                  const char *profile);
/* Speaks a WAV file: session_run sends it. */
void session_speak(struct session *session, const char *path);
void session_cancel(struct session *session);
/* Says that it is the end, reads on to the final frame, closes. */
void session_end(struct session *session);
void session_close(struct session *session);

/* Sends what is due and reads on until the condition holds, the time is up or the connection is over. */
typedef bool session_condition(const struct session *session, unsigned long count);
void session_run(struct session *session, session_condition *condition, unsigned long count,
                 uint64_t milliseconds);
bool session_never(const struct session *session, unsigned long count);

#endif
