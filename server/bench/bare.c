/* The least that a server can do: writev of ready-made messages to each client in turn. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "server/bench/bench.h"

enum {
    BACKLOG = 256,
    CLIENTS_MAX = 1024,
    HEADER_BYTES = 10,
    SEND_BUFFER_BYTES = 256 * 1024, /* as the listener has it */
    WAIT_MS = 100
};

struct bare {
    size_t count;
    struct pollfd clients[CLIENTS_MAX];
    size_t sent[CLIENTS_MAX]; /* of the message in progress */
    uint8_t header[HEADER_BYTES];
    uint8_t payload[FLOOD_MESSAGE_BYTES];
};

static int port_open(int fd)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    if (listening < 0 || bind(listening, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listening, BACKLOG) != 0 || getsockname(listening, (struct sockaddr *)&address, &len) != 0)
        return -1;
    dprintf(fd, "{\"port\":%u}\n", (unsigned)ntohs(address.sin_port));
    return listening;
}

static bool client_admit(struct bare *bare, int listening)
{
    static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
    char request[2048];
    int bytes = SEND_BUFFER_BYTES, on = 1;
    int fd = accept(listening, NULL, NULL);
    if (fd < 0 || recv(fd, request, sizeof request, 0) <= 0 ||
        send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL) < 0)
        return false;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    bare->clients[bare->count++] = (struct pollfd){.fd = fd, .events = POLLOUT};
    return true;
}

/* False: the client takes nothing now. */
static bool message_send(struct bare *bare, size_t n, bool *over)
{
    size_t sent = bare->sent[n];
    size_t in_header = sent < HEADER_BYTES ? sent : HEADER_BYTES;
    size_t in_payload = sent - in_header;
    struct iovec parts[2] = {
        {.iov_base = bare->header + in_header, .iov_len = HEADER_BYTES - in_header},
        {.iov_base = bare->payload + in_payload, .iov_len = sizeof bare->payload - in_payload}};
    ssize_t wrote = writev(bare->clients[n].fd, parts, 2);
    if (wrote <= 0) {
        *over = *over || (errno != EAGAIN && errno != EINTR);
        return false;
    }
    bare->sent[n] = (sent + (size_t)wrote) % (HEADER_BYTES + sizeof bare->payload);
    return true;
}

void bare_serve(int fd, const void *context)
{
    const struct flood *flood = context;
    struct bare *bare = calloc(1, sizeof *bare);
    int listening = port_open(fd);
    bool over = bare == NULL || listening < 0 || flood->clients > CLIENTS_MAX;
    while (!over && bare->count < flood->clients)
        over = !client_admit(bare, listening);
    if (over) {
        free(bare);
        return;
    }
    bare->header[0] = 0x82;
    bare->header[1] = 127;
    for (size_t i = 2; i < HEADER_BYTES; i++)
        bare->header[i] = (uint8_t)((uint64_t)FLOOD_MESSAGE_BYTES >> 8 * (HEADER_BYTES - 1 - i));
    while (!over) {
        bool any = false;
        for (size_t n = 0; n < bare->count && !over; n++)
            any = message_send(bare, n, &over) || any;
        if (!any && !over)
            poll(bare->clients, bare->count, WAIT_MS);
    }
    free(bare);
}
