/*
 * The guard: a small process between the runner's worker and the client under test. It starts the client in a
 * process group of its own, tells how it ended, and ends everything the client started when the case is over
 * or when the worker dies, however that happens.
 */
#ifndef CONFORMANCE_PROCESS_GUARD_H
#define CONFORMANCE_PROCESS_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What the guard writes to `status_fd`, once. */
struct guard_status {
    int exec_errno;      /* the client could not be started; 0: it was */
    uint64_t peak_bytes; /* of memory that the client took */
    uint64_t cpu_us;     /* of a core, its own and that of what it waited for */
    int wait_status;     /* as waitpid gives it, when exec_errno is 0 */
};

struct guard {
    pid_t pid;
    int control_fd; /* closing it ends the client and all it started */
    int stdin_fd;   /* the client's input; -1: it has none */
    int status_fd;  /* readable once the client has ended: one struct guard_status */
    int stdout_fd;  /* the client's output */
    int stderr_fd;
};

/* Starts `argv` (ended by NULL, found by PATH, no shell) with environment `envp` in the current folder. False
 * when the machine has no more processes or descriptors; errno tells. All descriptors are close-on-exec. With
 * `has_input` the client's standard input is a pipe, else it is empty. */
bool guard_start(char *const argv[], char *const envp[], bool has_input, struct guard *out);
/* Sends a signal to the client's group. */
void guard_signal(const struct guard *guard, int signal_number);
/* Ends the client's group (TERM, then KILL shortly after) and waits for the guard. Closes control_fd and
 * status_fd. */
void guard_stop(struct guard *guard);

#endif
