/* An endpoint on a bench: what it told as lines of text, what it wrote as bytes. */
#ifndef CODEC_TESTS_WS_RIG_H
#define CODEC_TESTS_WS_RIG_H

#include "codec/wire/text.h"
#include "codec/ws/endpoint.h"

enum {
    RIG_LINES_MAX = 16384,
    RIG_SENT_MAX = 1 << 20,
    RIG_KEPT_MAX = 300,
    RIG_OUT_MAX = 200000,
    RIG_WAIT_US = 1000
};

#define RIG_KEY    "dGhlIHNhbXBsZSBub25jZQ==" /* RFC 6455 1.3 */
#define RIG_ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
#define RIG_HEAD                                                                                             \
    "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "      \
    "13\r\n"                                                                                                 \
    "Sec-WebSocket-Key: " RIG_KEY "\r\n"
#define RIG_REQUEST RIG_HEAD "\r\n"
#define RIG_DEFLATE_REQUEST                                                                                  \
    RIG_HEAD "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"

#define MASK           "\x01\x02\x03\x04"
#define BYTES(literal) (literal), sizeof(literal) - 1
#define TEN            "0123456789"
#define HUNDRED        TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

enum rig_answer { RIG_ACCEPTS, RIG_WAITS, RIG_COMPRESSES };

struct rig {
    struct ws_endpoint *endpoint;
    struct ws_options options;
#define MASK           "\x01\x02\x03\x04"
#define BYTES(literal) (literal), sizeof(literal) - 1
#define TEN            "0123456789"
#define HUNDRED        TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

    enum rig_answer answer; /* to a request, from within the sink */
    bool spans;             /* tell where things lie, too */
    bool pauses;            /* after each event */
    struct text text;
    char lines[RIG_LINES_MAX];
    struct buffer sent;
};

/* A server, strict, with those limits; to be changed before rig_start. */
void rig_init(struct rig *rig);
void rig_start(struct rig *rig);
void rig_free(struct rig *rig);
/* All at once, from a heap block of its exact size. */
void rig_feed(struct rig *rig, uint64_t now_us, struct bytes data);
/* Takes what waits to go out, at most `max` bytes. */
void rig_drain(struct rig *rig, uint64_t now_us, size_t max);
/* What was taken so far, and forgets it. */
void rig_forget(struct rig *rig);
/* Starts it, feeds the request and `data` in pieces cut at `split`, or a byte at a time (SIZE_MAX), and takes
 * what goes out. */
void rig_play(struct rig *rig, struct bytes data, size_t split);
/* An open server, of which nothing is left to be taken. */
void rig_open(struct rig *rig, enum rig_answer answer);
bool rig_send_text(struct rig *rig, const char *text);
/* Takes what goes out, which must be this, and forgets it. */
void rig_assert_sent(struct rig *rig, const char *bytes, size_t len);
/* The 101 is taken off the front of what was sent. */
void rig_skip_head(struct rig *rig);

#endif
