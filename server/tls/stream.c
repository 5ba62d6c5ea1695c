/* One connection: OpenSSL on a socket of ours, which never blocks and raises no signal. */
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "server/tls/context.h"
#include "server/tls/words.h"

struct tls_stream {
    SSL *ssl;
    int fd;
    bool failed;
    char words[TLS_WORDS_MAX];
};

/* ---- the socket, as OpenSSL sees it ---- */

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static int on_write(BIO *bio, const char *data, int len)
{
    const struct tls_stream *stream = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t sent = send(stream->fd, data, (size_t)len, MSG_NOSIGNAL);
    if (sent < 0 && would_block())
        BIO_set_retry_write(bio);
    return (int)sent;
}

static int on_read(BIO *bio, char *data, int len)
{
    const struct tls_stream *stream = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t got = recv(stream->fd, data, (size_t)len, 0);
    if (got < 0 && would_block())
        BIO_set_retry_read(bio);
    if (got == 0)
        BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return (int)got;
}

static long on_control(BIO *bio, int command, long number, void *pointer)
{
    (void)number;
    (void)pointer;
    if (command == BIO_CTRL_EOF)
        return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
    return command == BIO_CTRL_FLUSH;
}

BIO_METHOD *tls_socket_method(void)
{
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "socket");
    if (method != NULL && BIO_meth_set_write(method, on_write) == 1 &&
        BIO_meth_set_read(method, on_read) == 1 && BIO_meth_set_ctrl(method, on_control) == 1)
        return method;
    BIO_meth_free(method);
    return NULL;
}

/* ---- the stream ---- */

struct tls_stream *tls_stream_new(struct tls *tls, int fd)
{
    struct tls_stream *stream = calloc(1, sizeof *stream);
    BIO *bio = BIO_new(tls->socket);
    if (stream != NULL)
        stream->ssl = SSL_new(tls->context);
    if (stream == NULL || bio == NULL || stream->ssl == NULL) {
        BIO_free(bio);
        tls_stream_free(stream);
        return NULL;
    }
    stream->fd = fd;
    BIO_set_data(bio, stream);
    BIO_set_init(bio, 1);
    SSL_set_bio(stream->ssl, bio, bio);
    SSL_set_accept_state(stream->ssl);
    return stream;
}

void tls_stream_free(struct tls_stream *stream)
{
    if (stream == NULL)
        return;
    SSL_free(stream->ssl);
    free(stream);
}

/* What a call that did not succeed came to. */
static enum tls_result result_of(struct tls_stream *stream, int returned)
{
    switch (SSL_get_error(stream->ssl, returned)) {
    case SSL_ERROR_WANT_READ:
        return TLS_WANTS_READ;
    case SSL_ERROR_WANT_WRITE:
        return TLS_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN:
        if (tls_stream_is_open(stream))
            return TLS_ENDED;
        snprintf(stream->words, sizeof stream->words, "the client went away before the handshake was done");
        break;
    case SSL_ERROR_SYSCALL:
        snprintf(stream->words, sizeof stream->words, "%s",
                 tls_stream_is_open(stream) ? "the connection broke"
                                            : "the client went away before the handshake was done");
        break;
    default:
        tls_words_write(ERR_peek_error(), stream->words);
        break;
    }
    stream->failed = true;
    ERR_clear_error();
    return TLS_FAILED;
}

enum tls_result tls_stream_read(struct tls_stream *stream, void *data, size_t *len)
{
    size_t room = *len;
    *len = 0;
    if (stream->failed)
        return TLS_FAILED;
    ERR_clear_error();
    int returned = SSL_read_ex(stream->ssl, data, room, len);
    return returned == 1 ? TLS_DONE : result_of(stream, returned);
}

enum tls_result tls_stream_write(struct tls_stream *stream, const void *data, size_t *len)
{
    size_t left = *len;
    *len = 0;
    if (stream->failed)
        return TLS_FAILED;
    ERR_clear_error();
    int returned = SSL_write_ex(stream->ssl, data, left, len);
    return returned == 1 ? TLS_DONE : result_of(stream, returned);
}

void tls_stream_finish(struct tls_stream *stream)
{
    if (stream->failed || !tls_stream_is_open(stream))
        return;
    ERR_clear_error();
    (void)SSL_shutdown(stream->ssl); /* what does not fit now is left unsaid: the FIN says it too */
    ERR_clear_error();
}

bool tls_stream_is_open(const struct tls_stream *stream)
{
    return SSL_is_init_finished(stream->ssl) == 1;
}

const char *tls_stream_words(const struct tls_stream *stream)
{
    return stream->words;
}
