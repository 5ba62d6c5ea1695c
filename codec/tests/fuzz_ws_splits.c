/*
 * An endpoint in either role on any bytes, once as a whole and once in pieces: what it tells its owner, what
 * it answers and where it stands are the same.
 *
 * Input: flags, piece size, then bytes of the peer. The pieces are of that size, with one byte alone between
 * any two.
 */
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/fuzz_ws_begin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { KEPT_MAX = 4096, OUT_MAX = 65536, BYTES_MAX = 2048, PIECES = 4, PIECE_MAX = 64, NOW_US = 1 };
enum {
    FLAG_CLIENT = 1,
    FLAG_HEAD = 2,
    FLAG_LENIENT = 4,
    FLAG_DEFLATE = 8,
    FLAG_RESET = 16,
    FLAG_SILENT = 32
};

/* FNV-1a, 64 bits. */
static const uint64_t HASH_BEGIN = 0xcbf29ce484222325U, HASH_PRIME = 0x100000001b3U;

struct run {
    struct ws_endpoint *endpoint;
    uint8_t flags;
    size_t events;
    uint64_t told; /* hash of all events */
    uint64_t said; /* hash of all that goes out */
    enum ws_state state;
};

static void hash_bytes(uint64_t *hash, struct bytes bytes)
{
    for (size_t n = 0; n < bytes.len; n++)
        *hash = (*hash ^ bytes.data[n]) * HASH_PRIME;
}

static void hash_number(uint64_t *hash, uint64_t number)
{
    for (unsigned n = 0; n < 8; n++)
        *hash = (*hash ^ (number >> 8 * n & 0xFF)) * HASH_PRIME;
}

static void take(void *context, const struct ws_event *event)
{
    struct run *run = context;
    const struct wire_event *wire = &event->wire;
    run->events++;
    hash_number(&run->told, wire->kind);
    hash_number(&run->told, wire->direction);
    hash_number(&run->told, wire->code);
    hash_number(&run->told, wire->message_bytes);
    hash_number(&run->told, event->flaws);
    hash_number(&run->told, (uint64_t)event->early << 1 | event->ignored);
    hash_number(&run->told, event->span.begin);
    hash_number(&run->told, event->span.end);
    hash_bytes(&run->told, wire->data);
    if (wire->kind == WIRE_EVENT_REQUEST && (run->flags & FLAG_SILENT) == 0)
        (void)ws_endpoint_accept(run->endpoint, bytes_of(NULL, 0), (run->flags & FLAG_DEFLATE) != 0);
}

static void feed(struct run *run, struct bytes data)
{
    const struct exact_copy copy = exact_copy_of(data);
    struct ws_budget budget = {.frames = SIZE_MAX, .bytes = SIZE_MAX};
    if (ws_endpoint_feed(run->endpoint, NOW_US, copy.bytes, &budget) != data.len)
        abort();
    exact_copy_free(copy);
}

static void drain(struct run *run)
{
    struct bytes pieces[PIECES];
    size_t count = 0;
    while ((count = ws_endpoint_pieces(run->endpoint, pieces, PIECES)) > 0) {
        size_t sent = 0;
        for (size_t n = 0; n < count; n++) {
            hash_bytes(&run->said, pieces[n]);
            sent += pieces[n].len;
        }
        ws_endpoint_sent(run->endpoint, NOW_US, sent);
    }
}

/* `piece` 0: as a whole. */
static void play(struct run *run, uint8_t seed, struct bytes data, size_t piece)
{
    const enum ws_role role = (run->flags & FLAG_CLIENT) != 0 ? WS_CLIENT : WS_SERVER;
    const bool deflate = (run->flags & FLAG_DEFLATE) != 0;
    const bool begins = (run->flags & FLAG_HEAD) != 0;
    const struct ws_options options = {.role = role,
                                       /* an input cannot know the answer to a client's key */
                                       .lenient =
                                           (run->flags & FLAG_LENIENT) != 0 || (role == WS_CLIENT && !begins),
                                       .message_bytes_max = KEPT_MAX,
                                       .inflated_bytes_max = deflate ? 4 * KEPT_MAX : 0,
                                       .out_bytes_max = OUT_MAX,
                                       .handshake_wait_us = UINT64_MAX,
                                       .close_wait_us = UINT64_MAX,
                                       .seed = seed,
                                       .sink = take,
                                       .context = run};
    run->told = run->said = HASH_BEGIN;
    run->endpoint = ws_endpoint_new(&options, 0);
    if (run->endpoint == NULL)
        abort();
    if (begins)
        fuzz_ws_begin(run->endpoint, role, deflate);
    else if (role == WS_CLIENT)
        (void)ws_endpoint_request(run->endpoint, "/", "a", bytes_of(NULL, 0));
    for (size_t at = 0, turn = 0; at < data.len; turn++) {
        const size_t left = data.len - at, wanted = piece == 0 ? left : turn % 2 == 0 ? piece : 1;
        const size_t len = wanted < left ? wanted : left;
        feed(run, bytes_of(data.data + at, len));
        at += len;
    }
    run->state = ws_endpoint_state(run->endpoint);
    ws_endpoint_end(run->endpoint, NOW_US, (run->flags & FLAG_RESET) != 0);
    drain(run);
    ws_endpoint_free(run->endpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 2)
        return 0;
    const struct bytes bytes = bytes_of(data + 2, len - 2 < BYTES_MAX ? len - 2 : (size_t)BYTES_MAX);
    struct run whole = {.flags = data[0]}, split = {.flags = data[0]};
    play(&whole, data[1], bytes, 0);
    play(&split, data[1], bytes, 1U + data[1] % PIECE_MAX);
    if (whole.events != split.events || whole.told != split.told || whole.said != split.said ||
        whole.state != split.state)
        abort();
    return 0;
}
