/* What the streams of one server share. Private to server/tls. */
#ifndef SERVER_TLS_CONTEXT_H
#define SERVER_TLS_CONTEXT_H

#include <openssl/ssl.h>

#include "codec/wire/buffer.h"
#include "server/launch/scratch.h"
#include "server/tls/tls.h"

enum { TLS_PATH_MAX = 1024 };

struct tls {
    SSL_CTX *context;
    BIO_METHOD *socket;
    struct buffer gathered;     /* what OpenSSL says during one call for one of the streams */
    struct scratch scratch;     /* where ca_file lies, unless the options said where */
    char ca_file[TLS_PATH_MAX]; /* empty: none */
};

/* stream.c */
void tls_gathered_init(struct buffer *gathered);
/* NULL when memory runs out. */
BIO_METHOD *tls_socket_method(void);

#endif
