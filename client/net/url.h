/* The URL of a server: ws:// or wss://, host, port and what follows. Private to the connector. */
#ifndef CLIENT_NET_URL_H
#define CLIENT_NET_URL_H

#include <stdbool.h>

enum { URL_HOST_MAX = 256, URL_TARGET_MAX = 32768, URL_PORT_MAX = 6 };

struct url {
    bool secure;
    char host[URL_HOST_MAX]; /* printable ASCII, without the brackets of an IPv6 address */
    char port[URL_PORT_MAX]; /* decimal */
    char authority[URL_HOST_MAX + URL_PORT_MAX +
                   3];           /* for the Host header: with the port when the URL has one */
    char target[URL_TARGET_MAX]; /* path and query, with config_id */
};

/*
 * Reads the URL and adds config_id, percent-encoded, unless its query has one already. False with a sentence
 * in `error`: no ws:// or wss:// URL, no host, a host beyond ASCII or with blanks, a bad port, user
 * information, a fragment, too long.
 */
bool url_parse(const char *text, const char *config_id, struct url *out, char *error, unsigned error_max);

#endif
