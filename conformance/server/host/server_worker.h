/*
 * One case against a server, in a process of its own. Its result goes into memory shared with the runner.
 */
#ifndef CONFORMANCE_SERVER_HOST_SERVER_WORKER_H
#define CONFORMANCE_SERVER_HOST_SERVER_WORKER_H

#include "conformance/runner/worker_job.h"

/* For worker_job.run; job->server says where. */
void server_worker_run(const struct worker_job *job);

#endif
