#include "codec/tests/fuzz_ws_begin.h"

#include <stdlib.h>

enum { HEAD_BYTES_MAX = 4096 };

#define KEY_NAME "Sec-WebSocket-Key: "

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void feed(struct ws_endpoint *endpoint, struct bytes head)
{
    struct ws_budget budget = {.frames = 1, .bytes = SIZE_MAX};
    must(ws_endpoint_feed(endpoint, 1, head, &budget) == head.len);
}

/* The key of the request that waits to go out. */
static struct bytes key_sent(const struct ws_endpoint *endpoint)
{
    static const char name[] = KEY_NAME;
    const size_t name_len = sizeof name - 1;
    struct bytes piece = {0};
    must(ws_endpoint_pieces(endpoint, &piece, 1) == 1);
    for (size_t n = 0; n + name_len + WS_KEY_CHARS <= piece.len; n++)
        if (memcmp(piece.data + n, name, name_len) == 0)
            return bytes_of(piece.data + n + name_len, WS_KEY_CHARS);
    abort();
}

static void begin_client(struct ws_endpoint *endpoint, bool compress)
{
    const struct ws_deflate_terms terms = {.server_window_bits = WS_DEFLATE_WINDOW_BITS_MAX};
    struct buffer answer;
    buffer_init(&answer, HEAD_BYTES_MAX);
    must(ws_endpoint_request(endpoint, "/", "a", bytes_of(NULL, 0)));
    must(ws_response_write(key_sent(endpoint), compress ? &terms : NULL, bytes_of(NULL, 0), &answer));
    feed(endpoint, buffer_bytes(&answer));
    buffer_free(&answer);
}

void fuzz_ws_begin(struct ws_endpoint *endpoint, enum ws_role role, bool compress)
{
    static const char plain[] = "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                "Sec-WebSocket-Version: 13\r\n" KEY_NAME "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    static const char offering[] =
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\n" KEY_NAME "dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n";
    switch (role) {
    case WS_SERVER:
        feed(endpoint, compress ? bytes_of_text(offering) : bytes_of_text(plain));
        break;
    case WS_CLIENT:
        begin_client(endpoint, compress);
        break;
    }
}
