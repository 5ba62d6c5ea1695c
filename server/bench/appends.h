/* What full-duplex clients send: a second of sound and a picture, once a second. */
#ifndef SERVER_BENCH_APPENDS_H
#define SERVER_BENCH_APPENDS_H

#include "codec/wire/buffer.h"
#include "server/bench/talk.h"

enum {
    APPENDS_SECONDS = 12, /* of sound: some speech, and silence */
    APPENDS_WIDTH = 640,
    APPENDS_HEIGHT = 480
};

/* Made ahead: each message whole, masked and framed. */
struct appends {
    struct buffer update, close;            /* session.update, session.close */
    struct buffer seconds[APPENDS_SECONDS]; /* one append each, with a picture of its own */
    struct buffer json[APPENDS_SECONDS];    /* the same, as text */
    double message_bytes, picture_bytes;    /* of one, on the average */
};

/* With speech, or with silence alone. False with a line told when a fixture is missing or memory runs out. */
bool appends_make(struct appends *appends, bool speech);
void appends_free(struct appends *appends);

/* Its clients append once a second; their messages are appends. */
extern const struct talk_manner DUPLEX_TALK;

#endif
