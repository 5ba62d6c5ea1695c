/* Silence frames at the default pace: how late a reader gets them, how many are missing, what they cost. */
#include "server/bench/pace.h"

#include <stdlib.h>

enum { TIMER_US = 2000000, STEP_SESSIONS = 200, STEP_US = 3000000, SESSIONS_MOST = 3000 };

static const double LATENESS_OVER_TIMER_MS = 5;
static const double TIMER_LATENESS_MS = 2;
static const double CPU_GROWTH = 1.15;
static const double IDLE_KB = 64;

static const struct pace_trial TRIALS[] = {{.sessions = 10, .measure_us = 8000000},
                                           {.sessions = 100, .measure_us = 5000000},
                                           {.sessions = 400, .measure_us = 5000000},
                                           {.sessions = 800, .measure_us = 8000000}};
enum { TRIAL_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

static void judge_pace(struct bench *bench, const struct pace_result results[TRIAL_COUNT], double timer_ms)
{
    const struct pace_result *most = &results[TRIAL_COUNT - 1];
    uint64_t missed = 0;
    bool disturbed = pace_is_disturbed(most);
    for (size_t n = 0; n < TRIAL_COUNT; n++) {
        missed += results[n].missed;
        disturbed = disturbed || (results[n].missed > 0 && pace_is_disturbed(&results[n]));
    }
    enum bench_verdict late = bench_at_most(most->p99_ms, timer_ms + LATENESS_OVER_TIMER_MS);
    if (timer_ms > TIMER_LATENESS_MS || (late == BENCH_NOT_MET && disturbed))
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

/* More and more, until lateness or a missed frame says that it is too much. */
static void highest_measure(struct bench *bench, const struct pace_result *first, double timer_ms)
{
    struct pace_trial trial = {.sessions = TRIALS[TRIAL_COUNT - 1].sessions, .measure_us = STEP_US};
    struct pace_result result, held = *first;
    size_t highest = first->missed == 0 ? trial.sessions : 0;
    const char *why = "more was not tried";
    while (highest == trial.sessions && trial.sessions < SESSIONS_MOST) {
        trial.sessions += STEP_SESSIONS;
        if (!pace_trial_run(bench, &trial, &result)) {
            why = "more were not let in, or lost";
            break;
        }
        pace_tell(&trial, &result, "");
        if (result.missed == 0 && result.p99_ms <= timer_ms + LATENESS_OVER_TIMER_MS) {
            highest = trial.sessions;
            held = result;
        } else {
            why = pace_is_disturbed(&result) ? "then the reader or the machine was at its end as well"
                                             : "then the server was at its end";
        }
    }
    bench_tell("highest count that holds: %zu sessions, %.1f us of the core a frame, %.0f %% of it; %s",
               highest, held.cpu_us, held.core * 100, why);
}

static double timer_measure(void)
{
    size_t count = 0;
    uint64_t *lateness = timer_lateness(TIMER_US, &count);
    double timer_ms = count == 0 ? -1 : (double)bench_quantile(lateness, count, 0.99) / 1000;
    if (count > 0)
        bench_tell("a bare libuv timer: late by %.2f / %.2f / %.2f ms (half, 99 %%, all)",
                   (double)bench_quantile(lateness, count, 0.5) / 1000, timer_ms,
                   (double)bench_quantile(lateness, count, 1) / 1000);
    free(lateness);
    return timer_ms;
}

void pace_measure(struct bench *bench)
{
    struct pace_result results[TRIAL_COUNT];
    double timer_ms = timer_measure();
    bool ok = timer_ms >= 0;
    for (size_t n = 0; n < TRIAL_COUNT && ok; n++) {
        struct pace_trial trial = TRIALS[n];
        trial.measure_us /= bench->quick ? 3 : 1;
        ok = pace_trial_run(bench, &trial, &results[n]);
        pace_tell(&trial, &results[n], "");
    }
    if (!ok) {
        bench_judge(bench, BENCH_NOT_MET, "pace: a session was lost, or the mock could not be run");
        return;
    }
    judge_pace(bench, results, timer_ms);
    if (!bench->quick)
        highest_measure(bench, &results[TRIAL_COUNT - 1], timer_ms);
}
