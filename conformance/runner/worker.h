/* A worker: one case against one client process, in a process of its own with one loop and the mock inside.
 */
#ifndef CONFORMANCE_RUNNER_WORKER_H
#define CONFORMANCE_RUNNER_WORKER_H

#include "conformance/runner/worker_job.h"

/* Runs a case with a client in the worker's process; SIGTERM ends it early, client included. */
void worker_run(const struct worker_job *job);

#endif
