/* Certificates made on the spot. Private to server/tls. */
#ifndef SERVER_TLS_CERTIFICATE_H
#define SERVER_TLS_CERTIFICATE_H

#include <openssl/evp.h>
#include <openssl/x509.h>

#include "server/tls/tls.h"

/* A certificate and its key; both are the holder's. */
struct certificate {
    X509 *x509;
    EVP_PKEY *key;
};

/* An authority of its own, good for a month. False when OpenSSL cannot. */
bool certificate_make_authority(struct certificate *out);
/* One that `authority` signs; with the fault that the options ask for. False also when a name is none. */
bool certificate_make_leaf(const struct certificate *authority, const struct tls_options *options,
                           struct certificate *out);
void certificate_free(struct certificate *certificate);

#endif
