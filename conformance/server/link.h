/*
 * One connection to the server, seen from the client's end, without a socket: bytes that are to go out, bytes
 * that came, and what they amount to. Feeds the rules and the journal with both directions. Private to
 * conformance/server.
 */
#ifndef CONFORMANCE_SERVER_LINK_H
#define CONFORMANCE_SERVER_LINK_H

#include "codec/rules/server_rules.h"
#include "codec/wire/uuid.h"
#include "codec/ws/frame.h"
#include "codec/ws/stream.h"
#include "conformance/server/seen.h"

enum {
    LINK_OUT_BYTES_MAX = 8 * 1024 * 1024, /* that wait for the socket */
    LINK_MESSAGE_BYTES_MAX = 8 * 1024 * 1024
};

/* Called for each thing that came, whole; `message` are its bytes. */
typedef void link_sink(void *context, const struct seen *seen, struct bytes message);

struct link_options {
    const struct session_class *class; /* of the case's family: its server rules judge the connection */
    const struct client_side *side;    /* the same family's */
    const struct server_rule_context *rules;
    struct journal *journal; /* borrowed; NULL: none */
    uint32_t number;         /* of the connection in the journal */
    uint64_t seed;           /* of masks */
    link_sink *sink;
    void *context;
};

struct link {
    struct link_options options;
    struct ws_stream *from_client;
    struct ws_stream *from_server;
    struct server_rule_set *rules;
    struct buffer out;
    struct buffer secrets; /* that the request gave, beside the key: see request_secrets */
    struct buffer shown;   /* a message without them and the key */
    struct seeded random;
    bool open;       /* the upgrade was answered with 101 */
    bool close_sent; /* nothing more goes out */
    bool ended;      /* the transport is over */
    bool lost;       /* what comes is no HTTP: nothing can be made of it any more */
};

/* False when memory runs out. */
bool link_init(struct link *link, const struct link_options *options);
/* The connection is over for the rules too: what they waited for decides now. */
void link_finish(struct link *link, uint64_t now_us);
void link_free(struct link *link);

/* Queues bytes as they are, or a masked frame; nothing after a close. False when there is no more room. */
bool link_queue(struct link *link, struct bytes bytes);
bool link_queue_frame(struct link *link, enum ws_opcode opcode, struct bytes payload);
bool link_queue_close(struct link *link, uint16_t code);
/* 16 bytes, other ones each time. */
void link_random(struct link *link, uint8_t out[16]);

/* The first `len` bytes of `out` have left. */
void link_sent(struct link *link, uint64_t now_us, size_t len);
void link_received(struct link *link, uint64_t now_us, struct bytes bytes);
void link_ended(struct link *link, uint64_t now_us, bool reset);

#endif
