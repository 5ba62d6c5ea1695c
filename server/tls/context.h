/* What the streams of one server share. Private to server/tls. */
#ifndef SERVER_TLS_CONTEXT_H
#define SERVER_TLS_CONTEXT_H

#include <openssl/ssl.h>

#include "server/tls/tls.h"

enum { TLS_PATH_MAX = 512 };

struct tls {
    SSL_CTX *context;
    BIO_METHOD *socket; /* sends without a signal when the client has gone */
    char ca_folder[TLS_PATH_MAX];
    char ca_file[TLS_PATH_MAX]; /* empty: none */
};

/* stream.c: NULL when memory runs out. */
BIO_METHOD *tls_socket_method(void);

#endif
