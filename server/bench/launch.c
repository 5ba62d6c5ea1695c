/* Processes under measurement. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/bench/bench.h"

enum { READY_WAIT_MS = 5000, END_WAIT_US = 3000000, END_STEP_US = 2000, EXIT_NOT_RUN = 127 };

void bench_pin(int core)
{
    cpu_set_t set;
    if (core >= sysconf(_SC_NPROCESSORS_ONLN))
        return;
    CPU_ZERO(&set);
    CPU_SET((size_t)core, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

static void child_begin(int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    bench_pin(BENCH_SERVER_CORE);
    dup2(out, STDOUT_FILENO);
}

/* In the child. */
static void words_run(const char *const *words)
{
    char *own[LAUNCH_WORDS_MAX + 1] = {NULL};
    for (size_t i = 0; i < LAUNCH_WORDS_MAX && words[i] != NULL; i++)
        own[i] = strdup(words[i]);
    if (own[0] != NULL)
        execvp(own[0], own);
    _exit(EXIT_NOT_RUN);
}

/* The bytes of its first line, which must come whole in time. */
static bool line_read(int fd, char *line, size_t line_max)
{
    size_t len = 0;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    while (len + 1 < line_max && poll(&wait, 1, READY_WAIT_MS) == 1 && read(fd, line + len, 1) == 1) {
        if (line[len++] != '\n')
            continue;
        line[len] = '\0';
        return true;
    }
    return false;
}

static bool ready_wait(struct launched *out, uint64_t start_us)
{
    char line[2048];
    const char *port = NULL;
    if (line_read(out->out, line, sizeof line)) {
        out->ready_us = bench_now_us() - start_us;
        port = strstr(line, "\"port\":");
    }
    if (port == NULL) {
        launch_end(out);
        return false;
    }
    out->port = (unsigned)strtoul(port + strlen("\"port\":"), NULL, 10);
    return true;
}

/* 0 in the child. */
static pid_t child_start(struct launched *out, uint64_t *start_us)
{
    int pipes[2];
    if (pipe(pipes) != 0)
        return -1;
    fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
    fflush(stdout);
    *start_us = bench_now_us();
    pid_t pid = fork();
    if (pid == 0) {
        close(pipes[0]);
        child_begin(pipes[1]);
    } else {
        *out = (struct launched){.pid = pid, .out = pipes[0]};
    }
    close(pipes[1]);
    return pid;
}

bool launch_words(const char *const *words, struct launched *out)
{
    uint64_t start_us;
    pid_t pid = child_start(out, &start_us);
    if (pid < 0)
        return false;
    if (pid == 0)
        words_run(words);
    return ready_wait(out, start_us);
}

bool launch_mock(const struct bench *bench, const char *const *words, struct launched *out)
{
    static const char *const hushed[] = {"/bin/sh", "-c", "exec \"$@\" 2>/dev/null", "sh"};
    const char *const usual[] = {bench->mock, "--port", "0", "--log", "quiet"};
    const char *all[LAUNCH_WORDS_MAX + 1] = {NULL};
    size_t count = 0;
    for (size_t n = 0; bench->hush && n < sizeof hushed / sizeof hushed[0]; n++)
        all[count++] = hushed[n];
    for (size_t n = 0; n < sizeof usual / sizeof usual[0]; n++)
        all[count++] = usual[n];
    if (bench->mock_option != NULL)
        all[count++] = bench->mock_option;
    while (words != NULL && *words != NULL && count < LAUNCH_WORDS_MAX)
        all[count++] = *words++;
    return launch_words(all, out);
}

bool launch_function(void (*serve)(int fd, const void *context), const void *context, struct launched *out)
{
    uint64_t start_us;
    pid_t pid = child_start(out, &start_us);
    if (pid < 0)
        return false;
    if (pid == 0) {
        serve(STDOUT_FILENO, context);
        _exit(0);
    }
    return ready_wait(out, start_us);
}

void launch_end(struct launched *launched)
{
    int status;
    uint64_t until_us = bench_now_us() + END_WAIT_US;
    kill(launched->pid, SIGTERM);
    while (waitpid(launched->pid, &status, WNOHANG) == 0) {
        if (bench_now_us() > until_us)
            kill(launched->pid, SIGKILL);
        bench_sleep_us(END_STEP_US);
    }
    close(launched->out);
}

/* What is read until the end; only the last of it is kept. */
static void tail_read(int fd, char tail[LAUNCH_TAIL_BYTES])
{
    size_t len = 0;
    for (ssize_t got = 1; got > 0;) {
        if (len >= LAUNCH_TAIL_BYTES / 2) {
            memmove(tail, tail + len / 2, len - len / 2);
            len -= len / 2;
        }
        got = read(fd, tail + len, LAUNCH_TAIL_BYTES - 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    tail[len] = '\0';
}

uint64_t launch_and_wait_us(const char *const *words, char tail[LAUNCH_TAIL_BYTES])
{
    int status = 0;
    int pipes[2];
    if (pipe(pipes) != 0)
        return 0;
    uint64_t start_us = bench_now_us();
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDWR);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(pipes[1], STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        close(pipes[0]);
        close(pipes[1]);
        words_run(words);
    }
    close(pipes[1]);
    tail_read(pipes[0], tail);
    close(pipes[0]);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) == EXIT_NOT_RUN)
        return 0;
    return bench_now_us() - start_us;
}

uint64_t launched_cpu_us(const struct launched *launched)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(launched->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

/* The second number of a line in /proc; 0 when there is none. */
static unsigned long long second_number(const char *directory, const char *name)
{
    char path[64];
    char line[128] = "";
    snprintf(path, sizeof path, "/proc/%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    const char *second = fgets(line, sizeof line, file) == NULL ? NULL : strchr(line, ' ');
    fclose(file);
    return second == NULL ? 0 : strtoull(second, NULL, 10);
}

uint64_t waited_for_core_us(pid_t pid)
{
    char directory[32] = "self";
    if (pid != 0)
        snprintf(directory, sizeof directory, "%ld", (long)pid);
    return second_number(directory, "schedstat") / 1000;
}

uint64_t launched_resident_bytes(const struct launched *launched)
{
    char directory[32];
    snprintf(directory, sizeof directory, "%ld", (long)launched->pid);
    return second_number(directory, "statm") * (uint64_t)sysconf(_SC_PAGESIZE);
}
