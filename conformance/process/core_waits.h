/*
 * How long processes waited for a core, which no timer of their own need show: what was to be done between
 * two of its ticks may have taken long. A window that slides over samples of it; without I/O.
 */
#ifndef CONFORMANCE_PROCESS_CORE_WAITS_H
#define CONFORMANCE_PROCESS_CORE_WAITS_H

#include <stddef.h>
#include <stdint.h>

enum {
    CORE_WAITS_SLOT_US = 50000,
    CORE_WAITS_SHORT_US = 1000000, /* windows: a second, and ten */
    CORE_WAITS_LONG_US = 10000000,
    CORE_WAITS_SLOTS = CORE_WAITS_LONG_US / CORE_WAITS_SLOT_US
};

/* All zero is one that has seen nothing. */
struct core_waits {
    uint64_t slot;                     /* the number of the latest */
    uint64_t waited[CORE_WAITS_SLOTS]; /* a ring of the latest slots, in us */
    uint64_t worst_short_us;           /* in any window of that length */
    uint64_t worst_long_us;
};

/* `waited_us` were waited since the sample before. Time does not go back. */
void core_waits_add(struct core_waits *waits, uint64_t now_us, uint64_t waited_us);

#endif
