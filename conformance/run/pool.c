#define _GNU_SOURCE
#include "conformance/run/pool.h"
#include "conformance/run/persistent.h"
#include "conformance/run/server_worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WAIT_MS = 1,
    END_ROUNDS_MAX = 3000 /* of WAIT_MS, from the polite end of the workers to the other */
};

struct worker_slot *pool_slots_new(size_t count)
{
    void *slots = mmap(NULL, count * sizeof(struct worker_slot), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return slots == MAP_FAILED ? NULL : slots;
}

void pool_slots_free(struct worker_slot *slots, size_t count)
{
    if (slots != NULL)
        munmap(slots, count * sizeof(struct worker_slot));
}

static pid_t start_worker(const struct worker_job *job)
{
    fflush(NULL);
    const pid_t runner = getpid();
    const pid_t worker = fork();
    if (worker != 0)
        return worker;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* its guard then ends the client */
    if (getppid() != runner)
        _exit(0);
    signal(SIGINT, SIG_IGN); /* the runner decides */
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    if (job->server != NULL)
        server_worker_run(job);
    else
        worker_run(job);
    fflush(NULL);
    _exit(0);
}

static void mark_dead(struct worker_slot *slot, int wait_status)
{
    struct case_result *result = &slot->run_case.result;
    result->verdict = VERDICT_ERROR;
    if (WIFSIGNALED(wait_status))
        snprintf(result->note, sizeof result->note, "our own worker was killed by signal %d",
                 WTERMSIG(wait_status));
    else
        snprintf(result->note, sizeof result->note, "our own worker ended without a result");
}

static bool all_ended(pid_t *pids, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        if (pids[i] > 0 && waitpid(pids[i], NULL, WNOHANG) == 0)
            all = false;
        else
            pids[i] = 0;
    }
    return all;
}

static void end_workers(pid_t *pids, size_t count)
{
    const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
    for (size_t i = 0; i < count; i++) {
        if (pids[i] > 0)
            kill(pids[i], SIGTERM);
    }
    for (int round = 0; !all_ended(pids, count); round++) {
        nanosleep(&pause, NULL);
        for (size_t i = 0; round == END_ROUNDS_MAX && i < count; i++) {
            if (pids[i] > 0)
                kill(pids[i], SIGKILL);
        }
    }
}

/* Ends a client that has ended, or that the case could not be left to. */
static void client_settle(struct persistent *client, const struct worker_slot *slot)
{
    if (slot->client_gone || !slot->finished)
        persistent_stop(client);
}

static void clients_stop(struct persistent *clients)
{
    for (size_t lane = 0; lane < RUN_JOBS_MAX; lane++)
        persistent_stop(&clients[lane]);
}

bool pool_run(const struct worker_job *jobs, size_t count, unsigned at_a_time,
              const volatile sig_atomic_t *interrupted, pool_progress *progress, void *context)
{
    pid_t pids[RUN_JOBS_MAX] = {0};
    size_t job_of[RUN_JOBS_MAX] = {0};
    struct persistent clients[RUN_JOBS_MAX] = {0};
    size_t next = 0, done = 0;
    const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
    while (done < count) {
        for (size_t lane = 0; lane < at_a_time && next < count; lane++) {
            if (pids[lane] != 0)
                continue;
            struct worker_job job = jobs[next];
            const bool persistent = job.options != NULL && job.options->persistent;
            job.client = persistent ? &clients[lane] : NULL;
            pids[lane] = persistent && !persistent_start(job.options, job.client) ? -1 : start_worker(&job);
            job_of[lane] = next++;
            if (pids[lane] < 0) {
                struct case_result *result = &jobs[job_of[lane]].slot->run_case.result;
                result->verdict = VERDICT_ERROR;
                snprintf(result->note, sizeof result->note, "cannot start a worker: %s", strerror(errno));
                pids[lane] = 0;
                done++;
            }
        }
        if (*interrupted) {
            end_workers(pids, at_a_time);
            clients_stop(clients);
            return false;
        }
        int wait_status = 0;
        const pid_t ended = waitpid(-1, &wait_status, WNOHANG);
        if (ended <= 0) {
            nanosleep(&pause, NULL);
            continue;
        }
        for (size_t lane = 0; lane < at_a_time; lane++) {
            if (pids[lane] != ended)
                continue;
            pids[lane] = 0;
            struct worker_slot *slot = jobs[job_of[lane]].slot;
            if (!slot->finished)
                mark_dead(slot, wait_status);
            client_settle(&clients[lane], slot);
            done++;
            progress(context, done, count, slot);
        }
    }
    clients_stop(clients);
    return true;
}
