/* A listening socket that only this process can get into, without a file: Linux's abstract namespace. Private
 * to the tap. */
#ifndef CLIENT_NET_LOCAL_SOCKET_H
#define CLIENT_NET_LOCAL_SOCKET_H

#include <stdint.h>

enum { LOCAL_SOCKET_NAME_MAX = 64 };

/* The socket, or -1. `name` is then its address as the WebSocket library takes it ("+@ojin-client-…");
 * `serial` tells the sockets of a process apart. */
int local_socket_listen(char name[LOCAL_SOCKET_NAME_MAX], uint64_t serial);
/* The next connection of this process; -1 when there is none, or when somebody else's was turned away. */
int local_socket_accept(int listening);

#endif
