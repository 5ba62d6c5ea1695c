/*
 * Sessions a second of ojin-conform fuzz with clients of one process for many, beside what a bare socket that
 * is let in and leaves again takes of the mock, in the same round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/bench/bench.h"

enum {
    ROUNDS = 3,
    HANDSHAKES = 2000,
    PATH_BYTES = 1024,
    COUNT_BYTES = 24,
    FIRST_OF_PLAIN = 2000 /* behind the floods that a seed begins with */
};

static const struct fuzzed {
    const char *name;
    unsigned sessions, asked; /* to be played; a second, on a machine of two cores */
    double of_bare;           /* of the bare handshakes a second, at least */
} FUZZED[] = {{"the minimal client in C", 6000, 500, 0.2}, {"the client in Node", 1000, 50, 0.02}};
enum { IN_C, IN_NODE, FUZZED_COUNT };

struct round {
    double bare, of[FUZZED_COUNT]; /* a second; 0: it could not be run */
};

/* A second, one after another. */
static double bare_rate(const struct bench *bench)
{
    struct launched mock;
    if (!launch_mock(bench, NULL, &mock))
        return 0;
    unsigned count = 0;
    const uint64_t began_us = bench_now_us();
    for (int fd = 0; fd >= 0 && count < HANDSHAKES; count++) {
        fd = reader_socket(mock.port, reader_request());
        if (fd >= 0)
            close(fd);
    }
    const uint64_t took_us = bench_now_us() - began_us;
    launch_end(&mock);
    return count < HANDSHAKES || took_us == 0 ? 0 : count * 1e6 / (double)took_us;
}

/* "… sessions in 3.1 s, 640 a second …" */
static double rate_told(const char *tail)
{
    static const char BEFORE[] = " s, ";
    const char *sessions = strstr(tail, " sessions in ");
    const char *rate = sessions == NULL ? NULL : strstr(sessions, BEFORE);
    return rate == NULL ? 0 : strtod(rate + sizeof BEFORE - 1, NULL);
}

static double fuzz_rate(const struct bench *bench, size_t n)
{
    char client[PATH_BYTES], cases[COUNT_BYTES], first[COUNT_BYTES], tail[LAUNCH_TAIL_BYTES];
    const char *slash = strrchr(bench->conform, '/');
    const int folder_len = slash != NULL ? (int)(slash - bench->conform + 1) : 0;
    if (n == IN_NODE)
        snprintf(client, sizeof client, "%s/node/ojin-client.mjs", CLIENTS_DIR);
    else
        snprintf(client, sizeof client, "%.*sminimal-plan-client", folder_len, bench->conform);
    snprintf(cases, sizeof cases, "%u", FUZZED[n].sessions / (bench->quick ? 2 : 1));
    snprintf(first, sizeof first, "%d", FIRST_OF_PLAIN);
    const char *words[] = {bench->conform, "fuzz", "--persistent", "--first", first, "--cases",
                           cases,          "--",   "node",         client,    NULL};
    if (n == IN_C) { /* a program of its own */
        words[8] = client;
        words[9] = "--observe";
    }
    return launch_and_wait_us(words, tail) == 0 ? 0 : rate_told(tail);
}

static double ratio_of(const struct round *round, size_t n)
{
    return round->bare > 0 ? round->of[n] / round->bare : 0;
}

static const struct round *round_in_the_middle(const struct round *rounds, size_t count, size_t n)
{
    const struct round *sorted[ROUNDS];
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && ratio_of(sorted[at - 1], n) > ratio_of(&rounds[i], n); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = &rounds[i];
    }
    return sorted[count / 2];
}

void fuzz_measure(struct bench *bench)
{
    struct round rounds[ROUNDS];
    const size_t count = bench->quick ? 1 : ROUNDS;
    for (size_t i = 0; i < count; i++) {
        rounds[i].bare = bare_rate(bench);
        for (size_t n = 0; n < FUZZED_COUNT; n++)
            rounds[i].of[n] = fuzz_rate(bench, n);
    }
    for (size_t n = 0; n < FUZZED_COUNT; n++) {
        const struct fuzzed *fuzzed = &FUZZED[n];
        const struct round *middle = round_in_the_middle(rounds, count, n);
        if (middle->bare <= 0 || middle->of[n] <= 0) {
            bench_judge(bench, BENCH_INCONCLUSIVE, "fuzz: %s could not be run", fuzzed->name);
            continue;
        }
        bench_judge(bench, bench_at_most(fuzzed->of_bare, ratio_of(middle, n)),
                    "fuzz: %.0f sessions a second with %s (%u on two cores asked for), %.4f of the %.0f bare "
                    "handshakes a second (%.4f at least)",
                    middle->of[n], fuzzed->name, fuzzed->asked, ratio_of(middle, n), middle->bare,
                    fuzzed->of_bare);
    }
}
