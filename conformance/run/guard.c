#define _GNU_SOURCE
#include "conformance/run/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/launch/process.h"

enum {
    POLL_MS = 20,         /* between looks at the children when no signal tells */
    SAFETY_POLL_MS = 1000 /* and when one should */
};

struct ends {
    int control;
    int status;
    int out;
    int err;
};

static void close_pair(int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

/* The worker's sockets and pipes are no business of the guard or of the client. */
static void close_all_but(const struct ends *keep)
{
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL)
        return;
    const int folder_fd = dirfd(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const int fd = atoi(entry->d_name);
        const bool kept = fd <= STDERR_FILENO || fd == keep->control || fd == keep->status ||
                          fd == keep->out || fd == keep->err || fd == folder_fd;
        if (!kept)
            close(fd);
    }
    closedir(folder);
}

/* Takes leave of every child that has ended: the client, whose end is reported, and what it left behind,
 * which became ours. False once the client has ended. */
static bool reap(pid_t client, int status_fd, bool running)
{
    int wait_status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &wait_status, WNOHANG)) > 0;) {
        if (ended != client)
            continue;
        running = false;
        const struct guard_status status = {.exec_errno = 0, .wait_status = wait_status};
        const ssize_t written = write(status_fd, &status, sizeof status);
        (void)written; /* the worker may be gone: the control pipe tells next */
    }
    return running;
}

/* Waits for the client's end, reporting it, and for the end of the worker's interest. `signals` is a signalfd
 * of SIGCHLD, or -1: then children are looked after every POLL_MS. */
static void watch(pid_t client, const struct ends *ends, int signals)
{
    bool running = true;
    struct pollfd wait[2] = {{.fd = ends->control, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    while (wait[0].revents == 0) {
        if (poll(wait, 2, signals < 0 ? POLL_MS : SAFETY_POLL_MS) < 0) {
            wait[0].revents = 0;
            wait[1].revents = 0;
            if (errno != EINTR && errno != ENOMEM)
                break;
        }
        if (wait[1].revents != 0) {
            struct signalfd_siginfo info;
            const ssize_t got = read(signals, &info, sizeof info);
            (void)got; /* only a wake-up: waitpid says what happened */
        }
        running = reap(client, ends->status, running);
    }
    process_end_all(client, running);
}

_Noreturn static void become_guard(char *const argv[], char *const envp[], const struct ends *ends)
{
    setsid();
    process_adopt_orphans();
    prctl(PR_SET_PDEATHSIG, 0);
    signal(SIGPIPE, SIG_IGN);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    const int signals = signalfd(-1, &child, SFD_CLOEXEC);

    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int streams[PROCESS_STREAMS] = {input < 0 ? PROCESS_INHERITS : input, ends->out, ends->err};
    const pid_t client = process_start(argv, envp, streams);
    const int start_errno = errno;
    if (input >= 0)
        close(input);
    close(ends->out);
    close(ends->err);
    if (client < 0) {
        const struct guard_status status = {.exec_errno = start_errno};
        const ssize_t written = write(ends->status, &status, sizeof status);
        (void)written; /* nobody is left to tell */
        _exit(0);
    }
    watch(client, ends, signals);
    _exit(0);
}

bool guard_start(char *const argv[], char *const envp[], struct guard *out)
{
    int control[2], status[2], output[2], errors[2];
    if (pipe2(control, O_CLOEXEC) != 0)
        return false;
    if (pipe2(status, O_CLOEXEC) != 0) {
        close_pair(control);
        return false;
    }
    if (pipe2(output, O_CLOEXEC) != 0) {
        close_pair(control);
        close_pair(status);
        return false;
    }
    if (pipe2(errors, O_CLOEXEC) != 0) {
        close_pair(control);
        close_pair(status);
        close_pair(output);
        return false;
    }
    const struct ends theirs = {
        .control = control[0], .status = status[1], .out = output[1], .err = errors[1]};
    const pid_t guard = fork();
    if (guard == 0) {
        close(control[1]); /* ours alone, or the guard would never see it close */
        close_all_but(&theirs);
        become_guard(argv, envp, &theirs);
    }
    close(control[0]);
    close(status[1]);
    close(output[1]);
    close(errors[1]);
    if (guard < 0) {
        close(control[1]);
        close(status[0]);
        close(output[0]);
        close(errors[0]);
        return false;
    }
    *out = (struct guard){.pid = guard,
                          .control_fd = control[1],
                          .status_fd = status[0],
                          .stdout_fd = output[0],
                          .stderr_fd = errors[0]};
    return true;
}

void guard_stop(struct guard *guard)
{
    close(guard->control_fd);
    close(guard->status_fd);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}
