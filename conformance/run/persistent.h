/*
 * A client that takes many cases: one process for each of the cases that run at a time, started when the
 * first of them is due. It belongs to the runner; workers inherit its pipes, one after another. Each case is
 * a line on its standard input (a task, see task.h), each answered with observations and at last a line
 * {"conform":1,"done":N} on its standard output, N as the exit of a client of one case would be. When its
 * standard input ends it is to exit.
 */
#ifndef CONFORMANCE_RUN_PERSISTENT_H
#define CONFORMANCE_RUN_PERSISTENT_H

#include "conformance/run/guard.h"
#include "conformance/run/options.h"

struct persistent {
    bool running;
    struct guard guard;
};

/* Starts it, unless it is running. False with errno set. */
bool persistent_start(const struct run_options *options, struct persistent *client);
/* Ends it, and all that it started. */
void persistent_stop(struct persistent *client);

#endif
