/* libwebsockets: a guest on the loop, without a port of its own. Its end of each pair comes from the tap. */
#include "server/net/net.h"

#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "codec/wire/utf8.h"

enum {
    LIBRARY_FRAME_BYTES_MAX = ACTIONS_BYTES_MAX, /* below it a write would be split and copied */
    LIBRARY_RX_BYTES = 4096,                     /* allocated for each connection */
    LIBRARY_SERVICE_BYTES = 128 * 1024,          /* one for all */
    LIBRARY_READS_MAX = 256,                     /* at once */
    LIBRARY_STOP_ROUNDS = 5,
    LIBRARY_IDLE_S = 65000 /* it shall send no pings of its own: nearly the most the field holds */
};

/* Whose end that is. */
static struct connection *connection_of(struct lws *wsi)
{
    return wsi == NULL ? NULL : lws_get_opaque_user_data(wsi);
}

/* One piece of a message; `len` may be 0. */
static void piece_received(struct connection *connection, struct lws *wsi, const void *in, size_t len)
{
    if (lws_is_first_fragment(wsi)) {
        buffer_clear(&connection->message);
        connection->message_bytes = 0;
        connection->message_is_binary = lws_frame_is_binary(wsi) != 0;
    }
    size_t room = message_kept_max(connection) - connection->message.len;
    size_t kept = len < room ? len : room;
    if (kept > 0)
        buffer_append(&connection->message, bytes_of(in, kept));
    connection->message_bytes += len;
    if (!lws_is_final_fragment(wsi))
        return;
    intake_message(connection, connection->message_is_binary, buffer_bytes(&connection->message),
                   connection->message_bytes, intake_next_arrival_us(connection));
    buffer_clear(&connection->message);
}

/* Nonzero: the library shall just close, because our close frame is out. */
static int close_received(struct connection *connection, struct lws *wsi, const void *in, size_t len)
{
    const uint8_t *payload = in;
    uint16_t code = WS_CLOSE_NO_CODE;
    if (len >= 2)
        code = (uint16_t)(payload[0] << 8 | payload[1]);
    connection->client_has_closed = true;
    if (connection->seat != NULL)
        seat_step(connection->service, connection->seat,
                  &(struct engine_event){
                      .kind = ENGINE_CLOSE, .now_us = mock_server_now_us(connection->server), .code = code});
    if (connection->phase == PHASE_CLOSING)
        return 1;
    connection_drop_all(connection);
    connection_enter(connection, PHASE_CLOSING, CLOSE_WAIT_US);
    /* The library would send back what it got; RFC 6455 5.5.1, 7.4 and 8.1 forbid it. */
    const bool bad_code = len == 1 || (len >= 2 && !ws_close_code_is_legal(code));
    const bool bad_reason = len > 2 && utf8_valid_prefix(bytes_of(payload + 2, len - 2)) != len - 2;
    if (bad_code || bad_reason) {
        lws_close_reason(wsi, bad_code ? LWS_CLOSE_STATUS_PROTOCOL_ERR : LWS_CLOSE_STATUS_INVALID_PAYLOAD,
                         NULL, 0);
        return 1;
    }
    return 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
    (void)user;
    struct connection *connection = connection_of(wsi);
    if (connection == NULL)
        return 0;
    int reason_number = (int)reason; /* the library has over a hundred; most are none of ours */
    switch (reason_number) {
    case LWS_CALLBACK_ESTABLISHED:
        connection_enter(connection, PHASE_OPEN, UINT64_MAX);
        upgrade_done(connection);
        server_log(connection->server, connection, "is open");
        ping_begin(connection);
        if (connection->seat != NULL)
            seat_step(connection->service, connection->seat,
                      &(struct engine_event){.kind = ENGINE_OPENED,
                                             .now_us = mock_server_now_us(connection->server)});
        connection_pump(connection);
        if (connection->failed_by != 0)
            connection_dismiss(connection, connection->failed_by);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        piece_received(connection, wsi, in, len);
        return 0;
    case LWS_CALLBACK_RECEIVE_PONG:
        intake_pong(connection, bytes_of(in, len));
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return close_received(connection, wsi, in, len);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        connection_pump(connection);
        return 0;
    case LWS_CALLBACK_CLOSED:
        connection_left(connection);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        connection->wsi = NULL;
        connection_left(connection);
        connection->server->something_over = true;
        server_wake(connection->server, mock_server_now_us(connection->server));
        return 0;
    default:
        return 0;
    }
}

bool library_start(struct mock_server *server, char error[MOCK_ERROR_MAX])
{
    static const struct lws_protocols protocols[] = {{.name = "mock",
                                                      .callback = on_event,
                                                      .rx_buffer_size = LIBRARY_RX_BYTES,
                                                      .tx_packet_size = LIBRARY_FRAME_BYTES_MAX},
                                                     {.name = NULL}};
    static const lws_retry_bo_t patience = {.secs_since_valid_ping = LIBRARY_IDLE_S,
                                            .secs_since_valid_hangup = LIBRARY_IDLE_S + 60};
    void *loops[1] = {server->loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV,
        .foreign_loops = loops,
        .gid = -1,
        .uid = -1,
        .pt_serv_buf_size = LIBRARY_SERVICE_BYTES,
        .fd_limit_per_thread = CONNECTIONS_MAX + 16,
        .retry_and_idle_policy = &patience,
        .pcontext = &server->context,
        .user = server,
    };
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    if (server->context != NULL)
        server->vhost = lws_get_vhost_by_name(server->context, "default");
    if (server->vhost == NULL) {
        snprintf(error, MOCK_ERROR_MAX,
                 "cannot start libwebsockets with libuv: is its event library for libuv installed?");
        return false;
    }
    return true;
}

/* On a loop of somebody else's the library takes two calls: the first begins to close its handles, the second
 * frees everything once the loop has closed them, which takes a few rounds and is told nowhere. */
bool library_stop(struct mock_server *server)
{
    if (server->context == NULL)
        return true;
    unsigned round = server->stop_rounds++;
    if (round == 0 || round == LIBRARY_STOP_ROUNDS)
        lws_context_destroy(server->context);
    return server->context == NULL || round > 2 * LIBRARY_STOP_ROUNDS;
}

void library_read(struct connection *connection)
{
    int before = INT_MAX;
    for (int n = 0; n < LIBRARY_READS_MAX; n++) {
        int unread = 0;
        if (connection->wsi == NULL || connection->phase != PHASE_OPEN)
            return;
        struct lws_pollfd readable = {
            .fd = lws_get_socket_fd(connection->wsi), .events = LWS_POLLIN, .revents = LWS_POLLIN};
        if (ioctl(readable.fd, FIONREAD, &unread) != 0 || unread == 0 || unread >= before)
            return; /* what it does not read now it has its reasons for */
        before = unread;
        lws_service_fd(connection->server->context, &readable);
    }
}

struct lws *library_adopt(struct mock_server *server, int fd, struct connection *connection)
{
    struct lws *wsi = lws_adopt_socket_vhost(server->vhost, fd);
    if (wsi != NULL)
        lws_set_opaque_user_data(wsi, connection);
    return wsi;
}
