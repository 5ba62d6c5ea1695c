/*
 * ojin-bench [--quick] MOCK CONFORM PEERS: measures, prints a line for each figure that is judged and what is
 * behind it, and sums up. Exit: 0 all met, 1 one is not, 2 wrong usage, 3 none is missed but one is
 * inconclusive.
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

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (argc != (quick ? 5 : 4)) {
        fprintf(stderr, "Usage: ojin-bench [--quick] OJIN-MOCK OJIN-CONFORM PEERS\n");
        return EXIT_WRONG_USAGE;
    }
    argv += quick ? 1 : 0;
    struct bench bench = {.mock = argv[1], .conform = argv[2], .peers = argv[3], .quick = quick};
    signal(SIGPIPE, SIG_IGN);
    sockets_allow();
    bench_print_machine();
    suite_measure(&bench);
    bench_pin(BENCH_READER_CORE);
    start_measure(&bench);
    blast_measure(&bench);
    pace_measure(&bench);
    peers_measure(&bench);
    trouble_measure(&bench);
    printf("%u met, %u not met, %u inconclusive\n", bench.counts[BENCH_MET], bench.counts[BENCH_NOT_MET],
           bench.counts[BENCH_INCONCLUSIVE]);
    if (bench.counts[BENCH_NOT_MET] > 0)
        return EXIT_NOT_MET;
    return bench.counts[BENCH_INCONCLUSIVE] > 0 ? EXIT_INCONCLUSIVE : EXIT_MET;
}
