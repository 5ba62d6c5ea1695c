#include "server/net/mock_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server/net/epoch.h"
#include "server/net/net.h"
#include "server/script/script.h"

enum { LISTEN_BACKLOG = 256, NARROW_SEGMENT_BYTES = 1440, NARROW_WINDOW_BYTES = 8192 };

/* ---- what a caller can ask ---- */

unsigned mock_server_port(const struct mock_server *server)
{
    return server->port;
}

const char *mock_server_ca_file(const struct mock_server *server)
{
    return server->tls == NULL ? NULL : tls_ca_file(server->tls);
}

uint64_t mock_server_epoch_ms(const struct mock_server *server)
{
    return server->epoch_ms;
}

uint64_t mock_server_lateness_worst_us(const struct mock_server *server)
{
    return server->lateness_worst_us;
}

size_t mock_server_connections(const struct mock_server *server)
{
    return server->connection_count - server->http_count;
}

bool mock_server_is_stopping(const struct mock_server *server)
{
    return server->stopping;
}

uint64_t mock_server_requests(const struct mock_server *server)
{
    return server->requests;
}

uint64_t mock_server_tls_refusals(const struct mock_server *server)
{
    return server->tls_refusals;
}

unsigned mock_server_script_line(const struct mock_server *server)
{
    const struct seat *seat = &server->service->script_seat;
    return seat->engine == NULL ? 0 : engine_line(seat->engine);
}

bool mock_server_script_is_done(const struct mock_server *server)
{
    const struct seat *seat = &server->service->script_seat;
    return seat->engine != NULL && engine_is_done(seat->engine);
}

struct recorder *mock_server_recorder(struct mock_server *server)
{
    recorder_finish(server->service->recording.recorder, mock_server_now_us(server));
    return server->service->recording.recorder;
}

/* ---- the clock ---- */

static uint64_t unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void clock_follow(struct mock_server *server)
{
    const uint64_t epoch_ms = epoch_for(server->epoch_ms, mock_server_now_us(server) / 1000, unix_ms());
    if (epoch_ms == server->epoch_ms)
        return;
    server->epoch_ms = epoch_ms;
    for (struct mock_service *service = server->services; service != NULL; service = service->next)
        service_set_epoch_ms(service, epoch_ms);
    for (struct connection *connection = server->connections; connection != NULL;
         connection = connection->next) {
        if (connection->recording != NULL)
            recorder_set_epoch_ms(connection->recording->recorder, epoch_ms);
        if (connection->own_seat.engine != NULL)
            engine_set_epoch_ms(connection->own_seat.engine, epoch_ms);
    }
    if (server->options.log != NULL)
        server->options.log(server->options.context,
                            "the clock was set, or the machine slept: timestamps follow");
}

void mock_server_begin_again(struct mock_server *server)
{
    server->start_ns = uv_hrtime();
    server->epoch_ms = unix_ms();
    for (struct mock_service *service = server->services; service != NULL; service = service->next)
        service_set_epoch_ms(service, server->epoch_ms);
}

/* ---- the port ---- */

static void accept_pause(struct mock_server *server)
{
    uv_poll_stop(&server->listen_poll);
    server->accept_again_us = mock_server_now_us(server) + ACCEPT_PAUSE_US;
    server_wake(server, server->accept_again_us);
}

static void on_listen(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    struct mock_server *server = poll->data;
    const uint64_t until_us = mock_server_now_us(server) + ACCEPTS_US;
    clock_follow(server);
    for (unsigned n = 0; n < ACCEPTS_MAX && (n == 0 || mock_server_now_us(server) < until_us); n++) {
        int fd = accept(server->listen_fd, NULL, NULL);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                accept_pause(server);
            return;
        }
        if (server->connection_count >= CONNECTIONS_MAX + CONTROL_PLACES)
            farewell_say(server, fd);
        else
            connection_new(server, fd);
    }
}

static void accept_resume(struct mock_server *server, uint64_t now_us)
{
    if (server->accept_again_us == 0 || server->accept_again_us > now_us || server->listen_fd < 0)
        return;
    server->accept_again_us = 0;
    uv_poll_start(&server->listen_poll, UV_READABLE, on_listen);
}

/* What a pass does for the server itself; returns when it is due again. */
static uint64_t look_after(struct mock_server *server, uint64_t now_us)
{
    clock_follow(server);
    accept_resume(server, now_us);
    return server->accept_again_us == 0 || server->listen_fd < 0 ? UINT64_MAX : server->accept_again_us;
}

static bool address_parse(const char *address, unsigned port, struct sockaddr_storage *out, socklen_t *len)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char service[16];
    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(address, service, &hints, &found) != 0)
        return false;
    memcpy(out, found->ai_addr, found->ai_addrlen);
    *len = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

static unsigned port_of(int fd)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    char service[16];
    if (getsockname(fd, (struct sockaddr *)&address, &len) != 0 ||
        getnameinfo((struct sockaddr *)&address, len, NULL, 0, service, sizeof service, NI_NUMERICSERV) != 0)
        return 0;
    return (unsigned)strtoul(service, NULL, 10);
}

/*
 * Over loopback the systems of both sides hold megabytes between two programs, by which a client would notice
 * only after half a minute that nobody reads. With segments and a window as of a network it does in seconds.
 */
static bool narrow(int fd)
{
    const int segment = NARROW_SEGMENT_BYTES, window = NARROW_WINDOW_BYTES;
    return setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment) == 0 &&
           setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &window, sizeof window) == 0;
}

/* The socket, or -1 with a sentence in `error`. */
static int port_open(const char *address, unsigned port, bool narrows, char error[MOCK_ERROR_MAX])
{
    struct sockaddr_storage where = {0};
    socklen_t len = 0;
    if (!address_parse(address, port, &where, &len)) {
        snprintf(error, MOCK_ERROR_MAX, "cannot listen on \"%.200s\": that is no numeric address", address);
        return -1;
    }
    int on = 1;
    int fd = socket(where.ss_family, SOCK_STREAM, 0);
    if (fd >= 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 && (!narrows || narrow(fd)) &&
        bind(fd, (struct sockaddr *)&where, len) == 0 && listen(fd, LISTEN_BACKLOG) == 0)
        return fd;
    bool is_ipv6 = where.ss_family == AF_INET6;
    snprintf(error, MOCK_ERROR_MAX, "cannot listen on %s%.200s%s:%u: %s", is_ipv6 ? "[" : "", address,
             is_ipv6 ? "]" : "", port, uv_strerror(uv_translate_sys_error(errno)));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* ---- begin and end ---- */

static void on_round(uv_prepare_t *prepare)
{
    round_begin(prepare->data);
}

static void server_free(struct mock_server *server)
{
    if (server->listen_fd >= 0)
        close(server->listen_fd);
    while (server->services != NULL) {
        struct mock_service *service = server->services;
        server->services = service->next;
        service_free(service);
    }
    ahead_free(server);
    tls_free(server->tls);
    actions_free(&server->actions);
    actions_free(&server->scratch);
    free(server);
}

/* What needs no loop: memory, engine, recorder, port. */
static bool server_prepare(struct mock_server *server, char error[MOCK_ERROR_MAX])
{
    struct mock_server_options *options = &server->options;
    const struct mock_service_options own = {.path = options->path,
                                             .engine = options->engine,
                                             .recorder = options->recorder,
                                             .choose = options->choose,
                                             .chosen_is_over = options->chosen_is_over,
                                             .script_done = options->script_done,
                                             .script_again = options->script_again,
                                             .context = options->context};
    server->service = server->services = service_new(server, &own, error);
    if (server->service == NULL)
        return false;
    if (options->tls.on && (server->tls = tls_new(&options->tls, error)) == NULL)
        return false;
    const char *address = options->address == NULL ? "127.0.0.1" : options->address;
    const struct script *script = options->engine.script;
    server->listen_fd =
        port_open(address, options->port, script != NULL && script_stops_reading(script), error);
    if (server->listen_fd < 0)
        return false;
    server->port = port_of(server->listen_fd);
    return true;
}

static void on_pass(struct mock_server *server);

struct mock_server *mock_server_start(uv_loop_t *loop, const struct mock_server_options *options,
                                      char error[MOCK_ERROR_MAX])
{
    struct mock_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        snprintf(error, MOCK_ERROR_MAX, "there is not enough memory");
        return NULL;
    }
    server->loop = loop;
    server->options = *options;
    server->start_ns = uv_hrtime();
    server->epoch_ms = unix_ms();
    server->due_us = UINT64_MAX;
    server->pass = on_pass;
    wheel_init(&server->wheel, 0);
    server->listen_fd = -1;
    server->messages.bytes_max = MOCK_MESSAGES_BYTES_MAX;
    actions_init(&server->actions);
    actions_init(&server->scratch);
    if (!server_prepare(server, error)) {
        server_free(server);
        return NULL;
    }
    uv_timer_init(loop, &server->timer);
    server->timer.data = server;
    uv_poll_init(loop, &server->listen_poll, server->listen_fd);
    server->listen_poll.data = server;
    uv_idle_init(loop, &server->at_once);
    server->at_once.data = server;
    uv_prepare_init(loop, &server->round);
    server->round.data = server;
    uv_prepare_start(&server->round, on_round);
    server->handles = 4;
    uv_poll_start(&server->listen_poll, UV_READABLE, on_listen);
    server_wake(server, services_deadline_us(server));
    return server;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct mock_server *server = handle->data;
    if (--server->handles > 0)
        return;
    void (*stopped)(void *context) = server->stopped;
    void *context = server->stopped_context;
    server_free(server);
    if (stopped != NULL)
        stopped(context);
}

/* Requests for options.http are answered as long as there are sessions. */
static void listen_end(struct mock_server *server)
{
    if (server->listen_fd < 0)
        return;
    uv_close((uv_handle_t *)&server->listen_poll, on_handle_closed);
    close(server->listen_fd);
    server->listen_fd = -1;
}

/* First the connections go, then our own handles. */
static void stop_continue(struct mock_server *server, uint64_t now_us)
{
    if (mock_server_connections(server) == 0)
        listen_end(server);
    if (server->connection_count > 0) {
        if (server->stop_by_us <= now_us) {
            for (struct connection *connection = server->connections; connection != NULL;
                 connection = connection->next)
                if (!connection->transport_is_over)
                    transport_close(connection->transport, true);
        }
        server_wake(server, server->stop_by_us > now_us ? server->stop_by_us : now_us + 1000);
        return;
    }
    farewells_end(server);
    if (server->farewells != NULL)
        return;
    uv_close((uv_handle_t *)&server->timer, on_handle_closed);
    uv_close((uv_handle_t *)&server->at_once, on_handle_closed);
    uv_close((uv_handle_t *)&server->round, on_handle_closed);
    ahead_end(server, on_handle_closed);
}

/* The server may be gone when it returns. */
static void on_pass(struct mock_server *server)
{
    const uint64_t now_us = mock_server_now_us(server);
    pass_run(server, now_us, look_after(server, now_us));
    services_settle(server, now_us);
    newcomers_turn(server);
    http_turn(server);
    if (server->stopping)
        stop_continue(server, now_us);
}

void mock_server_stop(struct mock_server *server, void (*stopped)(void *context), void *context)
{
    if (server->stopping)
        return;
    server->stopping = true;
    server->stopped = stopped;
    server->stopped_context = context;
    server->stop_by_us = mock_server_now_us(server) + STOP_WAIT_US;
    if (server->options.http == NULL)
        listen_end(server);
    for (struct connection *connection = server->connections; connection != NULL;
         connection = connection->next)
        connection_dismiss(connection, WS_CLOSE_GOING_AWAY);
    server_wake(server, mock_server_now_us(server));
}
