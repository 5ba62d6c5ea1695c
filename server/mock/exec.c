#define _GNU_SOURCE /* environ */
#include "server/mock/exec.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/launch/launch.h"
#include "server/launch/process.h"

enum { FILES_MAX = 3 };

/* ---- the terminal ---- */

/* A background group that reads from its terminal would be stopped. */
static void terminal_give(pid_t group)
{
    /* Whoever is in the background and calls this is stopped, unless it does not mind. */
    void (*before)(int) = signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, group);
    signal(SIGTTOU, before);
}

static bool terminal_is_ours(void)
{
    return isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* The command was stopped by way of the terminal (Ctrl-Z): so are we, for the sake of the shell, and go on
 * together. One that anything else has stopped is a client that stalls, which is worth trying. */
static void stop_together(struct exec *exec, int number)
{
    const bool wants_terminal = number == SIGTTIN || number == SIGTTOU;
    if (isatty(STDIN_FILENO) == 0 || !(wants_terminal || number == SIGTSTP))
        return;
    if (!(exec->has_terminal && wants_terminal)) { /* else it only came before it was in the foreground */
        if (exec->has_terminal)
            terminal_give(getpgrp());
        raise(SIGSTOP);
        exec->has_terminal = terminal_is_ours();
        if (exec->has_terminal)
            terminal_give(exec->pid);
    }
    kill(-exec->pid, SIGCONT);
}

/* ---- its life ---- */

static void signals_forget(struct exec *exec)
{
    uv_close((uv_handle_t *)&exec->child, NULL);
    uv_close((uv_handle_t *)&exec->interrupt, NULL);
    uv_close((uv_handle_t *)&exec->terminate, NULL);
}

static void command_ended(struct exec *exec, int status)
{
    exec->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    process_end_all(exec->pid, false);
    if (exec->has_terminal)
        terminal_give(getpgrp());
    signals_forget(exec);
    exec->ended(exec, exec->context);
}

/* Besides the command, what it left behind becomes our child, and is not to pile up. */
static void on_child(uv_signal_t *handle, int number)
{
    struct exec *exec = handle->data;
    (void)number;
    while (true) {
        int status = 0;
        const pid_t child = waitpid(-1, &status, WNOHANG | WUNTRACED);
        if (child <= 0)
            return;
        if (child != exec->pid)
            continue;
        if (WIFSTOPPED(status)) {
            stop_together(exec, WSTOPSIG(status));
            continue;
        }
        command_ended(exec, status);
        return;
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct exec *exec = handle->data;
    kill(-exec->pid, exec->signalled ? SIGKILL : number);
    exec->signalled = true;
}

static void signal_watch(struct exec *exec, uv_loop_t *loop, uv_signal_t *handle, uv_signal_cb callback,
                         int number)
{
    uv_signal_init(loop, handle);
    handle->data = exec;
    uv_signal_start(handle, callback, number);
}

/* Before the command starts, or a signal that comes at once would end us and not it. */
static void signals_watch(struct exec *exec, uv_loop_t *loop)
{
    signal_watch(exec, loop, &exec->child, on_child, SIGCHLD);
    signal_watch(exec, loop, &exec->interrupt, on_signal, SIGINT);
    signal_watch(exec, loop, &exec->terminate, on_signal, SIGTERM);
}

static int cannot_start(struct exec *exec, const char *command, int error)
{
    signals_forget(exec);
    fprintf(stderr, "ojin-mock: cannot start %s: %s\n", command, strerror(error));
    return error == ENOENT ? EXEC_NOT_FOUND : EXEC_NOT_EXECUTABLE;
}

/* The files that there are, by the names that stand for them. */
struct files {
    struct launch_value list[FILES_MAX];
    size_t count;
};

static void file_add(struct files *files, const char *name, const char *path)
{
    if (path != NULL)
        files->list[files->count++] = (struct launch_value){name, path};
}

static struct files files_of(const struct exec_service *service, size_t family)
{
    struct files files = {.count = 0};
    file_add(&files, "ca", service->ca);
    file_add(&files, "audio", service->families[family].audio);
    file_add(&files, "video", service->video);
    return files;
}

/* The authority's file, where clients of all kinds look for it. */
static char **trust_set(char **environment, const struct launch_values *values, const char *ca)
{
    char trusted[][32] = {"CONFORM_CA={ca}", "SSL_CERT_FILE={ca}", "NODE_EXTRA_CA_CERTS={ca}"};
    char *const assignments[] = {trusted[0], trusted[1], trusted[2]};
    return ca == NULL ? environment : launch_set(environment, assignments, 3, values);
}

static bool is_set(const char *assignment)
{
    const size_t len = strcspn(assignment, "=");
    for (char *const *at = environ; *at != NULL; at++)
        if (strncmp(*at, assignment, len + 1) == 0 && (*at)[len + 1] != '\0')
            return true;
    return false;
}

/* Is it about a file that is not there? Its name would stand for nothing. */
static bool is_empty(const char *assignment, const struct launch_values *values)
{
    size_t len = 0;
    const char *brace = launch_name_find(assignment, &len);
    for (size_t i = 0; brace != NULL && i < values->more_count; i++)
        if (strlen(values->more[i].name) == len - 2 && memcmp(values->more[i].name, brace + 1, len - 2) == 0)
            return false;
    return brace != NULL;
}

/* What the command may say and show, unless whoever calls us has said what. */
static char **files_set(char **environment, const char *const assignments[],
                        const struct launch_values *values)
{
    for (size_t i = 0; assignments[i] != NULL; i++) {
        const char *const one[] = {assignments[i], NULL};
        if (!is_set(assignments[i]) && !is_empty(assignments[i], values))
            environment = launch_set_all(environment, one, values);
    }
    return environment;
}

static struct launch_values values_of(const struct exec_service *service, size_t family,
                                      const struct files *files)
{
    return (struct launch_values){.origin = service->origin,
                                  .path = service->families[family].path,
                                  .query = service->families[family].query,
                                  .variables = service->families[family].variables,
                                  .key = service->families[family].key,
                                  .config = service->families[family].config,
                                  .more = files->list,
                                  .more_count = files->count};
}

/* Ours, with the variables of each family that is served. */
static char **environment_new(const struct exec_service *service)
{
    const struct files files = files_of(service, 0);
    const struct launch_values first = values_of(service, 0, &files);
    char **environment = launch_environment(environ, &first);
    for (size_t i = 0; i < service->family_count; i++) {
        const struct files own = files_of(service, i);
        const struct launch_values values = values_of(service, i, &own);
        environment = launch_set_all(environment, values.variables, &values);
        environment = files_set(environment, service->families[i].case_variables, &values);
    }
    return trust_set(environment, &first, service->ca);
}

int exec_start(struct exec *exec, uv_loop_t *loop, char *const command[], const struct exec_service *service,
               void (*ended)(struct exec *exec, void *context), void *context)
{
    static const int inherited[PROCESS_STREAMS] = {PROCESS_INHERITS, PROCESS_INHERITS, PROCESS_INHERITS};
    const struct files files = files_of(service, 0);
    const struct launch_values values = values_of(service, 0, &files);
    *exec = (struct exec){.ended = ended, .context = context};
    process_adopt_orphans();
    signals_watch(exec, loop);
    char **words = launch_words(command, &values);
    char **environment = environment_new(service);
    exec->pid = words == NULL || environment == NULL ? -1 : process_start(words, environment, inherited);
    const int error = errno;
    launch_free(words);
    launch_free(environment);
    if (exec->pid < 0)
        return cannot_start(exec, command[0], error);
    exec->has_terminal = terminal_is_ours();
    if (exec->has_terminal)
        terminal_give(exec->pid);
    return 0;
}
