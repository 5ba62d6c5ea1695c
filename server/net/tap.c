#include "server/net/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/socket_io.h"

static void pump(struct tap *tap);

static bool socket_prepare(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static uint64_t now_us(const struct tap *tap)
{
    return tap->events.now_us(tap->events.context);
}

static void client_end(struct tap *tap, bool reset);

/* With a status, libuv has stopped the poll. What was received before an error is still read, and also when
 * the client goes while nothing is to be read. */
static void on_client_poll(uv_poll_t *poll, int status, int events)
{
    struct tap *tap = poll->data;
    if (status < 0) {
        tap->client_interest = 0;
        tap->held = false;
    }
    if (status < 0 || (events & UV_DISCONNECT) != 0)
        tap->reads_again_us = 0;
    pump(tap);
    if (status < 0 && tap->end != TAP_CLOSED && !tap->client_ended)
        client_end(tap, true);
}

static void on_pair_poll(uv_poll_t *poll, int status, int events)
{
    (void)events;
    struct tap *tap = poll->data;
    if (status < 0)
        tap->pair_interest = 0;
    pump(tap);
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct tap *tap = handle->data;
    if (--tap->handles == 0)
        tap->events.over(tap->events.context);
}

struct tap *tap_new(uv_loop_t *loop, int client_fd, struct tls *tls, const struct tap_events *events)
{
    struct tap *tap = calloc(1, sizeof *tap);
    if (tap != NULL && tls != NULL)
        tap->tls = tls_stream_new(tls, client_fd);
    if (tap == NULL || (tls != NULL && tap->tls == NULL) || !socket_prepare(client_fd) ||
        uv_poll_init(loop, &tap->client_poll, client_fd) != 0) {
        if (tap != NULL)
            tls_stream_free(tap->tls);
        free(tap);
        close(client_fd);
        return NULL;
    }
    int on = 1;
    int bytes = TAP_SOCKET_BYTES;
    setsockopt(client_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(client_fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    tap->events = *events;
    tap->client_fd = client_fd;
    tap->pair_fd = -1;
    tap->client_poll.data = tap;
    tap->handles = 1;
    buffer_init(&tap->inbound, TAP_IN_BYTES_MAX + 4 * TAP_READ_BYTES);
    buffer_init(&tap->outbound, TAP_OUT_BYTES_MAX + ACTIONS_BYTES_MAX);
    slicer_init(&tap->slicer);
    tap->client_interest = UV_READABLE;
    uv_poll_start(&tap->client_poll, UV_READABLE, on_client_poll);
    return tap;
}

void tap_free(struct tap *tap)
{
    if (tap == NULL)
        return;
    tls_stream_free(tap->tls);
    buffer_free(&tap->inbound);
    buffer_free(&tap->outbound);
    free(tap);
}

int tap_join(struct tap *tap, uv_loop_t *loop)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return -1;
    if (!socket_prepare(pair[0]) || !socket_prepare(pair[1]) ||
        uv_poll_init(loop, &tap->pair_poll, pair[0]) != 0) {
        close(pair[0]);
        close(pair[1]);
        return -1;
    }
    tap->pair_fd = pair[0];
    tap->pair_poll.data = tap;
    tap->pair_poll_set = true;
    tap->handles++;
    return pair[1];
}

int tap_step_aside(struct tap *tap)
{
    tap->aside = true;
    tap->handles++;
    uv_close((uv_handle_t *)&tap->client_poll, on_handle_closed);
    return tap->client_fd;
}

void tap_left(struct tap *tap)
{
    if (!tap->aside || tap->client_fd < 0)
        return;
    tap->client_fd = -1;
    tap->end = TAP_CLOSED;
    if (--tap->handles == 0)
        tap->events.over(tap->events.context);
}

static size_t left_in(const struct buffer *buffer, size_t sent)
{
    return buffer->len - sent;
}

static void buffer_sent(struct buffer *buffer, size_t *sent, size_t len)
{
    *sent += len;
    if (*sent == buffer->len) {
        buffer_clear(buffer);
        *sent = 0;
    } else if (*sent >= TAP_READ_BYTES) {
        buffer_consume(buffer, *sent);
        *sent = 0;
    }
}

static void pair_close(struct tap *tap)
{
    if (tap->pair_fd < 0)
        return;
    uv_close((uv_handle_t *)&tap->pair_poll, on_handle_closed);
    close(tap->pair_fd);
    tap->pair_fd = -1;
    buffer_clear(&tap->inbound);
    tap->inbound_sent = 0;
}

/* The library would say goodbye with a FIN; a socket that is not connected any more has said RST. */
static void aside_close(struct tap *tap, bool reset)
{
    const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    if (tap->client_fd >= 0 && reset)
        (void)connect(tap->client_fd, &nobody, sizeof nobody);
    if (tap->client_fd >= 0)
        tap->events.drop(tap->events.context);
}

void tap_close(struct tap *tap, bool reset)
{
    if (tap->end == TAP_CLOSED)
        return;
    tap->end = TAP_CLOSED;
    if (tap->aside) {
        aside_close(tap, reset);
        return;
    }
    pair_close(tap);
    uv_close((uv_handle_t *)&tap->client_poll, on_handle_closed);
    socket_close(tap->client_fd, reset);
    tap->client_fd = -1;
}

static void client_end(struct tap *tap, bool reset)
{
    if (!tap->client_ended) {
        tap->client_ended = true;
        tap->events.ended(tap->events.context, reset);
    }
    if (reset)
        tap_close(tap, false);
}

static void client_fail(struct tap *tap)
{
    if (tap->tls != NULL && !tls_stream_is_open(tap->tls))
        tap->events.refused(tap->events.context, tls_stream_words(tap->tls));
    client_end(tap, true);
}

/* What of the client is taken in now. */
static bool client_is_read(const struct tap *tap)
{
    return tap->end != TAP_CLOSED && !tap->aside && !tap->client_ended && !tap->held &&
           tap->reads_again_us == 0 && left_in(&tap->inbound, tap->inbound_sent) < TAP_IN_BYTES_MAX;
}

static void client_read(struct tap *tap)
{
    uint8_t chunk[TAP_READ_BYTES];
    for (unsigned n = 0; n < TAP_READS_MAX && client_is_read(tap); n++) {
        size_t got = sizeof chunk;
        enum io_result result = socket_read(tap->client_fd, tap->tls, chunk, &got);
        tap->tls_wants_write = result == IO_WANTS_WRITE;
        if (result == IO_WANTS_READ || result == IO_WANTS_WRITE)
            return;
        if (result == IO_ENDED)
            client_end(tap, false);
        if (result == IO_FAILED)
            client_fail(tap);
        if (result != IO_DONE)
            return;
        if (tap->end != TAP_STAYS && tap->pair_fd < 0)
            continue; /* the answer is out: what still comes is drained */
        struct bytes data = bytes_of(chunk, got);
        bool joined = tap->pair_fd >= 0;
        tap->events.received(tap->events.context, data);
        if (joined && tap->pair_fd >= 0 && !tap->deaf)
            buffer_append(&tap->inbound, data);
    }
}

static void pair_write(struct tap *tap)
{
    while (tap->pair_fd >= 0 && left_in(&tap->inbound, tap->inbound_sent) > 0) {
        ssize_t sent = send(tap->pair_fd, tap->inbound.data + tap->inbound_sent,
                            left_in(&tap->inbound, tap->inbound_sent), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
            /* The library has closed; what it wrote before is still read. */
            buffer_clear(&tap->inbound);
            tap->inbound_sent = 0;
            return;
        }
        if (sent < 0)
            return;
        buffer_sent(&tap->inbound, &tap->inbound_sent, (size_t)sent);
    }
    if (tap->client_ended && tap->pair_fd >= 0 && !tap->pair_is_shut) {
        shutdown(tap->pair_fd, SHUT_WR);
        tap->pair_is_shut = true;
    }
}

static void pair_read(struct tap *tap)
{
    uint8_t chunk[TAP_READ_BYTES];
    tap->pair_dry = tap->pair_fd < 0;
    for (unsigned n = 0; n < TAP_READS_MAX; n++) {
        if (tap->pair_fd < 0 || left_in(&tap->outbound, tap->outbound_sent) >= TAP_OUT_BYTES_MAX)
            return;
        ssize_t got = recv(tap->pair_fd, chunk, sizeof chunk, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            tap->pair_dry = true;
            return;
        }
        if (got <= 0) {
            pair_close(tap);
            tap->pair_dry = true;
            tap_finish(tap);
            return;
        }
        tap->events.wrote(tap->events.context, bytes_of(chunk, (size_t)got));
        if (tap->end == TAP_CLOSED)
            return;
    }
}

/* How much the next write may hold. */
static size_t slice_bytes(struct tap *tap, uint32_t *gap_us)
{
    size_t left = left_in(&tap->outbound, tap->outbound_sent);
    uint64_t cut = slicer_next_cut(&tap->slicer, tap->outbound_position, gap_us);
    if (cut - tap->outbound_position <= left)
        return (size_t)(cut - tap->outbound_position);
    *gap_us = 0;
    return left;
}

/* Writes until nothing is left, a gap is due or the client does not take more. */
static void client_write(struct tap *tap)
{
    bool wrote = false;
    while (tap->end != TAP_CLOSED && tap->gap_until_us == 0 &&
           left_in(&tap->outbound, tap->outbound_sent) > 0) {
        uint32_t gap_us;
        size_t len = slice_bytes(tap, &gap_us);
        size_t sent = len;
        enum io_result result =
            socket_write(tap->client_fd, tap->tls, tap->outbound.data + tap->outbound_sent, &sent);
        if (result == IO_FAILED)
            client_fail(tap);
        if (result != IO_DONE)
            break;
        wrote = true;
        tap->outbound_position += sent;
        buffer_sent(&tap->outbound, &tap->outbound_sent, sent);
        if (sent == len && gap_us > 0) {
            tap->gap_until_us = now_us(tap) + gap_us;
            tap->events.due(tap->events.context, tap->gap_until_us);
        }
    }
    if (!wrote)
        return;
    if (tap->end == TAP_FINISHES || tap->end == TAP_RESETS)
        tap->end_by_us = now_us(tap) + TAP_FINISH_WAIT_US;
    tap->events.progressed(tap->events.context);
}

static void aside_settle(struct tap *tap)
{
    if (tap->end == TAP_RESETS)
        tap_close(tap, true);
    if (tap->end == TAP_FINISHES && !tap->client_is_shut) {
        tap->client_is_shut = true;
        shutdown(tap->client_fd, SHUT_WR);
    }
}

static void client_shut(struct tap *tap)
{
    if (!tap->client_is_shut)
        socket_shut(tap->client_fd, tap->tls);
    tap->client_is_shut = true;
}

/* An RST lets go of what the client's system has not taken yet, so it waits for that. */
static void settle_reset(struct tap *tap)
{
    if (socket_unconfirmed(tap->client_fd) == 0) {
        tap_close(tap, true);
        return;
    }
    tap->confirm_us = now_us(tap) + TAP_CONFIRM_US;
    tap->events.due(tap->events.context, tap->confirm_us);
}

/* Ends what is to end, once everything is out. */
static void settle(struct tap *tap)
{
    if (tap->aside) {
        aside_settle(tap);
        return;
    }
    if (tap->end == TAP_CLOSED || !tap->pair_dry || left_in(&tap->outbound, tap->outbound_sent) > 0)
        return;
    if (tap->half_closes)
        client_shut(tap);
    if (tap->end == TAP_STAYS)
        return;
    if (tap->end == TAP_RESETS) {
        settle_reset(tap);
        return;
    }
    pair_close(tap);
    client_shut(tap);
    if (tap->client_ended)
        tap_close(tap, false);
}

static void interest_set(uv_poll_t *poll, int *current, int wanted, uv_poll_cb on_poll)
{
    if (*current == wanted)
        return;
    *current = wanted;
    if (wanted == 0)
        uv_poll_stop(poll);
    else
        uv_poll_start(poll, wanted, on_poll);
}

static void interests_set(struct tap *tap)
{
    if (tap->end == TAP_CLOSED || tap->aside)
        return;
    int client = 0;
    if (client_is_read(tap))
        client |= UV_READABLE;
    if (tap->reads_again_us != 0 && !tap->client_ended)
        client |= UV_DISCONNECT;
    if (tap->tls_wants_write || (left_in(&tap->outbound, tap->outbound_sent) > 0 && tap->gap_until_us == 0))
        client |= UV_WRITABLE;
    interest_set(&tap->client_poll, &tap->client_interest, client, on_client_poll);
    if (tap->pair_fd < 0)
        return;
    int pair = 0;
    if (left_in(&tap->outbound, tap->outbound_sent) < TAP_OUT_BYTES_MAX)
        pair |= UV_READABLE;
    if (left_in(&tap->inbound, tap->inbound_sent) > 0)
        pair |= UV_WRITABLE;
    interest_set(&tap->pair_poll, &tap->pair_interest, pair, on_pair_poll);
}

static void pump(struct tap *tap)
{
    if (tap->end == TAP_CLOSED)
        return;
    if (!tap->aside) {
        client_read(tap);
        pair_write(tap);
        pair_read(tap);
        client_write(tap);
    }
    settle(tap);
    interests_set(tap);
}

bool tap_forward(struct tap *tap, struct bytes data)
{
    if (tap->pair_fd < 0 || !buffer_append(&tap->inbound, data))
        return false;
    pair_write(tap);
    interests_set(tap);
    return true;
}

bool tap_write(struct tap *tap, struct bytes data)
{
    if (tap->end != TAP_STAYS || !buffer_append(&tap->outbound, data))
        return false;
    /* A refusal is no stream to slice: the slicer has seen nothing and asks for no cut. */
    client_write(tap);
    interests_set(tap);
    return true;
}

void tap_hold(struct tap *tap, bool held)
{
    tap->held = held;
    interests_set(tap);
}

bool tap_is_full(const struct tap *tap)
{
    return left_in(&tap->outbound, tap->outbound_sent) >= TAP_OUT_BYTES_MAX ||
           !slicer_has_room(&tap->slicer, 1);
}

bool tap_can_send(struct tap *tap, size_t frames)
{
    if (tap->end != TAP_STAYS)
        return false;
    pair_read(tap);
    return tap->end == TAP_STAYS && tap->pair_dry &&
           left_in(&tap->outbound, tap->outbound_sent) < TAP_OUT_BYTES_MAX &&
           slicer_has_room(&tap->slicer, frames);
}

/* Straight from where it lies, as far as the client takes it. Returns how much that was. */
static size_t send_straight(struct tap *tap, struct bytes data)
{
    size_t done = 0;
    while (done < data.len) {
        size_t sent = data.len - done;
        enum io_result result = socket_write(tap->client_fd, tap->tls, data.data + done, &sent);
        if (result != IO_DONE)
            break; /* what is wrong shows again when the rest is written */
        done += sent;
    }
    tap->outbound_position += done;
    if (done > 0)
        tap->events.progressed(tap->events.context);
    return done;
}

bool tap_send(struct tap *tap, struct bytes data, size_t header_bytes, const struct delivery *delivery)
{
    size_t left = left_in(&tap->outbound, tap->outbound_sent);
    if (tap->end == TAP_CLOSED || tap->client_is_shut)
        return true; /* nobody gets it any more */
    if (slicer_is_needed(delivery)) {
        struct sliced_frame frame = {.delivery = *delivery,
                                     .start = tap->outbound_position + left,
                                     .header_bytes = header_bytes,
                                     .payload_bytes = data.len - header_bytes};
        slicer_add(&tap->slicer, &frame);
    } else if (left == 0 && tap->gap_until_us == 0) {
        size_t done = send_straight(tap, data);
        data = bytes_of(data.data + done, data.len - done);
    }
    if (!buffer_append(&tap->outbound, data)) {
        tap_close(tap, true);
        return false;
    }
    if (tap->end != TAP_CLOSED)
        client_write(tap);
    interests_set(tap);
    return true;
}

void tap_stop_reading(struct tap *tap, uint64_t for_us)
{
    uint64_t now = now_us(tap);
    tap->reads_again_us = for_us > UINT64_MAX - now ? UINT64_MAX : now + for_us;
    interests_set(tap);
    tap->events.due(tap->events.context, tap->reads_again_us);
}

void tap_half_close(struct tap *tap)
{
    tap->half_closes = true;
    if (tap->aside)
        socket_shut(tap->client_fd, tap->tls);
    tap->events.due(tap->events.context, now_us(tap));
}

void tap_deafen(struct tap *tap)
{
    tap->deaf = true;
}

static void end_begin(struct tap *tap, enum tap_end end)
{
    if (tap->end == TAP_CLOSED || tap->end == TAP_RESETS || tap->end == end)
        return;
    tap->end = end;
    tap->held = false;
    tap->reads_again_us = 0;
    tap->end_by_us = now_us(tap) + TAP_FINISH_WAIT_US;
    tap->events.due(tap->events.context, tap->end_by_us);
}

void tap_finish(struct tap *tap)
{
    end_begin(tap, TAP_FINISHES);
    interests_set(tap);
    tap->events.due(tap->events.context, now_us(tap));
}

void tap_reset(struct tap *tap)
{
    end_begin(tap, TAP_RESETS);
    interests_set(tap);
    tap->events.due(tap->events.context, now_us(tap));
}

size_t tap_unsent_bytes(const struct tap *tap)
{
    return left_in(&tap->outbound, tap->outbound_sent);
}

bool tap_is_ending(const struct tap *tap)
{
    return tap->end != TAP_STAYS;
}

uint64_t tap_deadline_us(const struct tap *tap)
{
    uint64_t deadline = UINT64_MAX;
    if (tap->end == TAP_FINISHES || tap->end == TAP_RESETS)
        deadline = tap->end_by_us;
    if (tap->gap_until_us != 0 && tap->gap_until_us < deadline)
        deadline = tap->gap_until_us;
    if (tap->confirm_us != 0 && tap->confirm_us < deadline)
        deadline = tap->confirm_us;
    if (tap->reads_again_us != 0 && tap->reads_again_us < deadline)
        deadline = tap->reads_again_us;
    if (tap->half_closes && !tap->client_is_shut && left_in(&tap->outbound, tap->outbound_sent) == 0)
        deadline = 0;
    return deadline;
}

void tap_tick(struct tap *tap, uint64_t time_us)
{
    if (tap->end == TAP_CLOSED)
        return;
    if (tap->gap_until_us != 0 && tap->gap_until_us <= time_us)
        tap->gap_until_us = 0;
    if (tap->confirm_us <= time_us)
        tap->confirm_us = 0;
    if (tap->reads_again_us <= time_us)
        tap->reads_again_us = 0;
    if ((tap->end == TAP_FINISHES || tap->end == TAP_RESETS) && tap->end_by_us <= time_us) {
        tap_close(tap, tap->end == TAP_RESETS);
        return;
    }
    pump(tap);
}
