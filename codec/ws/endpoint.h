/*
 * One end of a WebSocket connection (RFC 6455, RFC 7692), server or client, without I/O: bytes in, events
 * out; messages in, pieces of bytes out. Its owner has the socket, the clock and the loop.
 *
 *     reading    ws_endpoint_feed with what the socket gave, within a budget; ws_endpoint_end at its end
 *     writing    ws_endpoint_send and the like, then ws_endpoint_pieces -> writev -> ws_endpoint_sent, until
 *                the socket takes no more, then ws_endpoint_keep
 *     time       ws_endpoint_tick when ws_endpoint_deadline_us has come
 *     the end    ws_endpoint_is_over: the transport is to be ended in order
 *
 * By itself it never breaks RFC 6455. It answers pings and the peer's close frame, fails the connection for
 * what the peer does wrong, and refuses to send what must not be sent: that is a return value, and nothing is
 * queued. To break a rule one has to say which: the functions under "Breaking the rules".
 *
 * What the peer does wrong is a value: WIRE_EVENT_VIOLATION for frames, `flaws` for the handshake. Strict
 * (the default) it then fails the connection with the code of ws_violation_close_code and takes in nothing
 * more; events go on, marked `ignored`, so that a journal has all that came. Lenient it tells and goes on.
 *
 * Events come from within feed, tick, sent and end. Any function may be called from within the sink but
 * ws_endpoint_free, _feed and _end. Data of an event lives until the sink returns.
 *
 * Memory: a message up to message_bytes_max, as far as there is room, a head up to HTTP_HEAD_BYTES_MAX, what
 * waits to go out up to out_bytes_max and the control frames beside it. Pings: as long as fewer than
 * WS_PONGS_MAX pongs wait to go out, each ping is answered by one; of those that come beyond only the newest
 * is answered, once there is room (RFC 6455 5.5.3 allows it).
 */
#ifndef CODEC_WS_ENDPOINT_H
#define CODEC_WS_ENDPOINT_H

#include "codec/ws/handshake.h"
#include "codec/ws/out.h"
#include "codec/ws/stream.h"

enum ws_role { WS_SERVER, WS_CLIENT };

enum ws_state {
    WS_HANDSHAKE, /* server: waits for the request, or for its owner to answer it; client: for the answer */
    WS_OPEN,
    WS_CLOSING, /* our close frame is queued, the peer's has not come */
    WS_CLOSED   /* nothing more is said or taken in: both close frames, a refusal, a failure, or the end */
};

enum {
    WS_PONGS_MAX = 32,       /* that wait to go out */
    WS_FRAGMENTS_MAX = 4096, /* of one message; the last holds the rest */
    WS_CLOSE_WITH_BYTES_MAX = 65536
};

struct ws_event {
    /* TEXT, BINARY, PING, PONG, CLOSE, VIOLATION, REQUEST, RESPONSE and END of the peer; PONG and CLOSE in
     * our direction are what the endpoint says by itself, told when it is queued. */
    struct wire_event wire;
    struct ws_span span; /* where it lies in what came from the peer; of our own: in what we send */
    unsigned flaws;      /* REQUEST, RESPONSE: bits of enum ws_flaw */
    bool early;          /* it came before the handshake was done, or is of it */
    bool ignored;        /* told for the record alone: the connection has failed, or is closed */
};

typedef void ws_sink(void *context, const struct ws_event *event);

struct ws_options {
    enum ws_role role;
    bool lenient;
    size_t message_bytes_max; /* kept of a message; its event tells its true size, and the owner may close
                                 with 1009 */
    struct ws_room *room;     /* shared by the messages of many endpoints (stream.h); NULL: by none */
    uint64_t
        inflated_bytes_max; /* what a compressed message may grow to; 0: compression is never agreed on */
    size_t out_bytes_max;
    uint64_t handshake_wait_us; /* server: for the request; client: for the answer. UINT64_MAX: any time */
    uint64_t close_wait_us;     /* for the peer's close frame, and for a server to end the transport then */
    uint64_t seed; /* client: of its key and its masks, another for each connection. RFC 6455 10.3
                      wants it from a good source */
    ws_sink *sink;
    void *context;
};

struct ws_endpoint;

/* NULL when memory runs out. */
struct ws_endpoint *ws_endpoint_new(const struct ws_options *options, uint64_t now_us);
void ws_endpoint_free(struct ws_endpoint *endpoint);

enum ws_state ws_endpoint_state(const struct ws_endpoint *endpoint);
/* Compressed messages were agreed on. */
bool ws_endpoint_compresses(const struct ws_endpoint *endpoint);
/* From now on at most message_bytes_max bytes of a message are kept, and a compressed one may grow to
 * inflated_bytes_max: for an owner who learns from the request what it may be. */
void ws_endpoint_limit(struct ws_endpoint *endpoint, size_t message_bytes_max, uint64_t inflated_bytes_max);
/* There was no room for a message, or no memory. Nothing of what comes counts any more, and an open
 * connection closes: a server with 1013 (try again later), a client with 1009 (too big). */
bool ws_endpoint_is_starved(const struct ws_endpoint *endpoint);
/* Are pings answered? They are at first. */
void ws_endpoint_answer_pings(struct ws_endpoint *endpoint, bool answer);

/* ---- the handshake ---- */

/* Server, after the request: answers it with 101, `lines` as ws_response_write has them. `compress`: agree on
 * compressed messages where the request offers that and the options allow it, and `lines` do not name
 * Sec-WebSocket-Extensions. False when there is nothing to accept, or no room. */
bool ws_endpoint_accept(struct ws_endpoint *endpoint, struct bytes lines, bool compress);
/* Server, before it has accepted: the whole response, head and body. Nothing follows it. */
bool ws_endpoint_refuse(struct ws_endpoint *endpoint, struct bytes response);
/* Client: sends the request. The offer of compression is added where the options allow it. */
bool ws_endpoint_request(struct ws_endpoint *endpoint, const char *target, const char *host,
                         struct bytes lines);

/* ---- reading ---- */

/* Takes in bytes, within the budget and until ws_endpoint_pause; returns how many. The rest is to be given
 * again, with the next. `now_us` is the time of this turn, which events carry and which never goes back; when
 * bytes came that had to wait for their turn, their owner knows. After an upgrade to something else they are
 * taken and dropped, in WS_CLOSED they are told as ignored. */
size_t ws_endpoint_feed(struct ws_endpoint *endpoint, uint64_t now_us, struct bytes data,
                        struct ws_budget *budget);
/* From within the sink: feed returns behind what is being told of. So a server takes over what is no request
 * for a WebSocket. */
void ws_endpoint_pause(struct ws_endpoint *endpoint);
/* From within the sink, told of a message: ws_stream_take. */
void ws_endpoint_take_message(struct ws_endpoint *endpoint, struct ws_message *out);
/* The peer's side of the transport has ended. */
void ws_endpoint_end(struct ws_endpoint *endpoint, uint64_t now_us, bool reset);

/* ---- sending ---- */

/* False when it must not be sent (the connection is not open, a message in fragments is not over, a text is
 * no UTF-8), when more would wait than out_bytes_max, or memory runs out. A client's payload is copied, as it
 * is masked, and so is a compressed one; else it goes out from where it lies. `opcode`: TEXT or BINARY. */
bool ws_endpoint_send(struct ws_endpoint *endpoint, enum ws_opcode opcode, const struct ws_part *parts,
                      size_t count);

/* A frame of a message in fragments, right after it was queued. */
struct ws_fragment {
    uint64_t offset; /* of its first byte, in what we send */
    size_t header_bytes;
    size_t payload_from; /* in the payload of the message, as it is sent */
    size_t payload_bytes;
    bool last;
};

/* How a message is cut, and how far it has got. All 0: not at all. */
struct ws_cut {
    size_t at;    /* two fragments, the second of which begins at this offset of the payload */
    size_t every; /* fragments of that many bytes */
    /* Each fragment; NULL: nobody wants to know. It may send a control frame between two. False: the rest is
     * left for the next call. */
    bool (*queued)(void *context, const struct ws_fragment *fragment);
    void *context;
    size_t break_off_at; /* breaks the rules: the payload ends at this offset, though the header of the frame
                            has told its whole length; 0: never */
    bool any_bytes;      /* breaks the rules: a text need be no UTF-8 */
    size_t begun_bytes;  /* of the payload that the calls before have queued … */
    size_t begun_frames; /* … and in how many fragments. Both are 0 again once the message is whole */
};

/* The same for one span, cut into fragments. Its bytes are passing (out.h). As long as begun_frames is not 0
 * the call is to be made again with the same message: no other is sent before it is whole. */
bool ws_endpoint_send_cut(struct ws_endpoint *endpoint, enum ws_opcode opcode, struct bytes payload,
                          struct ws_cut *cut);
/* At most WS_CONTROL_BYTES_MAX bytes. */
bool ws_endpoint_ping(struct ws_endpoint *endpoint, struct bytes payload);
/* An unasked pong (RFC 6455 5.5.3). */
bool ws_endpoint_pong(struct ws_endpoint *endpoint, struct bytes payload);
/* Begins the closing handshake: nothing but what is queued goes out before it, and nothing after it. A code
 * that must not be sent (7.4.1) and a reason that is no UTF-8 are refused; WS_CLOSE_NO_CODE sends an empty
 * frame. A longer reason is cut at WS_CLOSE_REASON_BYTES_MAX, between two characters. */
bool ws_endpoint_close(struct ws_endpoint *endpoint, uint64_t now_us, uint16_t code, struct bytes reason);

/* Is there room for a message of that many bytes, in that many frames? Then it is not refused for want of
 * room. */
bool ws_endpoint_has_room(const struct ws_endpoint *endpoint, size_t bytes, size_t frames);

/* ---- breaking the rules ---- */

/* Nothing is queued any more but by the functions below: our side of the transport ends behind what waits,
 * without a close frame. What comes is still taken in and told. */
void ws_endpoint_mute(struct ws_endpoint *endpoint);
/* A close frame with any payload at all, of at most WS_CLOSE_WITH_BYTES_MAX bytes. */
bool ws_endpoint_close_with(struct ws_endpoint *endpoint, uint64_t now_us, struct bytes payload);
/* One frame with those bits in front of that payload, whatever went before it. */
bool ws_endpoint_send_frame(struct ws_endpoint *endpoint, const struct ws_frame_bits *bits,
                            struct bytes payload);
/* Bytes as they are, in any state, also before the handshake and after a close frame. They are passing. */
bool ws_endpoint_send_raw(struct ws_endpoint *endpoint, struct bytes bytes);

/* ---- writing ---- */

/* See out.h. */
size_t ws_endpoint_pieces(const struct ws_endpoint *endpoint, struct bytes *pieces, size_t max);
void ws_endpoint_sent(struct ws_endpoint *endpoint, uint64_t now_us, size_t len);
bool ws_endpoint_keep(struct ws_endpoint *endpoint);
/* Bytes that wait, and all that were ever queued: the offset of what is queued next. */
size_t ws_endpoint_unsent(const struct ws_endpoint *endpoint);
uint64_t ws_endpoint_queued(const struct ws_endpoint *endpoint);

/* ---- time and the end ---- */

enum ws_late { WS_LATE_NOT, WS_LATE_HANDSHAKE, WS_LATE_CLOSE };

/* When ws_endpoint_tick is due; UINT64_MAX: never. */
uint64_t ws_endpoint_deadline_us(const struct ws_endpoint *endpoint);
/* What has lasted too long, which makes it WS_CLOSED; told once. A server that is late with the request may
 * still refuse. */
enum ws_late ws_endpoint_tick(struct ws_endpoint *endpoint, uint64_t now_us);
/* The transport is to be ended: all is said and all is out. A client waits for its server to do that, as
 * long as close_wait_us (RFC 6455 7.1.1). */
bool ws_endpoint_is_over(const struct ws_endpoint *endpoint);

#endif
