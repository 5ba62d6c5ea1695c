#include "client/net/tap.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/net/local_socket.h"
#include "client/net/lookup.h"
#include "client/net/tap_watch.h"
#include "client/net/tls.h"
#include "client/net/unpack.h"
#include "codec/wire/text.h"

enum { READ_BYTES = 65536 };

/* How what the library sends begins. */
#define TAP_BARE_REQUEST "GET / "

struct tap {
    uv_loop_t *loop;
    struct url url;
    struct tap_listener listener; /* zeroed once stopped or failed */
    struct channel_seams seams;
    struct tap_seen seen;
    struct ws_stream *stream;
    struct unpack unpack;
    struct client_tls *tls; /* NULL: plain */

    struct addrinfo *addresses;
    struct addrinfo *next_address;
    struct lookup lookup;
    bool looking_up;
    uv_connect_t connect;
    int connect_error; /* of the latest attempt */
    uv_tcp_t remote;
    bool remote_open; /* the handle is initialized and not closing */
    bool announced;   /* ready was called */
    bool asked;       /* the request has gone up */

    int listen_fd; /* -1: none */
    uv_poll_t accepting;
    bool accepting_open;
    uv_pipe_t local;
    bool local_open;
    bool all_read; /* nothing is in the local socket, and nothing was written to it since */
    char address[LOCAL_SOCKET_NAME_MAX];

    bool stopped;
    unsigned closing; /* handles whose close callback is due */
    bool *gone;
    uint64_t taken_ns; /* when `remote` last took bytes; 0: never */
    char buffer[READ_BYTES];
};

static void free_when_done(struct tap *tap)
{
    if (!tap->stopped || tap->closing > 0 || tap->looking_up)
        return;
    uv_freeaddrinfo(tap->addresses);
    ws_stream_free(tap->stream);
    unpack_free(&tap->unpack);
    client_tls_free(tap->tls);
    *tap->gone = true;
    free(tap);
}

static void closed(uv_handle_t *handle)
{
    struct tap *tap = handle->data;
    tap->closing--;
    free_when_done(tap);
}

static void close_handle(struct tap *tap, uv_handle_t *handle, bool *open)
{
    if (!*open)
        return;
    *open = false;
    tap->closing++;
    handle->data = tap;
    uv_close(handle, closed);
}

static void close_listening(struct tap *tap)
{
    close_handle(tap, (uv_handle_t *)&tap->accepting, &tap->accepting_open);
    if (tap->listen_fd >= 0)
        close(tap->listen_fd);
    tap->listen_fd = -1;
}

static void close_remote(struct tap *tap)
{
    close_handle(tap, (uv_handle_t *)&tap->remote, &tap->remote_open);
}

static void close_local(struct tap *tap)
{
    close_handle(tap, (uv_handle_t *)&tap->local, &tap->local_open);
}

static void notice(struct tap *tap)
{
    if (tap->listener.noticed != NULL)
        tap->listener.noticed(tap->listener.context);
}

/* ---- writing, in either direction ---- */

struct write_request {
    uv_write_t request;
    struct tap *tap;
    bool up; /* to the server */
    struct buffer data;
};

static void start_reading(struct tap *tap);
static bool listen_locally(struct tap *tap);

static void written(uv_write_t *request, int status)
{
    struct write_request *write = request->data;
    struct tap *tap = write->tap;
    if (write->up)
        tap->taken_ns = uv_hrtime();
    buffer_free(&write->data);
    free(write);
    if (status == 0 && !tap->stopped)
        start_reading(tap);
}

/* Takes `data` over. */
static void write_to(struct tap *tap, uv_stream_t *stream, bool up, struct buffer *data)
{
    struct write_request *write = data->len > 0 ? malloc(sizeof *write) : NULL;
    if (write == NULL) {
        buffer_free(data);
        return;
    }
    *write = (struct write_request){.tap = tap, .up = up, .data = *data};
    write->request.data = write;
    uv_buf_t piece = uv_buf_init((char *)write->data.data, (unsigned)write->data.len);
    if (uv_write(&write->request, stream, &piece, 1, written) != 0) {
        buffer_free(&write->data);
        free(write);
    }
    /* What is taken at once is told of in the next round of the loop only. */
    if (up)
        tap->taken_ns = uv_hrtime();
}

static void write_remote(struct tap *tap, struct buffer *data)
{
    if (tap->remote_open)
        write_to(tap, (uv_stream_t *)&tap->remote, true, data);
    else
        buffer_free(data);
}

/* ---- the way down: server to library ---- */

struct shutdown_request {
    uv_shutdown_t request;
};

static void shut(uv_shutdown_t *request, int status)
{
    (void)status;
    free(request->data);
}

/* The library sees the end once it has read what is on its way to it. */
static void shut_down(uv_stream_t *stream)
{
    struct shutdown_request *shutdown = malloc(sizeof *shutdown);
    if (shutdown == NULL)
        return;
    shutdown->request.data = shutdown;
    if (uv_shutdown(&shutdown->request, stream, shut) != 0)
        free(shutdown);
}

static void fail(struct tap *tap, const char *why)
{
    bool lasting = tap->tls != NULL && client_tls_is_distrusted(tap->tls);
    char sentence[TAP_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, "cannot connect to ");
    text_add(&text, tap->url.host);
    text_add(&text, ":");
    text_add(&text, tap->url.port);
    text_add(&text, ": ");
    text_add(&text, why);
    struct tap_listener listener = tap->listener;
    tap->listener = (struct tap_listener){0};
    close_remote(tap);
    if (listener.failed != NULL)
        listener.failed(listener.context, sentence, lasting);
}

static void stream_event(void *context, const struct wire_event *event)
{
    struct tap *tap = context;
    tap_watch(&tap->seen, event);
    unpack_event(&tap->unpack, tap->stream, event);
    tap->seen.packs = tap->unpack.state == UNPACK_UNPACKING;
    if (tap->unpack.wrong)
        tap_watch_violation(&tap->seen, TAP_FAIL_PROTOCOL,
                            bytes_of_text("the server answers permessage-deflate with what was not offered: "
                                          "RFC 7692 7"));
}

/* Takes `plain` over. False when memory or room runs out. */
static bool deliver(struct tap *tap, struct buffer *plain)
{
    struct buffer out;
    if (tap->seams.down != NULL && plain->len > 0)
        tap->seams.down(tap->seams.context, plain);
    bool knew = tap->seen.violated || tap->seen.refused_status != 0;
    uint64_t pings = tap->seen.pings;
    buffer_init(&out, UNPACK_OUT_BYTES_MAX);
    bool good = unpack_feed(&tap->unpack, tap->stream, buffer_bytes(plain), &out);
    buffer_free(plain);
    if (tap->local_open)
        write_to(tap, (uv_stream_t *)&tap->local, false, &out);
    else
        buffer_free(&out);
    if (!knew && (tap->seen.violated || tap->seen.refused_status != 0))
        notice(tap);
    if (tap->seen.pings != pings && tap->listener.pinged != NULL)
        tap->listener.pinged(tap->listener.context);
    return good;
}

/* What a defect makes of the end. */
static void deliver_last(struct tap *tap)
{
    struct buffer last;
    if (tap->seams.ended == NULL)
        return;
    buffer_init(&last, 64 * READ_BYTES);
    tap->seams.ended(tap->seams.context, &last);
    (void)deliver(tap, &last);
}

static void remote_ended(struct tap *tap, bool reset)
{
    if (tap->seen.ended)
        return;
    if (!tap->announced) {
        close_remote(tap);
        fail(tap, "the server hung up during the TLS handshake");
        return;
    }
    deliver_last(tap);
    close_remote(tap);
    tap->seen.ended = true;
    ws_stream_end(tap->stream, 0, reset);
    if (tap->local_open)
        shut_down((uv_stream_t *)&tap->local);
    notice(tap);
}

static void announce(struct tap *tap)
{
    if (!listen_locally(tap)) {
        fail(tap, "no local socket can be made");
        return;
    }
    tap->announced = true;
    if (tap->listener.ready != NULL)
        tap->listener.ready(tap->listener.context);
}

static void remote_bytes(struct tap *tap, struct bytes bytes)
{
    struct buffer plain;
    struct buffer cipher;
    buffer_init(&plain, 64 * READ_BYTES);
    buffer_init(&cipher, 64 * READ_BYTES);
    char error[TLS_SENTENCE_MAX];
    bool good = true;
    if (tap->tls == NULL)
        good = buffer_append(&plain, bytes);
    else
        good = client_tls_feed(tap->tls, bytes, &plain, &cipher, error);
    write_remote(tap, &cipher);
    if (!good && !tap->announced) {
        buffer_free(&plain);
        fail(tap, error);
        return;
    }
    if (!tap->announced && (tap->tls == NULL || client_tls_is_open(tap->tls)))
        announce(tap);
    if (!deliver(tap, &plain) || !good)
        remote_ended(tap, true);
}

/* ---- reading, as long as the other side takes it ---- */

static void provide(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    (void)suggested;
    struct tap *tap = handle->data;
    *out = uv_buf_init(tap->buffer, READ_BYTES);
}

static size_t pending(bool open, const uv_stream_t *stream)
{
    return open ? uv_stream_get_write_queue_size(stream) : 0;
}

static void remote_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    struct tap *tap = stream->data;
    if (got > 0) {
        remote_bytes(tap, bytes_of(buffer->base, (size_t)got));
        if (tap->remote_open && pending(tap->local_open, (uv_stream_t *)&tap->local) > TAP_PENDING_MAX)
            uv_read_stop(stream);
    } else if (got < 0) {
        remote_ended(tap, got != UV_EOF);
    }
}

/* The library cuts a request line at 2 KB, so it asks for "/", and the target is put in here. */
static bool put_target(struct tap *tap, struct bytes bytes, struct buffer *out)
{
    const struct bytes bare = bytes_of_text(TAP_BARE_REQUEST);
    if (tap->asked || bytes.len < bare.len || memcmp(bytes.data, bare.data, bare.len) != 0)
        return buffer_append(out, bytes);
    tap->asked = true;
    return buffer_append(out, bytes_of(bare.data, bare.len - 2)) &&
           buffer_append(out, bytes_of_text(tap->url.target)) &&
           buffer_append(out, bytes_of(bytes.data + bare.len - 1, bytes.len - bare.len + 1));
}

/* As it goes to the network. */
static bool send_up(struct tap *tap, struct bytes bytes, struct buffer *out)
{
    struct buffer changed;
    buffer_init(&changed, 64 * READ_BYTES);
    bool good = true;
    if (!tap->asked || tap->seams.up != NULL) {
        good = put_target(tap, bytes, &changed);
        if (good && tap->seams.up != NULL)
            tap->seams.up(tap->seams.context, &changed);
        bytes = buffer_bytes(&changed);
    }
    if (good && bytes.len > 0)
        good = tap->tls == NULL ? buffer_append(out, bytes) : client_tls_send(tap->tls, bytes, out);
    buffer_free(&changed);
    return good;
}

static void local_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    struct tap *tap = stream->data;
    if (got < 0) {
        close_local(tap);
        if (tap->remote_open)
            shut_down((uv_stream_t *)&tap->remote);
        return;
    }
    if (got == 0)
        return;
    struct bytes bytes = bytes_of(buffer->base, (size_t)got);
    struct buffer out;
    buffer_init(&out, 64 * READ_BYTES);
    bool good = send_up(tap, bytes, &out);
    write_remote(tap, &out);
    if (!good)
        remote_ended(tap, true);
    else if (pending(tap->remote_open, (uv_stream_t *)&tap->remote) > TAP_PENDING_MAX)
        uv_read_stop(stream);
}

static void start_reading(struct tap *tap)
{
    /* Reading what is being read already is an error that means nothing. */
    if (tap->remote_open && pending(tap->local_open, (uv_stream_t *)&tap->local) <= TAP_PENDING_MAX)
        (void)uv_read_start((uv_stream_t *)&tap->remote, provide, remote_read);
    if (tap->local_open && pending(tap->remote_open, (uv_stream_t *)&tap->remote) <= TAP_PENDING_MAX)
        (void)uv_read_start((uv_stream_t *)&tap->local, provide, local_read);
}

/* ---- the local socket ---- */

static void accepted(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    struct tap *tap = poll->data;
    int fd = local_socket_accept(tap->listen_fd);
    if (fd < 0)
        return;
    close_listening(tap);
    if (uv_pipe_init(tap->loop, &tap->local, 0) != 0) {
        close(fd);
        return;
    }
    tap->local.data = tap;
    tap->local_open = true;
    if (uv_pipe_open(&tap->local, fd) != 0)
        close_local(tap);
    start_reading(tap);
}

static bool listen_locally(struct tap *tap)
{
    tap->listen_fd = local_socket_listen(tap->address, uv_hrtime());
    if (tap->listen_fd < 0 || uv_poll_init(tap->loop, &tap->accepting, tap->listen_fd) != 0)
        return false;
    tap->accepting.data = tap;
    tap->accepting_open = true;
    return uv_poll_start(&tap->accepting, UV_READABLE, accepted) == 0;
}

/* ---- connecting ---- */

static void connect_next(struct tap *tap);

/* The handle of the attempt that failed is closed: on to the next address. */
static void retry(uv_handle_t *handle)
{
    struct tap *tap = handle->data;
    tap->closing--;
    if (tap->stopped)
        free_when_done(tap);
    else
        connect_next(tap);
}

static void connected(uv_connect_t *request, int status)
{
    struct tap *tap = request->data;
    if (tap->stopped || status == UV_ECANCELED)
        return;
    if (status != 0) {
        tap->connect_error = status;
        tap->remote_open = false;
        tap->closing++;
        uv_close((uv_handle_t *)&tap->remote, retry);
        return;
    }
    (void)uv_tcp_nodelay(&tap->remote, 1);
    start_reading(tap);
    remote_bytes(tap, (struct bytes){0});
}

static const char *why(int status)
{
    return status == UV_ECONNREFUSED ? "connection refused" : uv_strerror(status);
}

static void connect_next(struct tap *tap)
{
    if (tap->next_address == NULL) {
        fail(tap, why(tap->connect_error));
        return;
    }
    struct addrinfo *address = tap->next_address;
    tap->next_address = address->ai_next;
    int status = uv_tcp_init(tap->loop, &tap->remote);
    if (status == 0) {
        tap->remote.data = tap;
        tap->remote_open = true;
        tap->connect.data = tap;
        status = uv_tcp_connect(&tap->connect, &tap->remote, address->ai_addr, connected);
    }
    if (status != 0)
        fail(tap, why(status));
}

static void found(void *context, int status, struct addrinfo *addresses)
{
    struct tap *tap = context;
    tap->looking_up = false;
    tap->addresses = addresses;
    tap->next_address = addresses;
    if (tap->stopped)
        free_when_done(tap);
    else if (status != 0)
        fail(tap, uv_strerror(status));
    else
        connect_next(tap);
}

static struct tap *give_up(struct tap *tap, const char *sentence, char error[TAP_SENTENCE_MAX])
{
    if (sentence != NULL) {
        struct text text = text_of(error, TAP_SENTENCE_MAX);
        text_add(&text, sentence);
    }
    if (tap != NULL) {
        ws_stream_free(tap->stream);
        unpack_free(&tap->unpack);
        client_tls_free(tap->tls);
    }
    free(tap);
    return NULL;
}

struct tap *tap_start(uv_loop_t *loop, const struct tap_options *options, const struct tap_listener *listener,
                      char error[TAP_SENTENCE_MAX])
{
    struct tap *tap = calloc(1, sizeof *tap);
    if (tap == NULL)
        return give_up(tap, "no memory", error);
    tap->loop = loop;
    tap->url = *options->url;
    tap->listener = *listener;
    if (options->seams != NULL)
        tap->seams = *options->seams;
    tap->listen_fd = -1;
    unpack_init(&tap->unpack, options->offers_deflate && !tap->seams.unpacks_nothing);
    tap->stream = ws_stream_new(WIRE_FROM_SERVER, TAP_BODY_MAX, stream_event, tap);
    if (tap->stream == NULL)
        return give_up(tap, "no memory", error);
    if (tap->url.secure &&
        (tap->tls = client_tls_new(tap->url.host, options->ca_file, options->seams, error)) == NULL)
        return give_up(tap, NULL, error);
    tap->lookup =
        (struct lookup){.host = tap->url.host, .port = tap->url.port, .found = found, .context = tap};
    const int status = lookup_start(&tap->lookup, loop);
    if (status != 0)
        return give_up(tap, uv_strerror(status), error);
    tap->looking_up = true;
    return tap;
}

const char *tap_address(const struct tap *tap)
{
    return tap->address;
}

const struct tap_seen *tap_seen(const struct tap *tap)
{
    return &tap->seen;
}

/* The system is asked no more once it was all read, until there may be more: a flood of tiny messages asks at
 * each of them. */
static size_t unread(struct tap *tap)
{
    uv_os_fd_t local = -1;
    int bytes = 0;
    if (tap->all_read)
        return 0;
    if (!tap->local_open || uv_fileno((const uv_handle_t *)&tap->local, &local) != 0 ||
        ioctl(local, FIONREAD, &bytes) != 0)
        return 0;
    tap->all_read = bytes == 0;
    return (size_t)bytes;
}

size_t tap_unsent(struct tap *tap)
{
    return pending(tap->remote_open, (const uv_stream_t *)&tap->remote) + unread(tap);
}

void tap_expect(struct tap *tap)
{
    tap->all_read = false;
}

uint64_t tap_taken_ns(const struct tap *tap)
{
    return tap->taken_ns;
}

void tap_stop(struct tap *tap, bool *gone)
{
    tap->stopped = true;
    tap->gone = gone;
    tap->listener = (struct tap_listener){0};
    close_listening(tap);
    close_local(tap);
    close_remote(tap);
    free_when_done(tap);
}
