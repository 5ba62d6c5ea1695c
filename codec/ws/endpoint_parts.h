/* What the parts of the endpoint share: endpoint.c, its life and its handshake; endpoint_in.c, what comes;
 * endpoint_control.c and endpoint_out.c, what goes. Private to codec/ws. Calls run endpoint -> endpoint_in ->
 * endpoint_control -> endpoint_out. */
#ifndef CODEC_WS_ENDPOINT_PARTS_H
#define CODEC_WS_ENDPOINT_PARTS_H

#include "codec/wire/uuid.h"
#include "codec/ws/endpoint.h"

enum { KEY_BYTES_MAX = 64 };

struct ws_endpoint {
    struct ws_options options;
    uint64_t now_us; /* of the latest call that told it */
    struct seeded random;
    enum ws_state state;
    uint64_t due_us; /* of the handshake or the closing handshake; UINT64_MAX: nothing is waited for */
    bool ended;      /* the peer's side of the transport */
    bool given_up;   /* what was waited for is late */

    /* The handshake. */
    bool asked; /* server: a request for a WebSocket is there, not answered; client: ours is out */
    uint8_t key[KEY_BYTES_MAX];
    size_t key_len;
    bool is_offered; /* server: compression can be agreed on, on these terms */
    struct ws_deflate_terms terms;
    bool compresses;

    /* What comes. */
    struct ws_stream *stream;
    bool deaf;            /* the connection has failed: what comes is told, and nothing else */
    uint16_t closes_with; /* once it is open, as what came before that asks for; 0: it stays open */
    bool close_is_bad;    /* a violation of the close frame was told; the frame itself comes next */
    bool peer_has_closed;

    /* What goes. */
    struct ws_out out;
    bool message_open; /* between fragments, within ws_endpoint_send_cut */
    bool broken_off;
    bool answers_pings;
    bool ping_waits; /* for the pongs before it to leave */
    uint8_t ping[WS_CONTROL_BYTES_MAX];
    size_t ping_len;
};

/* UINT64_MAX, which is no limit, stays that. */
static inline uint64_t endpoint_later(uint64_t now_us, uint64_t wait_us)
{
    return wait_us > UINT64_MAX - now_us ? UINT64_MAX : now_us + wait_us;
}

static inline enum wire_direction endpoint_direction(const struct ws_endpoint *endpoint, bool own)
{
    return (endpoint->options.role == WS_SERVER) == own ? WIRE_FROM_SERVER : WIRE_FROM_CLIENT;
}

/* endpoint_out.c */
/* 16 bytes, other ones each time. */
void endpoint_random(struct ws_endpoint *endpoint, uint8_t out[WS_NONCE_BYTES]);
/* Bytes that are copied at once, within the bound that control frames have too. */
bool endpoint_add_bytes(struct ws_endpoint *endpoint, struct bytes bytes);
/* A frame with the payload in those parts, masked where we are the client. */
bool endpoint_add_frame(struct ws_endpoint *endpoint, enum ws_out_kind kind, struct ws_frame_bits bits,
                        const struct ws_part *parts, size_t count);
/* The connection is open, and nothing that was broken off stands in the way. */
bool endpoint_may_send(const struct ws_endpoint *endpoint);

/* endpoint_control.c */
/* Answers a ping by the rule of endpoint.h. */
void endpoint_answer_ping(struct ws_endpoint *endpoint, struct bytes payload);
/* Says it and closes: the endpoint's own doing, which is told. */
void endpoint_close_by_itself(struct ws_endpoint *endpoint, uint16_t code, struct bytes reason);

/* endpoint_in.c */
ws_stream_sink endpoint_take;

#endif
