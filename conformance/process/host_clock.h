/*
 * The clock of this machine, for programs: it only goes forward, from any beginning.
 */
#ifndef CONFORMANCE_PROCESS_HOST_CLOCK_H
#define CONFORMANCE_PROCESS_HOST_CLOCK_H

#include <stdint.h>

uint64_t host_clock_ms(void);

#endif
