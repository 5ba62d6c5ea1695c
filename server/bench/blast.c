/* How much of what bare writev reaches the listener reaches. */
#include <stdio.h>

#include "server/bench/bench.h"

enum { CLIENTS = 100, ROUNDS = 3, OPENING_US = 200, WARM_US = 300000, MEASURE_US = 1000000 };

static const double WANTED = 0.70;

struct blast_result {
    double per_second;     /* messages that the reader got */
    double cpu_per_second; /* messages for each second of the server's core */
};

static bool blast_run(void (*serve)(int fd, const void *context), bool tap, struct blast_result *out)
{
    const struct flood flood = {.tap = tap, .clients = CLIENTS};
    struct launched server;
    struct reader reader;
    if (!launch_function(serve, &flood, &server))
        return false;
    bool ok = reader_connect(&reader, server.port, CLIENTS, 0);
    for (size_t n = 0; n < CLIENTS && ok; n++) {
        ok = reader_open(&reader, n);
        reader_run(&reader, bench_now_us() + OPENING_US); /* what is not read piles up */
    }
    if (ok) {
        reader_run(&reader, bench_now_us() + WARM_US);
        uint64_t bytes = reader.bytes, cpu_us = launched_cpu_us(&server), start_us = bench_now_us();
        reader_run(&reader, start_us + MEASURE_US);
        double messages = (double)(reader.bytes - bytes) / FLOOD_MESSAGE_BYTES;
        double cpu = (double)(launched_cpu_us(&server) - cpu_us);
        out->per_second = messages * 1e6 / (double)(bench_now_us() - start_us);
        out->cpu_per_second = cpu > 0 ? messages * 1e6 / cpu : 0;
        ok = !reader.failed && messages > 0;
    }
    reader_close(&reader);
    launch_end(&server);
    return ok;
}

/* The best of the rounds: what disturbs only makes it worse. */
static void keep_best(struct blast_result *best, const struct blast_result *one)
{
    if (one->per_second > best->per_second)
        best->per_second = one->per_second;
    if (one->cpu_per_second > best->cpu_per_second)
        best->cpu_per_second = one->cpu_per_second;
}

void blast_measure(struct bench *bench)
{
    struct blast_result bare = {0}, plain = {0}, tapped = {0}, one = {0};
    bool ok = true;
    for (unsigned round = 0; round < ROUNDS && ok; round++) {
        ok = blast_run(bare_serve, false, &one);
        keep_best(&bare, &one);
        ok = ok && blast_run(flood_serve, false, &one);
        keep_best(&plain, &one);
        ok = ok && blast_run(flood_serve, true, &one);
        keep_best(&tapped, &one);
    }
    if (!ok) {
        bench_judge(bench, BENCH_INCONCLUSIVE, "blast: a client or a server was lost");
        return;
    }
    double ratio = plain.per_second / bare.per_second;
    double cpu_ratio = plain.cpu_per_second / bare.cpu_per_second;
    bench_judge(bench, bench_at_most(WANTED, cpu_ratio < ratio ? cpu_ratio : ratio),
                "blast of 80 KB messages to %d clients: %.2f of bare writev, %.2f for each second of the "
                "server's core (0.70 wanted)",
                CLIENTS, ratio, cpu_ratio);
    bench_tell("writev %.0f a second, listener without tap %.0f, with tap %.0f: %.2f of writev",
               bare.per_second, plain.per_second, tapped.per_second, tapped.per_second / bare.per_second);
}
