/*
 * The pool: runs jobs in forked worker processes, a fixed number at a time, and ends them all when told to.
 */
#ifndef CONFORMANCE_RUNNER_POOL_H
#define CONFORMANCE_RUNNER_POOL_H

#include <signal.h>

#include "conformance/runner/persistent.h"
#include "conformance/runner/worker_job.h"

/* Called as each job ends, in the order they end. */
typedef void pool_progress(void *context, size_t done, size_t count, const struct worker_slot *slot);

/* Slots that workers and the runner share; NULL when memory runs out. */
struct worker_slot *pool_slots_new(size_t count);
void pool_slots_free(struct worker_slot *slots, size_t count);

/* Processes of a client that takes many cases, for the jobs of more than one call: those that run after a
 * call with `stay` go on with the next one that has no `stay`. All zero at first. */
struct pool_clients {
    struct persistent of[RUN_JOBS_MAX];
    bool stay;
};

/* Of those that no call went on with. */
void pool_clients_stop(struct pool_clients *clients);

/*
 * Runs every job and returns when all have ended. A worker that died leaves its case as an ERROR of ours.
 * A client of many cases that had ended before one of them began is not held against that: the case is run
 * again with a new process, and a crash is of the case before it. False when `*interrupted` was set by a
 * signal handler meanwhile: the workers have then been ended, their clients with them. All jobs have the same
 * `clients`.
 */
bool pool_run(const struct worker_job *jobs, size_t count, unsigned at_a_time,
              const volatile sig_atomic_t *interrupted, pool_progress *progress, void *context);

#endif
