#define _DEFAULT_SOURCE /* sbrk, madvise, mallopt */
#include "server/mock/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pictures and 800 sessions have room in it. Only what is used of it takes memory. */
enum { HEAP_BYTES = 104 * 1024 * 1024 };

void heap_use_large_pages(void)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (mallopt(M_TOP_PAD, HEAP_BYTES) == 0)
        return;
    const uintptr_t begin = (uintptr_t)sbrk(0);
    void *piece = malloc(1); /* the heap grows by all of it */
    if (piece == NULL)
        return;
    *(volatile char *)piece = 0; /* else the compiler may leave it out */
    const uintptr_t end = (uintptr_t)sbrk(0);
    free(piece);
    const uintptr_t first = (begin + page - 1) / page * page;
    if (end > first)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void heap_give_back(void)
{
    malloc_trim(HEAP_BYTES);
}
