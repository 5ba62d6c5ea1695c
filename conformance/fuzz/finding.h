/*
 * What a session did to a client, and the findings of a run: what is of one kind and place is one finding,
 * however many sessions show it. No I/O.
 */
#ifndef CONFORMANCE_FUZZ_FINDING_H
#define CONFORMANCE_FUZZ_FINDING_H

#include "conformance/fuzz/fuzz_session.h"

enum fuzz_kind {
    FUZZ_WELL,     /* nothing */
    FUZZ_CRASH,    /* a signal, a sanitizer's report, an exception that ended it */
    FUZZ_HANG,     /* it was not done in time */
    FUZZ_SPIN,     /* ... and kept a core busy */
    FUZZ_MEMORY,   /* it and what it started grew past the bound */
    FUZZ_SLOW,     /* twice as much costs it far more than twice the time */
    FUZZ_MISREAD,  /* it reports what a right reader does not */
    FUZZ_UNUSABLE, /* the next right session fails in the same process */
    FUZZ_KIND_COUNT
};

/* "crash", "hang" …; static. */
const char *fuzz_kind_name(enum fuzz_kind kind);

enum { FUZZ_PLACE_MAX = 300, FUZZ_HOW_MAX = 400, FUZZ_SAID_MAX = 4096, FUZZ_FINDINGS_MAX = 100 };

struct fuzz_outcome {
    enum fuzz_kind kind;
    char place[FUZZ_PLACE_MAX]; /* what says that two are the same: "KeyError at x.py:1 in f"; may be empty */
    char how[FUZZ_HOW_MAX];     /* for people: "killed by SIGSEGV" */
};

/* The id of the requirement that a client breaks which did that; NULL: of what no requirement is. `smallest`:
 * the session that shows it, made as small as can be. */
const char *fuzz_outcome_clause(const struct fuzz_outcome *outcome, const struct fuzz_session *smallest);
bool fuzz_outcome_same(const struct fuzz_outcome *a, const struct fuzz_outcome *b);

enum finding_standing {
    FINDING_STEADY, /* it came again when it was tried again */
    FINDING_ONCE,   /* … and did not */
    FINDING_UNTRIED /* there was no time for that */
};

struct fuzz_finding {
    struct fuzz_outcome outcome;
    uint64_t times; /* sessions that showed it */
    enum finding_standing standing;
    uint64_t found_us;     /* since the run began */
    uint64_t seed, number; /* of the first session */
    size_t bytes_at_first, bytes, steps;
    unsigned tries;           /* that shrinking took */
    const char *clause;       /* the requirement that the client breaks; NULL: of what no requirement is */
    bool follows_plans;       /* the client does, so that its case can be run */
    char said[FUZZ_SAID_MAX]; /* the end of what the client wrote when it was found */
};

struct fuzz_book {
    size_t count;
    struct fuzz_finding of[FUZZ_FINDINGS_MAX];
    uint64_t not_kept;                 /* for which there was no room */
    uint64_t of_kind[FUZZ_KIND_COUNT]; /* sessions of the findings */
};

/* Counts it, unless it is new. The finding it is; NULL: it is new. */
struct fuzz_finding *fuzz_book_count(struct fuzz_book *book, const struct fuzz_outcome *outcome);
/* A new one, counted. NULL when there is no room, or when it has become known meanwhile. */
struct fuzz_finding *fuzz_book_add(struct fuzz_book *book, const struct fuzz_outcome *outcome);

#endif
