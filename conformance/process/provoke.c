#define _GNU_SOURCE
#include "conformance/process/provoke.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_CANNOT = 77, ROUND_MS = 10 };

static enum provoke_outcome fail(char sentence[PROVOKE_SENTENCE_MAX], const char *command,
                                 const char *condition, const char *why)
{
    snprintf(sentence, PROVOKE_SENTENCE_MAX, "%s %s: %s", command, condition, why);
    return PROVOKE_FAILED;
}

/* 0, or an errno. */
static int program_error(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return errno;
    if (!S_ISREG(file.st_mode))
        return EACCES;
    return access(path, X_OK) == 0 ? 0 : errno;
}

bool provoke_can_start(const char *command, char sentence[PROVOKE_SENTENCE_MAX])
{
    const char *folders = getenv("PATH");
    int error = ENOENT;
    if (strchr(command, '/') != NULL) {
        error = program_error(command);
    } else {
        for (const char *at = folders == NULL ? "/bin:/usr/bin" : folders; error != 0 && at != NULL;) {
            char path[PATH_MAX];
            const size_t len = strcspn(at, ":");
            snprintf(path, sizeof path, "%.*s/%s", len == 0 ? 1 : (int)len, len == 0 ? "." : at, command);
            error = program_error(path) == 0 ? 0 : error;
            at = at[len] == ':' ? at + len + 1 : NULL;
        }
    }
    snprintf(sentence, PROVOKE_SENTENCE_MAX, "%s: %s", command, error == 0 ? "" : strerror(error));
    return error == 0;
}

/* In a process group of its own, so that all of it can be ended. */
static int start(const char *command, const char *condition, const char *url, pid_t *child)
{
    char *const words[] = {(char *)(uintptr_t)command, (char *)(uintptr_t)condition, (char *)(uintptr_t)url,
                           NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int error = posix_spawnp(child, command, &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

enum provoke_outcome provoke(const char *command, const char *condition, const char *url,
                             char sentence[PROVOKE_SENTENCE_MAX])
{
    const struct timespec pause = {.tv_nsec = ROUND_MS * 1000000L};
    pid_t child = 0;
    int status = 0;
    const int error = start(command, condition, url, &child);
    sentence[0] = '\0';
    if (error != 0)
        return fail(sentence, command, condition, strerror(error));
    for (int left = PROVOKE_LIMIT_MS; left > 0; left -= ROUND_MS) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended < 0)
            return fail(sentence, command, condition, strerror(errno));
        if (ended == 0) {
            nanosleep(&pause, NULL);
            continue;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return PROVOKE_DONE;
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_CANNOT) {
            fail(sentence, command, condition, "cannot bring that about (exit 77)");
            return PROVOKE_CANNOT;
        }
        char why[64];
        snprintf(why, sizeof why, WIFEXITED(status) ? "ended with %d" : "was killed by signal %d",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        return fail(sentence, command, condition, why);
    }
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return fail(sentence, command, condition, "not done within 30 s");
}
