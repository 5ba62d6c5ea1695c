/* The life of a tap: its sockets, what they wait for, and how it ends. */
#include "server/net/tap_parts.h"

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

/* From the loop alone: what reads may do anything to the tap but free it. */
static void tell_forwarded(struct tap *tap)
{
    const bool forwards = tap->forwards && tap->end != TAP_CLOSED;
    tap->forwards = false;
    if (forwards)
        tap->events.forwarded(tap->events.context);
}

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
    /* Untaken bytes come first: the socket has still to say then that it is of no use. */
    if (status < 0 && tap->end != TAP_CLOSED && !tap->client_ended && tap->untaken.len == 0)
        tap_client_end(tap, true);
    tell_forwarded(tap);
}

static void on_pair_poll(uv_poll_t *poll, int status, int events)
{
    (void)events;
    struct tap *tap = poll->data;
    if (status < 0)
        tap->pair_interest = 0;
    pump(tap);
    tell_forwarded(tap);
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
    tap->looks_again_us = UINT64_MAX;
    buffer_init(&tap->untaken, TAP_READ_BYTES);
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
    buffer_free(&tap->untaken);
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

void tap_close_pair(struct tap *tap)
{
    if (tap->pair_fd < 0)
        return;
    uv_close((uv_handle_t *)&tap->pair_poll, on_handle_closed);
    close(tap->pair_fd);
    tap->pair_fd = -1;
    buffer_clear(&tap->inbound);
    tap->inbound_sent = 0;
}

void tap_close(struct tap *tap, bool reset)
{
    if (tap->end == TAP_CLOSED)
        return;
    tap->end = TAP_CLOSED;
    tap_close_pair(tap);
    uv_close((uv_handle_t *)&tap->client_poll, on_handle_closed);
    socket_close(tap->client_fd, reset);
    tap->client_fd = -1;
}

void tap_client_end(struct tap *tap, bool reset)
{
    if (!tap->client_ended) {
        tap->client_ended = true;
        tap->events.ended(tap->events.context, reset);
    }
    if (reset)
        tap_close(tap, false);
}

void tap_client_fail(struct tap *tap)
{
    if (tap->tls != NULL && !tls_stream_is_open(tap->tls))
        tap->events.refused(tap->events.context, tls_stream_words(tap->tls));
    tap_client_end(tap, true);
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
    tap->confirm_us = tap_now_us(tap) + TAP_CONFIRM_US;
    tap->events.due(tap->events.context, tap->confirm_us);
}

/* Ends what is to end, once everything is out. */
static void settle(struct tap *tap)
{
    if (tap->end == TAP_CLOSED || !tap->pair_dry || tap_left_in(&tap->outbound, tap->outbound_sent) > 0)
        return;
    if (tap->half_closes)
        client_shut(tap);
    if (tap->end == TAP_STAYS)
        return;
    if (tap->end == TAP_RESETS) {
        settle_reset(tap);
        return;
    }
    tap_close_pair(tap);
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

void tap_set_interests(struct tap *tap)
{
    if (tap->end == TAP_CLOSED)
        return;
    int client = 0;
    if (tap_reads_client(tap) && tap->untaken.len == 0)
        client |= UV_READABLE;
    if (tap->reads_again_us != 0 && !tap->client_ended)
        client |= UV_DISCONNECT;
    if (tap->tls_wants_write ||
        (tap_left_in(&tap->outbound, tap->outbound_sent) > 0 && tap->gap_until_us == 0))
        client |= UV_WRITABLE;
    interest_set(&tap->client_poll, &tap->client_interest, client, on_client_poll);
    if (tap->pair_fd < 0)
        return;
    int pair = 0;
    if (tap_left_in(&tap->outbound, tap->outbound_sent) < TAP_OUT_BYTES_MAX)
        pair |= UV_READABLE;
    if (tap_left_in(&tap->inbound, tap->inbound_sent) > 0)
        pair |= UV_WRITABLE;
    interest_set(&tap->pair_poll, &tap->pair_interest, pair, on_pair_poll);
}

static void pump(struct tap *tap)
{
    if (tap->end == TAP_CLOSED)
        return;
    tap_read_client(tap);
    tap_write_library(tap);
    tap_read_library(tap);
    tap_write_client(tap);
    settle(tap);
    tap_set_interests(tap);
}

void tap_look_again(struct tap *tap, uint64_t at_us)
{
    tap->looks_again_us = at_us;
    tap->events.due(tap->events.context, at_us);
}

void tap_hold(struct tap *tap, bool held)
{
    tap->held = held;
    tap_set_interests(tap);
    /* TLS may hold what has come meanwhile, and no poll tells of that. */
    if (!held && (tap->tls != NULL || tap->untaken.len > 0))
        tap_look_again(tap, tap_now_us(tap));
}

void tap_stop_reading(struct tap *tap, uint64_t for_us)
{
    uint64_t now = tap_now_us(tap);
    tap->reads_again_us = for_us > UINT64_MAX - now ? UINT64_MAX : now + for_us;
    tap_set_interests(tap);
    tap->events.due(tap->events.context, tap->reads_again_us);
}

void tap_half_close(struct tap *tap)
{
    tap->half_closes = true;
    tap->events.due(tap->events.context, tap_now_us(tap));
}

void tap_cork(struct tap *tap, bool corked)
{
    if (corked == tap->corked)
        return;
    tap->corked = corked;
    tap->gap_until_us = corked ? tap_now_us(tap) + TAP_CORKED_MAX_US : 0;
    if (!corked && tap->end != TAP_CLOSED)
        tap_write_client(tap);
    tap_set_interests(tap);
    if (corked)
        tap->events.due(tap->events.context, tap->gap_until_us);
}

void tap_deafen(struct tap *tap)
{
    tap->deaf = true;
}

static void end_begin(struct tap *tap, enum tap_end end)
{
    if (tap->end == TAP_CLOSED || tap->end == TAP_RESETS || tap->end == end)
        return;
    tap_cork(tap, false);
    tap->end = end;
    tap->held = false;
    tap->reads_again_us = 0;
    tap->end_by_us = tap_now_us(tap) + TAP_FINISH_WAIT_US;
    tap->events.due(tap->events.context, tap->end_by_us);
}

void tap_finish(struct tap *tap)
{
    end_begin(tap, TAP_FINISHES);
    tap_set_interests(tap);
    tap->events.due(tap->events.context, tap_now_us(tap));
}

void tap_reset(struct tap *tap)
{
    end_begin(tap, TAP_RESETS);
    tap_set_interests(tap);
    tap->events.due(tap->events.context, tap_now_us(tap));
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
    if (tap->looks_again_us < deadline && tap_reads_client(tap))
        deadline = tap->looks_again_us;
    if (tap->half_closes && !tap->client_is_shut && tap_left_in(&tap->outbound, tap->outbound_sent) == 0)
        deadline = 0;
    return deadline;
}

void tap_tick(struct tap *tap, uint64_t time_us)
{
    if (tap->end == TAP_CLOSED)
        return;
    if (tap->looks_again_us <= time_us)
        tap->looks_again_us = UINT64_MAX;
    if (tap->gap_until_us != 0 && tap->gap_until_us <= time_us) {
        tap->gap_until_us = 0;
        tap->corked = false;
    }
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
