/* The start of the mock, and what a case of the suite costs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/bench/bench.h"

enum { STARTS = 9, SUITE_RUNS = 3, CHILDREN = 20 };

static const double START_MS = 150;

void start_measure(struct bench *bench)
{
    uint64_t times[STARTS];
    size_t count = 0;
    for (unsigned n = 0; n < STARTS; n++) {
        struct launched mock;
        if (!launch_mock(bench, NULL, &mock))
            continue;
        times[count++] = mock.ready_us;
        launch_end(&mock);
    }
    bench_sort(times, count);
    if (count < STARTS) {
        bench_judge(bench, BENCH_NOT_MET, "start: the mock could not be run");
        return;
    }
    double half = (double)bench_quantile(times, count, 0.5) / 1000;
    bench_judge(
        bench, bench_at_most(half, START_MS),
        "start of ojin-mock to its ready line: %.1f ms in half of %d starts, %.1f at most (150 allowed)",
        half, STARTS, (double)times[count - 1] / 1000);
}

static uint64_t least_time_us(const char *const *words, unsigned runs, char tail[LAUNCH_TAIL_BYTES])
{
    uint64_t least = 0;
    for (unsigned n = 0; n < runs; n++) {
        uint64_t took = launch_and_wait_us(words, tail);
        least = least == 0 || (took != 0 && took < least) ? took : least;
    }
    return least;
}

/* "… N passed, M failed" at the end: how many that are. */
static unsigned long cases_run(const char *tail)
{
    const char *passed = strstr(tail, " passed, ");
    if (passed == NULL)
        return 0;
    const char *line = passed;
    while (line > tail && line[-1] >= '0' && line[-1] <= '9')
        line--;
    return strtoul(line, NULL, 10) + strtoul(passed + strlen(" passed, "), NULL, 10);
}

/* In memory, and with a client that does nothing but exit: what is left is the runner's own. */
void suite_measure(struct bench *bench)
{
    const char *const memory[] = {bench->conform, "run", "--memory", "--profile", "all", NULL};
    const char *const sockets[] = {bench->conform, "run", "-j", "1", "--", "/bin/true", NULL};
    const char *const nothing[] = {"/bin/true", NULL};
    char tail[LAUNCH_TAIL_BYTES];
    double memory_us = (double)least_time_us(memory, SUITE_RUNS, tail);
    unsigned long memory_cases = cases_run(tail);
    double sockets_us = (double)least_time_us(sockets, SUITE_RUNS, tail);
    unsigned long socket_cases = cases_run(tail);
    double child_us = (double)least_time_us(nothing, CHILDREN, tail);
    if (memory_cases == 0 || socket_cases == 0 || child_us <= 0) {
        bench_judge(bench, BENCH_INCONCLUSIVE, "suite: ojin-conform could not be run");
        return;
    }
    double each_us = sockets_us / (double)socket_cases;
    bench_tell("suite in memory: %lu cases, %.1f ms each", memory_cases,
               memory_us / 1000 / (double)memory_cases);
    bench_tell("runner: %lu cases of a client that exits at once, %.1f ms each, %.1f times a bare process",
               socket_cases, each_us / 1000, each_us / child_us);
}
