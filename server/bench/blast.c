/* How much of what bare writev reaches the listener reaches. */
#include <stdio.h>

#include "server/bench/bench.h"

enum { CLIENTS = 100, ROUNDS = 3, OPENING_US = 200, WARM_US = 300000, MEASURE_US = 1000000 };

static const double WANTED = 0.70;
static const double TLS_WANTED = 0.30;
static const double READER_BUSY = 0.97; /* of its core: it may be what is slow */

struct blast_result {
    double per_second;     /* messages that the reader got */
    double cpu_per_second; /* messages for each second of the server's core */
    double reader_core;    /* share of it that the reader used */
};

static bool blast_run(void (*serve)(int fd, const void *context), struct blast_result *out)
{
    const struct flood flood = {.clients = CLIENTS};
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

static bool tls_run(struct blast_result *out)
{
    const struct flood flood = {.tls = true, .clients = CLIENTS};
    struct launched server;
    if (!launch_function(flood_serve, &flood, &server))
        return false;
    struct tls_reader *reader = tls_reader_connect(server.port, CLIENTS);
    bool ok = reader != NULL;
    for (size_t n = 0; n < CLIENTS && ok; n++) {
        ok = tls_reader_open(reader, n);
        tls_reader_run(reader, bench_now_us() + OPENING_US);
    }
    if (ok) {
        uint64_t bytes = tls_reader_run(reader, bench_now_us() + WARM_US);
        uint64_t cpu_us = launched_cpu_us(&server), own_us = bench_cpu_us(), start_us = bench_now_us();
        double messages =
            (double)(tls_reader_run(reader, start_us + MEASURE_US) - bytes) / FLOOD_MESSAGE_BYTES;
        double took_us = (double)(bench_now_us() - start_us);
        double cpu = (double)(launched_cpu_us(&server) - cpu_us);
        out->per_second = messages * 1e6 / took_us;
        out->cpu_per_second = cpu > 0 ? messages * 1e6 / cpu : 0;
        out->reader_core = (double)(bench_cpu_us() - own_us) / took_us;
        ok = !tls_reader_failed(reader) && messages > 0;
    }
    if (reader != NULL)
        tls_reader_close(reader);
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
    best->reader_core = one->reader_core;
}

/* The reader has to decipher, which costs about what ciphering does: the server's core alone says what the
 * server can do. */
static void tls_judge(struct bench *bench, const struct blast_result *tls, const struct blast_result *plain)
{
    double ratio = tls->cpu_per_second / plain->cpu_per_second;
    bench_judge(bench, bench_at_most(TLS_WANTED, ratio),
                "blast over TLS: %.2f of plain for each second of the server's core (0.30 wanted)", ratio);
    bench_tell("TLS %.0f a second by the clock, %.0f for each second of the server's core, plain %.0f; the "
               "reader used %.0f %% of its core%s",
               tls->per_second, tls->cpu_per_second, plain->cpu_per_second, tls->reader_core * 100,
               tls->reader_core > READER_BUSY ? " and is what the clock shows" : "");
}

enum { BARE, PLAIN, TLS, SERVERS };
static const char *const SERVER_NAMES[SERVERS] = {"bare writev", "listener", "listener with TLS"};

static bool one_run(size_t server, struct blast_result *out)
{
    return server == TLS ? tls_run(out) : blast_run(server == BARE ? bare_serve : flood_serve, out);
}

void blast_measure(struct bench *bench)
{
    struct blast_result best[SERVERS] = {{0}}, one = {0};
    for (size_t n = 0; n < ROUNDS * (size_t)SERVERS; n++) {
        size_t server = n % SERVERS;
        if (!one_run(server, &one)) {
            bench_judge(bench, BENCH_INCONCLUSIVE, "blast: the %s or a client of it was lost",
                        SERVER_NAMES[server]);
            return;
        }
        keep_best(&best[server], &one);
    }
    const struct blast_result *bare = &best[BARE], *plain = &best[PLAIN];
    double ratio = plain->per_second / bare->per_second;
    double cpu_ratio = plain->cpu_per_second / bare->cpu_per_second;
    bench_judge(bench, bench_at_most(WANTED, cpu_ratio < ratio ? cpu_ratio : ratio),
                "blast of 80 KB messages to %d clients: %.2f of bare writev, %.2f for each second of the "
                "server's core (0.70 wanted)",
                CLIENTS, ratio, cpu_ratio);
    bench_tell("writev %.0f a second, listener %.0f", bare->per_second, plain->per_second);
    tls_judge(bench, &best[TLS], plain);
}
