/*
 * A run of a fuzzer: sessions played one after another, what comes of them tried again, made small and kept.
 */
#ifndef CONFORMANCE_FUZZ_HOST_FUZZER_H
#define CONFORMANCE_FUZZ_HOST_FUZZER_H

#include "conformance/fuzz/finding.h"
#include "conformance/fuzz/fuzz_session.h"
#include "conformance/fuzz/host/player.h"

enum { FUZZ_SITUATIONS_MAX = 4096 };

struct fuzzer_options {
    struct fuzz_player_options player;
    uint64_t seed;
    uint64_t first;       /* number of the first session */
    uint64_t cases_max;   /* 0: any number */
    uint64_t time_max_us; /* 0: any time */
    bool shrinks;
    bool until_found; /* ends with the first finding */
    /* A finding: its smallest session, and what it said. `finding` stands in the book. */
    bool (*found)(void *context, struct fuzz_finding *finding, const struct fuzz_session *smallest);
    /* Between sessions; may be NULL. */
    void (*progress)(void *context);
    void *context;
};

struct fuzzer_result {
    struct fuzz_book book;
    uint64_t sessions; /* of the seed, each once */
    uint64_t good;     /* right ones, between them */
    uint64_t again;    /* to confirm and to shrink */
    uint64_t took_us;
    size_t situations;            /* kinds of message, and what was done to them */
    bool compared;                /* it says what it reads, and that was looked at */
    char error[PLAYER_ERROR_MAX]; /* our own failure, or that the client does not work at all; empty: none */
};

/* Runs until it is enough or interrupted. `out` is written all along. False with out->error. */
bool fuzzer_run(const struct fuzzer_options *options, struct fuzzer_result *out);

#endif
