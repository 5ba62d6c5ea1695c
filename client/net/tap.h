/*
 * The client's tap: it owns TCP and TLS to the server, watches the bytes that come from there, and hands them
 * on to the WebSocket library through a local socket of which only this process holds the other end.
 *
 * The library keeps to itself what a tester must know: the body of a refused upgrade, a close code that it
 * does not like, and it takes a masked server frame for good data. The tap sees all of that, and
 * unpacks compressed messages for it (unpack.h).
 */
#ifndef CLIENT_NET_TAP_H
#define CLIENT_NET_TAP_H

#include <uv.h>

#include "client/net/seams.h"
#include "client/net/url.h"

enum {
    TAP_SENTENCE_MAX = 512,
    TAP_BODY_MAX = 65536,     /* bytes of a refusal's body that are kept */
    TAP_PING_MAX = 125,       /* bytes of a control frame: RFC 6455 5.5 */
    TAP_PENDING_MAX = 4194304 /* bytes on their way in one direction, beyond which nothing more is read */
};

/* What the tap has seen from the server. */
struct tap_seen {
    uint16_t refused_status; /* HTTP status other than 101; 0: none */
    char refused_body[TAP_SENTENCE_MAX];
    char retry_after[64]; /* of the refusal; empty: none */
    bool closed;          /* a close frame came */
    uint16_t close_code;  /* WS_CLOSE_NO_CODE: it held none */
    char close_reason[126];
    uint64_t good_messages; /* text and binary, before a violation */
    bool violated;          /* the server broke RFC 6455: nothing after those is to be trusted */
    char violation[TAP_SENTENCE_MAX];
    uint16_t fail_code;         /* of the close frame that answers it */
    bool packs;                 /* compressed messages were agreed on (permessage-deflate) */
    bool ended;                 /* the transport is over */
    uint64_t pings;             /* that came */
    uint8_t ping[TAP_PING_MAX]; /* the data of the latest */
    size_t ping_bytes;
};

struct tap_listener {
    /* Connected (and TLS is up): a client may connect to the local socket now. */
    void (*ready)(void *context);
    /* No connection came about: a sentence that names the address. `lasting`: it was refused here, over its
     * certificate. Nothing more follows. */
    void (*failed)(void *context, const char *sentence, bool lasting);
    /* seen->refused_status or seen->violated was set, or the transport ended. */
    void (*noticed)(void *context);
    /* seen->pings has grown. */
    void (*pinged)(void *context);
    void *context;
};

struct tap;

struct tap_options {
    const struct url *url;
    const char *ca_file;               /* NULL: the system's */
    const struct channel_seams *seams; /* NULL: none */
    bool offers_deflate;               /* the request will hold ws_deflate_offer */
};

/* NULL with a sentence: no memory, a CA file that is none. Nothing of the options is kept. */
struct tap *tap_start(uv_loop_t *loop, const struct tap_options *options, const struct tap_listener *listener,
                      char error[TAP_SENTENCE_MAX]);
/* The local socket's address as the library takes it ("+@name"). */
const char *tap_address(const struct tap *tap);
const struct tap_seen *tap_seen(const struct tap *tap);
/* Bytes for the server that its connection has not taken yet, those in the local socket included. */
size_t tap_unsent(struct tap *tap);
/* The library has written to the local socket. */
void tap_expect(struct tap *tap);
/* When it last took any, in ns of uv_hrtime; 0: never. */
uint64_t tap_taken_ns(const struct tap *tap);
/* Ends both connections and calls nobody any more. Frees itself when the loop has closed its handles;
 * `*gone` is set then. */
void tap_stop(struct tap *tap, bool *gone);

#endif
