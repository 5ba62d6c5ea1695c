/* Clients over TLS that let their kernel drop what comes once they are let in: nobody deciphers it, so that
 * the server is what is slow. */
#define _GNU_SOURCE /* MSG_TRUNC on TCP */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "server/bench/bench.h"

enum { EVENTS_MAX = 128, READS_MAX = 16, READ_BYTES = 256 * 1024, HANDSHAKE_WAIT_S = 5 };

struct tls_client {
    int fd;
    SSL *ssl;
};

struct tls_reader {
    SSL_CTX *context;
    int epoll;
    size_t count;
    struct tls_client *clients;
    uint64_t bytes;
    bool failed;
};

static int client_connect(unsigned port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval patience = {.tv_sec = HANDSHAKE_WAIT_S};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* The first one only: what follows is its doing. */
static void client_lost(struct tls_reader *reader, const struct tls_client *client, const char *why)
{
    if (!reader->failed)
        bench_tell("client %zu over TLS was lost: %s", (size_t)(client - reader->clients), why);
    reader->failed = true;
}

/* The 101, byte by byte, so that nothing behind it is taken. */
static bool answer_read(SSL *ssl)
{
    static const char end[] = "\r\n\r\n";
    size_t matched = 0;
    char c;
    while (matched < sizeof end - 1 && SSL_read(ssl, &c, 1) == 1)
        matched = c == end[matched] ? matched + 1 : c == '\r';
    return matched == sizeof end - 1;
}

static bool client_begin(struct tls_reader *reader, struct tls_client *client, unsigned port)
{
    const char *request = reader_request();
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    client->fd = client_connect(port);
    client->ssl = SSL_new(reader->context);
    return client->fd >= 0 && client->ssl != NULL && SSL_set_fd(client->ssl, client->fd) == 1 &&
           SSL_connect(client->ssl) == 1 && SSL_write(client->ssl, request, (int)strlen(request)) > 0 &&
           answer_read(client->ssl) && fcntl(client->fd, F_SETFL, O_NONBLOCK) == 0 &&
           epoll_ctl(reader->epoll, EPOLL_CTL_ADD, client->fd, &event) == 0;
}

struct tls_reader *tls_reader_connect(unsigned port, size_t count)
{
    struct tls_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return NULL;
    reader->epoll = epoll_create1(0);
    reader->context = SSL_CTX_new(TLS_client_method());
    reader->clients = calloc(count, sizeof *reader->clients);
    reader->failed = reader->context == NULL || reader->clients == NULL;
    while (!reader->failed && reader->count < count)
        reader->failed = !client_begin(reader, &reader->clients[reader->count++], port);
    if (!reader->failed)
        return reader;
    bench_tell("client %zu over TLS was not let in", reader->count);
    tls_reader_close(reader);
    return NULL;
}

bool tls_reader_open(struct tls_reader *reader, size_t n)
{
    uint8_t message[READER_INPUT_MAX];
    size_t len = reader_input(message);
    return SSL_write(reader->clients[n].ssl, message, (int)len) == (int)len;
}

static void client_read(struct tls_reader *reader, struct tls_client *client)
{
    uint8_t nothing[1];
    for (unsigned n = 0; n < READS_MAX; n++) {
        const ssize_t got = recv(client->fd, nothing, READ_BYTES, MSG_DONTWAIT | MSG_TRUNC);
        if (got == 0)
            client_lost(reader, client, "the server closed its connection");
        else if (got < 0 && errno != EAGAIN && errno != EINTR)
            client_lost(reader, client, strerror(errno));
        if (got <= 0)
            return;
        reader->bytes += (uint64_t)got;
    }
}

uint64_t tls_reader_run(struct tls_reader *reader, uint64_t until_us)
{
    struct epoll_event events[EVENTS_MAX];
    for (uint64_t now_us = bench_now_us(); now_us < until_us && !reader->failed; now_us = bench_now_us()) {
        int count = epoll_wait(reader->epoll, events, EVENTS_MAX, (int)((until_us - now_us + 999) / 1000));
        for (int i = 0; i < count; i++)
            client_read(reader, events[i].data.ptr);
    }
    return reader->bytes;
}

bool tls_reader_failed(const struct tls_reader *reader)
{
    return reader->failed;
}

void tls_reader_close(struct tls_reader *reader)
{
    for (size_t n = 0; n < reader->count; n++) {
        SSL_free(reader->clients[n].ssl);
        if (reader->clients[n].fd >= 0)
            close(reader->clients[n].fd);
    }
    free(reader->clients);
    SSL_CTX_free(reader->context);
    close(reader->epoll);
    free(reader);
}
