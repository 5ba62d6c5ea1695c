/* The bytes of a connection and how it ends: see transport.h. */
#include "server/net/transport.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/socket_io.h"

static uint64_t now_of(const struct transport *transport)
{
    return transport->events.now_us(transport->events.context);
}

static void due_at(const struct transport *transport, uint64_t at_us)
{
    transport->events.due(transport->events.context, at_us);
}

static size_t unsent(const struct transport *transport)
{
    return ws_endpoint_unsent(transport->endpoint);
}

/* ---- what the socket is watched for ---- */

/* What of the client is taken in now. */
static bool reads_client(const struct transport *transport)
{
    return transport->end != TRANSPORT_CLOSED && !transport->client_ended && !transport->held &&
           transport->reads_again_us == 0;
}

static bool writes_client(const struct transport *transport)
{
    return transport->end != TRANSPORT_CLOSED && !transport->is_shut && !transport->write_failed &&
           transport->gap_until_us == 0 && unsent(transport) > 0;
}

static void on_poll(uv_poll_t *poll, int status, int events);

static void interest_set(struct transport *transport)
{
    int wanted = 0;
    if (transport->end == TRANSPORT_CLOSED)
        return;
    if (reads_client(transport) && transport->untaken.len == 0)
        wanted |= transport->tls_wants_write ? UV_READABLE | UV_WRITABLE : UV_READABLE;
    if (transport->reads_again_us != 0 && !transport->client_ended)
        wanted |= UV_DISCONNECT;
    if (writes_client(transport))
        wanted |= UV_WRITABLE;
    if (transport->interest == wanted)
        return;
    transport->interest = wanted;
    if (wanted == 0)
        uv_poll_stop(&transport->poll);
    else
        uv_poll_start(&transport->poll, wanted, on_poll);
}

/* The next tick from then on reads what the client has sent, of which no poll tells. */
static void look_again(struct transport *transport, uint64_t at_us)
{
    transport->looks_again_us = at_us;
    due_at(transport, at_us);
}

/* ---- the end ---- */

static void on_closed(uv_handle_t *handle)
{
    struct transport *transport = handle->data;
    transport->events.over(transport->events.context);
}

void transport_close(struct transport *transport, bool reset)
{
    if (transport->end == TRANSPORT_CLOSED)
        return;
    transport->end = TRANSPORT_CLOSED;
    uv_close((uv_handle_t *)&transport->poll, on_closed);
    socket_close(transport->fd, reset);
    transport->fd = -1;
}

static void client_end(struct transport *transport, bool reset)
{
    if (!transport->client_ended) {
        transport->client_ended = true;
        transport->events.ended(transport->events.context, reset);
    }
    if (reset)
        transport_close(transport, false);
}

/* The socket is of no use any more. */
static void client_fail(struct transport *transport)
{
    if (transport->tls != NULL && !tls_stream_is_open(transport->tls))
        transport->events.refused(transport->events.context, tls_stream_words(transport->tls));
    client_end(transport, true);
}

static void shut(struct transport *transport)
{
    if (!transport->is_shut)
        socket_shut(transport->fd, transport->tls);
    transport->is_shut = true;
}

/* An RST lets go of what the client's system has not taken yet, so it waits for that. */
static void settle_reset(struct transport *transport)
{
    if (socket_unconfirmed(transport->fd) == 0) {
        transport_close(transport, true);
        return;
    }
    transport->confirm_us = now_of(transport) + TRANSPORT_CONFIRM_US;
    due_at(transport, transport->confirm_us);
}

/* Ends what is to end, once everything is out. */
static void settle(struct transport *transport)
{
    if (transport->end == TRANSPORT_CLOSED || (unsent(transport) > 0 && !transport->is_shut))
        return;
    if (transport->half_closes)
        shut(transport);
    if (transport->end == TRANSPORT_RESETS)
        settle_reset(transport);
    if (transport->end != TRANSPORT_FINISHES)
        return;
    shut(transport);
    if (transport->client_ended)
        transport_close(transport, false);
}

/* The client has its time from the next write on, which may be behind a gap. */
static void end_wait(struct transport *transport)
{
    const uint64_t now_us = now_of(transport);
    const uint64_t from_us = transport->gap_until_us > now_us ? transport->gap_until_us : now_us;
    transport->end_by_us = from_us + TRANSPORT_FINISH_WAIT_US;
}

static void end_begin(struct transport *transport, enum transport_end end)
{
    if (transport->end == TRANSPORT_CLOSED || transport->end == TRANSPORT_RESETS || transport->end == end)
        return;
    transport_cork(transport, false);
    if (transport->end == TRANSPORT_CLOSED)
        return;
    transport->end = end;
    transport->held = false;
    transport->reads_again_us = 0;
    end_wait(transport);
    interest_set(transport);
    due_at(transport, now_of(transport));
}

void transport_finish(struct transport *transport)
{
    end_begin(transport, TRANSPORT_FINISHES);
}

void transport_reset(struct transport *transport)
{
    end_begin(transport, TRANSPORT_RESETS);
}

void transport_half_close(struct transport *transport)
{
    transport->half_closes = true;
    due_at(transport, now_of(transport));
}

/* ---- in ---- */

/* Gives what has come to the owner. False: this turn is over. */
static bool client_take(struct transport *transport, struct bytes data)
{
    uint64_t again_us = 0;
    if (transport->end != TRANSPORT_STAYS) { /* our last word is said: what still comes is drained */
        buffer_clear(&transport->untaken);
        return true;
    }
    const size_t taken = transport->events.received(transport->events.context, data, &again_us);
    if (transport->untaken.len > 0)
        buffer_consume(&transport->untaken, taken);
    else if (taken < data.len)
        buffer_append(&transport->untaken, bytes_of(data.data + taken, data.len - taken));
    if (transport->untaken.len > 0)
        look_again(transport, again_us);
    return transport->untaken.len == 0;
}

static void client_read(struct transport *transport)
{
    uint8_t chunk[TRANSPORT_READ_BYTES];
    if (transport->untaken.len > 0 && (transport->looks_again_us != UINT64_MAX || !reads_client(transport) ||
                                       !client_take(transport, buffer_bytes(&transport->untaken))))
        return;
    for (unsigned n = 0; n < TRANSPORT_READS_MAX && reads_client(transport); n++) {
        size_t got = sizeof chunk;
        enum io_result result = socket_read(transport->fd, transport->tls, chunk, &got);
        transport->tls_wants_write = result == IO_WANTS_WRITE;
        if (result == IO_WANTS_READ || result == IO_WANTS_WRITE)
            return;
        if (result == IO_ENDED)
            client_end(transport, false);
        if (result == IO_FAILED)
            client_fail(transport);
        if (result != IO_DONE || !client_take(transport, bytes_of(chunk, got)))
            return;
    }
    if (transport->tls != NULL && reads_client(transport))
        look_again(transport, now_of(transport)); /* it may hold more, and no poll tells of that */
}

void transport_hold(struct transport *transport, bool held)
{
    transport->held = held;
    interest_set(transport);
    /* TLS may hold what has come meanwhile, and no poll tells of that. */
    if (!held && (transport->tls != NULL || transport->untaken.len > 0))
        look_again(transport, now_of(transport));
}

void transport_stop_reading(struct transport *transport, uint64_t for_us)
{
    uint64_t now = now_of(transport);
    transport->reads_again_us = for_us > UINT64_MAX - now ? UINT64_MAX : now + for_us;
    interest_set(transport);
    due_at(transport, transport->reads_again_us);
}

/* ---- out ---- */

/* What the next write may hold, cut where a slice ends: returns how many bytes. */
static size_t slice_take(struct transport *transport, struct bytes *pieces, size_t *count, uint32_t *gap_us)
{
    uint64_t cut = UINT64_MAX;
    *gap_us = 0;
    if (transport->slicer != NULL)
        cut = slicer_next_cut(transport->slicer, transport->position, gap_us);
    const uint64_t most = cut == UINT64_MAX ? UINT64_MAX : cut - transport->position;
    size_t len = 0, n = 0;
    *count = ws_endpoint_pieces(transport->endpoint, pieces, SOCKET_PARTS_MAX);
    for (; n < *count && len < most; n++) {
        if (pieces[n].len > most - len)
            pieces[n].len = (size_t)(most - len);
        len += pieces[n].len;
    }
    *count = n;
    if (len < most)
        *gap_us = 0;
    return len;
}

/* Until nothing is left, a gap is due or the client does not take more. True when bytes went out. */
static bool client_write(struct transport *transport)
{
    struct bytes pieces[SOCKET_PARTS_MAX];
    bool wrote = false;
    while (writes_client(transport)) {
        uint32_t gap_us;
        size_t count, sent;
        const size_t len = slice_take(transport, pieces, &count, &gap_us);
        const enum io_result result = socket_write(transport->fd, transport->tls, pieces, count, &sent);
        if (result == IO_FAILED) {
            transport->write_failed = true;
            due_at(transport, now_of(transport));
        }
        if (result != IO_DONE)
            break;
        const uint64_t now_us = now_of(transport);
        wrote = true;
        transport->position += sent;
        ws_endpoint_sent(transport->endpoint, now_us, sent);
        if (sent == len && gap_us > 0) {
            transport->gap_until_us = now_us + gap_us;
            due_at(transport, transport->gap_until_us);
        }
        if (sent < len && transport->tls == NULL)
            break;
    }
    if (!wrote)
        return false;
    if (transport->slicer != NULL)
        slicer_forget(transport->slicer, transport->position); /* before the next message asks for room */
    if (transport->end == TRANSPORT_FINISHES || transport->end == TRANSPORT_RESETS)
        end_wait(transport);
    return true;
}

bool transport_flush(struct transport *transport)
{
    /* While the poll waits until the client takes more, there is no use in asking. */
    const bool wrote = (transport->interest & UV_WRITABLE) == 0 && client_write(transport);
    if (!ws_endpoint_keep(transport->endpoint))
        transport_close(transport, true);
    interest_set(transport);
    return wrote;
}

void transport_cork(struct transport *transport, bool corked)
{
    if (corked == transport->corked)
        return;
    transport->corked = corked;
    transport->gap_until_us = corked ? now_of(transport) + TRANSPORT_CORKED_MAX_US : 0;
    if (corked)
        due_at(transport, transport->gap_until_us);
    else
        (void)transport_flush(transport);
}

void transport_slice(struct transport *transport, const struct delivery *delivery, uint64_t offset,
                     size_t header_bytes, size_t payload_bytes)
{
    const struct sliced_frame frame = {
        .delivery = *delivery, .start = offset, .header_bytes = header_bytes, .payload_bytes = payload_bytes};
    if (!slicer_is_needed(delivery))
        return;
    if (transport->slicer == NULL && (transport->slicer = malloc(sizeof *transport->slicer)) != NULL)
        slicer_init(transport->slicer);
    if (transport->slicer != NULL && slicer_has_room(transport->slicer, 1))
        slicer_add(transport->slicer, &frame);
}

bool transport_can_send(const struct transport *transport, size_t frames)
{
    return transport->end == TRANSPORT_STAYS && unsent(transport) < TRANSPORT_OUT_BYTES_MAX &&
           (transport->slicer == NULL || slicer_has_room(transport->slicer, frames));
}

/* ---- its life ---- */

/* Untaken bytes come first: the socket has still to say then that it is of no use. */
static bool has_failed(const struct transport *transport)
{
    return transport->write_failed && transport->end != TRANSPORT_CLOSED && !transport->client_ended &&
           transport->untaken.len == 0;
}

static void pump(struct transport *transport)
{
    if (transport->end == TRANSPORT_CLOSED)
        return;
    client_read(transport);
    const bool wrote = client_write(transport);
    if (has_failed(transport))
        client_fail(transport);
    settle(transport);
    interest_set(transport);
    if (wrote)
        transport->events.progressed(transport->events.context);
}

/* With a status, libuv has stopped the poll. What was received before an error is still read, and also when
 * the client goes while nothing is to be read. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct transport *transport = poll->data;
    if (status < 0) {
        transport->interest = 0;
        transport->held = false;
    }
    if (status < 0 || (events & UV_DISCONNECT) != 0)
        transport->reads_again_us = 0;
    pump(transport);
    if (status < 0 && transport->end != TRANSPORT_CLOSED && !transport->client_ended &&
        transport->untaken.len == 0)
        client_end(transport, true);
}

void transport_tick(struct transport *transport, uint64_t time_us)
{
    if (transport->end == TRANSPORT_CLOSED)
        return;
    if (transport->looks_again_us <= time_us)
        transport->looks_again_us = UINT64_MAX;
    if (transport->gap_until_us != 0 && transport->gap_until_us <= time_us) {
        transport->gap_until_us = 0;
        transport->corked = false;
    }
    if (transport->confirm_us <= time_us)
        transport->confirm_us = 0;
    if (transport->reads_again_us <= time_us)
        transport->reads_again_us = 0;
    if ((transport->end == TRANSPORT_FINISHES || transport->end == TRANSPORT_RESETS) &&
        transport->end_by_us <= time_us) {
        transport_close(transport, transport->end == TRANSPORT_RESETS);
        return;
    }
    pump(transport);
}

bool transport_is_ending(const struct transport *transport)
{
    return transport->end != TRANSPORT_STAYS;
}

uint64_t transport_deadline_us(const struct transport *transport)
{
    uint64_t deadline = UINT64_MAX;
    if (transport->end == TRANSPORT_FINISHES || transport->end == TRANSPORT_RESETS)
        deadline = transport->end_by_us;
    if (transport->gap_until_us != 0)
        deadline = earlier(deadline, transport->gap_until_us);
    if (transport->confirm_us != 0)
        deadline = earlier(deadline, transport->confirm_us);
    if (transport->reads_again_us != 0)
        deadline = earlier(deadline, transport->reads_again_us);
    if (reads_client(transport))
        deadline = earlier(deadline, transport->looks_again_us);
    const bool shuts = transport->half_closes && !transport->is_shut && unsent(transport) == 0;
    return shuts || has_failed(transport) ? 0 : deadline;
}

struct transport *transport_new(uv_loop_t *loop, int fd, struct tls *tls, struct ws_endpoint *endpoint,
                                const struct transport_events *events)
{
    struct transport *transport = calloc(1, sizeof *transport);
    if (transport != NULL && tls != NULL)
        transport->tls = tls_stream_new(tls, fd);
    if (transport == NULL || (tls != NULL && transport->tls == NULL) || !socket_prepare(fd) ||
        uv_poll_init(loop, &transport->poll, fd) != 0) {
        transport_free(transport);
        close(fd);
        return NULL;
    }
    int on = 1;
    int bytes = TRANSPORT_SOCKET_BYTES;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    transport->events = *events;
    transport->endpoint = endpoint;
    transport->fd = fd;
    transport->poll.data = transport;
    transport->looks_again_us = UINT64_MAX;
    buffer_init(&transport->untaken, TRANSPORT_READ_BYTES);
    interest_set(transport);
    return transport;
}

void transport_free(struct transport *transport)
{
    if (transport == NULL)
        return;
    tls_stream_free(transport->tls);
    buffer_free(&transport->untaken);
    free(transport->slicer);
    free(transport);
}
