/*
 * The quirk permessage-deflate (RFC 7692): agreed on in the handshake, and messages compressed on their way
 * out. Those of the client are unpacked by ws_stream, and do not pass through the library.
 */
#include "codec/wire/http_lines.h"
#include "server/net/delivery.h"

/* What a client sends before it has its answer cannot be compressed, and is the library's already. */
static bool is_asked_for(const struct connection *connection)
{
    return connection_quirk(connection, HOST_QUIRK_DEFLATE) == HOST_DEFLATE_TAKEN &&
           connection->raw.len == connection->head_bytes;
}

bool deflate_begin(struct connection *connection, struct bytes lines)
{
    struct http_head head;
    char answer[WS_DEFLATE_ANSWER_BYTES_MAX];
    if (!is_asked_for(connection) || http_lines_name(lines, "Sec-WebSocket-Extensions") ||
        !http_head_parse(bytes_of(connection->raw.data, connection->head_bytes), &head) ||
        !ws_deflate_negotiate(&head, &connection->deflate))
        return true;
    size_t len = ws_deflate_answer(&connection->deflate, answer);
    if (!buffer_append(&connection->echo.lines, bytes_of(answer, len)))
        return false;
    connection->compresses = true;
    ws_stream_unpack(connection->stream, UNPACKED_TIMES * service_message_bytes_max(connection->service));
    return true;
}

uint8_t *deflate_message(struct connection *connection, uint8_t *data, size_t *len, bool *rsv1)
{
    static const uint8_t room[SERVER_MESSAGE_HEADROOM] = {0};
    struct buffer *packed = &connection->server->packed;
    *rsv1 = false;
    if (!connection->compresses)
        return data;
    buffer_clear(packed);
    if (!buffer_append(packed, bytes_of(room, sizeof room)) ||
        !ws_deflate_pack(connection->deflate.server_window_bits, bytes_of(data, *len), packed))
        return data;
    *rsv1 = true;
    *len = packed->len - sizeof room;
    return packed->data + sizeof room;
}
