/* Silence frames at the default pace: how late a reader gets them, how many are missing, what they cost. */
#include <stdio.h>
#include <stdlib.h>

#include "codec/ojin/constants.h"
#include "server/bench/bench.h"
#include "server/core/session.h"

enum {
    TIMER_US = 2000000,
    OPENING_US = 1000000, /* in which the sessions begin, one after another */
    SETTLE_US = 500000,
    IDLE_WAIT_US = 400000,
    QUIET_STEP_US = 100000,
    QUIET_CPU_US = 5000, /* of a server that has drawn its pictures, in a step */
    QUIET_STEPS_MAX = 50,
    ARRIVALS_MAX = 2048 /* a session */
};

static const double PERIOD_US = (double)OJIN_FRAME_US * 100 / SILENCE_PERCENT_DEFAULT;
static const double LATENESS_OVER_TIMER_MS = 5;
static const double TIMER_LATENESS_MS = 2;
static const double WAITED_MAX = 0.01; /* above it the machine was late, not the mock */
static const double CPU_GROWTH = 1.15;
static const double IDLE_KB = 64;

static const struct pace_trial {
    size_t sessions;
    uint64_t measure_us;
} TRIALS[] = {{10, 8000000}, {100, 5000000}, {400, 5000000}, {800, 8000000}};
enum { TRIAL_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

struct pace_result {
    uint64_t frames;
    uint64_t missed;
    double p50_ms, p99_ms, max_ms;
    double cpu_us; /* a frame */
    double core;   /* share of it that the server used */
    double waited; /* share of the time in which server or reader wanted its core and others had it */
    double idle_kb;
    double streaming_kb; /* a session */
};

/* The mock draws pictures ahead when it has time; what is measured comes after that. */
static void quiet_wait(const struct launched *mock)
{
    uint64_t before_us = launched_cpu_us(mock);
    for (unsigned n = 0; n < QUIET_STEPS_MAX; n++) {
        bench_sleep_us(QUIET_STEP_US);
        uint64_t now_us = launched_cpu_us(mock);
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

static bool trial_measure(const struct launched *mock, struct reader *reader, const struct pace_trial *trial,
                          struct pace_result *result)
{
    uint64_t resident = launched_resident_bytes(mock);
    if (!reader_connect(reader, mock->port, trial->sessions, ARRIVALS_MAX))
        return false;
    reader_run(reader, bench_now_us() + IDLE_WAIT_US);
    result->idle_kb = kb_each(resident, launched_resident_bytes(mock), trial->sessions);
    if (!sessions_open(reader))
        return false;
    reader_run(reader, bench_now_us() + SETTLE_US);
    uint64_t waited_us = waited_for_core_us(0) + waited_for_core_us(mock->pid);
    uint64_t frames = reader->messages, cpu_us = launched_cpu_us(mock), from_us = bench_now_us();
    reader_run(reader, from_us + trial->measure_us);
    result->frames = reader->messages - frames;
    double used_us = (double)(launched_cpu_us(mock) - cpu_us);
    double took_us = (double)(bench_now_us() - from_us);
    result->core = used_us / took_us;
    result->waited = (double)(waited_for_core_us(0) + waited_for_core_us(mock->pid) - waited_us) / took_us;
    result->cpu_us = result->frames == 0 ? 0 : used_us / (double)result->frames;
    result->streaming_kb = kb_each(resident, launched_resident_bytes(mock), trial->sessions);
    return !reader->failed && result_make(reader, from_us, result);
}

static bool trial_run(struct bench *bench, const struct pace_trial *trial, bool tap,
                      struct pace_result *result)
{
    static const char *const without_tap[] = {"--no-tap", NULL};
    struct launched mock;
    struct reader reader = {.epoll = -1};
    *result = (struct pace_result){0};
    if (!launch_mock(bench, tap ? NULL : without_tap, &mock))
        return false;
    quiet_wait(&mock);
    bool ok = trial_measure(&mock, &reader, trial, result);
    reader_close(&reader);
    launch_end(&mock);
    return ok;
}

static void trial_tell(const struct pace_trial *trial, const struct pace_result *result, const char *how)
{
    bench_tell("%3zu sessions%s: late by %.2f / %.2f / %.2f ms (half, 99 %%, all), %lu frames, %lu missed, "
               "%.1f us of the core a frame, %.0f %% of it (others took %.1f %%); %.0f KB an idle session, "
               "%.0f a streaming one",
               trial->sessions, how, result->p50_ms, result->p99_ms, result->max_ms,
               (unsigned long)result->frames, (unsigned long)result->missed, result->cpu_us,
               result->core * 100, result->waited * 100, result->idle_kb, result->streaming_kb);
}

static void judge_pace(struct bench *bench, const struct pace_result results[TRIAL_COUNT], double timer_ms)
{
    const struct pace_result *most = &results[TRIAL_COUNT - 1];
    uint64_t missed = 0;
    bool disturbed = most->waited > WAITED_MAX;
    for (size_t n = 0; n < TRIAL_COUNT; n++) {
        missed += results[n].missed;
        disturbed = disturbed || (results[n].missed > 0 && results[n].waited > WAITED_MAX);
    }
    enum bench_verdict late = bench_at_most(most->p99_ms, timer_ms + LATENESS_OVER_TIMER_MS);
    if (late == BENCH_NOT_MET && (disturbed || timer_ms > TIMER_LATENESS_MS))
        late = BENCH_INCONCLUSIVE;
    bench_judge(bench, late,
                "pace of %zu sessions at 1280x720: 99 %% of frames at most %.2f ms late, a bare "
                "timer %.2f ms (5 ms more allowed)",
                TRIALS[TRIAL_COUNT - 1].sessions, most->p99_ms, timer_ms);
    bench_judge(bench, missed > 0 && disturbed ? BENCH_INCONCLUSIVE : bench_at_most((double)missed, 0),
                "frames missed by all sessions: %lu (0 wanted)", (unsigned long)missed);
    bench_judge(bench, bench_at_most(most->cpu_us, results[0].cpu_us * CPU_GROWTH),
                "CPU a frame at %zu sessions: %.2f of that at %zu (1.15 allowed)",
                TRIALS[TRIAL_COUNT - 1].sessions, most->cpu_us / results[0].cpu_us, TRIALS[0].sessions);
    bench_judge(bench, bench_at_most(most->idle_kb, IDLE_KB),
                "memory of an idle session: %.1f KB (64 allowed)", most->idle_kb);
}

void pace_measure(struct bench *bench)
{
    struct pace_result results[TRIAL_COUNT];
    size_t count = 0;
    uint64_t *lateness = timer_lateness(TIMER_US, &count);
    double timer_ms = (double)bench_quantile(lateness, count, 0.99) / 1000;
    if (lateness != NULL)
        bench_tell("a bare libuv timer: late by %.2f / %.2f / %.2f ms (half, 99 %%, all)",
                   (double)bench_quantile(lateness, count, 0.5) / 1000, timer_ms,
                   (double)bench_quantile(lateness, count, 1) / 1000);
    free(lateness);
    bool ok = count > 0;
    for (size_t n = 0; n < TRIAL_COUNT && ok; n++) {
        ok = trial_run(bench, &TRIALS[n], false, &results[n]);
        trial_tell(&TRIALS[n], &results[n], "");
    }
    if (!ok) {
        bench_judge(bench, BENCH_NOT_MET, "pace: a session was lost, or the mock could not be run");
        return;
    }
    judge_pace(bench, results, timer_ms);
    const struct pace_trial *tapped = &TRIALS[1];
    struct pace_result with_tap;
    if (trial_run(bench, tapped, true, &with_tap))
        trial_tell(tapped, &with_tap, " behind the tap");
}
