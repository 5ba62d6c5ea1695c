#define _GNU_SOURCE
#include "codec/options/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool streams_open(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

int streams_end(const char *program, int status, int failed)
{
    errno = 0;
    const bool was_failed = ferror(stdout) != 0;
    const bool good = fflush(stdout) == 0 && !was_failed;
    /* Of an earlier failure the reason is gone: another write tells it. */
    if (was_failed && errno == 0 && (putchar('\n') == EOF || fflush(stdout) != 0) && errno == 0)
        errno = EIO;
    if (good || errno == EPIPE)
        return status;
    fprintf(stderr, "%s: cannot write to standard output: %s\n", program,
            errno == 0 ? "something is missing there" : strerror(errno));
    return status == 0 ? failed : status;
}
