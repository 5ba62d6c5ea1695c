/*
 * The mock beside that of another build, as of an earlier version: what a frame and an append cost, how late
 * frames come, memory and start. Both are measured one after the other in each round; what counts is the
 * round whose ratio is in the middle.
 */
#include <stdio.h>
#include <stdlib.h>

#include "server/bench/appends.h"
#include "server/bench/pace.h"
#include "server/bench/talk.h"

enum { ROUNDS = 3, SESSIONS = 800, PACE_US = 5000000, TALKERS = 60, TALK_US = 6000000 };

static const double FRAME_CPU = 0.90;
static const double NO_WORSE = 1.10; /* a tenth is what two runs of one program differ by */
static const double WAITED_MAX = 0.01;

enum figure { FRAME_US, LATE_MS, IDLE_KB, STREAMING_KB, APPEND_US, TALKER_KB, START_MS, FIGURES };

static const struct {
    const char *what;
    const char *unit;
    const double *most; /* of the other's */
} ROWS[FIGURES] = {[FRAME_US] = {"CPU a frame", "us", &FRAME_CPU},
                   [LATE_MS] = {"99 % of frames late by at most", "ms", &NO_WORSE},
                   [IDLE_KB] = {"memory of an idle session", "KB", &NO_WORSE},
                   [STREAMING_KB] = {"memory of a streaming session", "KB", &NO_WORSE},
                   [APPEND_US] = {"CPU an append", "us", &NO_WORSE},
                   [TALKER_KB] = {"memory of a full-duplex session", "KB", &NO_WORSE},
                   [START_MS] = {"start", "ms", &NO_WORSE}};

struct figures {
    double of[FIGURES];
    bool disturbed;
};

struct round {
    struct figures own, other;
};

static bool figures_take(const struct bench *bench, const struct appends *appends, const char *how,
                         struct figures *out)
{
    const unsigned part = bench->quick ? 2 : 1;
    const struct pace_trial frames = {.sessions = SESSIONS, .measure_us = PACE_US / part};
    const struct talk_trial talk = {
        .sessions = TALKERS, .measure_us = TALK_US / part, .manner = &DUPLEX_TALK, .messages = appends};
    struct pace_result pace;
    struct talk_result talked = {0};
    double start_ms, start_most_ms;
    if (!pace_trial_run(bench, &frames, &pace) || !talk_run(bench, &talk, &talked) ||
        !start_times(bench, &start_ms, &start_most_ms))
        return false;
    pace_tell(&frames, &pace, how);
    *out = (struct figures){.of = {[FRAME_US] = pace.cpu_us,
                                   [LATE_MS] = pace.p99_ms,
                                   [IDLE_KB] = pace.idle_kb,
                                   [STREAMING_KB] = pace.streaming_kb,
                                   [APPEND_US] = talked.cpu_us,
                                   [TALKER_KB] = talked.session_kb,
                                   [START_MS] = start_ms},
                            .disturbed = pace_is_disturbed(&pace) || talked.waited > WAITED_MAX};
    return true;
}

static double ratio_of(const struct round *round, enum figure figure)
{
    return round->own.of[figure] / round->other.of[figure];
}

static const struct round *round_in_the_middle(const struct round *rounds, size_t count, enum figure figure)
{
    const struct round *sorted[ROUNDS];
    for (size_t n = 0; n < count; n++) {
        size_t at = n;
        for (; at > 0 && ratio_of(sorted[at - 1], figure) > ratio_of(&rounds[n], figure); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = &rounds[n];
    }
    return sorted[count / 2];
}

static void figure_judge(struct bench *bench, const struct round *middle, enum figure figure)
{
    const double ratio = ratio_of(middle, figure), most = *ROWS[figure].most;
    enum bench_verdict verdict = bench_at_most(ratio, most);
    if (verdict == BENCH_NOT_MET && (middle->own.disturbed || middle->other.disturbed))
        verdict = BENCH_INCONCLUSIVE;
    bench_judge(bench, verdict, "%s: %.2f of the other build (%.2f allowed), %.1f %s and %.1f %s",
                ROWS[figure].what, ratio, most, middle->own.of[figure], ROWS[figure].unit,
                middle->other.of[figure], ROWS[figure].unit);
}

void against_measure(struct bench *bench)
{
    struct round rounds[ROUNDS];
    struct appends appends;
    struct bench other = *bench;
    const size_t count = bench->quick ? 1 : ROUNDS;
    if (bench->against == NULL)
        return;
    other.mock = bench->against;
    other.mock_option = bench->against_option;
    bool ok = appends_make(&appends, true);
    for (size_t n = 0; n < count && ok; n++)
        ok = figures_take(&other, &appends, " of the other build", &rounds[n].other) &&
             figures_take(bench, &appends, "", &rounds[n].own);
    appends_free(&appends);
    if (!ok) {
        bench_judge(bench, BENCH_INCONCLUSIVE,
                    "another build: one of the two could not be run, or a session "
                    "was lost");
        return;
    }
    for (enum figure figure = 0; figure < FIGURES; figure++)
        figure_judge(bench, round_in_the_middle(rounds, count, figure), figure);
}
