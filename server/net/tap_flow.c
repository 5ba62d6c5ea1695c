/* The bytes of a tap: from the client to the library, and from the owner and the library to the client. */
#include <errno.h>
#include <sys/socket.h>

#include "server/net/socket_io.h"
#include "server/net/tap_parts.h"

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

/* What of the client is taken in now. */
bool tap_reads_client(const struct tap *tap)
{
    return tap->end != TAP_CLOSED && !tap->client_ended && !tap->held && tap->reads_again_us == 0 &&
           tap_left_in(&tap->inbound, tap->inbound_sent) < TAP_IN_BYTES_MAX;
}

/* Gives what has come to the owner, and on to the library. False: this turn is over. */
static bool client_take(struct tap *tap, struct bytes data)
{
    uint64_t again_us = 0;
    const bool joined = tap->pair_fd >= 0;
    if (tap->end != TAP_STAYS && !joined) {
        buffer_clear(&tap->untaken);
        return true; /* the answer is out: what still comes is drained */
    }
    const size_t taken = tap->events.received(tap->events.context, data, &again_us);
    if (joined && tap->pair_fd >= 0 && !tap->deaf)
        buffer_append(&tap->inbound, bytes_of(data.data, taken));
    if (tap->untaken.len > 0)
        buffer_consume(&tap->untaken, taken);
    else if (taken < data.len)
        buffer_append(&tap->untaken, bytes_of(data.data + taken, data.len - taken));
    if (tap->untaken.len > 0)
        tap_look_again(tap, again_us);
    return tap->untaken.len == 0;
}

void tap_read_client(struct tap *tap)
{
    uint8_t chunk[TAP_READ_BYTES];
    if (tap->untaken.len > 0 && (tap->looks_again_us != UINT64_MAX || !tap_reads_client(tap) ||
                                 !client_take(tap, buffer_bytes(&tap->untaken))))
        return;
    for (unsigned n = 0; n < TAP_READS_MAX && tap_reads_client(tap); n++) {
        size_t got = sizeof chunk;
        enum io_result result = socket_read(tap->client_fd, tap->tls, chunk, &got);
        tap->tls_wants_write = result == IO_WANTS_WRITE;
        if (result == IO_WANTS_READ || result == IO_WANTS_WRITE)
            return;
        if (result == IO_ENDED)
            tap_client_end(tap, false);
        if (result == IO_FAILED)
            tap_client_fail(tap);
        if (result != IO_DONE || !client_take(tap, bytes_of(chunk, got)))
            return;
    }
    if (tap->tls != NULL && tap_reads_client(tap))
        tap_look_again(tap, tap_now_us(tap)); /* it may hold more, and no poll tells of that */
}

void tap_write_library(struct tap *tap)
{
    while (tap->pair_fd >= 0 && tap_left_in(&tap->inbound, tap->inbound_sent) > 0) {
        ssize_t sent = send(tap->pair_fd, tap->inbound.data + tap->inbound_sent,
                            tap_left_in(&tap->inbound, tap->inbound_sent), MSG_NOSIGNAL);
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
        tap->forwards = true;
    }
    if (tap->client_ended && tap->pair_fd >= 0 && !tap->pair_is_shut) {
        shutdown(tap->pair_fd, SHUT_WR);
        tap->pair_is_shut = true;
    }
}

void tap_read_library(struct tap *tap)
{
    uint8_t chunk[TAP_READ_BYTES];
    tap->pair_dry = tap->pair_fd < 0;
    for (unsigned n = 0; n < TAP_READS_MAX; n++) {
        if (tap->pair_fd < 0 || tap_left_in(&tap->outbound, tap->outbound_sent) >= TAP_OUT_BYTES_MAX)
            return;
        ssize_t got = recv(tap->pair_fd, chunk, sizeof chunk, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            tap->pair_dry = true;
            return;
        }
        if (got <= 0) {
            tap_close_pair(tap);
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
    size_t left = tap_left_in(&tap->outbound, tap->outbound_sent);
    uint64_t cut = slicer_next_cut(&tap->slicer, tap->outbound_position, gap_us);
    if (cut - tap->outbound_position <= left)
        return (size_t)(cut - tap->outbound_position);
    *gap_us = 0;
    return left;
}

/* Writes until nothing is left, a gap is due or the client does not take more. */
void tap_write_client(struct tap *tap)
{
    bool wrote = false;
    while (tap->end != TAP_CLOSED && tap->gap_until_us == 0 &&
           tap_left_in(&tap->outbound, tap->outbound_sent) > 0) {
        uint32_t gap_us;
        size_t len = slice_bytes(tap, &gap_us);
        size_t sent = len;
        enum io_result result =
            socket_write(tap->client_fd, tap->tls, tap->outbound.data + tap->outbound_sent, &sent);
        if (result == IO_FAILED)
            tap_client_fail(tap);
        if (result != IO_DONE)
            break;
        wrote = true;
        tap->outbound_position += sent;
        buffer_sent(&tap->outbound, &tap->outbound_sent, sent);
        if (sent == len && gap_us > 0) {
            tap->gap_until_us = tap_now_us(tap) + gap_us;
            tap->events.due(tap->events.context, tap->gap_until_us);
        }
    }
    if (!wrote)
        return;
    slicer_forget(&tap->slicer, tap->outbound_position); /* before the next message asks for its room */
    if (tap->end == TAP_FINISHES || tap->end == TAP_RESETS)
        tap->end_by_us = tap_now_us(tap) + TAP_FINISH_WAIT_US;
    tap->events.progressed(tap->events.context);
}

bool tap_forward(struct tap *tap, struct bytes data)
{
    if (tap->pair_fd < 0 || !buffer_append(&tap->inbound, data))
        return false;
    tap_write_library(tap);
    tap_set_interests(tap);
    return true;
}

bool tap_write(struct tap *tap, struct bytes data)
{
    if (tap->end != TAP_STAYS || !buffer_append(&tap->outbound, data))
        return false;
    /* A refusal is no stream to slice: the slicer has seen nothing and asks for no cut. */
    tap_write_client(tap);
    tap_set_interests(tap);
    return true;
}

bool tap_is_full(const struct tap *tap)
{
    return tap_left_in(&tap->outbound, tap->outbound_sent) >= TAP_OUT_BYTES_MAX ||
           !slicer_has_room(&tap->slicer, 1);
}

bool tap_can_send(struct tap *tap, size_t frames)
{
    if (tap->end != TAP_STAYS)
        return false;
    tap_read_library(tap);
    return tap->end == TAP_STAYS && tap->pair_dry &&
           tap_left_in(&tap->outbound, tap->outbound_sent) < TAP_OUT_BYTES_MAX &&
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
    size_t left = tap_left_in(&tap->outbound, tap->outbound_sent);
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
        tap_write_client(tap);
    tap_set_interests(tap);
    return true;
}

size_t tap_unsent_bytes(const struct tap *tap)
{
    return tap_left_in(&tap->outbound, tap->outbound_sent);
}
