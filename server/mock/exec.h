/*
 * `ojin-mock exec`: a command that runs beside the mock, and for whose sake the mock runs.
 *
 * The command is the leader of a group of its own, with our standard streams, and in the foreground of the
 * terminal when we are. SIGINT and SIGTERM are passed on to the group; a second one ends it. When the command
 * has ended, whatever it left behind is ended too.
 */
#ifndef SERVER_MOCK_EXEC_H
#define SERVER_MOCK_EXEC_H

#include <stdbool.h>
#include <sys/types.h>
#include <uv.h>

#include "server/mock/options.h"

enum { EXEC_NOT_EXECUTABLE = 126, EXEC_NOT_FOUND = 127 };

struct exec {
    pid_t pid;
    bool has_terminal; /* the command was put into the foreground in our place */
    bool signalled;
    int status; /* what the program exits with; valid once `ended` was called */
    uv_signal_t child, interrupt, terminate;
    void (*ended)(struct exec *exec, void *context);
    void *context;
};

/* What the command is told of a family that is served; see server/launch/launch.h. */
struct exec_family {
    const char *path, *query;
    const char *key, *config;
    const char *const *variables;
    const char *const *case_variables; /* what it has to say and to show; one that is set already stays */
    const char *audio;                 /* a WAV file to speak; NULL: none is there */
};

/* What the command is told of the mock. Strings are needed during exec_start only. */
struct exec_service {
    const char *origin; /* "ws://127.0.0.1:7700" */
    size_t family_count;
    struct exec_family families[MOCK_FAMILIES_MAX]; /* {url} and {audio} in words are the first one's */
    const char *ca;                                 /* the file to trust; NULL: none */
    const char *video;                              /* a folder of JPEGs; NULL: none is there */
};

/* Starts `command` (ended by NULL; words and environment are filled in, see server/launch/launch.h). `ended`
 * is called once, from the loop. 0, or what to exit with, after one line on standard error. */
int exec_start(struct exec *exec, uv_loop_t *loop, char *const command[], const struct exec_service *service,
               void (*ended)(struct exec *exec, void *context), void *context);

#endif
