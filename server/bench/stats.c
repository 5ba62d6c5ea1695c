#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "server/bench/bench.h"

uint64_t bench_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t bench_cpu_us(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

void bench_sleep_us(uint64_t us)
{
    struct timespec rest = {.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        continue;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

void bench_sort(uint64_t *values, size_t count)
{
    if (count > 0)
        qsort(values, count, sizeof *values, compare);
}

uint64_t bench_quantile(const uint64_t *sorted, size_t count, double share)
{
    if (count == 0)
        return 0;
    size_t at = (size_t)(share * (double)(count - 1) + 0.5);
    return sorted[at < count ? at : count - 1];
}
