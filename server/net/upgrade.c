/* The answer to a request: a refusal, or the library's 101. */
#include <stdio.h>

#include "codec/wire/http_head.h"
#include "server/net/delivery.h"

enum { REQUEST_BYTES_MAX = 256, RESPONSE_BYTES_MAX = 1024, STATUS_UPGRADE_REQUIRED = 426 };

const char *reason_phrase(uint16_t status)
{
    static const struct {
        uint16_t status;
        const char *phrase;
    } phrases[] = {
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {402, "Payment Required"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {411, "Length Required"},
        {413, "Content Too Large"},
        {426, "Upgrade Required"},
        {429, "Too Many Requests"},
        {500, "Internal Server Error"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
        {301, "Moved Permanently"},
        {302, "Found"},
        {307, "Temporary Redirect"},
        {308, "Permanent Redirect"},
        {200, "OK"},
        {201, "Created"},
        {431, "Request Header Fields Too Large"},
    };
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
        if (phrases[i].status == status)
            return phrases[i].phrase;
    return "Refused";
}

void upgrade_refuse(struct connection *connection, const struct actions *actions, const struct action *action)
{
    if (connection->phase >= PHASE_JOINED) {
        delivery_record_dropped(connection, action);
        return;
    }
    char line[64];
    int len = snprintf(line, sizeof line, "HTTP/1.1 %u %s\r\n", action->code, reason_phrase(action->code));
    delivery_record(connection, actions, action);
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    if (!tap_write(connection->tap, bytes_of(line, (size_t)len)) ||
        !tap_write(connection->tap, actions_bytes(actions, action))) {
        tap_close(connection->tap, true);
        return;
    }
    tap_finish(connection->tap);
}

void connection_refuse(struct connection *connection, uint16_t status, const char *head_lines,
                       const char *sentence)
{
    struct mock_server *server = connection->server;
    char response[RESPONSE_BYTES_MAX];
    int len = snprintf(response, sizeof response,
                       "%sContent-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n"
                       "Connection: %sclose\r\n\r\n%s\n",
                       head_lines, strlen(sentence) + 1, status == STATUS_UPGRADE_REQUIRED ? "Upgrade, " : "",
                       sentence);
    struct action *action;
    actions_clear(&server->scratch);
    uint8_t *room = actions_add(&server->scratch, ACTION_REFUSE, "refusal", (size_t)len, &action);
    recording_begin(connection, mock_server_now_us(server));
    if (room == NULL || connection->recording == NULL) {
        tap_close(connection->tap, true);
        return;
    }
    memcpy(room, response, (size_t)len);
    action->code = status;
    action->by_host = true;
    upgrade_refuse(connection, &server->scratch, action);
}

/* What the library needs of the request, and no more: the rest is ours to judge, and nothing in it can
 * disturb the library or stand in its log. */
static int library_request(const struct connection *connection, char *out, size_t out_max)
{
    struct http_head head;
    struct bytes key;
    if (!http_head_parse(bytes_of(connection->raw.data, connection->head_bytes), &head) ||
        !http_head_header(&head, "Sec-WebSocket-Key", 0, &key))
        return -1;
    return snprintf(out, out_max,
                    "GET / HTTP/1.1\r\nHost: mock\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %.*s\r\n\r\n",
                    (int)key.len, (const char *)key.data);
}

void upgrade_accept(struct connection *connection, const struct actions *actions, const struct action *action)
{
    struct mock_server *server = connection->server;
    if (connection->phase != PHASE_ASKING) {
        delivery_record_dropped(connection, action);
        return;
    }
    char request[REQUEST_BYTES_MAX];
    int len = library_request(connection, request, sizeof request);
    const struct bytes lines = actions_bytes(actions, action);
    if (!buffer_append(&connection->echo.lines, lines) || !deflate_begin(connection, lines))
        len = -1;
    int fd = len < 0 ? -1 : tap_join(connection->tap, server->loop);
    if (fd >= 0)
        connection->wsi = library_adopt(server, fd, connection);
    if (connection->wsi == NULL) {
        connection->left = true;
        delivery_record_dropped(connection, action);
        connection_refuse(connection, 503, "Retry-After: 1\r\n", "The mock has run out of sockets.");
        return;
    }
    delivery_record(connection, actions, action);
    connection_enter(connection, PHASE_JOINED, JOIN_WAIT_US);
    connection->joined = action->delivery.joined;
    if (connection->joined > 0)
        tap_cork(connection->tap, true);
    tap_forward(connection->tap, bytes_of(request, (size_t)len));
    tap_hold(connection->tap, true); /* until the library has answered: upgrade_done */
    if (connection->compresses)
        tap_deafen(connection->tap);
}

/* The library writes its answer over what it has read behind the request, so it gets that afterwards. */
void upgrade_done(struct connection *connection)
{
    const struct buffer *raw = &connection->raw;
    if (!connection->deaf && raw->len > connection->head_bytes)
        tap_forward(connection->tap,
                    bytes_of(raw->data + connection->head_bytes, raw->len - connection->head_bytes));
    buffer_free(&connection->raw);
    tap_hold(connection->tap, false);
}
