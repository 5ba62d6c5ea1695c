/*
 * The same frames, as often, from servers that others would write: Node's ws and Python's websockets. They
 * read them from a recording of the mock's. All of them at equal load, which Python still bears, so that each
 * figure is of a server that is on time; ours is measured the same way, without tap.
 */
#include <stdio.h>
#include <unistd.h>

#include "server/bench/pace.h"

enum { SESSIONS = 800, MEASURE_US = 4000000, ROUNDS = 3, PATH_BYTES = 512 };

static const double OF_NODE = 0.85;
static const double OF_PYTHON = 0.65;
static const double SATURATED = 0.95; /* of the core */

static const struct peer {
    const char *name;
    const char *program;
    const char *script;
    const char *way;
} PEERS[] = {{"Node ws, copying", "node", "node-ws.mjs", "copy"},
             {"Node ws, shared buffers", "node", "node-ws.mjs", "shared"},
             {"Python websockets", "/usr/bin/python3", "python-websockets.py", "shared"}};
enum { PEER_SHARED = 1, PEER_PYTHON = 2, PEER_COUNT = sizeof PEERS / sizeof PEERS[0] };

/* The cheapest of the rounds: what disturbs only makes it dearer. */
static void keep_cheapest(struct pace_result *best, const struct pace_result *one)
{
    if (best->frames == 0 || one->cpu_us < best->cpu_us)
        *best = *one;
}

static bool peer_run(const struct bench *bench, const struct peer *peer, const char *recorded,
                     struct pace_result *best)
{
    char path[PATH_BYTES], how[64];
    struct pace_result result;
    snprintf(path, sizeof path, "%s/%s", bench->peers, peer->script);
    const char *const words[] = {peer->program, path, recorded, peer->way, NULL};
    const struct pace_trial trial = {.sessions = SESSIONS, .measure_us = MEASURE_US, .words = words};
    if (!pace_trial_run(bench, &trial, &result))
        return false;
    snprintf(how, sizeof how, " of %s", peer->name);
    pace_tell(&trial, &result, how);
    keep_cheapest(best, &result);
    return true;
}

static void peer_judge(struct bench *bench, const struct pace_result *own, const struct pace_result *other,
                       const char *name, double limit)
{
    if (other->frames == 0) {
        bench_judge(bench, BENCH_INCONCLUSIVE, "CPU a frame beside %s: it could not be run", name);
        return;
    }
    double ratio = own->cpu_us / other->cpu_us;
    enum bench_verdict verdict = bench_at_most(ratio, limit);
    if (other->core > SATURATED || own->core > SATURATED)
        verdict = BENCH_INCONCLUSIVE; /* it has left frames out, or sent several in a row */
    if (verdict == BENCH_NOT_MET && (pace_is_disturbed(own) || pace_is_disturbed(other)))
        verdict = BENCH_INCONCLUSIVE;
    bench_judge(bench, verdict,
                "CPU a frame: %.2f of %s (%.2f allowed), %.1f us and %.1f us, both with %d "
                "sessions (%.0f and %.0f %% of the core)",
                ratio, name, limit, own->cpu_us, other->cpu_us, SESSIONS, own->core * 100, other->core * 100);
}

static bool rounds_run(const struct bench *bench, const char *recorded, struct pace_result *own,
                       struct pace_result others[PEER_COUNT])
{
    const struct pace_trial trial = {.sessions = SESSIONS, .measure_us = MEASURE_US};
    struct pace_result result;
    for (unsigned round = 0; round < (bench->quick ? 1 : ROUNDS); round++) {
        if (!pace_trial_run(bench, &trial, &result))
            return false;
        pace_tell(&trial, &result, "");
        keep_cheapest(own, &result);
        for (size_t n = 0; n < PEER_COUNT; n++)
            peer_run(bench, &PEERS[n], recorded, &others[n]);
    }
    return true;
}

void peers_measure(struct bench *bench)
{
    struct pace_result own = {0}, others[PEER_COUNT] = {0};
    char recorded[RECORDED_PATH_MAX];
    double bytes_each;
    if (!frames_record(bench, recorded, &bytes_each)) {
        bench_judge(bench, BENCH_NOT_MET, "peers: no frames of the mock could be recorded");
        return;
    }
    bool ok = rounds_run(bench, recorded, &own, others);
    unlink(recorded);
    if (!ok) {
        bench_judge(bench, BENCH_NOT_MET, "peers: the mock could not be run");
        return;
    }
    bench_tell("CPU a frame at equal load, %.1f KB each: %.1f us; Node ws copying %.1f, shared buffers %.1f, "
               "Python %.1f",
               bytes_each / 1024, own.cpu_us, others[0].cpu_us, others[PEER_SHARED].cpu_us,
               others[PEER_PYTHON].cpu_us);
    peer_judge(bench, &own, &others[PEER_SHARED], PEERS[PEER_SHARED].name, OF_NODE);
    peer_judge(bench, &own, &others[PEER_PYTHON], PEERS[PEER_PYTHON].name, OF_PYTHON);
}
