/* The certificate that is shown, and where its authority's lies. */
#include "server/tls/context.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/tls/certificate.h"

static const unsigned char ALPN[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

/* A client that offers nothing which is spoken here is let in all the same, as it is without ALPN. */
static int on_alpn(SSL *ssl, const unsigned char **out, unsigned char *out_len, const unsigned char *offered,
                   unsigned offered_len, void *context)
{
    (void)ssl;
    (void)context;
    for (unsigned at = 0; at < offered_len && offered[at] < offered_len - at; at += 1U + offered[at]) {
        if (offered[at] == ALPN[0] && memcmp(offered + at + 1, ALPN + 1, ALPN[0]) == 0) {
            *out = ALPN + 1;
            *out_len = ALPN[0];
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_NOACK;
}

/* The cheapest first: what is enciphered here is a rehearsal. */
static const char CIPHERS[] = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

static bool context_begin(struct tls *tls)
{
    tls_gathered_init(&tls->gathered);
    tls->socket = tls_socket_method();
    tls->context = SSL_CTX_new(TLS_server_method());
    if (tls->socket == NULL || tls->context == NULL ||
        SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_ciphersuites(tls->context, CIPHERS) != 1)
        return false;
    SSL_CTX_set_options(tls->context, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF |
                                          SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(tls->context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(tls->context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_select_cb(tls->context, on_alpn, NULL);
    return true;
}

/* ---- files of the user's ---- */

static int no_passphrase(char *buffer, int size, int writing, void *context)
{
    (void)buffer;
    (void)size;
    (void)writing;
    (void)context;
    return -1;
}

static bool file_is_there(const char *what, const char *path, char error[TLS_ERROR_MAX])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) {
        close(fd);
        return true;
    }
    snprintf(error, TLS_ERROR_MAX, "cannot read the %s %.180s: %s", what, path, strerror(errno));
    return false;
}

static bool files_use(struct tls *tls, const struct tls_options *options, char error[TLS_ERROR_MAX])
{
    const char *key_file = options->key_file == NULL ? options->cert_file : options->key_file;
    SSL_CTX_set_default_passwd_cb(tls->context, no_passphrase);
    if (!file_is_there("certificate", options->cert_file, error) || !file_is_there("key", key_file, error))
        return false;
    if (SSL_CTX_use_certificate_chain_file(tls->context, options->cert_file) != 1) {
        snprintf(error, TLS_ERROR_MAX,
                 "%.200s holds no certificate: expected PEM (-----BEGIN CERTIFICATE-----)",
                 options->cert_file);
        return false;
    }
    ERR_clear_error();
    if (SSL_CTX_use_PrivateKey_file(tls->context, key_file, SSL_FILETYPE_PEM) != 1) {
        bool other = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH;
        snprintf(error, TLS_ERROR_MAX,
                 other
                     ? "the key in %.200s is not that of the certificate"
                     : "%.200s holds no key: expected PEM without a passphrase (-----BEGIN PRIVATE KEY-----)",
                 key_file);
        return false;
    }
    return true;
}

/* ---- made on the spot ---- */

static bool ca_write(struct tls *tls, const char *folder, X509 *authority, char error[TLS_ERROR_MAX])
{
    if (folder == NULL && !scratch_make(&tls->scratch, "ojin-mock-ca")) {
        snprintf(error, TLS_ERROR_MAX, "cannot make the folder %.150s for the authority's certificate: %s",
                 tls->scratch.path, strerror(errno));
        tls->scratch.path[0] = '\0';
        return false;
    }
    int len =
        snprintf(tls->ca_file, sizeof tls->ca_file, "%s/ca.pem", folder != NULL ? folder : tls->scratch.path);
    if (len < 0 || (size_t)len >= sizeof tls->ca_file) {
        tls->ca_file[0] = '\0';
        snprintf(error, TLS_ERROR_MAX, "the folder for the authority's certificate has too long a name");
        return false;
    }
    FILE *file = fopen(tls->ca_file, "we");
    bool written = file != NULL && PEM_write_X509(file, authority) == 1;
    if (file != NULL && fclose(file) != 0)
        written = false;
    /* A client under test may run as somebody else; there is nothing secret in it. */
    if (written && (folder != NULL || chmod(tls->scratch.path, 0755) == 0) && chmod(tls->ca_file, 0644) == 0)
        return true;
    snprintf(error, TLS_ERROR_MAX, "cannot write %.200s: %s", tls->ca_file, strerror(errno));
    return false;
}

static bool certificate_use(struct tls *tls, const struct tls_options *options, char error[TLS_ERROR_MAX])
{
    struct certificate authority, leaf = {0};
    snprintf(error, TLS_ERROR_MAX, "OpenSSL cannot make a certificate: is one of the host names none?");
    bool made = certificate_make_authority(&authority) && certificate_make_leaf(&authority, options, &leaf) &&
                SSL_CTX_use_certificate(tls->context, leaf.x509) == 1 &&
                SSL_CTX_use_PrivateKey(tls->context, leaf.key) == 1 &&
                ca_write(tls, options->ca_folder, authority.x509, error);
    certificate_free(&authority);
    certificate_free(&leaf);
    return made;
}

struct tls *tls_new(const struct tls_options *options, char error[TLS_ERROR_MAX])
{
    struct tls *tls = calloc(1, sizeof *tls);
    snprintf(error, TLS_ERROR_MAX, "there is not enough memory");
    if (tls == NULL)
        return NULL;
    ERR_clear_error();
    if (context_begin(tls) && (options->cert_file != NULL ? files_use(tls, options, error)
                                                          : certificate_use(tls, options, error))) {
        ERR_clear_error();
        error[0] = '\0';
        return tls;
    }
    ERR_clear_error();
    tls_free(tls);
    return NULL;
}

void tls_free(struct tls *tls)
{
    if (tls == NULL)
        return;
    if (tls->ca_file[0] != '\0')
        unlink(tls->ca_file);
    scratch_remove(&tls->scratch);
    SSL_CTX_free(tls->context);
    BIO_meth_free(tls->socket);
    buffer_free(&tls->gathered);
    free(tls);
}

const char *tls_ca_file(const struct tls *tls)
{
    return tls->ca_file[0] == '\0' ? NULL : tls->ca_file;
}
