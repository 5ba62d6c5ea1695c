/*
 * The tap: owns one TCP connection in front of the library. It sees the client's bytes as they come, passes
 * them on through a socketpair whose other end the library has, and writes what its owner gives it, sliced
 * where a fault asks for it. What the library says by itself goes to the owner, which passes it on. With TLS
 * it is the tap that speaks it.
 *
 * Both directions are bounded: when the client does not read, the tap stops reading from the library, which
 * then feels it; when the library is behind, the tap stops reading the client. And the owner takes of what
 * was read as much as it has time for; the rest waits here for its next turn, and nothing more is read before
 * that.
 *
 * Times are microseconds of the owner's clock. The owner calls tap_tick when tap_deadline_us has come.
 */
#ifndef SERVER_NET_TAP_H
#define SERVER_NET_TAP_H

#include <uv.h>

#include "codec/wire/buffer.h"
#include "server/net/slicer.h"
#include "server/tls/tls.h"

enum {
    TAP_OUT_BYTES_MAX = 512 * 1024, /* for the client; above it the library is not read */
    TAP_IN_BYTES_MAX = 256 * 1024,  /* for the library; above it the client is not read */
    TAP_READ_BYTES = 64 * 1024,
    TAP_READS_MAX = 8, /* in a row, before others get their turn */
    TAP_SOCKET_BYTES = 256 * 1024,
    TAP_CONFIRM_US = 1000,       /* so often it is looked whether all is at the client's before an RST */
    TAP_CORKED_MAX_US = 1000000, /* so long it holds back what is to be one write */
    TAP_FINISH_WAIT_US = 1000000 /* for the client to take the rest and end its side */
};

/* All are called from the loop or from within a tap_ function, `context` first. */
struct tap_events {
    /* From the client, before they are passed on. Returns how much was taken: of what was not it is told
     * again, when `*again_us` has come. */
    size_t (*received)(void *context, struct bytes data, uint64_t *again_us);
    void (*ended)(void *context, bool reset);          /* the client's side of the transport ended */
    void (*forwarded)(void *context);                  /* the library has something of it to read now */
    void (*wrote)(void *context, struct bytes data);   /* the library, for the client: the owner's to send */
    void (*refused)(void *context, const char *words); /* the client's TLS came to nothing */
    void (*progressed)(void *context);                 /* bytes went out */
    void (*over)(void *context); /* all handles are closed: nothing is called after it, free it */
    uint64_t (*now_us)(void *context);
    void (*due)(void *context, uint64_t at_us); /* the deadline moved to that time */
    void *context;
};

enum tap_end { TAP_STAYS, TAP_FINISHES, TAP_RESETS, TAP_CLOSED };

struct tap {
    struct tap_events events;
    struct tls_stream *tls; /* NULL: plain */
    int client_fd;
    int pair_fd; /* -1: not joined, or over */
    uv_poll_t client_poll;
    uv_poll_t pair_poll;
    bool pair_poll_set;
    int client_interest; /* as the polls stand */
    int pair_interest;
    unsigned handles; /* not closed yet */
    bool held;
    uint64_t looks_again_us; /* a tick reads then, whatever the polls say; UINT64_MAX: none */
    struct buffer untaken;   /* read from the client, and the owner has not taken it yet */
    uint64_t reads_again_us; /* nothing is read before; 0: reads. UINT64_MAX: never again */
    bool forwards;           /* forwarded is to be called */
    bool tls_wants_write;    /* the handshake has something to say */
    bool client_ended;
    bool half_closes;    /* our FIN goes out once all is out, and reading goes on */
    bool client_is_shut; /* our FIN is out */
    bool pair_is_shut;   /* the library was told that the client has ended */
    bool pair_dry;       /* the last read found nothing */
    enum tap_end end;
    uint64_t end_by_us;
    uint64_t gap_until_us; /* 0: none */
    bool corked;           /* the gap is tap_cork's */
    uint64_t confirm_us;   /* 0: not waited for */
    bool deaf;             /* the library gets nothing more of the client */
    struct buffer inbound; /* to the library */
    size_t inbound_sent;
    struct buffer outbound; /* to the client */
    size_t outbound_sent;
    uint64_t outbound_position; /* of the first unsent byte, in all that went out */
    struct slicer slicer;
};

/* Takes over `client_fd`, a connected socket, and begins to read; with `tls` after a handshake. NULL when it
 * cannot; the socket is then closed. */
struct tap *tap_new(uv_loop_t *loop, int client_fd, struct tls *tls, const struct tap_events *events);
/* After `over` only. */
void tap_free(struct tap *tap);
/* Makes the pair. Returns the library's end; -1 when that is not possible. */
int tap_join(struct tap *tap, uv_loop_t *loop);
/* To the library. Bytes that were received before the join are the owner's to pass on. */
bool tap_forward(struct tap *tap, struct bytes data);
/* To the client, past the library. Before a join only. */
bool tap_write(struct tap *tap, struct bytes data);
/* Is everything here that the library has said, and is there room for another message of `frames` frames? */
bool tap_can_send(struct tap *tap, size_t frames);
/* Has the client so much to take that nothing more is sent now? */
bool tap_is_full(const struct tap *tap);
/* To the client, after all before it: a frame with its header, or raw bytes (header_bytes 0), of which the
 * delivery's slices are made. False without memory. */
bool tap_send(struct tap *tap, struct bytes data, size_t header_bytes, const struct delivery *delivery);
/* Reads nothing from the client for so long (UINT64_MAX: for good), unless it ends its side. */
void tap_stop_reading(struct tap *tap, uint64_t for_us);
/* When all is out: ends our side, and reads on until the client ends its own. */
void tap_half_close(struct tap *tap);
/* From now on the library gets nothing of what the client sends but by tap_forward; the owner still does. */
void tap_deafen(struct tap *tap);
/* Stops and goes on reading the client. */
void tap_hold(struct tap *tap, bool held);
/* When all that the library has written is out: ends our side, waits for the client's for
 * TAP_FINISH_WAIT_US, closes. What the client still sends is read and dropped. */
void tap_finish(struct tap *tap);
/* When all is out: RST. */
void tap_reset(struct tap *tap);
/* At once, whatever is still to go out. */
void tap_close(struct tap *tap, bool reset);
/* Holds back what is given to the client's side, TAP_CORKED_MAX_US long at most; then all of it leaves in one
 * write, as far as the client takes it. */
void tap_cork(struct tap *tap, bool corked);
/* How much of what was given to the client's side has not left yet. */
size_t tap_unsent_bytes(const struct tap *tap);
bool tap_is_ending(const struct tap *tap);
uint64_t tap_deadline_us(const struct tap *tap);
void tap_tick(struct tap *tap, uint64_t time_us);

#endif
