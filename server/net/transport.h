/*
 * The transport of one connection: its TCP socket, with TLS in it where that is on. What the client sends
 * goes to the owner as it comes; what waits in the endpoint leaves in gathering writes, cut where a fault
 * asks for it.
 *
 * Bounded: the owner takes of what was read as much as it has time for; the rest waits here for its next
 * turn, and nothing more is read before that. How much may wait to go out is the owner's to look after, by
 * transport_can_send.
 *
 * Times are microseconds of the owner's clock. The owner calls transport_tick when transport_deadline_us has
 * come.
 */
#ifndef SERVER_NET_TRANSPORT_H
#define SERVER_NET_TRANSPORT_H

#include <uv.h>

#include "codec/wire/buffer.h"
#include "codec/ws/endpoint.h"
#include "server/net/slicer.h"
#include "server/tls/tls.h"

enum {
    TRANSPORT_OUT_BYTES_MAX = 512 * 1024, /* for the client; above it no further message is sent */
    TRANSPORT_READ_BYTES = 64 * 1024,
    TRANSPORT_READS_MAX = 8, /* in a row, before others get their turn */
    TRANSPORT_SOCKET_BYTES = 256 * 1024,
    TRANSPORT_CONFIRM_US = 1000,       /* before an RST: between two looks whether the client has all */
    TRANSPORT_CORKED_MAX_US = 1000000, /* the longest it holds back what is to be one write */
    TRANSPORT_FINISH_WAIT_US = 1000000 /* for the client to take the rest and end its side */
};

/* From the loop and transport_tick alone, but for `now_us` and `due`; `context` first. */
struct transport_events {
    /* From the client. Returns how much was taken: of what was not it is told again, when `*again_us` has
     * come. */
    size_t (*received)(void *context, struct bytes data, uint64_t *again_us);
    void (*ended)(void *context, bool reset);          /* the client's side of the transport ended */
    void (*refused)(void *context, const char *words); /* the client's TLS came to nothing */
    void (*progressed)(void *context);                 /* bytes went out */
    void (*over)(void *context);                       /* nothing is called after it, free it */
    uint64_t (*now_us)(void *context);
    void (*due)(void *context, uint64_t at_us); /* the deadline moved to that time */
    void *context;
};

enum transport_end { TRANSPORT_STAYS, TRANSPORT_FINISHES, TRANSPORT_RESETS, TRANSPORT_CLOSED };

struct transport {
    struct transport_events events;
    struct ws_endpoint *endpoint; /* borrowed: what waits to go out */
    struct tls_stream *tls;       /* NULL: plain */
    int fd;                       /* -1: closed */
    uv_poll_t poll;
    int interest; /* as the poll stands */
    bool held;
    uint64_t looks_again_us; /* a tick reads then, whatever the poll says; UINT64_MAX: none */
    struct buffer untaken;   /* read from the client, and the owner has not taken it yet */
    uint64_t reads_again_us; /* nothing is read before; 0: reads. UINT64_MAX: never again */
    bool tls_wants_write;    /* to be read on: TLS has something to say first */
    bool client_ended;
    bool write_failed; /* the next look at the socket tells why */
    bool half_closes;  /* our FIN goes out once all is out, and reading goes on */
    bool is_shut;      /* our FIN is out */
    enum transport_end end;
    uint64_t end_by_us;
    uint64_t gap_until_us; /* 0: none */
    bool corked;           /* the gap is transport_cork's */
    uint64_t confirm_us;   /* 0: not waited for */
    uint64_t position;     /* of the first unsent byte, in all that went out */
    struct slicer *slicer; /* NULL: nothing was ever to be cut */
};

/* Takes over `fd`, a connected socket, and begins to read; with `tls` after a handshake. NULL when it cannot;
 * the socket is then closed. */
struct transport *transport_new(uv_loop_t *loop, int fd, struct tls *tls, struct ws_endpoint *endpoint,
                                const struct transport_events *events);
/* After `over` only. */
void transport_free(struct transport *transport);
/* To be called whenever something was queued in the endpoint: it leaves as far as the client takes it, and
 * what has to wait is kept (ws_endpoint_keep). True when bytes went out. */
bool transport_flush(struct transport *transport);
/* What lies at that offset of the stream, a frame with its header or raw bytes (header_bytes 0), leaves in
 * the slices of its delivery. To be called before transport_flush; of more frames than can be kept in mind
 * only the first are cut. */
void transport_slice(struct transport *transport, const struct delivery *delivery, uint64_t offset,
                     size_t header_bytes, size_t payload_bytes);
/* Is there room for another message, of which `frames` frames leave in slices? */
bool transport_can_send(const struct transport *transport, size_t frames);
/* Reads nothing from the client for `for_us` (UINT64_MAX: for good), unless it ends its side. */
void transport_stop_reading(struct transport *transport, uint64_t for_us);
/* When all is out: ends our side, and reads on until the client ends its own. */
void transport_half_close(struct transport *transport);
/* Stops and goes on reading the client. */
void transport_hold(struct transport *transport, bool held);
/* When all is out: ends our side, waits for the client's for TRANSPORT_FINISH_WAIT_US, closes. What the
 * client still sends is read and dropped. */
void transport_finish(struct transport *transport);
/* When all is out: RST. */
void transport_reset(struct transport *transport);
/* At once, whatever is still to go out. */
void transport_close(struct transport *transport, bool reset);
/* Holds back what is to go out, TRANSPORT_CORKED_MAX_US long at most; then all of it leaves in one write, as
 * far as the client takes it. */
void transport_cork(struct transport *transport, bool corked);
bool transport_is_ending(const struct transport *transport);
uint64_t transport_deadline_us(const struct transport *transport);
void transport_tick(struct transport *transport, uint64_t time_us);

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
