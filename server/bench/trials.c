/* The start of the mock, and what a case of the suite costs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/bench/bench.h"

enum { STARTS = 9, SUITE_RUNS = 3, CHILDREN = 20 };

static const double START_MS = 150, OVERHEAD_MS = 20;

bool start_times(const struct bench *bench, double *half_ms, double *most_ms)
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
    *half_ms = (double)bench_quantile(times, count, 0.5) / 1000;
    *most_ms = (double)bench_quantile(times, count, 1) / 1000;
    return count == STARTS;
}

void start_measure(struct bench *bench)
{
    double half_ms, most_ms;
    if (!start_times(bench, &half_ms, &most_ms)) {
        bench_judge(bench, BENCH_NOT_MET, "start: the mock could not be run");
        return;
    }
    bench_judge(bench, bench_at_most(half_ms, START_MS),
                "start of ojin-mock to its ready line: %.1f ms in half of %d starts, %.1f at most (%.0f "
                "allowed)",
                half_ms, STARTS, most_ms, START_MS);
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

/* What the sessions of a run took by themselves, by its report, which goes away. */
static double sessions_us(const char *path)
{
    static const char MEMBER[] = "\"session_us\":";
    double sum = 0;
    char line[4096];
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *found = strstr(line, MEMBER);
        if (found != NULL)
            sum += strtod(found + sizeof MEMBER - 1, NULL);
    }
    if (file != NULL)
        fclose(file);
    remove(path);
    return sum;
}

/* What cases with the reference client, one at a time, took beyond their own sessions. */
static double beyond_sessions_us(const struct bench *bench, const char *pattern, unsigned long *cases)
{
    static const char REPORT[] = "bench-suite.json";
    char client[1024];
    char tail[LAUNCH_TAIL_BYTES];
    const char *slash = strrchr(bench->conform, '/');
    snprintf(client, sizeof client, "%.*sojin-client", slash != NULL ? (int)(slash - bench->conform + 1) : 0,
             bench->conform);
    const char *const words[] = {bench->conform, "run",  "-j", "1",    "--run",   pattern,
                                 "--json",       REPORT, "--", client, "conform", NULL};
    double took_us = (double)launch_and_wait_us(words, tail);
    *cases = cases_run(tail);
    return took_us - sessions_us(REPORT);
}

/* Two runs, so that what a run costs once, whatever its cases, is not counted. */
static void overhead_measure(struct bench *bench)
{
    unsigned long few = 0, many = 0;
    double of_few_us = beyond_sessions_us(bench, "ojin/ready/load-zero", &few);
    double of_many_us = beyond_sessions_us(bench, "ojin/ready/*", &many);
    if (few == 0 || many <= few) {
        bench_judge(bench, BENCH_INCONCLUSIVE, "suite: the reference client could not be run");
        return;
    }
    double each_ms = (of_many_us - of_few_us) / 1000 / (double)(many - few);
    bench_judge(bench, bench_at_most(each_ms, OVERHEAD_MS),
                "suite: %.1f ms a case beyond its own session, of %lu cases with the reference client "
                "(%.0f allowed)",
                each_ms, many, OVERHEAD_MS);
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
    overhead_measure(bench);
}
