/*
 * ojin-bench [--quick] [--only NAME] [--against MOCK [--with OPTION]] MOCK CONFORM PEERS: measures, prints a
 * line for each figure that is judged and what is behind it, and sums up. Exit: 0 all met, 1 one is not, 2
 * wrong usage, 3 none is missed but one is inconclusive.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "codec/wire/nearest.h"
#include "server/bench/bench.h"

enum { EXIT_MET, EXIT_NOT_MET, EXIT_WRONG_USAGE, EXIT_INCONCLUSIVE };
enum { NEAR_BYTES_MAX = 80 };

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
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    struct nearest nearest = nearest_to(bytes_of_text(only));
    for (size_t n = 0; n < MEASUREMENT_COUNT; n++)
        nearest_offer(&nearest, MEASUREMENTS[n].name);
    text_add_nearest(&text, &nearest);
    fprintf(
        stderr,
        "ojin-bench: --only %s: there are suite, fuzz, start, blast, pace, peers, trouble, duplex, interview "
        "and against%s\n",
        only, near);
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

static const char USAGE[] =
    "Usage: ojin-bench [--quick] [--only NAME] [--against OTHER-MOCK [--with OPTION]] "
    "OJIN-MOCK OJIN-CONFORM PEERS\n";

static void tell_wrong_option(const char *word)
{
    static const char *const NAMES[] = {"--quick", "--only", "--against", "--with", "--help"};
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    struct nearest nearest = nearest_to(bytes_of_text(word));
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        nearest_offer(&nearest, NAMES[i]);
    text_add_nearest(&text, &nearest);
    fprintf(stderr, "ojin-bench: there is no option %s%s\n%s", word, near, USAGE);
}

/* Takes the options; `*words` are the three words behind them. EXIT_MET: there is something to measure. */
static int options_take(char **argv, struct bench *bench, char ***words)
{
    char **at = argv + 1;
    size_t count = 0;
    for (; *at != NULL && strncmp(*at, "--", 2) == 0; at++) {
        if (strcmp(*at, "--quick") == 0) {
            bench->quick = true;
            continue;
        }
        if (option_value(bench, *at) == NULL) {
            tell_wrong_option(*at);
            return EXIT_WRONG_USAGE;
        }
        if (at[1] == NULL) {
            fprintf(stderr, "ojin-bench: option %s needs a value\n%s", *at, USAGE);
            return EXIT_WRONG_USAGE;
        }
        *option_value(bench, at[0]) = at[1];
        at++;
    }
    while (at[count] != NULL)
        count++;
    *words = at;
    if (count == 3)
        return EXIT_MET;
    fprintf(stderr, "ojin-bench: expected OJIN-MOCK, OJIN-CONFORM and PEERS, got %zu words\n%s", count,
            USAGE);
    return EXIT_WRONG_USAGE;
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    char **words = NULL;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(USAGE, stdout);
        return EXIT_MET;
    }
    if (argc < 1 || options_take(argv, &bench, &words) != EXIT_MET)
        return EXIT_WRONG_USAGE;
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
