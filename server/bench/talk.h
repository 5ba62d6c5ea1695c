/*
 * Clients of the full-duplex protocol that all append a second of sound and a picture once a second, spread
 * evenly over it, and how late the events come that this allows.
 */
#ifndef SERVER_BENCH_TALK_H
#define SERVER_BENCH_TALK_H

#include "codec/wire/buffer.h"
#include "server/bench/bench.h"

enum {
    APPENDS_SECONDS = 12, /* of sound: some speech, and silence */
    APPENDS_WIDTH = 640,
    APPENDS_HEIGHT = 480
};

/* What the clients send, made ahead: each message whole, masked and framed. */
struct appends {
    struct buffer update, close;            /* session.update, session.close */
    struct buffer seconds[APPENDS_SECONDS]; /* one append each, with a picture of its own */
    struct buffer json[APPENDS_SECONDS];    /* the same, as text */
    double message_bytes, picture_bytes;    /* of one, on the average */
};

/* With speech, or with silence alone. False with a line told when a fixture is missing or memory runs out. */
bool appends_make(struct appends *appends, bool speech);
void appends_free(struct appends *appends);

struct talk_trial {
    size_t sessions;
    uint64_t measure_us;
    const struct appends *appends;
    const char *const *words; /* another server than the mock; NULL: the mock */
};

struct talk_result {
    uint64_t appends; /* sent while it was measured */
    uint64_t events;  /* that came */
    uint64_t deltas;  /* of them */
    uint64_t judged;  /* events that were due at a known time */
    uint64_t missing; /* appends that were owed a listen, and got none before the next */
    uint64_t unsent;  /* appends that were due while the one before was not even taken in */
    double p50_ms, p99_ms, max_ms;
    double cpu_us;      /* an append, of the server's process */
    double core;        /* share of it that the server used */
    double talker_core; /* and the clients of theirs */
    double waited;      /* share of the time in which one of both wanted its core and others had it */
    double session_kb;
};

/* False, with a line told, when a session was not let in or was lost. */
bool talk_run(const struct bench *bench, const struct talk_trial *trial, struct talk_result *result);

#endif
