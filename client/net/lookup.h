/*
 * Looks a host up, on a thread of its own, of which a loop is told; an address needs none. libuv's own lookup
 * shares threads that it cannot do without: it ends the process when there is no memory for them.
 */
#ifndef CLIENT_NET_LOOKUP_H
#define CLIENT_NET_LOOKUP_H

#include <uv.h>

struct lookup {
    uv_thread_t thread;
    uv_async_t done;
    const char *host;
    const char *port;
    int status; /* of libuv */
    struct addrinfo *addresses;
    void (*found)(void *context, int status, struct addrinfo *addresses);
    void *context;
};

/* `found` is called once, from the loop, with a status of libuv, and addresses for uv_freeaddrinfo. The
 * lookup, host and port are the caller's, and live until then. Returns 0, or what stands in the way. */
int lookup_start(struct lookup *lookup, uv_loop_t *loop);

#endif
