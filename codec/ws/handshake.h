/*
 * The opening handshake of RFC 6455 4, from both sides: what is wrong with a request or with the answer to
 * it, and both as bytes. Nothing here decides what is done about a flaw: a caller may let one pass.
 *
 * Spans borrow from the head passed in. Functions that append return false, with the buffer as it was or
 * longer, when it has no room.
 */
#ifndef CODEC_WS_HANDSHAKE_H
#define CODEC_WS_HANDSHAKE_H

#include "codec/wire/buffer.h"
#include "codec/wire/http_head.h"
#include "codec/ws/deflate.h"

/* One bit each. Those of a request stand in the order in which they are answered. */
enum ws_flaw {
    WS_FLAW_METHOD = 1,      /* a request that is no GET: 4.1 */
    WS_FLAW_UPGRADE = 2,     /* no Upgrade header names websocket: 4.1 */
    WS_FLAW_HTTP = 4,        /* HTTP/1.0: 4.1 */
    WS_FLAW_VERSION = 8,     /* Sec-WebSocket-Version is not 13: 4.1 */
    WS_FLAW_KEY = 16,        /* Sec-WebSocket-Key is missing, or not 24 characters of base64: 4.1 */
    WS_FLAW_HOST = 32,       /* not exactly one Host header: 4.1, RFC 9112 3.2 */
    WS_FLAW_CONNECTION = 64, /* no Connection header names Upgrade: 4.1 */
    WS_FLAW_STATUS = 128,    /* an answer other than 101: 4.1 */
    WS_FLAW_ACCEPT = 256,    /* Sec-WebSocket-Accept is not what the key makes: 4.1 */
    WS_FLAW_EXTENSION = 512, /* the answer takes an extension that was not offered, or wrongly: 4.1 */
    WS_FLAW_PROTOCOL = 1024  /* it names a subprotocol; none is ever asked for: 4.1 */
};

enum { WS_NONCE_BYTES = 16, WS_KEY_CHARS = 24, WS_ACCEPT_CHARS = 28 };

/* ---- the server's side ---- */

/* The flaws of a request, 0 for a good one. */
unsigned ws_request_flaws(const struct http_head *request);

struct ws_refusal {
    uint16_t status;
    const char *lines;    /* header lines, each with its CRLF */
    const char *sentence; /* for people */
};

/* How a request with those flaws is refused, by the first of them. Static; NULL when it has none. */
const struct ws_refusal *ws_request_refusal(unsigned flaws);

/* What answers that key (4.2.2), ended by NUL. The key is taken as it is, good or bad. */
void ws_accept_of(struct bytes key, char out[WS_ACCEPT_CHARS + 1]);

/* Appends the 101 to a request with that key. `terms`: compressed messages are agreed on, NULL: not. `lines`
 * take the place of its own header lines or are added (http_lines.h); with them it may break the rules. */
bool ws_response_write(struct bytes key, const struct ws_deflate_terms *terms, struct bytes lines,
                       struct buffer *out);

/* ---- the client's side ---- */

struct ws_request {
    const char *target; /* path and query, encoded */
    const char *host;   /* with the port where it is not the default: RFC 9110 7.2 */
    struct bytes lines; /* further header lines, each with its CRLF */
    bool offers_deflate;
};

void ws_key_of(const uint8_t nonce[WS_NONCE_BYTES], char out[WS_KEY_CHARS + 1]);
bool ws_request_write(const struct ws_request *request, struct bytes key, struct buffer *out);
/* The flaws of the answer to a request with that key; `head` from the status line to the empty line. */
unsigned ws_response_flaws(uint16_t status, struct bytes head, struct bytes key, bool offered_deflate);

#endif
