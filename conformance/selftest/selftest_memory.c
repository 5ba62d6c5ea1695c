/* Defects of the client core through all cases in memory, in virtual time. */
#define _GNU_SOURCE
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conformance/process/client_key.h"
#include "conformance/process/interrupt.h"
#include "conformance/runner/memory_cases.h"
#include "conformance/selftest/selftest.h"

enum {
    SHARES_MAX = 16,
    DEFECTS_A_SHARE = 4,        /* at least: each share has the correct client go through all cases */
    HEAP_KEPT_BYTES = 64 << 20, /* a session takes what the one before left */
    GIVE_WAY = 5, /* nobody waits for virtual time: whoever is judged by the clock comes first */
    WAIT_MS = 5
};

/* A blunt one is only of use where a check is part of the test; others go through slow cases of their own. */
static bool is_to_see(const struct selftest *selftest, const struct defect *defect, size_t at)
{
    const struct case_script *script = selftest->selection.cases[at].script;
    if (script->transport || (defect != NULL && !selftest_is_of(defect, script)))
        return false;
    if (defect == NULL)
        return true;
    return defect->blunt.set ? selftest_has_checks(selftest, at)
                             : script->set < SCRIPT_SET_SLOW || selftest_is_own(defect, script);
}

/* Of a trial the correct client may be none. */
static bool is_for_memory(const struct selftest *selftest, const struct selftest_subject *subject)
{
    if (subject->defect == NULL)
        return selftest->options.trial != TRIAL_BROKEN_CLIENT;
    return defect_is_in_core(subject->defect);
}

/* What a share of the work goes by. */
struct share {
    struct selftest *selftest;
    struct memory_cases *memory;
    struct run_case *correct, *room;
    struct memory_track *track; /* of the correct client, in the case in hand */
    size_t number, count;
};

/* A case with a defect. Where it does nothing that shows, the session is the correct client's, and so is what
 * it comes to: then neither mock nor judge are asked again. */
static bool run_defect(const struct share *share, struct selftest_subject *subject, size_t at)
{
    struct defect_run run;
    char key[CLIENT_KEY_MAX];
    if (!client_key_make(share->correct->script->class, key))
        return false;
    defect_begin(subject->defect, key, &run);
    const bool same = memory_cases_same_one(share->memory, share->correct, &run.shell, share->track);
    defect_end(&run);
    if (same) {
        selftest_take(subject, share->selftest, at, &share->correct->result, true);
        return true;
    }
    share->room->script = share->correct->script;
    share->room->profile = share->correct->profile;
    defect_begin(subject->defect, key, &run);
    const bool good = memory_cases_run_one(share->memory, share->room, &run.shell);
    defect_end(&run);
    if (good)
        selftest_take(subject, share->selftest, at, &share->room->result, true);
    return good;
}

static bool run_case_of_share(const struct share *share, size_t at)
{
    struct selftest *selftest = share->selftest;
    const struct selected_case *selected = &selftest->selection.cases[at];
    share->correct->script = selected->script;
    share->correct->profile = selected->profile;
    bool good = true, kept = false;
    for (size_t n = share->number; good && n <= selftest->defect_count; n += share->count) {
        struct selftest_subject *subject = n == 0 ? selftest->client : &selftest->defects[n - 1];
        if (!is_for_memory(selftest, subject) || !is_to_see(selftest, subject->defect, at))
            continue;
        good = kept || memory_cases_keep_one(share->memory, share->correct, share->track);
        kept = true;
        if (good && subject->defect == NULL)
            selftest_take(subject, selftest, at, &share->correct->result, true);
        else if (good)
            good = run_defect(share, subject, at);
    }
    return good;
}

/* Every `count`-th client, in a process of its own, case by case. */
static bool run_share(struct selftest *selftest, size_t number, size_t count)
{
    struct share share = {.selftest = selftest,
                          .memory = memory_cases_new(&selftest->options.run),
                          .correct = calloc(1, sizeof *share.correct),
                          .room = calloc(1, sizeof *share.room),
                          .track = memory_track_new(),
                          .number = number,
                          .count = count};
    mallopt(M_MMAP_THRESHOLD, HEAP_KEPT_BYTES);
    mallopt(M_TRIM_THRESHOLD, HEAP_KEPT_BYTES);
    bool good = share.memory != NULL && share.correct != NULL && share.room != NULL && share.track != NULL;
    for (size_t at = 0; good && at < selftest->selection.count; at++)
        if (!selftest->selection.cases[at].script->transport)
            good = run_case_of_share(&share, at);
    memory_track_free(share.track);
    free(share.room);
    free(share.correct);
    memory_cases_free(share.memory);
    return good;
}

static void end_shares(const pid_t *pids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pids[i] > 0)
            kill(pids[i], SIGKILL);
}

/* False when one of them failed, or was interrupted. */
static bool await_shares(const pid_t *pids, size_t count)
{
    const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        int status = 0;
        pid_t ended = 0;
        while (pids[i] > 0 && (ended = waitpid(pids[i], &status, WNOHANG)) == 0) {
            if (interrupted)
                end_shares(pids, count);
            nanosleep(&pause, NULL);
        }
        good = good && pids[i] > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (pids[i] > 0 && WIFSIGNALED(status) && !interrupted)
            fprintf(stderr, "ojin-conform: our own process for cases in memory was killed by signal %d\n",
                    WTERMSIG(status));
    }
    return good && !interrupted;
}

static size_t share_count_of(const struct selftest *selftest)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = cores < 1 ? 1 : (size_t)cores;
    count = count < SHARES_MAX ? count : SHARES_MAX;
    const size_t of_use = 1 + selftest->defect_count / DEFECTS_A_SHARE;
    count = count < of_use ? count : of_use;
    return count < selftest->options.run.jobs ? count : selftest->options.run.jobs;
}

bool selftest_run_memory(struct selftest *selftest)
{
    pid_t pids[SHARES_MAX] = {0};
    const size_t count = share_count_of(selftest);
    fflush(NULL);
    for (size_t i = 0; i < count; i++) {
        const pid_t runner = getpid();
        pids[i] = fork();
        if (pids[i] != 0)
            continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)!nice(GIVE_WAY);
        const bool good = getppid() == runner && run_share(selftest, i, count);
        fflush(NULL);
        _exit(good ? 0 : 1);
    }
    return await_shares(pids, count);
}
