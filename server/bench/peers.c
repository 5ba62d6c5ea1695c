/*
 * The same frames, as often, from servers that others would write: Node's ws and Python's websockets. They
 * read them from a recording of the mock's. All of them at equal load, which Python still bears, so that each
 * figure is of a server that is on time; ours is measured the same way.
 */
#include <stdio.h>
#include <unistd.h>

#include "server/bench/pace.h"

enum { SESSIONS = 800, MEASURE_US = 2500000, ROUNDS = 5, PATH_BYTES = 512 };

static const double OF_NODE = 0.85;
static const double OF_PYTHON = 0.65;
static const double SATURATED = 0.95; /* of the core */

static const struct peer {
    const char *name;
    const char *program;
    const char *script;
    const char *way;
} PEERS[] = {{"Node ws, shared buffers", "node", "node-ws.mjs", "shared"},
             {"Node ws, copying", "node", "node-ws.mjs", "copy"},
             {"Python websockets", "/usr/bin/python3", "python-websockets.py", "shared"}};
enum { PEER_SHARED = 0, PEER_PYTHON = 2, PEER_COUNT = sizeof PEERS / sizeof PEERS[0] };

/* What is compared was measured one after the other: the machine is not the same from minute to minute. */
struct round {
    struct pace_result own;
    struct pace_result others[PEER_COUNT]; /* without frames: it could not be run */
};

static void peer_run(const struct bench *bench, const struct peer *peer, const char *recorded,
                     struct pace_result *result)
{
    char path[PATH_BYTES], how[64];
    snprintf(path, sizeof path, "%s/%s", bench->peers, peer->script);
    const char *const words[] = {peer->program, path, recorded, peer->way, NULL};
    const struct pace_trial trial = {.sessions = SESSIONS, .measure_us = MEASURE_US, .words = words};
    if (!pace_trial_run(bench, &trial, result)) {
        result->frames = 0;
        return;
    }
    snprintf(how, sizeof how, " of %s", peer->name);
    pace_tell(&trial, result, how);
}

static double round_ratio(const struct round *round, size_t peer)
{
    return round->own.cpu_us / round->others[peer].cpu_us;
}

/* The round whose ratio is in the middle; NULL when the peer could not be run. */
static const struct round *round_in_the_middle(const struct round *rounds, size_t count, size_t peer)
{
    const struct round *sorted[ROUNDS];
    size_t kept = 0;
    for (size_t n = 0; n < count; n++) {
        if (rounds[n].others[peer].frames == 0)
            continue;
        size_t at = kept++;
        for (; at > 0 && round_ratio(sorted[at - 1], peer) > round_ratio(&rounds[n], peer); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = &rounds[n];
    }
    return kept == 0 ? NULL : sorted[kept / 2];
}

static void peer_judge(struct bench *bench, const struct round *middle, size_t peer, double limit)
{
    const char *name = PEERS[peer].name;
    if (middle == NULL) {
        bench_judge(bench, BENCH_INCONCLUSIVE, "CPU a frame beside %s: it could not be run", name);
        return;
    }
    const struct pace_result *own = &middle->own, *other = &middle->others[peer];
    double ratio = round_ratio(middle, peer);
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

static bool round_run(const struct bench *bench, const char *recorded, struct round *round)
{
    const struct pace_trial trial = {.sessions = SESSIONS, .measure_us = MEASURE_US};
    if (!pace_trial_run(bench, &trial, &round->own))
        return false;
    pace_tell(&trial, &round->own, "");
    for (size_t n = 0; n < PEER_COUNT; n++)
        peer_run(bench, &PEERS[n], recorded, &round->others[n]);
    return true;
}

void peers_measure(struct bench *bench)
{
    struct round rounds[ROUNDS] = {{.own = {0}}};
    const size_t count = bench->quick ? 1 : ROUNDS;
    char recorded[RECORDED_PATH_MAX];
    double bytes_each;
    if (!frames_record(bench, recorded, &bytes_each)) {
        bench_judge(bench, BENCH_NOT_MET, "peers: no frames of the mock could be recorded");
        return;
    }
    bool ok = true;
    for (size_t n = 0; n < count && ok; n++)
        ok = round_run(bench, recorded, &rounds[n]);
    unlink(recorded);
    if (!ok) {
        bench_judge(bench, BENCH_NOT_MET, "peers: the mock could not be run");
        return;
    }
    bench_tell("of %zu rounds, with frames of %.1f KB, the one in the middle:", count, bytes_each / 1024);
    peer_judge(bench, round_in_the_middle(rounds, count, PEER_SHARED), PEER_SHARED, OF_NODE);
    peer_judge(bench, round_in_the_middle(rounds, count, PEER_PYTHON), PEER_PYTHON, OF_PYTHON);
}
