#define _GNU_SOURCE
#include "conformance/fuzz/host/fuzzer.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/fuzz/host/lane.h"
#include "server/persona/persona.h"

enum { PICTURE_WIDTH = 320, PICTURE_HEIGHT = 192, LOOK_MS = 100 /* between two looks at the lanes */ };

/* What the sessions are made of. */
struct stock {
    struct persona *persona;
    struct fuzz_seeds *seeds;
    struct fuzz_maker maker;
    struct fuzz_session good;
};

/* NULL: done; else a sentence. To be freed even so. */
static const char *stock_make(const struct fuzz_player_options *options, struct stock *stock)
{
    char error[PLAYER_ERROR_MAX];
    if (options->class->family->picture_width > 0)
        stock->persona = persona_new(PICTURE_WIDTH, PICTURE_HEIGHT, error);
    stock->seeds = fuzz_seeds_new(options->class, options->profile, stock->persona);
    stock->maker = (struct fuzz_maker){.class = options->class,
                                       .seeds = stock->seeds,
                                       .mutations = mutate_class_by_family(options->class->family->name)};
    if (stock->seeds == NULL || stock->maker.mutations == NULL)
        return "no sessions can be made of this family";
    return fuzz_generate_good(&stock->maker, &stock->good) ? NULL : "out of memory";
}

static void stock_free(struct stock *stock)
{
    fuzz_session_free(&stock->good);
    fuzz_seeds_free(stock->seeds);
    persona_free(stock->persona);
}

/* ---- the processes of the lanes ---- */

struct lanes {
    size_t count;
    pid_t pids[FUZZER_LANES_MAX];
    int over_fd; /* ends when the last lane does */
};

_Noreturn static void be_lane(const struct fuzzer_options *options, const struct stock *stock,
                              struct fuzz_ledger *ledger, pid_t runner)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* its guard then ends the client */
    if (getppid() != runner)
        _exit(0);
    signal(SIGINT, SIG_IGN); /* the runner decides */
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    struct fuzzer_options own = *options;
    own.player.interrupted = &ledger->stopped;
    lane_run(&own, &stock->maker, &stock->good, ledger);
    fflush(NULL);
    _exit(0);
}

static size_t lanes_for(const struct fuzzer_options *options)
{
    const uint64_t turn = options->player.persistent ? LANE_TURN : 1;
    const uint64_t turns = options->cases_max > 0 ? (options->cases_max + turn - 1) / turn : UINT64_MAX;
    const size_t most = options->lanes < FUZZER_LANES_MAX ? options->lanes : FUZZER_LANES_MAX;
    return turns < most ? (size_t)turns : most;
}

static bool lanes_start(const struct fuzzer_options *options, const struct stock *stock,
                        struct fuzz_ledger *ledger, struct lanes *lanes)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    lanes->over_fd = ends[0];
    const size_t count = lanes_for(options);
    const pid_t runner = getpid();
    fflush(NULL);
    for (pid_t pid = 0; lanes->count < count && pid >= 0; lanes->count += pid > 0 ? 1 : 0) {
        pid = fork();
        if (pid == 0)
            be_lane(options, stock, ledger, runner);
        lanes->pids[lanes->count] = pid;
    }
    close(ends[1]);
    return lanes->count > 0; /* fewer will do */
}

static void tell_progress(const struct fuzzer_options *options, struct fuzz_ledger *ledger)
{
    ledger_lock(ledger);
    if (ledger->began_us > 0)
        ledger->result.took_us = ledger_now_us() - ledger->began_us;
    if (options->progress != NULL && ledger->began_us > 0)
        options->progress(options->context, &ledger->result);
    ledger_unlock(ledger);
}

static void lanes_await(const struct fuzzer_options *options, struct fuzz_ledger *ledger,
                        const struct lanes *lanes)
{
    struct pollfd over = {.fd = lanes->over_fd};
    while (poll(&over, 1, LOOK_MS) <= 0) {
        if (*options->player.interrupted != 0 || ledger_now_us() > ledger_last_us(ledger))
            ledger->stopped = 1;
        tell_progress(options, ledger);
    }
    close(lanes->over_fd);
    for (size_t i = 0; i < lanes->count; i++) {
        int status = 0;
        char sentence[100];
        if (waitpid(lanes->pids[i], &status, 0) != lanes->pids[i] || !WIFSIGNALED(status))
            continue;
        snprintf(sentence, sizeof sentence, "a process of our own was killed by signal %d", WTERMSIG(status));
        ledger_fail(ledger, sentence);
    }
    tell_progress(options, ledger);
}

bool fuzzer_run(const struct fuzzer_options *options, struct fuzzer_result *out)
{
    struct stock stock = {.persona = NULL};
    struct lanes lanes = {.count = 0};
    struct fuzz_ledger *ledger = ledger_new(options);
    *out = (struct fuzzer_result){.sessions = 0};
    const char *error = ledger == NULL ? "out of memory" : stock_make(&options->player, &stock);
    if (error == NULL && !lanes_start(options, &stock, ledger, &lanes))
        error = "no process can be started";
    if (error == NULL) {
        lanes_await(options, ledger, &lanes);
        *out = ledger->result;
    } else {
        snprintf(out->error, sizeof out->error, "%s", error);
    }
    const bool good = error == NULL && !ledger->broken;
    stock_free(&stock);
    ledger_free(ledger);
    return good;
}
