/* Any bytes, in either direction, in pieces whose sizes are taken from the input: no crash, and bounded
 * events. */
#include <stdlib.h>

#include "codec/ws/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { KEPT_MAX = 4096 };

static void check_event(void *context, const struct wire_event *event)
{
    const enum wire_direction *direction = context;
    bool bounded = event->kind == WIRE_EVENT_REQUEST || event->kind == WIRE_EVENT_RESPONSE ||
                   event->kind == WIRE_EVENT_VIOLATION || event->data.len <= KEPT_MAX;
    if (event->direction != *direction || !bounded)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char client[] = "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";
    static const char server[] = "HTTP/1.1 101 x\r\n\r\n";
    if (len < 2)
        return 0;
    enum wire_direction direction = (data[0] & 1) != 0 ? WIRE_FROM_SERVER : WIRE_FROM_CLIENT;
    size_t piece = (size_t)data[1] + 1;
    struct ws_stream *stream = ws_stream_new(direction, KEPT_MAX, check_event, &direction);
    if (stream == NULL)
        return 0;
    if ((data[0] & 8) != 0)
        ws_stream_unpack(stream, 4 * (uint64_t)KEPT_MAX);
    /* With the second bit the head is given, so that frames are met at once. */
    if ((data[0] & 2) != 0)
        ws_stream_feed(stream, 0, bytes_of_text(direction == WIRE_FROM_CLIENT ? client : server));
    for (size_t at = 2; at < len; at += piece) {
        size_t left = len - at;
        ws_stream_feed(stream, at, bytes_of(data + at, left < piece ? left : piece));
    }
    ws_stream_end(stream, len, (data[0] & 4) != 0);
    ws_stream_free(stream);
    return 0;
}
