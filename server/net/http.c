/*
 * Requests for the mock's own paths: the body read, handed to options.http, the answer let out.
 *
 * What an answer costs is the handler's, so one request is told in a round of the loop, and none while the
 * handler is at work on the one before; the others wait in the order they came. An answer goes out a few
 * pieces a round, however fast its client reads.
 */
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "server/net/net.h"

enum {
    HTTP_BODY_WAIT_US = 10000000,
    HTTP_SMALL_BYTES = 64 * 1024, /* an answer up to this long is not counted */
    HTTP_TAKE_WAIT_US = 10000000, /* with nothing taken of the answer */
    HTTP_PIECE_BYTES = 128 * 1024,
    HTTP_PIECES_MAX = 4, /* in a row, before others get their turn */
    HTTP_HEAD_LINES_MAX = 1024,
    HTTP_HEAD_MAX = HTTP_HEAD_LINES_MAX + 256,
    LENGTH_DIGITS_MAX = 12
};

enum http_state {
    HTTP_READING,
    HTTP_QUEUED,   /* it is whole, and waits for its turn */
    HTTP_WAITING,  /* the handler has it */
    HTTP_ANSWERED, /* the answer is going out */
    HTTP_OVER
};

struct mock_http {
    struct connection *connection;
    struct mock_http *next; /* in the queue */
    enum http_state state;
    uint16_t wrong;       /* the status that the body deserves, or 0 */
    bool client_ended;    /* its side, which does not take the request back */
    size_t body_bytes;    /* that the head promises */
    struct buffer answer; /* its body */
    size_t answer_sent;
    size_t answer_bytes; /* of the server's budget */
};

bool http_is_wanted(const struct mock_server *server, struct bytes path)
{
    const struct mock_http_handler *handler = server->options.http;
    if (handler == NULL)
        return false;
    size_t len = strlen(handler->prefix);
    /* "/__mock" is the same as "/__mock/". */
    return (path.len >= len && memcmp(path.data, handler->prefix, len) == 0) ||
           (path.len == len - 1 && memcmp(path.data, handler->prefix, len - 1) == 0);
}

static bool peer_of(const struct connection *connection, struct sockaddr_storage *out, socklen_t *len)
{
    *len = sizeof *out;
    return connection->transport != NULL && connection->transport->fd >= 0 &&
           getpeername(connection->transport->fd, (struct sockaddr *)out, len) == 0;
}

void http_peer(const struct connection *connection, char *out, size_t out_max)
{
    struct sockaddr_storage address;
    socklen_t len;
    char host[48], port[8];
    *out = '\0';
    if (!peer_of(connection, &address, &len) ||
        getnameinfo((struct sockaddr *)&address, len, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    bool is_ipv6 = address.ss_family == AF_INET6;
    snprintf(out, out_max, "%s%s%s:%s", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port);
}

static bool peer_is_loopback(const struct connection *connection)
{
    struct sockaddr_storage address;
    socklen_t len;
    if (!peer_of(connection, &address, &len))
        return false;
    if (address.ss_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, &address, sizeof v4);
        return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
    }
    if (address.ss_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, &address, sizeof v6);
        if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr))
            return v6.sin6_addr.s6_addr[12] == 127;
        return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
    }
    return false;
}

static bool write_out(struct connection *connection, struct bytes bytes)
{
    if (transport_is_ending(connection->transport) || !ws_endpoint_send_raw(connection->endpoint, bytes))
        return false;
    connection_flush(connection);
    return true;
}

/* ---- in ---- */

static void queue_add(struct mock_server *server, struct mock_http *http)
{
    struct mock_http **link = &server->http_first;
    while (*link != NULL)
        link = &(*link)->next;
    *link = http;
}

static void queue_drop(struct mock_server *server, const struct mock_http *http)
{
    struct mock_http **link = &server->http_first;
    while (*link != NULL && *link != http)
        link = &(*link)->next;
    if (*link != NULL)
        *link = http->next;
}

static void give_up(struct connection *connection)
{
    struct mock_http *http = connection->http;
    const struct mock_http_handler *handler = connection->server->options.http;
    bool was_waiting = http->state == HTTP_WAITING;
    queue_drop(connection->server, http);
    http->state = HTTP_OVER;
    connection->left = true;
    connection->goes_on = false;
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    transport_close(connection->transport, false);
    if (was_waiting && handler->gone != NULL)
        handler->gone(handler->context, http);
}

/* The handler is done with its work on the request told last. A client that has ended its side may still read
 * the answer, but does not wait for one. */
static void work_is_done(struct mock_server *server)
{
    const struct mock_http *http = server->http_now;
    server->http_now = NULL;
    if (http != NULL && http->client_ended && http->state == HTTP_WAITING)
        give_up(http->connection);
}

static void tell(struct connection *connection, const struct http_head *head)
{
    struct mock_server *server = connection->server;
    const struct mock_http_handler *handler = server->options.http;
    struct mock_http *http = connection->http;
    char peer[64];
    http_peer(connection, peer, sizeof peer);
    const struct mock_http_request request = {
        .head = head,
        .body = http->wrong != 0
                    ? bytes_of(NULL, 0)
                    : bytes_of(connection->request.data + connection->head_bytes, http->body_bytes),
        .wrong = http->wrong,
        .peer = peer,
        .peer_is_loopback = peer_is_loopback(connection)};
    http->state = HTTP_WAITING;
    server->http_now = http;
    server->http_works = handler->request(handler->context, http, &request);
    if (!server->http_works)
        work_is_done(server);
}

static void tell_first(struct mock_server *server)
{
    struct connection *connection = server->http_first->connection;
    struct http_head head;
    server->http_first = server->http_first->next;
    if (http_head_parse(bytes_of(connection->request.data, connection->head_bytes), &head))
        tell(connection, &head);
    else
        give_up(connection);
}

void http_turn(struct mock_server *server)
{
    const struct mock_http_handler *handler = server->options.http;
    if (!server->http_works && server->http_first == NULL)
        return;
    if (!server->http_had_turn) {
        server->http_had_turn = true;
        server->moves++;
        if (!server->http_works)
            tell_first(server);
        else if (!(server->http_works = handler->go_on(handler->context)))
            work_is_done(server);
    }
    if (server->http_works || server->http_first != NULL)
        server_wake(server, mock_server_now_us(server));
}

/* The request is whole, or as whole as it gets. */
static void ask(struct connection *connection, uint16_t wrong)
{
    struct mock_http *http = connection->http;
    http->wrong = wrong;
    http->state = HTTP_QUEUED;
    connection_enter(connection, PHASE_HTTP, UINT64_MAX);
    queue_add(connection->server, http);
    http_turn(connection->server);
}

/* How long the body is: 0, or the status of a request that cannot be taken. */
static uint16_t body_length(const struct http_head *head, size_t max, size_t *out)
{
    struct bytes value;
    size_t total = 0;
    if (http_head_header(head, "Transfer-Encoding", 0, &value))
        return 411;
    if (!http_head_header(head, "Content-Length", 0, &value))
        return 0; /* there is none: RFC 9112 6.3 */
    if (value.len == 0 || value.len > LENGTH_DIGITS_MAX ||
        http_head_header(head, "Content-Length", 1, &value))
        return 400;
    for (size_t n = 0; n < value.len; n++) {
        if (value.data[n] < '0' || value.data[n] > '9')
            return 400;
        total = total * 10 + (size_t)(value.data[n] - '0');
    }
    if (total > max)
        return 413;
    *out = total;
    return 0;
}

static bool expects_continue(const struct http_head *head)
{
    struct bytes value;
    return http_head_header(head, "Expect", 0, &value) &&
           bytes_equal_text_ignoring_case(value, "100-continue");
}

void http_begin(struct connection *connection)
{
    connection->http = calloc(1, sizeof *connection->http);
    if (connection->http == NULL) {
        connection->left = true;
        connection_enter(connection, PHASE_OVER, UINT64_MAX);
        transport_close(connection->transport, true);
        return;
    }
    connection->http->connection = connection;
    connection->server->http_count++;
    connection_enter(connection, PHASE_HTTP, HTTP_BODY_WAIT_US);
}

void http_received(struct connection *connection, struct bytes data)
{
    struct mock_http *http = connection->http;
    struct http_head head;
    if (http == NULL || http->state != HTTP_READING)
        return; /* a second request, or rubbish: one is answered */
    if (data.len > 0 && !buffer_append(&connection->request, data)) {
        give_up(connection);
        return;
    }
    if (!http_head_parse(bytes_of(connection->request.data, connection->head_bytes), &head)) {
        give_up(connection);
        return;
    }
    if (http->body_bytes == 0) {
        size_t max = connection->server->options.http->body_bytes_max;
        uint16_t wrong = body_length(&head, max, &http->body_bytes);
        if (wrong != 0) {
            ask(connection, wrong);
            return;
        }
        connection->request.len_max = connection->head_bytes + http->body_bytes + EARLY_BYTES_MAX;
        static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
        if (http->body_bytes > 0 && expects_continue(&head))
            write_out(connection, bytes_of_text(go_on));
    }
    if (connection->request.len - connection->head_bytes >= http->body_bytes)
        ask(connection, 0);
}

/* ---- out ---- */

static void out_is_over(struct connection *connection)
{
    connection->http->state = HTTP_OVER;
    connection->left = true;
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    transport_finish(connection->transport);
}

void http_progressed(struct connection *connection)
{
    struct mock_http *http = connection->http;
    if (http->state != HTTP_ANSWERED)
        return;
    unsigned pieces = 0;
    connection->phase_by_us = mock_server_now_us(connection->server) + HTTP_TAKE_WAIT_US;
    connection->goes_on = false;
    while (http->answer_sent < http->answer.len &&
           ws_endpoint_unsent(connection->endpoint) < HTTP_PIECE_BYTES) {
        if (pieces++ == HTTP_PIECES_MAX) {
            connection->goes_on = true;
            connection_wake(connection, mock_server_now_us(connection->server));
            break;
        }
        size_t left = http->answer.len - http->answer_sent;
        size_t piece = left < HTTP_PIECE_BYTES ? left : HTTP_PIECE_BYTES;
        if (!write_out(connection, bytes_of(http->answer.data + http->answer_sent, piece)))
            break;
        http->answer_sent += piece;
        connection->server->moves++;
    }
    if (http->answer_sent == http->answer.len && connection->phase == PHASE_HTTP)
        out_is_over(connection);
}

/* There is no memory for it. */
static void answer_fails(struct mock_http *http)
{
    struct connection *connection = http->connection;
    http->state = HTTP_ANSWERED;
    connection->left = true;
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    transport_close(connection->transport, true);
}

/* In place of an answer for which there is no room. */
static void answer_is_refused(uint16_t *status, const char **head_lines, struct buffer *body)
{
    static const char told[] =
        "{\"error\":\"too many answers wait to be read by others: ask again later\"}\n";
    *status = 503;
    *head_lines = "Content-Type: application/json\r\n";
    buffer_free(body);
    buffer_init(body, sizeof told - 1);
    (void)buffer_append(body, bytes_of(told, sizeof told - 1));
}

/* Queues it: `head` is borrowed until the next flush. */
static bool head_queue(struct connection *connection, char head[HTTP_HEAD_MAX], uint16_t status,
                       const char *head_lines, size_t body_bytes)
{
    int len = snprintf(head, HTTP_HEAD_MAX,
                       "HTTP/1.1 %u %s\r\n%.*sContent-Length: %zu\r\nConnection: close\r\n\r\n", status,
                       reason_phrase(status), HTTP_HEAD_LINES_MAX, head_lines, body_bytes);
    return !transport_is_ending(connection->transport) &&
           ws_endpoint_send_raw(connection->endpoint, bytes_of(head, (size_t)len));
}

void mock_http_answer_whole(struct mock_http *http, uint16_t status, const char *head_lines,
                            struct buffer *body, bool head_only)
{
    struct connection *connection = http->connection;
    struct mock_server *server = connection->server;
    char head[HTTP_HEAD_MAX];
    if (http->state != HTTP_WAITING) {
        buffer_free(body);
        return;
    }
    http->state = HTTP_ANSWERED;
    /* What is small is answered as long as anybody may connect. */
    const bool is_large = body->len > HTTP_SMALL_BYTES;
    const bool is_refused = is_large && body->len > MOCK_ANSWERS_BYTES_MAX - server->answer_bytes;
    if (is_refused)
        answer_is_refused(&status, &head_lines, body);
    if (!head_queue(connection, head, status, head_lines, body->len)) {
        buffer_free(body);
        answer_fails(http);
        return;
    }
    if (head_only)
        buffer_free(body);
    http->answer = *body;
    *body = (struct buffer){0};
    http->answer_bytes = is_large && !is_refused ? http->answer.len : 0;
    server->answer_bytes += http->answer_bytes;
    connection_enter(connection, PHASE_HTTP, HTTP_TAKE_WAIT_US);
    if (http->answer.len == 0)
        connection_flush(connection);
    http_progressed(connection);
}

void mock_http_answer(struct mock_http *http, uint16_t status, const char *head_lines, struct bytes body,
                      bool head_only)
{
    struct buffer copy;
    buffer_init(&copy, body.len);
    if (buffer_append(&copy, body)) {
        mock_http_answer_whole(http, status, head_lines, &copy, head_only);
    } else if (http->state == HTTP_WAITING) {
        answer_fails(http);
    }
}

/* ---- the end ---- */

void http_ended(struct connection *connection, bool reset)
{
    struct mock_http *http = connection->http;
    if (http == NULL || http->state == HTTP_ANSWERED)
        return;
    /* Then it is we who have not come to it yet. */
    if (!reset && (http->state == HTTP_QUEUED || connection->server->http_now == http))
        http->client_ended = true;
    else
        give_up(connection);
}

void http_is_late(struct connection *connection)
{
    if (connection->http == NULL)
        return;
    if (connection->http->state == HTTP_READING)
        ask(connection, 408);
    else
        give_up(connection);
}

void http_free(struct connection *connection)
{
    struct mock_http *http = connection->http;
    struct mock_server *server = connection->server;
    if (http == NULL)
        return;
    if (http->state == HTTP_WAITING && server->options.http->gone != NULL)
        server->options.http->gone(server->options.http->context, http);
    queue_drop(server, http);
    if (server->http_now == http)
        server->http_now = NULL;
    server->answer_bytes -= http->answer_bytes;
    buffer_free(&http->answer);
    free(http);
    connection->http = NULL;
    server->http_count--;
}
