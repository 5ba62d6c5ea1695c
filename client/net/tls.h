/*
 * One TLS client session of OpenSSL between byte streams, without a socket: what comes from the network is
 * fed in, what goes to it is taken out. The server's certificate must chain to a trusted root and be for the
 * host. Private to the connector.
 */
#ifndef CLIENT_NET_TLS_H
#define CLIENT_NET_TLS_H

#include "client/net/seams.h"

enum { TLS_SENTENCE_MAX = 200 };

struct client_tls; /* owned: client_tls_free */

/* NULL with a sentence in `error`: no memory, or a CA file that is none. `ca_file` NULL: the system's roots.
 * `seams` NULL: none. */
struct client_tls *client_tls_new(const char *host, const char *ca_file, const struct channel_seams *seams,
                                  char error[TLS_SENTENCE_MAX]);
void client_tls_free(struct client_tls *tls);
/*
 * Bytes from the network, possibly none (to begin): plain bytes are appended to `plain`, bytes for the
 * network to `cipher`. False with a sentence in `error` when the session has failed; what `cipher` holds (an
 * alert) should still go out.
 */
bool client_tls_feed(struct client_tls *tls, struct bytes network, struct buffer *plain,
                     struct buffer *cipher, char error[TLS_SENTENCE_MAX]);
/* The handshake failed over the server's certificate. */
bool client_tls_is_distrusted(const struct client_tls *tls);
bool client_tls_is_open(const struct client_tls *tls); /* the handshake is done */
/* Plain bytes to be sent, once it is open. False when that fails. */
bool client_tls_send(struct client_tls *tls, struct bytes plain, struct buffer *cipher);

#endif
