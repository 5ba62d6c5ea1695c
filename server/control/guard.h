/*
 * Who may ask: no web page. A page that a browser shows can send requests to this machine, straight (CSRF) or
 * by way of a name of its own that leads here (DNS rebinding). So the peer has to be this machine, the Host
 * has to be a name of it or of the mock, and an Origin has to be the mock's own.
 */
#ifndef SERVER_CONTROL_GUARD_H
#define SERVER_CONTROL_GUARD_H

#include "codec/wire/http_head.h"

struct guard {
    bool any_peer;            /* not only one over loopback */
    const char *address;      /* that the mock listens on */
    const char *const *hosts; /* names that are let in as well; borrowed */
    size_t host_count;
};

/* NULL: let in. Else a sentence that says what was expected; static. */
const char *guard_refuses(const struct guard *guard, const struct http_head *head, bool peer_is_loopback);

#endif
