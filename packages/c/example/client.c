#include "client.h"

#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int client_ask(const char *url)
{
    char host[64], port[16], path[128], request[512], answer[256] = "";
    struct addrinfo *address, hints = {.ai_socktype = SOCK_STREAM};
    int status = 0;
    if (sscanf(url, "ws://%63[^:]:%15[^/]%127s", host, port, path) != 3 ||
        getaddrinfo(host, port, &hints, &address) != 0)
        return 0;
    const int fd = socket(address->ai_family, address->ai_socktype, 0);
    const int len = snprintf(
        request, sizeof request,
        "GET %s?config_id=any HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Authorization: Bearer my-own-key\r\n\r\n",
        path, host, port);
    if (connect(fd, address->ai_addr, address->ai_addrlen) == 0 && write(fd, request, (size_t)len) == len &&
        read(fd, answer, sizeof answer - 1) > 0)
        (void)sscanf(answer, "HTTP/1.1 %d", &status);
    close(fd);
    freeaddrinfo(address);
    return status;
}
