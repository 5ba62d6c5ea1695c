/*
 * A run of a fuzzer: sessions made from a seed, played by several clients side by side, and what was found.
 */
#ifndef CONFORMANCE_FUZZ_HOST_FUZZER_H
#define CONFORMANCE_FUZZ_HOST_FUZZER_H

#include "conformance/fuzz/finding.h"
#include "conformance/fuzz/fuzz_session.h"
#include "conformance/fuzz/host/player.h"

enum { FUZZER_LANES_MAX = 64 };

struct fuzzer_result {
    struct fuzz_book book;
    size_t told;       /* findings that `found` was told */
    uint64_t sessions; /* of the seed, each once */
    uint64_t good;     /* right ones, between them */
    uint64_t again;    /* to confirm and to shrink */
    uint64_t late;     /* that took too long once, and not when they were tried again */
    uint64_t took_us;
    size_t situations;            /* kinds of message, and what was done to them */
    bool compared;                /* it says what it reads, and that was looked at */
    char error[PLAYER_ERROR_MAX]; /* our own failure, or that the client does not work at all; empty: none */
    char said[FUZZ_SAID_MAX];     /* ... and the end of what it wrote then */
};

struct fuzzer_options {
    struct fuzz_player_options player;
    uint64_t seed;
    uint64_t first;       /* number of the first session */
    uint64_t cases_max;   /* 0: any number */
    uint64_t time_max_us; /* 0: any time */
    unsigned lanes;   /* clients side by side, each with a process of ours; fewer where there is less to do */
    bool until_found; /* ends with the first finding */
    /* The n-th finding: its smallest session, and what it said. Called in the process of the lane that found
     * it, by one of them at a time. */
    bool (*found)(void *context, size_t n, const struct fuzz_finding *finding,
                  const struct fuzz_session *smallest);
    /* Now and then, with what came of it so far but for its findings; may be NULL. */
    void (*progress)(void *context, const struct fuzzer_result *so_far);
    void *context;
};

/* Runs until it is enough or interrupted. False with out->error. */
bool fuzzer_run(const struct fuzzer_options *options, struct fuzzer_result *out);

#endif
