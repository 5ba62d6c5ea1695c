#define _GNU_SOURCE /* execvpe, pipe2 */
#include "server/launch/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TERM_WAIT_MS = 300,   /* between TERM and KILL */
    REAP_ROUNDS_MAX = 200 /* rounds of killing what is left, each REAP_WAIT_MS */
};
enum { REAP_WAIT_MS = 5 };

static void wait_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L};
    nanosleep(&time, NULL);
}

void process_adopt_orphans(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void default_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
}

/* In the new process, up to exec, on the memory of the old one. */
_Noreturn static void become(char *const argv[], char *const envp[], const int streams[PROCESS_STREAMS],
                             int error_fd)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    default_signals();
    for (int i = 0; i < PROCESS_STREAMS; i++)
        if (streams[i] != PROCESS_INHERITS)
            dup2(streams[i], i);
    execvpe(argv[0], argv, envp);
    const int error = errno;
    const ssize_t written = write(error_fd, &error, sizeof error);
    (void)written; /* nobody is left to tell */
    _exit(127);
}

pid_t process_start(char *const argv[], char *const envp[], const int streams[PROCESS_STREAMS])
{
    int errors[2]; /* the errno of a failed exec comes back over a pipe that exec closes */
    if (pipe2(errors, O_CLOEXEC) != 0)
        return -1;
    /* Nothing is copied for what exec replaces: we stand still until then. Nor are there handlers of
     * pthread_atfork: libuv's closes the descriptors of its signal pipe by number, and whoever closed all
     * that were not its own has others under these numbers. */
    const pid_t process = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
    if (process == 0)
        become(argv, envp, streams, errors[1]); // NOLINT(clang-analyzer-unix.Vfork): of it nothing is ours
    int error = errno;
    close(errors[1]);
    bool failed = process < 0;
    if (process > 0) {
        failed = read(errors[0], &error, sizeof error) == (ssize_t)sizeof error;
        if (failed)
            waitpid(process, NULL, 0);
    }
    close(errors[0]);
    errno = error;
    return failed ? -1 : process;
}

/* Kills whatever is a child of ours, or became one because its own parent is gone. True when there was any.
 */
static bool kill_children(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *list = fopen(path, "re");
    if (list == NULL)
        return false;
    bool any = false;
    long pid = 0;
    while (fscanf(list, "%ld", &pid) == 1) {
        any = true;
        kill((pid_t)pid, SIGKILL);
    }
    fclose(list);
    return any;
}

void process_end_all(pid_t leader, bool running)
{
    if (running) {
        kill(-leader, SIGTERM);
        for (int waited = 0; waited < TERM_WAIT_MS && waitpid(leader, NULL, WNOHANG) == 0;
             waited += REAP_WAIT_MS)
            wait_ms(REAP_WAIT_MS);
    }
    kill(-leader, SIGKILL);
    for (int round = 0; round < REAP_ROUNDS_MAX; round++) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        if (!kill_children())
            return;
        wait_ms(REAP_WAIT_MS);
    }
}
