#define _GNU_SOURCE
#include "conformance/runner/strays.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS_MAX = 200, ROUND_MS = 5, LIST_PATH_MAX = 64 };

static bool is_in(pid_t pid, const pid_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == pid)
            return true;
    return false;
}

static FILE *children_open(void)
{
    char path[LIST_PATH_MAX];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    return fopen(path, "re");
}

void strays_begin(struct strays *strays)
{
    FILE *list = children_open();
    long pid = 0;
    *strays = (struct strays){.other_count = 0};
    if (list == NULL)
        return; /* without it nothing could be told apart */
    while (strays->other_count < STRAYS_OTHERS_MAX && fscanf(list, "%ld", &pid) == 1)
        strays->others[strays->other_count++] = (pid_t)pid;
    fclose(list);
    strays->adopting =
        strays->other_count < STRAYS_OTHERS_MAX && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

void strays_over(struct strays *strays)
{
    if (strays->adopting)
        (void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    strays->adopting = false;
}

/* One look: was there any? Those that have ended already are taken leave of. */
static bool end_round(const struct strays *strays, const pid_t *own, size_t own_count)
{
    FILE *list = children_open();
    bool any = false;
    long pid = 0;
    if (list == NULL)
        return false;
    while (fscanf(list, "%ld", &pid) == 1) {
        if (is_in((pid_t)pid, own, own_count) || is_in((pid_t)pid, strays->others, strays->other_count))
            continue;
        any = true;
        kill((pid_t)pid, SIGKILL);
        (void)waitpid((pid_t)pid, NULL, WNOHANG);
    }
    fclose(list);
    return any;
}

void strays_end(const struct strays *strays, const pid_t *own, size_t own_count)
{
    const struct timespec pause = {.tv_nsec = ROUND_MS * 1000000L};
    if (!strays->adopting)
        return;
    for (int round = 0; round < ROUNDS_MAX && end_round(strays, own, own_count); round++)
        nanosleep(&pause, NULL);
}
