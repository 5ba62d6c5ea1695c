/* How much of what bare writev reaches the listener reaches. */
#include <stdio.h>

#include "server/bench/bench.h"

enum { CLIENTS = 100, ROUNDS = 3, OPENING_US = 200, WARM_US = 300000, MEASURE_US = 1000000 };

static const double WANTED = 0.80;
static const double TLS_WANTED = 0.45;
static const double READER_BUSY = 0.97; /* of its core: it may be what is slow */
static const double WAITED_MAX = 0.01;  /* above it the machine was slow, not the server */

struct blast_result {
    double per_second;     /* messages that the reader got */
    double cpu_per_second; /* messages for each second of the server's core */
    double reader_core;    /* share of it that the reader used */
    double waited;         /* share of the time in which one of both wanted its core and others had it */
};

/* What stands at the beginning of a measurement. */
struct blast_mark {
    uint64_t bytes, cpu_us, own_us, waited_us, at_us;
};

static struct blast_mark mark_of(const struct launched *server, uint64_t bytes)
{
    return (struct blast_mark){.bytes = bytes,
                               .cpu_us = launched_cpu_us(server),
                               .own_us = bench_cpu_us(),
                               .waited_us = waited_for_core_us(0) + waited_for_core_us(server->pid),
                               .at_us = bench_now_us()};
}

/* False: nothing came. */
static bool result_make(const struct blast_mark *from, const struct blast_mark *to, struct blast_result *out)
{
    const double messages = (double)(to->bytes - from->bytes) / FLOOD_MESSAGE_BYTES;
    const double took_us = (double)(to->at_us - from->at_us), cpu_us = (double)(to->cpu_us - from->cpu_us);
    *out = (struct blast_result){.per_second = messages * 1e6 / took_us,
                                 .cpu_per_second = cpu_us > 0 ? messages * 1e6 / cpu_us : 0,
                                 .reader_core = (double)(to->own_us - from->own_us) / took_us,
                                 .waited = (double)(to->waited_us - from->waited_us) / took_us};
    return messages > 0;
}

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
        const struct blast_mark from = mark_of(&server, reader.bytes);
        reader_run(&reader, from.at_us + MEASURE_US);
        const struct blast_mark to = mark_of(&server, reader.bytes);
        ok = result_make(&from, &to, out) && !reader.failed;
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
        const struct blast_mark from = mark_of(&server, tls_reader_run(reader, bench_now_us() + WARM_US));
        const struct blast_mark to = mark_of(&server, tls_reader_run(reader, from.at_us + MEASURE_US));
        ok = result_make(&from, &to, out) && !tls_reader_failed(reader);
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
    if (one->waited > best->waited)
        best->waited = one->waited;
}

static enum bench_verdict verdict_of(double wanted, double ratio, const struct blast_result *one,
                                     const struct blast_result *other)
{
    const bool disturbed = one->waited > WAITED_MAX || other->waited > WAITED_MAX;
    const enum bench_verdict verdict = bench_at_most(wanted, ratio);
    return verdict == BENCH_NOT_MET && disturbed ? BENCH_INCONCLUSIVE : verdict;
}

static void tls_judge(struct bench *bench, const struct blast_result *tls, const struct blast_result *plain)
{
    double ratio = tls->cpu_per_second / plain->cpu_per_second;
    bench_judge(bench, verdict_of(TLS_WANTED, ratio, tls, plain),
                "blast over TLS: %.2f of plain for each second of the server's core (%.2f wanted)", ratio,
                TLS_WANTED);
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
    bench_judge(bench, verdict_of(WANTED, cpu_ratio < ratio ? cpu_ratio : ratio, plain, bare),
                "blast of 80 KB messages to %d clients: %.2f of bare writev, %.2f for each second of the "
                "server's core (%.2f wanted)",
                CLIENTS, ratio, cpu_ratio, WANTED);
    bench_tell("writev %.0f a second, listener %.0f; others took up to %.1f %% of the time", bare->per_second,
               plain->per_second, (plain->waited > bare->waited ? plain->waited : bare->waited) * 100);
    tls_judge(bench, &best[TLS], plain);
}
