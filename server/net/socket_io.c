#define _DEFAULT_SOURCE /* ioctl */
#include "server/net/socket_io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static enum io_result result_of_tls(enum tls_result result)
{
    switch (result) {
    case TLS_DONE:
        return IO_DONE;
    case TLS_WANTS_READ:
        return IO_WANTS_READ;
    case TLS_WANTS_WRITE:
        return IO_WANTS_WRITE;
    case TLS_ENDED:
        return IO_ENDED;
    case TLS_FAILED:
        break;
    }
    return IO_FAILED;
}

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

bool socket_prepare(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

enum io_result socket_read(int fd, struct tls_stream *tls, void *data, size_t *len)
{
    if (tls != NULL)
        return result_of_tls(tls_stream_read(tls, data, len));
    for (;;) {
        ssize_t got = recv(fd, data, *len, 0);
        if (got < 0 && errno == EINTR)
            continue;
        *len = got > 0 ? (size_t)got : 0;
        if (got > 0)
            return IO_DONE;
        return got == 0 ? IO_ENDED : would_block() ? IO_WANTS_READ : IO_FAILED;
    }
}

enum io_result socket_write(int fd, struct tls_stream *tls, const struct bytes *parts, size_t count,
                            size_t *len)
{
    struct iovec vectors[SOCKET_PARTS_MAX];
    struct msghdr message = {.msg_iov = vectors};
    if (tls != NULL)
        return result_of_tls(tls_stream_write(tls, parts, count, len));
    for (size_t i = 0; i < count && i < SOCKET_PARTS_MAX; i++) {
        /* The kernel's interface has no const; it reads. */
        union {
            const void *given;
            void *taken;
        } data = {.given = parts[i].data};
        vectors[message.msg_iovlen++] = (struct iovec){.iov_base = data.taken, .iov_len = parts[i].len};
    }
    ssize_t sent;
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    *len = sent > 0 ? (size_t)sent : 0;
    if (sent >= 0)
        return IO_DONE;
    return would_block() ? IO_WANTS_WRITE : IO_FAILED;
}

void socket_shut(int fd, struct tls_stream *tls)
{
    if (tls != NULL)
        tls_stream_finish(tls);
    shutdown(fd, SHUT_WR);
}

size_t socket_unconfirmed(int fd)
{
    int bytes = 0;
    return ioctl(fd, SIOCOUTQ, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

void socket_close(int fd, bool reset)
{
    if (reset) {
        struct linger none = {.l_onoff = 1, .l_linger = 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    close(fd);
}
