/* Defects of the client core through all cases in memory, in virtual time. */
#define _GNU_SOURCE
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

enum { SHARES_MAX = 16, WAIT_MS = 5 };

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

static bool run_cases(struct selftest *selftest, struct selftest_subject *subject,
                      struct memory_cases *memory, struct run_case *room)
{
    for (size_t i = 0; i < selftest->selection.count; i++) {
        const struct selected_case *selected = &selftest->selection.cases[i];
        struct defect_run run;
        char key[CLIENT_KEY_MAX];
        const struct defect *defect = subject->defect;
        if (!is_to_see(selftest, defect, i))
            continue;
        room->script = selected->script;
        room->profile = selected->profile;
        if (!client_key_make(selected->script->class, key))
            return false;
        if (defect != NULL)
            defect_begin(defect, key, &run);
        const bool good = memory_cases_run_one(memory, room, defect != NULL ? &run.shell : NULL);
        if (defect != NULL)
            defect_end(&run);
        if (!good)
            return false;
        selftest_take(subject, selftest, i, &room->result, true);
    }
    return true;
}

/* Of a trial the correct client may be none. */
static bool is_for_memory(const struct selftest *selftest, const struct selftest_subject *subject)
{
    if (subject->defect == NULL)
        return selftest->options.trial != TRIAL_BROKEN_CLIENT;
    return defect_is_in_core(subject->defect);
}

/* Every `share_count`-th of them, in a process of its own. */
static bool run_share(struct selftest *selftest, size_t share, size_t share_count)
{
    struct memory_cases *memory = memory_cases_new(&selftest->options.run);
    struct run_case *room = calloc(1, sizeof *room);
    bool good = memory != NULL && room != NULL;
    for (size_t n = share; good && n <= selftest->defect_count; n += share_count) {
        struct selftest_subject *subject = n == 0 ? selftest->client : &selftest->defects[n - 1];
        if (is_for_memory(selftest, subject))
            good = run_cases(selftest, subject, memory, room);
    }
    free(room);
    memory_cases_free(memory);
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
        const bool good = getppid() == runner && run_share(selftest, i, count);
        fflush(NULL);
        _exit(good ? 0 : 1);
    }
    return await_shares(pids, count);
}
