/* Counters by name, as many as there are places; what finds none is counted as "other". */
#ifndef SERVER_CONTROL_COUNTS_H
#define SERVER_CONTROL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum { COUNTS_MAX = 48, COUNT_NAME_MAX = 40 };

struct count {
    char name[COUNT_NAME_MAX];
    uint64_t events;
    uint64_t bytes;
};

struct counts {
    size_t used;
    struct count list[COUNTS_MAX];
};

/* One event, of that many bytes. */
void counts_add(struct counts *counts, const char *name, uint64_t bytes);
/* Of that name; 0 when it never came. */
uint64_t counts_of(const struct counts *counts, const char *name);
uint64_t counts_sum(const struct counts *counts);

#endif
