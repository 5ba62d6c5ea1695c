/*
 * Compressed messages (permessage-deflate, RFC 7692): what is agreed on, from the server's side and from the
 * client's, a message packed, a message unpacked piece by piece.
 *
 * Each message stands for itself in both directions (no context takeover), so that nothing is kept between
 * messages. A core: no I/O.
 */
#ifndef CODEC_WS_DEFLATE_H
#define CODEC_WS_DEFLATE_H

#include "codec/wire/buffer.h"
#include "codec/wire/http_head.h"

enum { WS_DEFLATE_WINDOW_BITS_MIN = 8, WS_DEFLATE_WINDOW_BITS_MAX = 15, WS_DEFLATE_ANSWER_BYTES_MAX = 160 };

struct ws_deflate_terms {
    unsigned server_window_bits;
    bool server_window_was_asked_for; /* and must be answered: RFC 7692 7.1.2.1 */
};

/* The first offer of the request that can be taken; false when there is none. An offer with a parameter that
 * is unknown, comes twice or has a wrong value is passed over (RFC 7692 7). */
bool ws_deflate_negotiate(const struct http_head *request, struct ws_deflate_terms *out);
/* The response's header line, ended by CRLF and NUL. Returns its length without the NUL. */
size_t ws_deflate_answer(const struct ws_deflate_terms *terms, char out[WS_DEFLATE_ANSWER_BYTES_MAX]);

/* What a client offers: the request's header line, with CRLF. Static. */
const char *ws_deflate_offer(void);

enum ws_deflate_answered {
    WS_DEFLATE_DECLINED,
    WS_DEFLATE_TAKEN,
    WS_DEFLATE_TAKEN_WRONGLY /* the answer is none to the offer: the connection is to be failed (RFC 7692 7)
                              */
};

/* What the head of a response makes of ws_deflate_offer. */
enum ws_deflate_answered ws_deflate_taken(struct bytes response_head);

/* Appends the payload of a message to be sent with RSV1; `window_bits` as agreed on for the sender. False
 * when memory runs out or `out` has no room; what is in `out` behind its old end is of no use then. */
bool ws_deflate_pack(unsigned window_bits, struct bytes message, struct buffer *out);

enum ws_unpack_status {
    WS_UNPACK_GOOD,
    WS_UNPACK_BAD,      /* that is no compressed data, or it ends in the middle */
    WS_UNPACK_TOO_MUCH, /* it grows beyond the limit */
    WS_UNPACK_NO_MEMORY
};

struct ws_unpacker; /* one message in progress */

/* NULL when memory runs out. */
struct ws_unpacker *ws_unpacker_new(uint64_t message_bytes_max);
void ws_unpacker_free(struct ws_unpacker *unpacker);
/* A piece of the payload. What it grows to is appended to `out` as far as there is room, and the rest of it
 * is counted. After anything but GOOD the message is lost. */
enum ws_unpack_status ws_unpacker_feed(struct ws_unpacker *unpacker, struct bytes piece, struct buffer *out);
/* The message is whole. */
enum ws_unpack_status ws_unpacker_end(struct ws_unpacker *unpacker, struct buffer *out);
/* How long the message is so far. */
uint64_t ws_unpacker_bytes(const struct ws_unpacker *unpacker);

#endif
