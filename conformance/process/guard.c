#define _GNU_SOURCE
#include "conformance/process/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/launch/process.h"

enum {
    POLL_MS = 20,           /* between looks at the children when no signal tells */
    SAFETY_POLL_MS = 1000,  /* and when one should */
    END_POLL_MS = 1,        /* between looks whether the guard has ended */
    END_WAKE_MS = 100,      /* and between waking it */
    END_WAIT_MS_MAX = 20000 /* until it is killed; it takes a little over a second at most */
};

struct ends {
    int control;
    int status;
    int in; /* -1: none */
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
                          fd == keep->in || fd == keep->out || fd == keep->err || fd == folder_fd;
        if (!kept)
            close(fd);
    }
    closedir(folder);
}

static uint64_t microseconds(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

/* Takes leave of every child that has ended: the client, whose end is reported, and what it left behind,
 * which became ours. False once the client has ended. */
static bool reap(pid_t client, int status_fd, bool running)
{
    int wait_status = 0;
    struct rusage usage;
    for (pid_t ended = 0; (ended = wait4(-1, &wait_status, WNOHANG, &usage)) > 0;) {
        if (ended != client)
            continue;
        running = false;
        const struct guard_status status = {.exec_errno = 0,
                                            .wait_status = wait_status,
                                            .peak_bytes = (uint64_t)usage.ru_maxrss * 1024,
                                            .cpu_us = microseconds(&usage.ru_utime) +
                                                      microseconds(&usage.ru_stime)};
        const ssize_t written = write(status_fd, &status, sizeof status);
        (void)written; /* the worker may be gone: the control pipe tells next */
    }
    return running;
}

/* A byte on the control pipe is a signal for the client's group. False once the pipe is closed. */
static bool passes_on(struct pollfd *control, pid_t client, bool running)
{
    uint8_t number = 0;
    if (control->revents == 0)
        return true;
    if (read(control->fd, &number, 1) != 1)
        return false;
    control->revents = 0;
    if (running)
        kill(-client, number);
    return true;
}

/* Waits for the client's end, reporting it, and for the end of the worker's interest. `signals` is a signalfd
 * of SIGCHLD, or -1: then children are looked after every POLL_MS. */
static void watch(pid_t client, const struct ends *ends, int signals)
{
    bool running = true;
    struct pollfd wait[2] = {{.fd = ends->control, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    while (passes_on(&wait[0], client, running)) {
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

    const int input = ends->in >= 0 ? ends->in : open("/dev/null", O_RDONLY | O_CLOEXEC);
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

/* All of them, or none. */
static bool open_pipes(int (*pipes)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (pipe2(pipes[i], O_CLOEXEC) == 0)
            continue;
        const int error = errno;
        while (i-- > 0)
            close_pair(pipes[i]);
        errno = error;
        return false;
    }
    return true;
}

bool guard_start(char *const argv[], char *const envp[], bool has_input, struct guard *out)
{
    enum { CONTROL, STATUS, OUTPUT, ERRORS, INPUT, PIPES };
    int pipes[PIPES][2];
    const size_t count = has_input ? PIPES : INPUT;
    if (!open_pipes(pipes, count))
        return false;
    int *const control = pipes[CONTROL], *const status = pipes[STATUS], *const output = pipes[OUTPUT],
               *const errors = pipes[ERRORS], *const input = pipes[INPUT];
    const struct ends theirs = {.control = control[0],
                                .status = status[1],
                                .in = has_input ? input[0] : -1,
                                .out = output[1],
                                .err = errors[1]};
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
    if (has_input)
        close(input[0]);
    if (guard < 0) {
        close(control[1]);
        close(status[0]);
        close(output[0]);
        close(errors[0]);
        if (has_input)
            close(input[1]);
        return false;
    }
    *out = (struct guard){.pid = guard,
                          .control_fd = control[1],
                          .status_fd = status[0],
                          .stdin_fd = has_input ? input[1] : -1,
                          .stdout_fd = output[0],
                          .stderr_fd = errors[0]};
    return true;
}

void guard_signal(const struct guard *guard, int signal_number)
{
    const uint8_t number = (uint8_t)signal_number;
    const ssize_t written = write(guard->control_fd, &number, 1);
    (void)written; /* a guard that is gone has ended the client already */
}

/* False while it runs. */
static bool has_ended(const struct guard *guard)
{
    const pid_t ended = waitpid(guard->pid, NULL, WNOHANG);
    return ended == guard->pid || (ended < 0 && errno != EINTR);
}

/* A client may have stopped its guard: it is woken, and one that does not end all the same is killed, which
 * kills the client. */
void guard_stop(struct guard *guard)
{
    const struct timespec pause = {.tv_nsec = END_POLL_MS * 1000000L};
    close(guard->control_fd);
    close(guard->status_fd);
    for (int waited_ms = 0; !has_ended(guard); waited_ms += END_POLL_MS) {
        if (waited_ms % END_WAKE_MS == 0)
            kill(guard->pid, waited_ms >= END_WAIT_MS_MAX ? SIGKILL : SIGCONT);
        nanosleep(&pause, NULL);
    }
}
