/*
 * What the lanes of a fuzzer share, in memory that their processes have in common: which sessions are still
 * to be played, what came of the others, and that it is time to stop. Private to this folder.
 */
#ifndef CONFORMANCE_FUZZ_HOST_LEDGER_H
#define CONFORMANCE_FUZZ_HOST_LEDGER_H

#include <pthread.h>

#include "conformance/fuzz/host/fuzzer.h"

enum {
    LEDGER_SITUATIONS_MAX = 65536,
    LEDGER_OVERTIME_US = 20 * 1000000 /* behind the end of the time, for what is still at work */
};

struct fuzz_ledger {
    pthread_mutex_t lock;          /* of all but `stopped` */
    volatile sig_atomic_t stopped; /* not 0: nothing more is played */
    bool broken;                   /* our own failure: result.error */
    uint64_t next;                 /* the first session that no lane has taken */
    uint64_t end;                  /* the first that is not played; UINT64_MAX: there is none */
    uint64_t time_max_us;          /* 0: any time */
    bool until_found;
    uint64_t began_us; /* when the first session was taken; 0: none was */
    struct fuzzer_result result;
    uint32_t situations[LEDGER_SITUATIONS_MAX]; /* hashes of those that were seen */
};

uint64_t ledger_now_us(void);
/* NULL when memory runs out. */
struct fuzz_ledger *ledger_new(const struct fuzzer_options *options);
void ledger_free(struct fuzz_ledger *ledger);

/* A lane that dies holding it leaves it to the next. */
void ledger_lock(struct fuzz_ledger *ledger);
void ledger_unlock(struct fuzz_ledger *ledger);

/* Notes a sentence, the first alone, and stops all. */
void ledger_fail(struct fuzz_ledger *ledger, const char *sentence);
/* Up to `most` sessions, from *first up to before *end. False: there are no more, or it is enough. */
bool ledger_take(struct fuzz_ledger *ledger, uint64_t most, uint64_t *first, uint64_t *end);
/* Stopped, the time is over, or what was looked for is found. */
bool ledger_is_enough(struct fuzz_ledger *ledger);
/* When all has to be over; UINT64_MAX: whenever it is. */
uint64_t ledger_last_us(struct fuzz_ledger *ledger);
/* Adds to a number of the result. */
void ledger_count(struct fuzz_ledger *ledger, uint64_t *number, uint64_t more);
void ledger_note_situations(struct fuzz_ledger *ledger, const struct fuzz_session *session);

/* Counts what a session did. True: it is known. */
bool ledger_knows(struct fuzz_ledger *ledger, const struct fuzz_outcome *outcome);
/* A new finding; its members are the caller's to write, but for those that ledger_knows counts. NULL: another
 * lane was first, or there is no room. */
struct fuzz_finding *ledger_add(struct fuzz_ledger *ledger, const struct fuzz_outcome *outcome);

#endif
