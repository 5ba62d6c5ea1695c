#define _GNU_SOURCE
#include "conformance/runner/persistent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "conformance/process/client_end.h"
#include "conformance/process/client_key.h"
#include "conformance/runner/worker_job.h"
#include "server/launch/launch.h"

enum {
    CHUNK_BYTES = 4096,
    CHUNKS_MAX = 256 /* of what it wrote at the end: more than any report */
};

/* ---- a crash after the case was over ---- */

void persistent_blame(struct worker_slot *slot, const char *how)
{
    char text[JUDGE_TEXT_MAX];
    struct text sentence = text_of(text, sizeof text);
    text_add(&sentence, how);
    text_add(&sentence, ", after it had said that it was done");
    judge_late_crash(slot->run_case.script, text, &slot->run_case.result);
}

/* Has its process ended by itself, or does it within `wait_ms`? */
static bool has_ended(const struct persistent *client, int wait_ms, struct guard_status *status)
{
    struct pollfd ready = {.fd = client->guard.status_fd, .events = POLLIN};
    return poll(&ready, 1, wait_ms) == 1 &&
           read(client->guard.status_fd, status, sizeof *status) == (ssize_t)sizeof *status;
}

/* What it still wrote on standard error, after what was read in its last case. */
static void read_marks(const struct persistent *client, struct crash_marks *marks)
{
    char data[CHUNK_BYTES];
    ssize_t got = 0;
    if (client->last != NULL)
        *marks = client->last->marks;
    else
        crash_marks_init(marks);
    fcntl(client->guard.stderr_fd, F_SETFL, O_NONBLOCK);
    for (int i = 0; i < CHUNKS_MAX && (got = read(client->guard.stderr_fd, data, sizeof data)) > 0; i++)
        crash_marks_feed(marks, bytes_of(data, (size_t)got));
    crash_marks_end(marks);
}

/* One that has ended is no more; true when it was one. */
static bool take_end(struct persistent *client, int wait_ms)
{
    struct guard_status status;
    struct crash_marks marks;
    struct client_end_words words;
    if (!has_ended(client, wait_ms, &status))
        return false;
    read_marks(client, &marks);
    const struct client_facts facts = {.program = "",
                                       .exec_errno = status.exec_errno,
                                       .ended = true,
                                       .wait_status = status.wait_status,
                                       .marks = &marks,
                                       .connected = true};
    if (client->last != NULL && client_end_of(&facts, &words) == CLIENT_CRASHED)
        persistent_blame(client->last, words.text);
    persistent_stop(client);
    return true;
}

/* ---- start and end ---- */

bool persistent_start(const struct run_options *options, struct persistent *client)
{
    char key[CLIENT_KEY_MAX];
    const struct launch_values nothing = {.origin = "",
                                          .path = "",
                                          .query = "",
                                          .variables = options->family->client_variables,
                                          .key = key,
                                          .config = ""};
    char says[] = "CONFORM_PERSISTENT=1";
    char *const own[] = {says};
    if (client->running && !take_end(client, 0))
        return true;
    if (!client_key_make(session_class_by_family(options->family->name), key)) {
        errno = ENOMEM;
        return false;
    }
    char **environment = launch_environment(environ, &nothing);
    environment = launch_set(environment, own, 1, &nothing);
    environment = launch_set(environment, options->environment, options->environment_count, &nothing);
    char **words = launch_words(options->command, &nothing);
    client->running =
        words != NULL && environment != NULL && guard_start(words, environment, true, &client->guard);
    const int error = errno;
    launch_free(words);
    launch_free(environment);
    errno = error;
    return client->running;
}

void persistent_stop(struct persistent *client)
{
    if (!client->running)
        return;
    close(client->guard.stdin_fd);
    close(client->guard.stdout_fd);
    close(client->guard.stderr_fd);
    guard_stop(&client->guard);
    client->running = false;
    client->used = false;
    client->last = NULL;
}

void persistent_end(struct persistent *client, int wait_ms)
{
    if (client->running && client->last != NULL)
        take_end(client, wait_ms);
    persistent_stop(client);
}
