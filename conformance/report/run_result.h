/*
 * The result of a run as the reporters take it: cases, and what they say of each requirement. Plain data;
 * strings are borrowed and outlive it.
 */
#ifndef CONFORMANCE_REPORT_RUN_RESULT_H
#define CONFORMANCE_REPORT_RUN_RESULT_H

#include "conformance/judge/judge.h"

enum { RUN_PATH_MAX = 1024, RUN_COMMAND_MAX = 4096 };

struct run_case {
    const struct script *script;
    const struct ojin_profile *profile; /* it was run with */
    bool ran;                           /* false: above the client's tier, or (in memory) transport only */
    uint64_t duration_ms;
    struct case_result result;
    char folder[RUN_PATH_MAX];   /* what a failing case left; empty: nothing */
    char repro[RUN_COMMAND_MAX]; /* one line that repeats it; empty: none */
    char wire_tail[4096];        /* the last wire events, a line each, for people */
};

struct run_result {
    const char *command;   /* the client's command line, for people */
    const char *transport; /* "sockets" or "memory" */
    enum client_tier tier;
    bool inferred, strict;
    bool interrupted;
    uint64_t duration_ms;
    size_t case_count;
    struct run_case *cases;
    size_t profile_count; /* profiles the run covered */
    const struct ojin_profile *const *profiles;
};

/* What the run says of one requirement. */
struct requirement_result {
    const struct requirement *requirement;
    bool judged; /* some case had something to say of it */
    enum verdict verdict;
    size_t case_count; /* cases that judged it */
};

/* Fills `out` (REQUIREMENT_COUNT entries, in table order). */
void run_requirements(const struct run_result *run, struct requirement_result *out);

struct run_totals {
    size_t passed, failed, unsupported, not_run;
};
void run_count(const struct run_result *run, struct run_totals *out);

/* 0: met; 1: not met; 3: an error of our own, or nothing ran; 130: interrupted. */
int run_exit_code(const struct run_result *run);

#endif
