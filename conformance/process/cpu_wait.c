#define _GNU_SOURCE
#include "conformance/process/cpu_wait.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES_MAX = 96, LINE_BYTES_MAX = 4096, PROCESSES_MAX = 64 };

/* A look at all tasks there are now. */
struct look {
    const struct cpu_wait *before;
    struct cpu_wait now;
    pid_t processes[PROCESSES_MAX]; /* those found, of which the first `looked_at` were looked at */
    unsigned process_count;
    uint64_t most_us;
};

static bool read_line(const char *path, char line[LINE_BYTES_MAX])
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const ssize_t got = read(fd, line, LINE_BYTES_MAX - 1);
    close(fd);
    line[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* "on the core, waiting for it, turns": the first two in ns. False when the system does not tell. */
static bool read_waited_us(const char *path, uint64_t *out)
{
    char line[LINE_BYTES_MAX];
    char *end = NULL;
    if (!read_line(path, line))
        return false;
    (void)strtoull(line, &end, 10);
    *out = strtoull(end, NULL, 10) / 1000;
    return true;
}

static void take_task(struct look *look, pid_t process, pid_t task)
{
    char path[PATH_BYTES_MAX];
    uint64_t waited_us = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)process, (int)task);
    if (look->now.count == CPU_WAIT_TASKS_MAX || !read_waited_us(path, &waited_us))
        return;
    look->now.tasks[look->now.count++] = (struct cpu_wait_task){.id = task, .waited_us = waited_us};
    for (unsigned i = 0; i < look->before->count; i++) {
        const struct cpu_wait_task *before = &look->before->tasks[i];
        if (before->id == task && waited_us > before->waited_us &&
            waited_us - before->waited_us > look->most_us)
            look->most_us = waited_us - before->waited_us;
    }
}

static void find_children(struct look *look, pid_t process, pid_t task)
{
    char path[PATH_BYTES_MAX], line[LINE_BYTES_MAX];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)task);
    if (!read_line(path, line))
        return;
    char *at = line, *end = NULL;
    for (long id = strtol(at, &end, 10); end != at && look->process_count < PROCESSES_MAX;
         at = end, id = strtol(at, &end, 10))
        look->processes[look->process_count++] = (pid_t)id;
}

static void take_process(struct look *look, pid_t process)
{
    char path[PATH_BYTES_MAX];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const pid_t task = (pid_t)atoi(entry->d_name);
        if (task <= 0)
            continue;
        take_task(look, process, task);
        find_children(look, process, task);
    }
    closedir(folder);
}

uint64_t cpu_wait_take_us(struct cpu_wait *wait, pid_t guard)
{
    struct look look = {.before = wait};
    find_children(&look, guard, guard);
    for (unsigned i = 0; i < look.process_count; i++)
        take_process(&look, look.processes[i]);
    *wait = look.now;
    return look.most_us;
}

uint64_t cpu_wait_own_us(void)
{
    uint64_t waited_us = 0;
    (void)read_waited_us("/proc/thread-self/schedstat", &waited_us);
    return waited_us;
}
