/* Carrying out what an engine asks for on its connection. */
#include "server/net/net.h"

#include <assert.h>
#include <stdio.h>

#include "codec/wire/http_head.h"

enum { REQUEST_BYTES_MAX = 256, RESPONSE_BYTES_MAX = 1024, CLOSE_PAYLOAD_MAX = 125 };

static_assert(SERVER_MESSAGE_HEADROOM >= LWS_PRE,
              "the library puts its frame header in front of the payload");

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

static void record(struct connection *connection, const struct actions *actions, const struct action *action)
{
    struct recorder *recorder = connection->recording != NULL ? connection->recording->recorder
                                                              : connection->service->recording.recorder;
    recorder_action(recorder, mock_server_now_us(connection->server), actions, action);
}

static void record_dropped(struct connection *connection, const struct action *action)
{
    recording_dropped(connection->service, connection, action);
}

/* ---- the upgrade ---- */

static void refuse(struct connection *connection, const struct actions *actions, const struct action *action)
{
    if (connection->phase >= PHASE_JOINED) {
        record_dropped(connection, action);
        return;
    }
    char line[64];
    int len = snprintf(line, sizeof line, "HTTP/1.1 %u %s\r\n", action->code, reason_phrase(action->code));
    record(connection, actions, action);
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
                       "Connection: close\r\n\r\n%s\n",
                       head_lines, strlen(sentence) + 1, sentence);
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
    refuse(connection, &server->scratch, action);
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

static void accept_upgrade(struct connection *connection, const struct actions *actions,
                           const struct action *action)
{
    struct mock_server *server = connection->server;
    if (connection->phase != PHASE_ASKING) {
        record_dropped(connection, action);
        return;
    }
    if (server->options.no_tap) {
        record(connection, actions, action);
        tap_step_aside(connection->tap);
        connection_enter(connection, PHASE_JOINED, HANDSHAKE_WAIT_US);
        connection_wake(connection, mock_server_now_us(server));
        return;
    }
    char request[REQUEST_BYTES_MAX];
    int len = library_request(connection, request, sizeof request);
    int fd = len < 0 ? -1 : tap_join(connection->tap, server->loop);
    if (fd >= 0)
        connection->wsi = library_adopt(server, fd, connection);
    if (connection->wsi == NULL) {
        connection->left = true;
        record_dropped(connection, action);
        connection_refuse(connection, 503, "Retry-After: 1\r\n", "The mock has run out of sockets.");
        return;
    }
    record(connection, actions, action);
    connection_enter(connection, PHASE_JOINED, HANDSHAKE_WAIT_US);
    tap_forward(connection->tap, bytes_of(request, (size_t)len));
    tap_forward(connection->tap, bytes_of(connection->raw.data + connection->head_bytes,
                                          connection->raw.len - connection->head_bytes));
    buffer_free(&connection->raw);
}

/* The library answers from within, so this is not for the time of an engine's step. */
void connection_hand_over(struct connection *connection)
{
    struct buffer begin;
    char request[REQUEST_BYTES_MAX];
    int len = library_request(connection, request, sizeof request);
    buffer_init(&begin, REQUEST_BYTES_MAX + RAW_BYTES_MAX);
    bool whole = len >= 0 && buffer_append(&begin, bytes_of(request, (size_t)len)) &&
                 buffer_append(&begin, bytes_of(connection->raw.data + connection->head_bytes,
                                                connection->raw.len - connection->head_bytes));
    buffer_free(&connection->raw);
    if (!whole)
        tap_close(connection->tap, true);
    else if (!library_take(connection->server, connection, buffer_bytes(&begin)))
        tap_left(connection->tap);
    buffer_free(&begin);
}

/* ---- on an open connection ---- */

static bool library_can_take(const struct connection *connection)
{
    return connection->wsi != NULL && lws_partial_buffered(connection->wsi) == 0 &&
           connection->tap->slicer.count + 2 <= SLICER_FRAMES_MAX;
}

bool connection_is_behind(const struct connection *connection)
{
    return connection->outbox.count > 0 || (connection->phase == PHASE_OPEN && !library_can_take(connection));
}

/* The library's socket is gone: what follows is dropped, and the library's side ends as well. */
static void write_failed(struct connection *connection)
{
    connection->left = true; /* the seat is left at the next tick: the engine may be at work just now */
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    tap_finish(connection->tap);
    connection_wake(connection, mock_server_now_us(connection->server));
}

static void frame_write(struct connection *connection, uint8_t *data, size_t len, unsigned protocol,
                        const struct delivery *delivery)
{
    connection->progress_us = mock_server_now_us(connection->server); /* all before it was taken */
    if (!connection->tap->aside)
        slicer_expect(&connection->tap->slicer, delivery);
    if (lws_write(connection->wsi, data, len, (enum lws_write_protocol)protocol) < 0)
        write_failed(connection);
}

static void message_write(struct connection *connection, struct actions *actions, const struct action *action,
                          unsigned protocol)
{
    uint8_t *data = actions->arena.data + action->offset;
    const struct delivery *delivery = &action->delivery;
    uint32_t cut = delivery->fragment_at;
    if (cut == 0 || cut >= action->len) {
        frame_write(connection, data, action->len, protocol, delivery);
        return;
    }
    struct delivery first = *delivery, second = *delivery;
    first.slice_at = delivery->slice_at < cut ? delivery->slice_at : 0;
    second.slice_at = delivery->slice_at > cut ? delivery->slice_at - cut : 0;
    frame_write(connection, data, cut, protocol | LWS_WRITE_NO_FIN, &first);
    /* The header of the second fragment overwrites the end of the first, which is out or copied. */
    frame_write(connection, data + cut, action->len - cut, LWS_WRITE_CONTINUATION, &second);
}

/* Raw, because the library would shut the socket with its own close frame instead of waiting for the peer's.
 */
static void close_write(struct connection *connection, const struct actions *actions,
                        const struct action *action)
{
    uint8_t frame[LWS_PRE + 2 + CLOSE_PAYLOAD_MAX];
    struct bytes reason = actions_bytes(actions, action);
    if (reason.len > CLOSE_PAYLOAD_MAX - 2)
        reason.len = CLOSE_PAYLOAD_MAX - 2;
    uint8_t *at = frame + LWS_PRE;
    size_t len = 2;
    at[0] = 0x88;
    if (action->code != 0) {
        at[len++] = (uint8_t)(action->code >> 8);
        at[len++] = (uint8_t)action->code;
        if (reason.len > 0)
            memcpy(at + len, reason.data, reason.len);
        len += reason.len;
    }
    at[1] = (uint8_t)(len - 2);
    connection_enter(connection, PHASE_CLOSING, CLOSE_WAIT_US);
    if (lws_write(connection->wsi, at, len, LWS_WRITE_RAW) < 0)
        write_failed(connection);
}

static unsigned send_protocol(enum action_kind kind)
{
    return kind == ACTION_SEND_TEXT   ? LWS_WRITE_TEXT
           : kind == ACTION_SEND_PING ? LWS_WRITE_PING
                                      : LWS_WRITE_BINARY;
}

/* False: it has to wait. What can no longer go out is dropped. */
static bool deliver(struct connection *connection, struct actions *actions, const struct action *action)
{
    switch (action->kind) {
    case ACTION_SEND_TEXT:
    case ACTION_SEND_BINARY:
    case ACTION_SEND_PING:
    case ACTION_CLOSE:
        if (connection->phase > PHASE_OPEN) {
            record_dropped(connection, action);
            return true;
        }
        if (connection->phase < PHASE_OPEN || !library_can_take(connection))
            return false;
        record(connection, actions, action);
        if (action->kind == ACTION_CLOSE)
            close_write(connection, actions, action);
        else
            message_write(connection, actions, action, send_protocol(action->kind));
        return true;
    case ACTION_RESET:
        if (connection->phase == PHASE_OVER) {
            record_dropped(connection, action);
            return true;
        }
        if (connection->phase == PHASE_JOINED ||
            (connection->phase >= PHASE_OPEN && !library_can_take(connection)))
            return false;
        record(connection, actions, action);
        connection_enter(connection, PHASE_OVER, UINT64_MAX);
        tap_reset(connection->tap);
        return true;
    case ACTION_MARK:
    case ACTION_CAPTURE:
    case ACTION_STEP:
    case ACTION_STEP_FAILED:
    case ACTION_SCRIPT_DONE:
        record(connection, actions, action);
        return true;
    case ACTION_ACCEPT:
    case ACTION_REFUSE:
    case ACTION_SEND_RAW:
    case ACTION_DROP:
    case ACTION_HALF_CLOSE:
    case ACTION_STOP_READING:
        return true;
    }
    return true;
}

void connection_give_up(struct connection *connection)
{
    server_log(connection->server, connection, "is ended: it does not read what it gets");
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    connection_drop_all(connection);
    tap_close(connection->tap, true);
}

void connection_drop_all(struct connection *connection)
{
    for (const struct outbox_item *item = connection->outbox.first; item != NULL; item = outbox_next(item))
        record_dropped(connection, outbox_action(item));
    outbox_clear(&connection->outbox);
}

static void wait_in_outbox(struct connection *connection, const struct actions *actions,
                           const struct action *action)
{
    if (connection->outbox.count == 0)
        connection->progress_us = mock_server_now_us(connection->server); /* from now on it is waited for */
    switch (outbox_add(&connection->outbox, actions, action)) {
    case OUTBOX_TAKEN:
        break;
    case OUTBOX_DROPPED:
        if (!connection->slow_is_told)
            server_log(connection->server, connection, "reads too slowly: silence frames are dropped");
        connection->slow_is_told = true;
        record_dropped(connection, action);
        break;
    case OUTBOX_FULL:
        record_dropped(connection, action);
        connection_give_up(connection);
        break;
    }
    if (connection->wsi != NULL && connection->outbox.count > 0)
        lws_callback_on_writable(connection->wsi);
    connection_wake(connection, connection_deadline_us(connection));
}

void connection_perform(struct connection *connection, struct actions *actions, struct action *action)
{
    if (action->kind == ACTION_ACCEPT)
        accept_upgrade(connection, actions, action);
    else if (action->kind == ACTION_REFUSE)
        refuse(connection, actions, action);
    else if (connection->outbox.count > 0 || !deliver(connection, actions, action))
        wait_in_outbox(connection, actions, action);
}

void connection_pump(struct connection *connection)
{
    struct mock_server *server = connection->server;
    while (connection->outbox.count > 0) {
        struct action *action = outbox_first(&connection->outbox, &server->scratch);
        if (action == NULL || !deliver(connection, &server->scratch, action))
            break;
        outbox_drop_first(&connection->outbox);
        server->moves++;
    }
    bool waited_for =
        connection->outbox.count > 0 || (connection->seat != NULL && seat_is_waiting(connection->seat));
    if (waited_for && connection->wsi != NULL && connection->phase >= PHASE_OPEN &&
        connection->tap->slicer.count + 2 <= SLICER_FRAMES_MAX)
        lws_callback_on_writable(connection->wsi);
    if (!waited_for && connection->seat != NULL)
        seat_wake(server, connection->seat); /* the engine may go on */
}
