/*
 * A client that takes many cases: one process for each of the cases that run at a time, started when the
 * first of them is due. It belongs to the runner; workers inherit its pipes, one after another. Each case is
 * a line on its standard input (a task, see task.h), each answered with observations and at last a line
 * {"conform":1,"done":N} on its standard output, N as the exit of a client of one case would be. When its
 * standard input ends it is to exit.
 */
#ifndef CONFORMANCE_RUNNER_PERSISTENT_H
#define CONFORMANCE_RUNNER_PERSISTENT_H

#include "conformance/options/options.h"
#include "conformance/process/guard.h"

struct worker_slot;

struct persistent {
    bool running;
    struct guard guard;
    bool used;                /* it has had a case */
    struct worker_slot *last; /* of the latest case that this process took to its end; NULL: none */
};

/* Starts it, unless it is running. One that has ended since its latest case makes place for another; a crash
 * is that case's. False with errno set. */
bool persistent_start(const struct run_options *options, struct persistent *client);
/* Ends it, and all that it started. */
void persistent_stop(struct persistent *client);
/* The same once there are no more cases: one that is about to crash over its latest is given `wait_ms`. */
void persistent_end(struct persistent *client, int wait_ms);
/* A case that was over turns out to be what the client crashed over, as `how` says ("killed by SIGSEGV"). */
void persistent_blame(struct worker_slot *slot, const char *how);

#endif
