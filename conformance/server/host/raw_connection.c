#define _GNU_SOURCE
#include "conformance/server/host/raw_connection.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conformance/process/host_clock.h"

enum { READ_BYTES = 65536 };

/* Waits until the socket is ready for `events`; false when the time is up. */
static bool wait_for(int fd, short events, int64_t deadline_ms)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    for (;;) {
        const int64_t left = deadline_ms - (int64_t)host_clock_ms();
        if (left <= 0)
            return false;
        const int ready = poll(&poll_fd, 1, (int)left);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

static int connect_one(const struct addrinfo *address, int64_t deadline_ms)
{
    const int on = 1;
    const int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    int error = connect(fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
        socklen_t len = sizeof error;
        if (!wait_for(fd, POLLOUT, deadline_ms))
            error = ETIMEDOUT;
        else
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
    }
    if (error == 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        return fd;
    }
    close(fd);
    errno = error;
    return -1;
}

static bool say(char sentence[RAW_SENTENCE_MAX], const struct url *url, const char *why)
{
    snprintf(sentence, RAW_SENTENCE_MAX, "cannot connect to %s:%s: %s", url->host, url->port, why);
    return false;
}

static bool connect_tcp(struct raw_connection *connection, const struct url *url, int64_t deadline_ms,
                        char sentence[RAW_SENTENCE_MAX])
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    const int status = getaddrinfo(url->host, url->port, &hints, &addresses);
    if (status != 0)
        return say(sentence, url, gai_strerror(status));
    int error = EHOSTUNREACH;
    for (const struct addrinfo *at = addresses; at != NULL && connection->fd < 0; at = at->ai_next) {
        connection->fd = connect_one(at, deadline_ms);
        error = errno;
    }
    freeaddrinfo(addresses);
    return connection->fd >= 0 ||
           say(sentence, url,
               error == ECONNREFUSED ? "Connection refused; is the server running?" : strerror(error));
}

/* ---- TLS ---- */

/* Sends what waits; false when the connection is over. */
static bool cipher_flush(struct raw_connection *connection)
{
    while (connection->cipher.len > 0) {
        const ssize_t sent =
            send(connection->fd, connection->cipher.data, connection->cipher.len, MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EINTR;
        buffer_consume(&connection->cipher, (size_t)sent);
    }
    return true;
}

static bool shake_hands(struct raw_connection *connection, const struct url *url, const char *ca_file,
                        int64_t deadline_ms, char sentence[RAW_SENTENCE_MAX])
{
    char error[TLS_SENTENCE_MAX];
    uint8_t space[READ_BYTES];
    connection->tls = client_tls_new(url->host, ca_file, NULL, error);
    if (connection->tls == NULL)
        return say(sentence, url, error);
    ssize_t got = 0;
    for (;;) {
        const bool good = client_tls_feed(connection->tls, bytes_of(space, (size_t)got), &connection->plain,
                                          &connection->cipher, error);
        if (!cipher_flush(connection) || !good)
            return say(sentence, url, good ? "the server hung up during the TLS handshake" : error);
        if (client_tls_is_open(connection->tls))
            return true;
        if (!wait_for(connection->fd, POLLIN, deadline_ms))
            return say(sentence, url, "no TLS handshake in time");
        got = recv(connection->fd, space, sizeof space, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return say(sentence, url, "the server hung up during the TLS handshake");
        got = got < 0 ? 0 : got;
    }
}

bool raw_connect(struct raw_connection *connection, const struct url *url, const char *ca_file,
                 char sentence[RAW_SENTENCE_MAX])
{
    const int64_t deadline_ms = (int64_t)host_clock_ms() + RAW_CONNECT_MS_MAX;
    *connection = (struct raw_connection){.fd = -1};
    buffer_init(&connection->cipher, RAW_PENDING_BYTES_MAX);
    buffer_init(&connection->plain, RAW_PENDING_BYTES_MAX);
    if (connect_tcp(connection, url, deadline_ms, sentence) &&
        (!url->secure || shake_hands(connection, url, ca_file, deadline_ms, sentence)))
        return true;
    raw_end(connection);
    return false;
}

void raw_end(struct raw_connection *connection)
{
    if (connection->fd >= 0)
        close(connection->fd);
    client_tls_free(connection->tls);
    buffer_free(&connection->cipher);
    buffer_free(&connection->plain);
    *connection = (struct raw_connection){.fd = -1};
}

bool raw_is_writing(const struct raw_connection *connection)
{
    return connection->cipher.len > 0;
}

bool raw_write(struct raw_connection *connection, struct bytes bytes, size_t *len)
{
    *len = 0;
    if (connection->tls != NULL) {
        /* The next only when the one before is out, so that what counts as sent is. */
        const struct bytes piece = bytes_of(bytes.data, bytes.len < READ_BYTES ? bytes.len : READ_BYTES);
        if (connection->cipher.len == 0 && piece.len > 0) {
            if (!client_tls_send(connection->tls, piece, &connection->cipher))
                return false;
            *len = piece.len;
        }
        return cipher_flush(connection);
    }
    if (bytes.len == 0)
        return true;
    const ssize_t sent = send(connection->fd, bytes.data, bytes.len, MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EAGAIN || errno == EINTR;
    *len = (size_t)sent;
    return true;
}

enum raw_read raw_read(struct raw_connection *connection, struct buffer *out)
{
    char error[TLS_SENTENCE_MAX];
    uint8_t space[READ_BYTES];
    bool some = connection->plain.len > 0;
    if (some && buffer_append(out, buffer_bytes(&connection->plain)))
        buffer_clear(&connection->plain);
    const ssize_t got = recv(connection->fd, space, sizeof space, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return some ? RAW_READ_SOME : RAW_READ_NOTHING;
    if (got <= 0)
        return got == 0 ? RAW_READ_END : RAW_READ_RESET;
    const struct bytes bytes = bytes_of(space, (size_t)got);
    if (connection->tls == NULL)
        return buffer_append(out, bytes) ? RAW_READ_SOME : RAW_READ_RESET;
    if (!client_tls_feed(connection->tls, bytes, out, &connection->cipher, error))
        return RAW_READ_RESET;
    return cipher_flush(connection) ? RAW_READ_SOME : RAW_READ_RESET;
}
