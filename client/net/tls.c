#include "client/net/tls.h"

#include <arpa/inet.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "codec/wire/text.h"

enum { TLS_PIECE_BYTES = 16384 };

struct client_tls {
    SSL_CTX *context;
    SSL *ssl;
    BIO *in;  /* owned by ssl */
    BIO *out; /* owned by ssl */
    bool open;
};

static bool is_address(const char *host)
{
    struct in6_addr address;
    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1;
}

static bool set_host(struct client_tls *tls, const char *host)
{
    if (is_address(host))
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls->ssl), host) == 1;
    /* What SSL_set_tlsext_host_name stands for, without its cast. */
    char name[256];
    struct text text = text_of(name, sizeof name);
    text_add(&text, host);
    return SSL_ctrl(tls->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name) == 1 &&
           SSL_set1_host(tls->ssl, host) == 1;
}

static bool load_roots(SSL_CTX *context, const char *ca_file)
{
    return ca_file != NULL ? SSL_CTX_load_verify_locations(context, ca_file, NULL) == 1
                           : SSL_CTX_set_default_verify_paths(context) == 1;
}

static struct client_tls *give_up(struct client_tls *tls, const char *what, const char *detail,
                                  char error[TLS_SENTENCE_MAX])
{
    struct text text = text_of(error, TLS_SENTENCE_MAX);
    text_add(&text, what);
    text_add(&text, detail);
    client_tls_free(tls);
    return NULL;
}

struct client_tls *client_tls_new(const char *host, const char *ca_file, const struct channel_seams *seams,
                                  char error[TLS_SENTENCE_MAX])
{
    static const unsigned char ALPN[] = "\x08http/1.1";
    struct client_tls *tls = calloc(1, sizeof *tls);
    if (tls == NULL)
        return give_up(tls, "no memory", "", error);
    tls->context = SSL_CTX_new(TLS_client_method());
    if (tls->context == NULL)
        return give_up(tls, "TLS cannot be set up", "", error);
    if ((seams == NULL || !seams->trust_none) && !load_roots(tls->context, ca_file))
        return give_up(tls, "no trusted roots can be read from ", ca_file != NULL ? ca_file : "the system",
                       error);
    SSL_CTX_set_verify(tls->context, seams != NULL && seams->trust_all ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                       NULL);
    SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION);
    tls->ssl = SSL_new(tls->context);
    tls->in = BIO_new(BIO_s_mem());
    tls->out = BIO_new(BIO_s_mem());
    if (tls->ssl == NULL || tls->in == NULL || tls->out == NULL) {
        BIO_free(tls->in);
        BIO_free(tls->out);
        return give_up(tls, "no memory", "", error);
    }
    BIO_set_mem_eof_return(tls->in, -1);
    SSL_set_bio(tls->ssl, tls->in, tls->out);
    SSL_set_connect_state(tls->ssl);
    if (SSL_set_alpn_protos(tls->ssl, ALPN, sizeof ALPN - 1) != 0 || !set_host(tls, host))
        return give_up(tls, "TLS cannot be set up for ", host, error);
    return tls;
}

void client_tls_free(struct client_tls *tls)
{
    if (tls == NULL)
        return;
    SSL_free(tls->ssl);
    SSL_CTX_free(tls->context);
    free(tls);
}

static bool take_cipher(struct client_tls *tls, struct buffer *cipher)
{
    uint8_t piece[TLS_PIECE_BYTES];
    int got = 0;
    while ((got = BIO_read(tls->out, piece, (int)sizeof piece)) > 0)
        if (!buffer_append(cipher, bytes_of(piece, (size_t)got)))
            return false;
    return true;
}

static bool explain(struct client_tls *tls, char error[TLS_SENTENCE_MAX])
{
    struct text text = text_of(error, TLS_SENTENCE_MAX);
    long verified = SSL_get_verify_result(tls->ssl);
    text_add(&text, "TLS failed: ");
    if (verified != X509_V_OK) {
        text_add(&text, X509_verify_cert_error_string(verified));
        return false;
    }
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    text_add(&text, reason != NULL ? reason : "the server's side was no TLS");
    return false;
}

static bool is_waiting(struct client_tls *tls, int result)
{
    int status = SSL_get_error(tls->ssl, result);
    return status == SSL_ERROR_WANT_READ || status == SSL_ERROR_WANT_WRITE || status == SSL_ERROR_ZERO_RETURN;
}

static bool read_plain(struct client_tls *tls, struct buffer *plain, char error[TLS_SENTENCE_MAX])
{
    uint8_t piece[TLS_PIECE_BYTES];
    for (;;) {
        ERR_clear_error();
        int got = SSL_read(tls->ssl, piece, (int)sizeof piece);
        if (got <= 0)
            return is_waiting(tls, got) || explain(tls, error);
        if (!buffer_append(plain, bytes_of(piece, (size_t)got)))
            return false;
    }
}

bool client_tls_feed(struct client_tls *tls, struct bytes network, struct buffer *plain,
                     struct buffer *cipher, char error[TLS_SENTENCE_MAX])
{
    bool good = true;
    error[0] = '\0';
    if (network.len > INT_MAX || (network.len > 0 && BIO_write(tls->in, network.data, (int)network.len) <= 0))
        return false;
    if (!tls->open) {
        ERR_clear_error();
        int result = SSL_do_handshake(tls->ssl);
        tls->open = result == 1;
        if (!tls->open && !is_waiting(tls, result))
            good = explain(tls, error);
    }
    if (tls->open)
        good = read_plain(tls, plain, error);
    return take_cipher(tls, cipher) && good;
}

bool client_tls_is_distrusted(const struct client_tls *tls)
{
    return SSL_get_verify_result(tls->ssl) != X509_V_OK;
}

bool client_tls_is_open(const struct client_tls *tls)
{
    return tls->open;
}

bool client_tls_send(struct client_tls *tls, struct bytes plain, struct buffer *cipher)
{
    while (plain.len > 0) {
        int piece = plain.len > TLS_PIECE_BYTES ? TLS_PIECE_BYTES : (int)plain.len;
        ERR_clear_error();
        int sent = SSL_write(tls->ssl, plain.data, piece);
        if (sent <= 0)
            return false;
        plain = bytes_of(plain.data + sent, plain.len - (size_t)sent);
    }
    return take_cipher(tls, cipher);
}
