/*
 * Rounds: what a run of cases comes to when one run of a case is not the last word. A case in which the
 * machine was too late to tell is run again alone; so is one that failed while it was late, and what passes
 * then is FLAKY, unless the machine stood still for so long that the first run says nothing. With --attach
 * the first run stands. --repeat runs each case several times, and the worst stands; --retries runs again
 * what failed, and what passes then is FLAKY.
 */
#ifndef CONFORMANCE_RUNNER_ROUNDS_H
#define CONFORMANCE_RUNNER_ROUNDS_H

#include "conformance/runner/pool.h"

/* Runs the jobs; each slot holds in the end what stands. The attempts of the jobs change. False when the run
 * was interrupted or memory ran out. */
bool rounds_run(const struct run_options *options, struct worker_job *jobs, size_t count,
                const volatile sig_atomic_t *interrupted, pool_progress *progress, void *context);

#endif
