/*
 * A socket that has no place: it is told so with an answer made ahead, whatever it asks for, and let go.
 *
 * In the clear that is done at once. Inside TLS there has to be a handshake first, so such sockets are kept
 * for a moment, a few at a time; one more than that is closed without a word, and the log says so once.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/net.h"
#include "server/net/socket_io.h"

enum {
    FAREWELLS_MAX = 32,      /* inside TLS, at once */
    FAREWELL_WAIT_MS = 1000, /* for the handshake, and for the client to read */
    DRAINS_MAX = 8           /* reads in a row, before others get their turn */
};

static const char ANSWER[] = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"
                             "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 32\r\n"
                             "Connection: close\r\n\r\nToo many connections are open.\r\n";

struct farewell {
    struct mock_server *server;
    struct farewell *next;
    int fd;
    struct tls_stream *tls;
    uv_poll_t poll;
    uv_timer_t timer;
    unsigned handles; /* not closed yet */
    size_t sent;      /* of the answer */
    bool over;
};

static void on_handle_closed(uv_handle_t *handle)
{
    struct farewell *farewell = handle->data;
    struct mock_server *server = farewell->server;
    if (--farewell->handles > 0)
        return;
    struct farewell **link = &server->farewells;
    while (*link != farewell)
        link = &(*link)->next;
    *link = farewell->next;
    server->farewell_count--;
    tls_stream_free(farewell->tls);
    free(farewell);
    if (server->stopping)
        server_wake(server, mock_server_now_us(server));
}

static void farewell_end(struct farewell *farewell)
{
    if (farewell->over)
        return;
    farewell->over = true;
    uv_close((uv_handle_t *)&farewell->poll, on_handle_closed);
    uv_close((uv_handle_t *)&farewell->timer, on_handle_closed);
    close(farewell->fd);
}

/* What the client still says is read, or it would be told of a reset in place of the answer. */
static void drain(struct farewell *farewell)
{
    uint8_t data[4096];
    for (unsigned n = 0; n < DRAINS_MAX; n++) {
        size_t len = sizeof data;
        const enum io_result result = socket_read(farewell->fd, NULL, data, &len);
        if (result == IO_WANTS_READ)
            return;
        if (result != IO_DONE) {
            farewell_end(farewell);
            return;
        }
    }
}

static void on_poll(uv_poll_t *poll, int status, int events);

/* The write shakes hands first. */
static void tell(struct farewell *farewell)
{
    const size_t all = sizeof ANSWER - 1;
    while (farewell->sent < all) {
        size_t len;
        const struct bytes left = bytes_of(ANSWER + farewell->sent, all - farewell->sent);
        const enum io_result result = socket_write(farewell->fd, farewell->tls, &left, 1, &len);
        if (result == IO_WANTS_READ || result == IO_WANTS_WRITE) {
            const int wanted = result == IO_WANTS_READ ? UV_READABLE : UV_READABLE | UV_WRITABLE;
            uv_poll_start(&farewell->poll, wanted, on_poll);
            return;
        }
        if (result != IO_DONE) {
            farewell_end(farewell);
            return;
        }
        farewell->sent += len;
    }
    socket_shut(farewell->fd, farewell->tls);
    uv_poll_start(&farewell->poll, UV_READABLE, on_poll);
    drain(farewell);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct farewell *farewell = poll->data;
    (void)events;
    if (status < 0)
        farewell_end(farewell);
    else if (farewell->sent < sizeof ANSWER - 1)
        tell(farewell);
    else
        drain(farewell);
}

static void on_timer(uv_timer_t *timer)
{
    farewell_end(timer->data);
}

static bool begin_inside_tls(struct mock_server *server, int fd)
{
    struct farewell *farewell = server->farewell_count < FAREWELLS_MAX ? calloc(1, sizeof *farewell) : NULL;
    if (farewell == NULL)
        return false;
    farewell->tls = tls_stream_new(server->tls, fd);
    if (farewell->tls == NULL || uv_poll_init(server->loop, &farewell->poll, fd) != 0) {
        tls_stream_free(farewell->tls);
        free(farewell);
        return false;
    }
    uv_timer_init(server->loop, &farewell->timer);
    farewell->server = server;
    farewell->fd = fd;
    farewell->poll.data = farewell->timer.data = farewell;
    farewell->handles = 2;
    farewell->next = server->farewells;
    server->farewells = farewell;
    server->farewell_count++;
    uv_timer_start(&farewell->timer, on_timer, FAREWELL_WAIT_MS, 0);
    tell(farewell);
    return true;
}

/* What has come already is read, as above. */
static void tell_in_the_clear(int fd)
{
    char request[1024];
    if (send(fd, ANSWER, sizeof ANSWER - 1, MSG_NOSIGNAL) > 0 && shutdown(fd, SHUT_WR) == 0)
        (void)recv(fd, request, sizeof request, 0);
    close(fd);
}

void farewell_say(struct mock_server *server, int fd)
{
    if (!socket_prepare(fd)) {
        close(fd);
    } else if (server->tls == NULL) {
        tell_in_the_clear(fd);
    } else if (!begin_inside_tls(server, fd)) {
        close(fd);
        if (!server->farewells_are_told && server->options.log != NULL)
            server->options.log(server->options.context,
                                "more connections come than can be told that there is no place: some are "
                                "closed without an answer");
        server->farewells_are_told = true;
    }
}

void farewells_end(struct mock_server *server)
{
    for (struct farewell *farewell = server->farewells; farewell != NULL; farewell = farewell->next)
        farewell_end(farewell);
}
