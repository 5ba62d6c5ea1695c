/*
 * ojin-bench [--quick] [--only NAME] [--against MOCK [--with OPTION]] MOCK CONFORM PEERS: measures, prints a
 * line for each figure that is judged and what is behind it, and sums up. Exit: 0 all met, 1 one is not, 2
 * wrong usage, 3 none is missed but one is inconclusive.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "server/bench/bench.h"

enum { EXIT_MET, EXIT_NOT_MET, EXIT_WRONG_USAGE, EXIT_INCONCLUSIVE };

static void sockets_allow(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static const struct measurement {
    const char *name;
    void (*measure)(struct bench *bench);
    bool anywhere; /* not held to the reader's core */
} MEASUREMENTS[] = {{"suite", suite_measure, true},          {"fuzz", fuzz_measure, true},
                    {"start", start_measure, false},         {"blast", blast_measure, false},
                    {"pace", pace_measure, false},           {"peers", peers_measure, false},
                    {"trouble", trouble_measure, false},     {"duplex", duplex_measure, false},
                    {"interview", interview_measure, false}, {"against", against_measure, false}};
enum { MEASUREMENT_COUNT = sizeof MEASUREMENTS / sizeof MEASUREMENTS[0] };

static bool only_is_known(const char *only)
{
    for (size_t n = 0; n < MEASUREMENT_COUNT; n++) {
        if (only == NULL || strcmp(only, MEASUREMENTS[n].name) == 0)
            return true;
    }
    fprintf(
        stderr,
        "ojin-bench: --only %s: there are suite, fuzz, start, blast, pace, peers, trouble, duplex, interview "
        "and against\n",
        only);
    return false;
}

static void measure(struct bench *bench)
{
    for (size_t n = 0; n < MEASUREMENT_COUNT; n++) {
        if (bench->only != NULL && strcmp(bench->only, MEASUREMENTS[n].name) != 0)
            continue;
        if (!MEASUREMENTS[n].anywhere)
            bench_pin(BENCH_READER_CORE);
        MEASUREMENTS[n].measure(bench);
    }
}

/* Where the value of an option goes; NULL: it is none that has a value. */
static const char **option_value(struct bench *bench, const char *name)
{
    if (strcmp(name, "--only") == 0)
        return &bench->only;
    if (strcmp(name, "--against") == 0)
        return &bench->against;
    return strcmp(name, "--with") == 0 ? &bench->against_option : NULL;
}

/* Takes the options; NULL when there are too few or too many words behind them. */
static char **options_take(char **argv, struct bench *bench)
{
    char **at = argv + 1;
    size_t count = 0;
    for (bool more = true; more;) {
        more = false;
        if (*at != NULL && strcmp(*at, "--quick") == 0) {
            bench->quick = more = true;
            at++;
        } else if (at[0] != NULL && at[1] != NULL && option_value(bench, *at) != NULL) {
            *option_value(bench, at[0]) = at[1];
            more = true;
            at += 2;
        }
    }
    while (at[count] != NULL)
        count++;
    return count == 3 ? at : NULL;
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    char **words = argc < 1 ? NULL : options_take(argv, &bench);
    if (words == NULL) {
        fprintf(stderr, "Usage: ojin-bench [--quick] [--only NAME] [--against OTHER-MOCK [--with OPTION]] "
                        "OJIN-MOCK OJIN-CONFORM PEERS\n");
        return EXIT_WRONG_USAGE;
    }
    if (!only_is_known(bench.only))
        return EXIT_WRONG_USAGE;
    bench.mock = words[0];
    bench.conform = words[1];
    bench.peers = words[2];
    signal(SIGPIPE, SIG_IGN);
    sockets_allow();
    bench_print_machine();
    measure(&bench);
    printf("%u met, %u not met, %u inconclusive\n", bench.counts[BENCH_MET], bench.counts[BENCH_NOT_MET],
           bench.counts[BENCH_INCONCLUSIVE]);
    if (bench.counts[BENCH_NOT_MET] > 0)
        return EXIT_NOT_MET;
    return bench.counts[BENCH_INCONCLUSIVE] > 0 ? EXIT_INCONCLUSIVE : EXIT_MET;
}
