/*
 * Sessions at the default pace, and how late their frames come. A trial starts a server, opens its sessions
 * one after another within a second, and measures from half a second later on.
 */
#ifndef SERVER_BENCH_PACE_H
#define SERVER_BENCH_PACE_H

#include "server/bench/bench.h"

struct pace_trial {
    size_t sessions;
    uint64_t measure_us;
    const char *const *words; /* another server than the mock */
    /* Who else comes to the server: called every few milliseconds. May be NULL. */
    void (*company)(void *context, unsigned port, uint64_t now_us);
    void *context;
};

struct pace_result {
    uint64_t frames;
    uint64_t missed;
    double p50_ms, p99_ms, max_ms;
    double cpu_us;      /* a frame, of the server's process */
    double core;        /* share of it that the server used */
    double reader_core; /* and the reader of its own */
    double waited;      /* share of the time in which server or reader wanted its core and others had it */
    double frame_bytes;
    double idle_kb;      /* a session */
    double streaming_kb; /* a session */
    uint64_t resident_before;
    uint64_t resident_most; /* with company */
};

bool pace_trial_run(const struct bench *bench, const struct pace_trial *trial, struct pace_result *result);
void pace_tell(const struct pace_trial *trial, const struct pace_result *result, const char *how);
/* Others used the cores, or the reader had more than it can read: lateness says nothing of the server. */
bool pace_is_disturbed(const struct pace_result *result);

/* flooders.c: the same trial beside clients that flood with messages, judged against the one without. */
void flooders_measure(struct bench *bench, const struct pace_trial *usual, const struct pace_result *alone);

#endif
