/*
 * What a process and all that it started use of the machine, as Linux counts it (/proc).
 */
#ifndef CONFORMANCE_PROCESS_PROCESS_USE_H
#define CONFORMANCE_PROCESS_PROCESS_USE_H

#include <stdint.h>
#include <sys/types.h>

struct process_use {
    uint64_t memory_bytes; /* resident, added up */
    uint64_t cpu_us;       /* of those that are there now, since each began */
};

/* Of the descendants of `process`, itself left out. All zero where the system does not tell. */
struct process_use process_use_below(pid_t process);

#endif
