#define _GNU_SOURCE /* struct ucred */
#include "client/net/local_socket.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "codec/wire/text.h"

int local_socket_listen(char name[LOCAL_SOCKET_NAME_MAX], uint64_t serial)
{
    struct text text = text_of(name, LOCAL_SOCKET_NAME_MAX);
    text_add(&text, "+@ojin-client-");
    text_add_u64(&text, (uint64_t)getpid());
    text_add_char(&text, '-');
    text_add_u64(&text, serial);
    /* The library's '@' stands for the zero byte of an abstract name, which is as long as the address says.
     */
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, name + 2, text.len - 2);
    socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + text.len - 1);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening < 0)
        return -1;
    if (bind(listening, (struct sockaddr *)&address, len) != 0 || listen(listening, 4) != 0) {
        close(listening);
        return -1;
    }
    return listening;
}

int local_socket_accept(int listening)
{
    int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    struct ucred peer = {0};
    socklen_t len = sizeof peer;
    if (connection >= 0 &&
        (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0 || peer.pid != getpid())) {
        close(connection);
        return -1;
    }
    return connection;
}
