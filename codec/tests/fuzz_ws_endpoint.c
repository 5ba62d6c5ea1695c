/*
 * An endpoint on any bytes, in pieces, with its owner at work in between: no crash, bounded memory, and what
 * it sends by itself never breaks RFC 6455, as a stream of the other side reads it.
 *
 * Input: flags, piece size, then bytes of the peer. Between the pieces the owner does what the next byte
 * says.
 */
#include <stdlib.h>

#include "codec/tests/fuzz_ws_begin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { KEPT_MAX = 4096, OUT_MAX = 16384, PIECES = 4, WAIT_US = 50 };
/* A compressed message takes a quarter of a megabyte of zlib's, and a frame a block of its own: an owner that
 * sends more in one input tells no more, and takes the fuzzer's time. */
enum { BYTES_MAX = 2048, ACTS_MAX = 48, PACKED_MAX = 6, DRAINS = 15 };
enum { FLAG_CLIENT = 1, FLAG_HEAD = 2, FLAG_LENIENT = 4, FLAG_DEFLATE = 8, FLAG_WAITS = 16, FLAG_FIN = 32 };

struct bench {
    struct ws_endpoint *endpoint;
    struct ws_stream *watch; /* reads what it sends */
    uint8_t flags;
    uint64_t end; /* of the last span */
    unsigned acts, packed;
};

static void check_own(void *context, const struct wire_event *event)
{
    (void)context;
    if (event->kind == WIRE_EVENT_VIOLATION)
        abort();
}

static void take(void *context, const struct ws_event *event)
{
    struct bench *bench = context;
    const bool own = (event->wire.direction == WIRE_FROM_CLIENT) == ((bench->flags & FLAG_CLIENT) != 0);
    if (event->span.end < event->span.begin || (!own && event->span.end < bench->end))
        abort();
    if (!own)
        bench->end = event->span.end;
    if ((event->wire.kind == WIRE_EVENT_TEXT || event->wire.kind == WIRE_EVENT_BINARY) &&
        (event->wire.data.len > KEPT_MAX || event->wire.message_bytes < event->wire.data.len))
        abort();
    if (event->wire.kind == WIRE_EVENT_REQUEST && (bench->flags & FLAG_WAITS) == 0)
        (void)ws_endpoint_accept(bench->endpoint, bytes_of(NULL, 0), (bench->flags & FLAG_DEFLATE) != 0);
}

static void drain(struct bench *bench, uint64_t now_us, size_t max)
{
    struct bytes pieces[PIECES];
    for (;;) {
        const size_t count = ws_endpoint_pieces(bench->endpoint, pieces, PIECES);
        size_t sent = 0;
        for (size_t i = 0; i < count; i++) {
            const size_t len = pieces[i].len < max ? pieces[i].len : max;
            ws_stream_feed(bench->watch, now_us, bytes_of(pieces[i].data, len));
            sent += len;
            max -= len;
        }
        if (sent == 0)
            return;
        ws_endpoint_sent(bench->endpoint, now_us, sent);
    }
}

/* Would a message be compressed, and were enough of them? */
static bool packs(struct bench *bench)
{
    return ws_endpoint_compresses(bench->endpoint) && ++bench->packed > PACKED_MAX;
}

/* What it may refuse, but never do wrong. */
static void act(struct bench *bench, uint64_t now_us, uint8_t what, struct bytes bytes)
{
    const struct ws_part parts[] = {
        {.bytes = bytes_of(bytes.data, bytes.len / 2)},
        {.bytes = bytes_of(bytes.data + bytes.len / 2, bytes.len - bytes.len / 2)}};
    const enum ws_opcode opcode = (what & 1) != 0 ? WS_OPCODE_TEXT : WS_OPCODE_BINARY;
    struct ws_cut cut = {.at = what / 16U, .every = what & 3U};
    if (++bench->acts > ACTS_MAX || (what % 16 < 4 && packs(bench)))
        what = DRAINS;
    switch (what % 16) {
    case 0:
    case 1:
        (void)ws_endpoint_send(bench->endpoint, opcode, parts, 2);
        break;
    case 2:
    case 3:
        (void)ws_endpoint_send_cut(bench->endpoint, opcode, bytes, &cut);
        break;
    case 4:
        (void)ws_endpoint_ping(bench->endpoint, bytes);
        break;
    case 5:
        (void)ws_endpoint_close(bench->endpoint, now_us, (uint16_t)(900 + what * 20U), bytes);
        break;
    case 6:
        (void)ws_endpoint_accept(bench->endpoint, bytes_of(NULL, 0), true);
        break;
    case 7:
        drain(bench, now_us, what);
        break;
    case 8:
        (void)ws_endpoint_tick(bench->endpoint, now_us);
        break;
    case 9:
        (void)ws_endpoint_pong(bench->endpoint, bytes);
        break;
    case 10:
        ws_endpoint_mute(bench->endpoint);
        break;
    default:
        drain(bench, now_us, SIZE_MAX);
        break;
    }
    if (!ws_endpoint_keep(bench->endpoint))
        abort();
}

static void play(struct bench *bench, struct bytes data, size_t piece)
{
    size_t at = 0;
    for (uint64_t now_us = 1; at < data.len; now_us++) {
        const size_t left = data.len - at;
        struct ws_budget budget = {.frames = 3, .bytes = left < piece ? left : piece};
        const size_t bytes = budget.bytes;
        const size_t used =
            ws_endpoint_feed(bench->endpoint, now_us, bytes_of(data.data + at, left), &budget);
        if (used > bytes || bytes - used != budget.bytes || budget.frames > 3 ||
            (used == 0 && budget.frames > 0))
            abort();
        at += used;
        if (at < data.len)
            act(bench, now_us, data.data[at],
                bytes_of(data.data + at, data.len - at < 200 ? data.len - at : 200));
        if (ws_endpoint_unsent(bench->endpoint) > OUT_MAX + (size_t)(WS_PONGS_MAX + 2) * 256 + 1024)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 2)
        return 0;
    len = len < BYTES_MAX ? len : (size_t)BYTES_MAX;
    struct bench bench = {.flags = data[0]};
    const bool client = (bench.flags & FLAG_CLIENT) != 0;
    const struct ws_options options = {
        .role = client ? WS_CLIENT : WS_SERVER,
        /* an input cannot know the answer to a client's key */
        .lenient = (bench.flags & FLAG_LENIENT) != 0 || (client && (bench.flags & FLAG_HEAD) == 0),
        .message_bytes_max = KEPT_MAX,
        .inflated_bytes_max = (bench.flags & FLAG_DEFLATE) != 0 ? 4 * KEPT_MAX : 0,
        .out_bytes_max = OUT_MAX,
        .handshake_wait_us = WAIT_US,
        .close_wait_us = WAIT_US,
        .seed = data[1],
        .sink = take,
        .context = &bench};
    bench.endpoint = ws_endpoint_new(&options, 0);
    bench.watch = ws_stream_new(client ? WIRE_FROM_CLIENT : WIRE_FROM_SERVER, KEPT_MAX, check_own, &bench);
    if (bench.endpoint == NULL || bench.watch == NULL)
        abort();
    if ((bench.flags & FLAG_DEFLATE) != 0)
        ws_stream_unpack(bench.watch, OUT_MAX);
    if ((bench.flags & FLAG_HEAD) != 0)
        fuzz_ws_begin(bench.endpoint, options.role, (bench.flags & FLAG_DEFLATE) != 0);
    else if (client)
        (void)ws_endpoint_request(bench.endpoint, "/", "a", bytes_of(NULL, 0));
    play(&bench, bytes_of(data + 2, len - 2), (size_t)data[1] + 1);
    ws_endpoint_end(bench.endpoint, len, (bench.flags & FLAG_FIN) == 0);
    drain(&bench, len, SIZE_MAX);
    if (!ws_endpoint_is_over(bench.endpoint) || ws_endpoint_unsent(bench.endpoint) != 0)
        abort();
    ws_endpoint_free(bench.endpoint);
    ws_stream_free(bench.watch);
    return 0;
}
