#define _GNU_SOURCE
#include "conformance/process/process_use.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES_MAX = 96,
    LINE_BYTES_MAX = 4096,
    PROCESSES_MAX = 64,
    FIELDS_BEFORE_TIMES = 11 /* of /proc/PID/stat, between the name and utime */
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

static void add_memory(pid_t process, struct process_use *use)
{
    char path[PATH_BYTES_MAX], line[LINE_BYTES_MAX];
    char *end = NULL;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    if (!read_line(path, line))
        return;
    (void)strtoull(line, &end, 10);
    use->memory_bytes += strtoull(end, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The name in the second field may hold anything, a bracket too. */
static void add_cpu(pid_t process, struct process_use *use)
{
    char path[PATH_BYTES_MAX], line[LINE_BYTES_MAX];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    char *at = read_line(path, line) ? strrchr(line, ')') : NULL;
    for (int field = 0; at != NULL && field <= FIELDS_BEFORE_TIMES; field++)
        at = strchr(at + 1, ' ');
    if (at == NULL)
        return;
    const uint64_t user = strtoull(at, &at, 10);
    const uint64_t system = strtoull(at, NULL, 10);
    use->cpu_us += (user + system) * (1000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* Those of the first thread alone: who starts processes from another is seen by its first process at least.
 */
static unsigned children_of(pid_t process, pid_t *out, unsigned room)
{
    char path[PATH_BYTES_MAX], line[LINE_BYTES_MAX];
    unsigned count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    if (!read_line(path, line))
        return 0;
    char *at = line, *end = NULL;
    for (long id = strtol(at, &end, 10); end != at && count < room; at = end, id = strtol(at, &end, 10))
        out[count++] = (pid_t)id;
    return count;
}

struct process_use process_use_below(pid_t process)
{
    struct process_use use = {.memory_bytes = 0};
    pid_t found[PROCESSES_MAX] = {process};
    unsigned count = 1;
    for (unsigned i = 0; i < count; i++) {
        count += children_of(found[i], found + count, PROCESSES_MAX - count);
        if (i == 0)
            continue;
        add_memory(found[i], &use);
        add_cpu(found[i], &use);
    }
    return use;
}
