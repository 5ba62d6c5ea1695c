/*
 * Asking for memory before it is looked at. With hundreds of sessions what belongs to one has left the cache
 * when its turn comes again; while the one before it is served there is time to fetch it.
 */
#ifndef SERVER_CORE_WARM_H
#define SERVER_CORE_WARM_H

#include <stddef.h>

enum { WARM_LINE_BYTES = 64 };

/* Nothing is read: the address may be any. */
static inline void warm(const void *at, size_t bytes)
{
    const char *line = at;
    for (size_t n = 0; n < bytes; n += WARM_LINE_BYTES)
        __builtin_prefetch(line + n);
}

#endif
