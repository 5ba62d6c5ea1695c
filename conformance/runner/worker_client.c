/* The client of a case: its process, what it writes, and its end. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/judge/plan_writer.h"
#include "conformance/runner/persistent.h"
#include "conformance/runner/task.h"
#include "conformance/runner/worker_state.h"
#include "server/launch/launch.h"

static const char UNKNOWN_PLAN[] = "{\"conform\":1,\"case\":\"conform/does-not-exist\",\"limit_ms\":4000,"
                                   "\"steps\":[{\"do\":\"does-not-exist\"}]}";

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    struct worker *worker = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(worker->read_space, sizeof worker->read_space);
}

static void on_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    struct worker *worker = stream->data;
    struct capture *capture =
        stream == (uv_stream_t *)&worker->out ? &worker->out_capture : &worker->err_capture;
    if (got > 0) {
        capture_feed(capture, bytes_of(buffer->base, (size_t)got));
    } else if (got < 0) {
        capture_end(capture);
        uv_read_stop(stream);
        worker->pipes_open--;
        if (worker->client_ended)
            worker_look_soon(worker);
    }
}

static void on_status(uv_poll_t *poll, int error, int events)
{
    struct worker *worker = poll->data;
    struct guard_status status;
    (void)events;
    uv_poll_stop(poll);
    if (error != 0 || read(worker->guard.status_fd, &status, sizeof status) != (ssize_t)sizeof status) {
        worker_fail(worker, "guard", "ended before the client did");
        worker->over = true;
        return;
    }
    worker->gone = true;
    if (worker->done) {
        worker->gone_status = status.wait_status;
        return;
    }
    worker->client_ended = true;
    worker->client_ended_ms = uv_now(&worker->loop);
    worker->exec_errno = status.exec_errno;
    worker->wait_status = status.wait_status;
    worker->peak_bytes = status.peak_bytes;
    worker_look_soon(worker);
}

static void open_pipe(struct worker *worker, uv_pipe_t *pipe, int fd)
{
    uv_pipe_init(&worker->loop, pipe, 0);
    pipe->data = worker;
    uv_pipe_open(pipe, fd);
    uv_read_start((uv_stream_t *)pipe, on_alloc, on_output);
    worker->pipes_open++;
}

/* Reads what the client behind the guard writes, and how it ends. */
static void watch_client(struct worker *worker)
{
    open_pipe(worker, &worker->out, worker->guard.stdout_fd);
    open_pipe(worker, &worker->err, worker->guard.stderr_fd);
    uv_poll_init(&worker->loop, &worker->status, worker->guard.status_fd);
    worker->status.data = worker;
    uv_poll_start(&worker->status, UV_READABLE, on_status);
}

/* ---- what it is asked to do ---- */

static struct client_values values_of(struct worker *worker)
{
    return (struct client_values){.port = mock_server_port(worker->server),
                                  .ca = mock_server_ca_file(worker->server),
                                  .family = worker->job->script->class->family,
                                  .key = worker->key,
                                  .config = worker->job->script->config,
                                  .audio = worker->audio_path,
                                  .video = worker->job->options->video_folder,
                                  .plan = worker->plan_path,
                                  .out = worker->out_path,
                                  .control = worker->channel.address,
                                  .case_name = worker->job->script->name,
                                  .profile = worker->job->profile};
}

static bool make_plan(const struct worker *worker, struct buffer *plan)
{
    if (worker->job->unknown_step)
        return buffer_append(plan, bytes_of_text(UNKNOWN_PLAN));
    return plan_write(worker->job->script, worker->job->profile->name, worker->job->options->speech_folder,
                      plan);
}

/* The plan as a file and over HTTP; `task` gets it as a line. */
static bool write_plan(struct worker *worker, struct buffer *task)
{
    struct buffer plan;
    const struct client_values values = values_of(worker);
    buffer_init(&plan, SCRIPT_BYTES_MAX);
    const bool good = make_plan(worker, &plan) &&
                      artefacts_write(worker->folder, "plan.json", buffer_bytes(&plan)) &&
                      task_write(&values, buffer_bytes(&plan), task) &&
                      (worker->job->unknown_step ? http_channel_set_raw(&worker->channel, buffer_bytes(task))
                                                 : http_channel_set_plan(&worker->channel, &values));
    buffer_free(&plan);
    return good;
}

/* ---- ways to start it ---- */

static bool start_process(struct worker *worker)
{
    const struct run_options *options = worker->job->options;
    const struct client_values values = values_of(worker);
    char **words = client_words(options->command, &values);
    char **environment =
        client_environment(environ, options->environment, options->environment_count, &values);
    const bool good =
        words != NULL && environment != NULL && guard_start(words, environment, false, &worker->guard);
    if (!good)
        worker_fail(worker, "cannot start a process", strerror(errno));
    launch_free(words);
    launch_free(environment);
    worker->guarded = good;
    if (good)
        watch_client(worker);
    return good;
}

/* A line on its standard input. That it is gone is seen by how it ended. */
static bool hand_over(struct worker *worker, struct buffer *task)
{
    worker->guard = worker->job->client->guard;
    watch_client(worker);
    if (!buffer_append(task, bytes_of_text("\n"))) {
        worker_fail(worker, "the plan", "out of memory");
        return false;
    }
    const struct bytes line = buffer_bytes(task);
    for (size_t sent = 0; sent < line.len;) {
        const ssize_t wrote = write(worker->guard.stdin_fd, line.data + sent, line.len - sent);
        if (wrote < 0 && errno != EINTR)
            break;
        sent += wrote < 0 ? 0 : (size_t)wrote;
    }
    return true;
}

/* Says where a client started by hand is to go: what its environment would hold. */
static void invite(struct worker *worker)
{
    const struct run_options *options = worker->job->options;
    const struct client_values values = values_of(worker);
    char full_url[] = "{full_url}";
    char *const words[] = {full_url, NULL}, *const nothing[] = {NULL};
    char **filled = client_words(words, &values);
    char **variables = client_environment(nothing, options->environment, options->environment_count, &values);
    if (filled != NULL && variables != NULL) {
        fprintf(stderr, "\n%s: %s\n  waiting for a client\n  with the query: %s\n", values.case_name,
                worker->job->script->title, filled[0]);
        for (size_t i = 0; variables[i] != NULL; i++)
            fprintf(stderr, "  %s\n", variables[i]);
    }
    launch_free(filled);
    launch_free(variables);
}

bool worker_start_client(struct worker *worker)
{
    struct buffer task;
    buffer_init(&task, 2 * (size_t)SCRIPT_BYTES_MAX);
    snprintf(worker->plan_path, sizeof worker->plan_path, "%s/plan.json", worker->folder);
    snprintf(worker->out_path, sizeof worker->out_path, "%s/out", worker->folder);
    http_channel_begin(&worker->channel, mock_server_port(worker->server), worker_job_has_tls(worker->job));
    bool good = write_plan(worker, &task);
    if (!good)
        worker_fail(worker, worker->folder, strerror(errno));
    else if (worker->job->options->attach)
        invite(worker);
    else
        good = worker->job->client != NULL ? hand_over(worker, &task) : start_process(worker);
    buffer_free(&task);
    return good;
}

/* ---- --stop ---- */

void worker_stop_quiet_client(struct worker *worker, uint64_t now_ms)
{
    const struct run_options *options = worker->job->options;
    if (options->stop_signal == 0 || !worker->guarded || worker->stopped_ms != 0 || worker->connected_ms == 0)
        return;
    for (; worker->journal_seen < journal_count(worker->journal); worker->journal_seen++) {
        const struct journal_entry *entry = journal_at(worker->journal, worker->journal_seen);
        if (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
            strcmp(entry->label, "pong") != 0)
            worker->heard_ms = now_ms;
    }
    if (worker->heard_ms == 0)
        worker->heard_ms = now_ms;
    if (now_ms - worker->heard_ms < options->stop_idle_ms)
        return;
    worker->stopped_ms = now_ms;
    guard_signal(&worker->guard, options->stop_signal);
}
