/*
 * A connection to a server, as bytes: TCP, and TLS where the URL asks for it. One thread, one connection;
 * nothing here knows of WebSocket.
 */
#ifndef CONFORMANCE_SERVER_HOST_RAW_CONNECTION_H
#define CONFORMANCE_SERVER_HOST_RAW_CONNECTION_H

#include "client/net/tls.h"
#include "client/net/url.h"

enum { RAW_SENTENCE_MAX = 700, RAW_CONNECT_MS_MAX = 10000, RAW_PENDING_BYTES_MAX = 16 * 1024 * 1024 };

struct raw_connection {
    int fd; /* -1: none */
    struct client_tls *tls;
    struct buffer cipher; /* waits for the socket, with TLS */
    struct buffer plain;  /* came during the handshake */
};

/* Connects, and shakes hands with TLS, within RAW_CONNECT_MS_MAX. False with a sentence that names the
 * address. */
bool raw_connect(struct raw_connection *connection, const struct url *url, const char *ca_file,
                 char sentence[RAW_SENTENCE_MAX]);
/* Ends it in order (FIN) and forgets it; nothing when there is none. */
void raw_end(struct raw_connection *connection);

/* Writes what it takes; *len is how much of it was. False when the connection is over. */
bool raw_write(struct raw_connection *connection, struct bytes bytes, size_t *len);
/* Is there anything that waits for the socket? */
bool raw_is_writing(const struct raw_connection *connection);

enum raw_read { RAW_READ_SOME, RAW_READ_NOTHING, RAW_READ_END, RAW_READ_RESET };
/* Appends what came to `out`. */
enum raw_read raw_read(struct raw_connection *connection, struct buffer *out);

#endif
