/* Any bytes as a list of offers, and as compressed data in two pieces: no crash, bounded output, and what was
 * packed is unpacked again. */
#include <stdlib.h>

#include "codec/ws/deflate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { KEPT_MAX = 4096, MESSAGE_MAX = 65536 };

static void offers(const uint8_t *data, size_t len)
{
    static const char before[] = "GET / HTTP/1.1\r\nSec-WebSocket-Extensions: ", after[] = "\r\n\r\n";
    struct buffer head;
    struct http_head parsed;
    struct ws_deflate_terms terms;
    char answer[WS_DEFLATE_ANSWER_BYTES_MAX];
    buffer_init(&head, len + sizeof before + sizeof after);
    if (buffer_append(&head, bytes_of_text(before)) && buffer_append(&head, bytes_of(data, len)) &&
        buffer_append(&head, bytes_of_text(after)) && http_head_parse(buffer_bytes(&head), &parsed) &&
        ws_deflate_negotiate(&parsed, &terms)) {
        if (terms.server_window_bits < WS_DEFLATE_WINDOW_BITS_MIN ||
            terms.server_window_bits > WS_DEFLATE_WINDOW_BITS_MAX ||
            ws_deflate_answer(&terms, answer) + 1 > sizeof answer)
            abort();
    }
    buffer_free(&head);
}

/* In two pieces, cut at `cut`. */
static enum ws_unpack_status unpack(struct bytes data, size_t cut, struct buffer *out, uint64_t *bytes)
{
    struct ws_unpacker *unpacker = ws_unpacker_new(MESSAGE_MAX);
    enum ws_unpack_status status = WS_UNPACK_NO_MEMORY;
    if (unpacker == NULL)
        return status;
    status = ws_unpacker_feed(unpacker, bytes_of(data.data, cut), out);
    if (status == WS_UNPACK_GOOD)
        status = ws_unpacker_feed(unpacker, bytes_of(data.data + cut, data.len - cut), out);
    if (status == WS_UNPACK_GOOD)
        status = ws_unpacker_end(unpacker, out);
    *bytes = ws_unpacker_bytes(unpacker);
    ws_unpacker_free(unpacker);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < 2)
        return 0;
    offers(data, len);
    struct buffer out, packed;
    uint64_t bytes = 0;
    size_t cut = data[0] < len ? data[0] : len;
    buffer_init(&out, KEPT_MAX);
    if (unpack(bytes_of(data, len), cut, &out, &bytes) == WS_UNPACK_GOOD &&
        (bytes > MESSAGE_MAX || out.len != (bytes < KEPT_MAX ? bytes : KEPT_MAX)))
        abort();
    buffer_free(&out);
    buffer_init(&out, len);
    buffer_init(&packed, 2 * len + 4096);
    const unsigned window_bits = WS_DEFLATE_WINDOW_BITS_MIN + data[1] % 8U;
    if (len <= MESSAGE_MAX && ws_deflate_pack(window_bits, bytes_of(data, len), &packed)) {
        cut = data[0] < packed.len ? data[0] : packed.len;
        if (unpack(buffer_bytes(&packed), cut, &out, &bytes) != WS_UNPACK_GOOD || bytes != len ||
            !bytes_equal(buffer_bytes(&out), bytes_of(data, len)))
            abort();
    }
    buffer_free(&packed);
    buffer_free(&out);
    return 0;
}
