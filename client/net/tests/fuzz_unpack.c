/*
 * Any bytes of a server on their way to the WebSocket library, once as a whole and once in pieces: what the
 * library gets and what the tap has seen are the same. Where no compressed messages were offered, the library
 * gets the bytes as they came.
 *
 * Input: flags, piece size, then bytes of the server. The pieces are of that size, with one byte alone
 * between any two.
 */
#include <stdlib.h>

#include "client/net/tap_watch.h"
#include "client/net/unpack.h"
#include "codec/tests/exact_copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { FLAG_OFFERED = 1, FLAG_AGREED = 2, FLAG_SWITCHED = 4 };
/* A bomb of an input unpacks to a thousand times its size. */
enum { BYTES_MAX = 1024, BODY_MAX = 512, PIECE_MAX = 64 };

static const char AGREED[] =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
    "client_no_context_takeover\r\n\r\n";
static const char SWITCHED[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                               "Connection: Upgrade\r\n\r\n";

struct way {
    struct ws_stream *stream;
    struct unpack unpack;
    struct tap_seen seen;
    struct buffer out;
    bool good;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void on_event(void *context, const struct wire_event *event)
{
    struct way *way = context;
    tap_watch(&way->seen, event);
    unpack_event(&way->unpack, way->stream, event);
}

static void feed(struct way *way, struct bytes data)
{
    const struct exact_copy copy = exact_copy_of(data);
    way->good = way->good && unpack_feed(&way->unpack, way->stream, copy.bytes, &way->out);
    exact_copy_free(copy);
}

/* `piece` 0: as a whole. */
static void play(struct way *way, uint8_t flags, struct bytes data, size_t piece)
{
    *way = (struct way){.good = true};
    buffer_init(&way->out, UNPACK_OUT_BYTES_MAX);
    unpack_init(&way->unpack, (flags & FLAG_OFFERED) != 0);
    way->stream = ws_stream_new(WIRE_FROM_SERVER, BODY_MAX, on_event, way);
    check(way->stream != NULL);
    for (size_t at = 0, turn = 0; at < data.len; turn++) {
        const size_t left = data.len - at, wanted = piece == 0 ? left : turn % 2 == 0 ? piece : 1;
        const size_t len = wanted < left ? wanted : left;
        feed(way, bytes_of(data.data + at, len));
        at += len;
    }
}

static void leave(struct way *way)
{
    buffer_free(&way->out);
    unpack_free(&way->unpack);
    ws_stream_free(way->stream);
}

static void check_alike(const struct tap_seen *a, const struct tap_seen *b)
{
    check(a->refused_status == b->refused_status && strcmp(a->refused_body, b->refused_body) == 0);
    check(strcmp(a->retry_after, b->retry_after) == 0);
    check(a->closed == b->closed && a->close_code == b->close_code);
    check(strcmp(a->close_reason, b->close_reason) == 0);
    check(a->good_messages == b->good_messages && a->violated == b->violated);
    check(strcmp(a->violation, b->violation) == 0 && a->fail_code == b->fail_code);
    check(a->pings == b->pings && a->ping_bytes == b->ping_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    uint8_t all[sizeof AGREED + BYTES_MAX];
    if (len < 2 || len > 2 + BYTES_MAX)
        return 0;
    const uint8_t flags = data[0];
    const char *head = (flags & FLAG_AGREED) != 0 ? AGREED : (flags & FLAG_SWITCHED) != 0 ? SWITCHED : "";
    const size_t head_len = strlen(head);
    memcpy(all, head, head_len);
    memcpy(all + head_len, data + 2, len - 2);
    const struct bytes bytes = bytes_of(all, head_len + len - 2);
    struct way whole, split;
    play(&whole, flags, bytes, 0);
    play(&split, flags, bytes, 1U + data[1] % PIECE_MAX);
    check(whole.good == split.good && whole.unpack.state == split.unpack.state);
    if (whole.good)
        check(bytes_equal(buffer_bytes(&whole.out), buffer_bytes(&split.out)));
    if ((flags & FLAG_OFFERED) == 0)
        check(whole.good && bytes_equal(buffer_bytes(&whole.out), bytes));
    check_alike(&whole.seen, &split.seen);
    leave(&whole);
    leave(&split);
    return 0;
}
