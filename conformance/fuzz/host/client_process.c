#include "conformance/fuzz/host/client_process.h"

#include <errno.h>
#include <unistd.h>

void client_process_init(struct client_process *client, uv_loop_t *loop, void (*changed)(void *context),
                         void *context)
{
    client->loop = loop;
    client->changed = changed;
    client->context = context;
    strays_begin(&client->strays);
    capture_init(&client->out_capture, CAPTURE_OUTPUT);
    capture_init(&client->err_capture, CAPTURE_ERRORS);
}

/* ---- what it says ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    struct client_process *client = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(client->space, sizeof client->space);
}

static void on_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    struct client_process *client = stream->data;
    const bool is_out = stream == (uv_stream_t *)&client->out;
    struct capture *capture = is_out ? &client->out_capture : &client->err_capture;
    if (got > 0) {
        capture_feed(capture, bytes_of(buffer->base, (size_t)got));
    } else if (got < 0) {
        capture_end(capture);
        uv_read_stop(stream);
        *(is_out ? &client->out_open : &client->err_open) = false;
    }
    client->changed(client->context);
}

static void on_status(uv_poll_t *poll, int error, int events)
{
    struct client_process *client = poll->data;
    (void)events;
    uv_poll_stop(poll);
    client->status_open = false;
    if (error == 0 && read(client->guard.status_fd, &client->end_status, sizeof client->end_status) ==
                          (ssize_t)sizeof client->end_status)
        client->ended = true;
    client->changed(client->context);
}

void client_process_listen(struct client_process *client)
{
    capture_free(&client->out_capture);
    capture_free(&client->err_capture);
    capture_init(&client->out_capture, CAPTURE_OUTPUT);
    capture_init(&client->err_capture, CAPTURE_ERRORS);
}

bool client_process_is_over(const struct client_process *client)
{
    return !client->status_open && !client->out_open && !client->err_open;
}

/* ---- its life ---- */

static void open_pipe(struct client_process *client, uv_pipe_t *pipe, int fd)
{
    uv_pipe_init(client->loop, pipe, 0);
    pipe->data = client;
    uv_pipe_open(pipe, fd);
    uv_read_start((uv_stream_t *)pipe, on_alloc, on_output);
}

bool client_process_start(struct client_process *client, char *const words[], char *const environment[],
                          bool has_input)
{
    client->ended = false;
    client->end_status = (struct guard_status){0};
    if (!guard_start(words, environment, has_input, &client->guard))
        return false;
    client->running = true;
    client_process_listen(client);
    open_pipe(client, &client->out, client->guard.stdout_fd);
    open_pipe(client, &client->err, client->guard.stderr_fd);
    uv_poll_init(client->loop, &client->status, client->guard.status_fd);
    client->status.data = client;
    uv_poll_start(&client->status, UV_READABLE, on_status);
    client->out_open = client->err_open = client->status_open = true;
    client->handles = 3;
    return true;
}

void client_process_tell(struct client_process *client, struct bytes line)
{
    for (size_t sent = 0; sent < line.len;) {
        const ssize_t wrote = write(client->guard.stdin_fd, line.data + sent, line.len - sent);
        if (wrote < 0 && errno != EINTR)
            break;
        sent += wrote < 0 ? 0 : (size_t)wrote;
    }
}

static void on_closed(uv_handle_t *handle)
{
    struct client_process *client = handle->data;
    client->handles--;
}

void client_process_stop(struct client_process *client)
{
    if (!client->running)
        return;
    uv_close((uv_handle_t *)&client->out, on_closed);
    uv_close((uv_handle_t *)&client->err, on_closed);
    uv_close((uv_handle_t *)&client->status, on_closed);
    while (client->handles > 0)
        uv_run(client->loop, UV_RUN_NOWAIT);
    if (client->guard.stdin_fd >= 0)
        close(client->guard.stdin_fd);
    guard_stop(&client->guard);
    strays_end(&client->strays, NULL, 0);
    client->running = false;
}

void client_process_free(struct client_process *client)
{
    client_process_stop(client);
    strays_over(&client->strays);
    capture_free(&client->out_capture);
    capture_free(&client->err_capture);
}
