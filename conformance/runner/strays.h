/*
 * What is left of a client whose guard was killed: processes that became children of the runner. They are
 * ended; its own children, and those it had before it began, are not touched.
 */
#ifndef CONFORMANCE_RUNNER_STRAYS_H
#define CONFORMANCE_RUNNER_STRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { STRAYS_OTHERS_MAX = 256 };

struct strays {
    bool adopting;                   /* orphans become ours, so they can be found */
    pid_t others[STRAYS_OTHERS_MAX]; /* children from before */
    size_t other_count;
};

/* From now on the orphans of our children become ours, up to strays_over. */
void strays_begin(struct strays *strays);
void strays_over(struct strays *strays);
/* Ends every child that is none of `own`, and what becomes ours by its end. */
void strays_end(const struct strays *strays, const pid_t *own, size_t own_count);

#endif
