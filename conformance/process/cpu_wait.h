/*
 * How long a client, its threads and what it started waited for a core although they had work to do, as
 * Linux counts it (/proc/PID/task/TID/schedstat). A client that is held up in the middle of its work is late
 * for no fault of its own, and nobody's timer shows it.
 */
#ifndef CONFORMANCE_PROCESS_CPU_WAIT_H
#define CONFORMANCE_PROCESS_CPU_WAIT_H

#include <stdint.h>
#include <sys/types.h>

enum { CPU_WAIT_TASKS_MAX = 256 }; /* threads that are watched; others are not */

struct cpu_wait_task {
    pid_t id;
    uint64_t waited_us; /* as seen last */
};

/* All zero is one that has seen nothing. */
struct cpu_wait {
    struct cpu_wait_task tasks[CPU_WAIT_TASKS_MAX];
    unsigned count;
};

/* The most that a single thread of the descendants of `guard`, which is one thread itself, waited since the
 * last call. 0 where the system does not tell. What is seen first counts from now on. */
uint64_t cpu_wait_take_us(struct cpu_wait *wait, pid_t guard);
/* Of the calling thread alone, since it began. */
uint64_t cpu_wait_own_us(void);

#endif
