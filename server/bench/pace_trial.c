/* One trial of pace: a number of sessions at once, for some seconds, and when each of their frames came. */
#include <stdio.h>
#include <stdlib.h>

#include "codec/ojin/constants.h"
#include "server/bench/pace.h"
#include "server/core/session.h"

enum {
    OPENING_US = 1000000, /* in which the sessions begin, one after another */
    SETTLE_US = 500000,
    IDLE_WAIT_US = 400000,
    QUIET_STEP_US = 100000,
    QUIET_CPU_US = 5000, /* of a server that has drawn its pictures, in a step */
    QUIET_STEPS_MAX = 50,
    COMPANY_STEP_US = 20000,
    ARRIVALS_MAX = 2048 /* a session */
};

static const double WAITED_MAX = 0.01;     /* above it the machine was late, not the server */
static const double READER_CORE_MAX = 0.9; /* above it the reader may be what is slow */
static const double PERIOD_US = (double)OJIN_FRAME_US * 100 / SILENCE_PERCENT_DEFAULT;

/* The mock draws pictures ahead when it has time; what is measured comes after that. */
static void quiet_wait(const struct launched *server)
{
    uint64_t before_us = launched_cpu_us(server);
    for (unsigned n = 0; n < QUIET_STEPS_MAX; n++) {
        bench_sleep_us(QUIET_STEP_US);
        uint64_t now_us = launched_cpu_us(server);
        if (now_us - before_us < QUIET_CPU_US)
            return;
        before_us = now_us;
    }
}

static bool sessions_open(struct reader *reader)
{
    uint64_t start_us = bench_now_us();
    for (size_t n = 0; n < reader->count; n++) {
        reader_run(reader, start_us + OPENING_US * n / reader->count);
        if (reader->failed || !reader_open(reader, n))
            return false;
    }
    return true;
}

/*
 * Frame k of a session is due k periods after its first. The session's own beginning is not known to the
 * microsecond, so what counts is how much later a frame came than the most punctual one of its session.
 */
static void session_count(const struct reader_session *session, uint64_t from_us, struct pace_result *result,
                          uint64_t *lateness, size_t *count)
{
    size_t kept = session->messages < ARRIVALS_MAX ? (size_t)session->messages : ARRIVALS_MAX;
    double start_us = kept == 0 ? 0 : (double)session->arrivals_us[0];
    for (size_t k = 0; k < kept; k++) {
        double begun_us = (double)session->arrivals_us[k] - (double)k * PERIOD_US;
        if (begun_us < start_us)
            start_us = begun_us;
    }
    double late_us = 0;
    for (size_t k = 0; k < kept; k++) {
        late_us = (double)session->arrivals_us[k] - (double)k * PERIOD_US - start_us;
        if (session->arrivals_us[k] >= from_us)
            lateness[(*count)++] = late_us > 0 ? (uint64_t)late_us : 0;
    }
    /* A frame that is left out makes all after it a period late. */
    result->missed += kept == 0 ? 1 : (uint64_t)(late_us / PERIOD_US + 0.5);
}

static bool result_make(const struct reader *reader, uint64_t from_us, struct pace_result *result)
{
    size_t count = 0;
    uint64_t *lateness = malloc(reader->count * ARRIVALS_MAX * sizeof *lateness);
    if (lateness == NULL)
        return false;
    for (size_t n = 0; n < reader->count; n++)
        session_count(&reader->sessions[n], from_us, result, lateness, &count);
    bench_sort(lateness, count);
    result->p50_ms = (double)bench_quantile(lateness, count, 0.5) / 1000;
    result->p99_ms = (double)bench_quantile(lateness, count, 0.99) / 1000;
    result->max_ms = (double)bench_quantile(lateness, count, 1) / 1000;
    free(lateness);
    return count > 0;
}

static double kb_each(uint64_t before, uint64_t after, size_t sessions)
{
    return after < before ? 0 : (double)(after - before) / 1024 / (double)sessions;
}

/* Reads until then, in the company that the trial asks for. */
static void trial_read(const struct launched *server, struct reader *reader, const struct pace_trial *trial,
                       uint64_t until_us, struct pace_result *result)
{
    if (trial->company == NULL) {
        reader_run(reader, until_us);
        return;
    }
    for (uint64_t now_us = bench_now_us(); now_us < until_us && !reader->failed; now_us = bench_now_us()) {
        trial->company(trial->context, server->port, now_us);
        reader_run(reader, now_us + COMPANY_STEP_US < until_us ? now_us + COMPANY_STEP_US : until_us);
        uint64_t resident = launched_resident_bytes(server);
        result->resident_most = resident > result->resident_most ? resident : result->resident_most;
    }
}

static bool trial_measure(const struct launched *server, struct reader *reader,
                          const struct pace_trial *trial, struct pace_result *result)
{
    uint64_t resident = launched_resident_bytes(server);
    if (!reader_connect(reader, server->port, trial->sessions, ARRIVALS_MAX))
        return false;
    reader_run(reader, bench_now_us() + IDLE_WAIT_US);
    result->idle_kb = kb_each(resident, launched_resident_bytes(server), trial->sessions);
    if (!sessions_open(reader))
        return false;
    reader_run(reader, bench_now_us() + SETTLE_US);
    result->resident_before = launched_resident_bytes(server);
    uint64_t waited_us = waited_for_core_us(0) + waited_for_core_us(server->pid);
    uint64_t frames = reader->messages, bytes = reader->bytes, reader_us = bench_cpu_us();
    uint64_t cpu_us = launched_cpu_us(server), from_us = bench_now_us();
    trial_read(server, reader, trial, from_us + trial->measure_us, result);
    double used_us = (double)(launched_cpu_us(server) - cpu_us);
    double took_us = (double)(bench_now_us() - from_us);
    result->frames = reader->messages - frames;
    result->core = used_us / took_us;
    result->reader_core = (double)(bench_cpu_us() - reader_us) / took_us;
    result->waited = (double)(waited_for_core_us(0) + waited_for_core_us(server->pid) - waited_us) / took_us;
    if (result->frames > 0) {
        result->cpu_us = used_us / (double)result->frames;
        result->frame_bytes = (double)(reader->bytes - bytes) / (double)result->frames;
    }
    result->streaming_kb = kb_each(resident, launched_resident_bytes(server), trial->sessions);
    return !reader->failed && result_make(reader, from_us, result);
}

bool pace_trial_run(const struct bench *bench, const struct pace_trial *trial, struct pace_result *result)
{
    struct launched server;
    struct reader reader = {.epoll = -1};
    *result = (struct pace_result){0};
    bool is_mock = trial->words == NULL;
    const char *const usual[] = {NULL};
    if (!(is_mock ? launch_mock(bench, usual, &server) : launch_words(trial->words, &server)))
        return false;
    if (is_mock)
        quiet_wait(&server);
    bool ok = trial_measure(&server, &reader, trial, result);
    reader_close(&reader);
    launch_end(&server);
    return ok;
}

void pace_tell(const struct pace_trial *trial, const struct pace_result *result, const char *how)
{
    bench_tell("%3zu sessions%s: late by %.2f / %.2f / %.2f ms (half, 99 %%, all), %lu frames, %lu missed, "
               "%.1f us of the core a frame, %.0f %% of it (the reader %.0f %% of its own; others took "
               "%.1f %%); %.0f KB an idle session, %.0f a streaming one",
               trial->sessions, how, result->p50_ms, result->p99_ms, result->max_ms,
               (unsigned long)result->frames, (unsigned long)result->missed, result->cpu_us,
               result->core * 100, result->reader_core * 100, result->waited * 100, result->idle_kb,
               result->streaming_kb);
}

bool pace_is_disturbed(const struct pace_result *result)
{
    return result->waited > WAITED_MAX || result->reader_core > READER_CORE_MAX;
}
