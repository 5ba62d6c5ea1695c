/* Clients that send messages of one byte as fast as they are read: the pace of the others holds, and SIGTERM
 * ends the mock in its time. */
#include <sys/socket.h>
#include <unistd.h>

#include "server/bench/pace.h"

enum {
    FLOODERS = 8,
    FLOOD_US = 1000000, /* before SIGTERM */
    STEP_US = 5000,
    MESSAGE_BYTES = 7,
    PIECE_BYTES = MESSAGE_BYTES * 8192
};

static const double LATENESS_MORE_MS = 5;
static const double FRAMES_MIN = 0.9; /* of those alone: what never comes is not late */
static const double END_S = 1.2;      /* 0.8 s of it for clients that do not close */

struct flooders {
    unsigned port; /* of the mock they are at; 0: none yet */
    int fds[FLOODERS];
    uint64_t sent[FLOODERS]; /* bytes */
    uint8_t piece[PIECE_BYTES];
};

static void flooders_connect(struct flooders *flooders, unsigned port)
{
    static const uint8_t message[MESSAGE_BYTES] = {0x82, 0x81, 0, 0, 0, 0, 'x'}; /* masked with 0 */
    flooders->port = port;
    for (size_t at = 0; at < PIECE_BYTES; at++)
        flooders->piece[at] = message[at % MESSAGE_BYTES];
    for (size_t n = 0; n < FLOODERS; n++) {
        flooders->fds[n] = reader_socket(port, reader_request());
        flooders->sent[n] = 0;
    }
}

/* What comes is thrown away, and as much is sent as goes in: a message that was cut goes on the next time. */
static void flooders_step(void *context, unsigned port, uint64_t now_us)
{
    struct flooders *flooders = context;
    uint8_t answers[4096];
    (void)now_us;
    if (flooders->port == 0)
        flooders_connect(flooders, port);
    for (size_t n = 0; n < FLOODERS; n++) {
        while (recv(flooders->fds[n], answers, sizeof answers, MSG_DONTWAIT) > 0)
            continue;
        for (ssize_t sent = 1; sent > 0;) {
            const size_t from = flooders->sent[n] % MESSAGE_BYTES;
            sent = send(flooders->fds[n], flooders->piece + from, PIECE_BYTES - from,
                        MSG_DONTWAIT | MSG_NOSIGNAL);
            flooders->sent[n] += sent > 0 ? (uint64_t)sent : 0;
        }
    }
}

static unsigned long flooders_end(struct flooders *flooders)
{
    uint64_t bytes = 0;
    for (size_t n = 0; n < FLOODERS && flooders->port != 0; n++) {
        bytes += flooders->sent[n];
        if (flooders->fds[n] >= 0)
            close(flooders->fds[n]);
    }
    flooders->port = 0;
    return (unsigned long)(bytes / MESSAGE_BYTES);
}

static void pace_judge(struct bench *bench, const struct pace_result *alone, const struct pace_result *beside,
                       unsigned long messages)
{
    const enum bench_verdict late = bench_at_most(beside->p99_ms, alone->p99_ms + LATENESS_MORE_MS);
    const bool disturbed = pace_is_disturbed(alone) || pace_is_disturbed(beside);
    if ((double)beside->frames < FRAMES_MIN * (double)alone->frames) {
        bench_judge(bench, BENCH_NOT_MET, "beside %d that flood: %lu frames came, %lu alone", FLOODERS,
                    (unsigned long)beside->frames, (unsigned long)alone->frames);
        return;
    }
    bench_judge(
        bench, late == BENCH_NOT_MET && disturbed ? BENCH_INCONCLUSIVE : late,
        "beside %d that sent %lu messages of one byte: 99 %% of frames at most %.2f ms late, %.2f alone "
        "(5 ms more allowed)",
        FLOODERS, messages, beside->p99_ms, alone->p99_ms);
}

/* From SIGTERM to the end of the process; 0: the mock could not be run. */
static double end_s(const struct bench *bench, struct flooders *flooders)
{
    struct launched server;
    if (!launch_mock(bench, NULL, &server))
        return 0;
    for (const uint64_t until_us = bench_now_us() + FLOOD_US; bench_now_us() < until_us;
         bench_sleep_us(STEP_US))
        flooders_step(flooders, server.port, 0);
    const uint64_t began_us = bench_now_us();
    launch_end(&server);
    return (double)(bench_now_us() - began_us) / 1e6;
}

void flooders_measure(struct bench *bench, const struct pace_trial *usual, const struct pace_result *alone)
{
    struct flooders flooders = {.port = 0};
    struct bench hushed = *bench;
    struct pace_trial trial = *usual;
    struct pace_result beside;
    hushed.hush = true;
    trial.company = flooders_step;
    trial.context = &flooders;
    const bool ok = pace_trial_run(&hushed, &trial, &beside);
    const unsigned long messages = flooders_end(&flooders);
    const double took_s = ok ? end_s(&hushed, &flooders) : 0;
    (void)flooders_end(&flooders);
    if (took_s <= 0) {
        bench_judge(bench, BENCH_NOT_MET, "flooders: a session was lost, or the mock could not be run");
        return;
    }
    pace_tell(&trial, &beside, " beside clients that flood");
    pace_judge(bench, alone, &beside, messages);
    bench_judge(bench, bench_at_most(took_s, END_S),
                "beside %d that flood SIGTERM ends it in %.2f s (%.1f allowed)", FLOODERS, took_s, END_S);
}
