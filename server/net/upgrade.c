/* The answer to a request: a refusal, or the 101. */
#include <stdio.h>

#include "codec/wire/http_head.h"
#include "server/net/delivery.h"

enum { STATUS_LINE_BYTES_MAX = 64, RESPONSE_BYTES_MAX = 1024, STATUS_UPGRADE_REQUIRED = 426 };

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
    char line[STATUS_LINE_BYTES_MAX];
    struct buffer response;
    int len = snprintf(line, sizeof line, "HTTP/1.1 %u %s\r\n", action->code, reason_phrase(action->code));
    delivery_record(connection, actions, action);
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    buffer_init(&response, sizeof line + action->len);
    const bool good = buffer_append(&response, bytes_of(line, (size_t)len)) &&
                      buffer_append(&response, actions_bytes(actions, action)) &&
                      ws_endpoint_refuse(connection->endpoint, buffer_bytes(&response));
    buffer_free(&response);
    if (!good) {
        transport_close(connection->transport, true);
        return;
    }
    connection_flush(connection);
    transport_finish(connection->transport);
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
        transport_close(connection->transport, true);
        return;
    }
    memcpy(room, response, (size_t)len);
    action->code = status;
    action->by_host = true;
    upgrade_refuse(connection, &server->scratch, action);
}

void upgrade_accept(struct connection *connection, const struct actions *actions, const struct action *action)
{
    if (connection->phase != PHASE_ASKING) {
        delivery_record_dropped(connection, action);
        return;
    }
    /* What a client sends before it has its answer cannot be compressed. */
    const bool compress =
        !connection->is_hasty && connection_quirk(connection, HOST_QUIRK_DEFLATE) == HOST_DEFLATE_TAKEN;
    delivery_record(connection, actions, action);
    /* What the session says first waits until its engine knows that it is open: the next tick. */
    connection_enter(connection, PHASE_JOINED, 0);
    connection->joined = action->delivery.joined;
    if (connection->joined > 0)
        transport_cork(connection->transport, true);
    if (ws_endpoint_accept(connection->endpoint, actions_bytes(actions, action), compress))
        connection_flush(connection);
    else
        transport_close(connection->transport, true);
}
