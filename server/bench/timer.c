/* How late a libuv timer is that has nothing else to do. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "codec/ojin/constants.h"
#include "server/bench/bench.h"
#include "server/core/session.h"
#include "server/ojin/pacer.h"

enum { LATENESSES_MAX = 4096, TIMERS = 20 /* phases within a period */ };

struct ticker {
    uv_timer_t timer;
    uint64_t start_ns;
    uint64_t until_us;
    struct pacer pacers[TIMERS];
    size_t count;
    uint64_t lateness[LATENESSES_MAX];
};

static uint64_t ticker_now_us(const struct ticker *ticker)
{
    return (uv_hrtime() - ticker->start_ns) / 1000;
}

static struct pacer *ticker_next(struct ticker *ticker)
{
    struct pacer *next = &ticker->pacers[0];
    for (size_t n = 1; n < TIMERS; n++)
        if (pacer_due_us(&ticker->pacers[n]) < pacer_due_us(next))
            next = &ticker->pacers[n];
    return next;
}

static void on_tick(uv_timer_t *timer);

static void ticker_set(struct ticker *ticker)
{
    uint64_t now_us = ticker_now_us(ticker);
    uint64_t due_us = pacer_due_us(ticker_next(ticker));
    uv_update_time(ticker->timer.loop);
    uv_timer_start(&ticker->timer, on_tick, due_us > now_us ? (due_us - now_us + 999) / 1000 : 0, 0);
}

static void on_tick(uv_timer_t *timer)
{
    struct ticker *ticker = timer->data;
    uint64_t now_us = ticker_now_us(ticker);
    for (struct pacer *next = ticker_next(ticker); pacer_due_us(next) <= now_us; next = ticker_next(ticker)) {
        if (ticker->count < LATENESSES_MAX)
            ticker->lateness[ticker->count++] = now_us - pacer_due_us(next);
        pacer_advance(next);
    }
    if (now_us < ticker->until_us)
        ticker_set(ticker);
}

static void timer_serve(int fd, const void *context)
{
    static const char ready[] = "{\"port\":0}\n";
    struct ticker *ticker = calloc(1, sizeof *ticker);
    uv_loop_t loop;
    if (ticker == NULL || uv_loop_init(&loop) != 0) {
        free(ticker);
        return;
    }
    ticker->start_ns = uv_hrtime();
    ticker->until_us = *(const uint64_t *)context;
    ticker->timer.data = ticker;
    for (size_t n = 0; n < TIMERS; n++)
        pacer_start(&ticker->pacers[n], OJIN_FRAME_US * n / TIMERS, SILENCE_PERCENT_DEFAULT);
    uv_timer_init(&loop, &ticker->timer);
    ticker_set(ticker);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (write(fd, ready, sizeof ready - 1) > 0)
        (void)!write(fd, ticker->lateness, ticker->count * sizeof ticker->lateness[0]);
    free(ticker);
}

uint64_t *timer_lateness(uint64_t for_us, size_t *count)
{
    struct launched timer;
    size_t len = 0;
    uint64_t *lateness = calloc(LATENESSES_MAX, sizeof *lateness);
    if (lateness == NULL || !launch_function(timer_serve, &for_us, &timer)) {
        free(lateness);
        return NULL;
    }
    for (ssize_t got = 1; got > 0 && len < LATENESSES_MAX * sizeof *lateness; len += (size_t)got) {
        got = read(timer.out, (uint8_t *)lateness + len, LATENESSES_MAX * sizeof *lateness - len);
        if (got <= 0)
            break;
    }
    launch_end(&timer);
    *count = len / sizeof *lateness;
    bench_sort(lateness, *count);
    return lateness;
}
