/* One connection: OpenSSL on a socket of ours, which never blocks and raises no signal. */
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/tls/context.h"
#include "server/tls/words.h"

enum {
    RECORD_BYTES = 16 * 1024,      /* the most that one record holds */
    GATHER_PLAIN_MAX = 256 * 1024, /* enciphered by one call */
    GATHER_MAX = 2 * GATHER_PLAIN_MAX
};

/*
 * OpenSSL hands out a record of 16 KB at a time. They are gathered and leave by one write for all; what the
 * socket does not take stays in `rest`. What was asked to be written counts as done only as far as it has
 * left for sure, so that whoever writes need not know: `owed` is what will be asked again and is enciphered
 * already.
 */
struct tls_stream {
    struct tls *tls;
    SSL *ssl;
    int fd;
    bool failed;
    bool broken; /* the socket takes nothing any more; what came before that is still read */
    struct buffer rest;
    size_t owed; /* no more than `rest` held then: a record is longer than what is in it */
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
    if (len > 0 && buffer_append(&stream->tls->gathered, bytes_of(data, (size_t)len)))
        return len;
    BIO_set_retry_write(bio);
    return -1;
}

/* Returns how much the socket took; SIZE_MAX when it is broken. */
static size_t socket_take(int fd, struct bytes data)
{
    size_t done = 0;
    while (done < data.len) {
        ssize_t sent = send(fd, data.data + done, data.len - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return would_block() ? done : SIZE_MAX;
        done += (size_t)sent;
    }
    return done;
}

static bool rest_send(struct tls_stream *stream)
{
    size_t sent = stream->rest.len == 0 ? 0 : socket_take(stream->fd, buffer_bytes(&stream->rest));
    if (sent == SIZE_MAX)
        return false;
    if (sent > 0)
        buffer_consume(&stream->rest, sent);
    if (sent > 0 && stream->rest.len == 0)
        buffer_free(&stream->rest); /* most never need it */
    return true;
}

static bool gathered_take(struct tls_stream *stream, struct bytes gathered)
{
    size_t sent = 0;
    if (stream->broken || !rest_send(stream))
        return false;
    if (stream->rest.len == 0)
        sent = socket_take(stream->fd, gathered);
    return sent != SIZE_MAX &&
           (sent == gathered.len ||
            buffer_append(&stream->rest, bytes_of(gathered.data + sent, gathered.len - sent)));
}

/* What OpenSSL has said in one call leaves, behind all before it. The next call may be another stream's, so
 * nothing of it stays where it was gathered. */
static void gathered_send(struct tls_stream *stream)
{
    struct buffer *gathered = &stream->tls->gathered;
    if (!gathered_take(stream, buffer_bytes(gathered)))
        stream->broken = true;
    buffer_clear(gathered);
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

void tls_gathered_init(struct buffer *gathered)
{
    buffer_init(gathered, GATHER_MAX);
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
    stream->tls = tls;
    stream->fd = fd;
    buffer_init(&stream->rest, 2 * GATHER_MAX);
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
    buffer_free(&stream->rest);
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

/* After each call of OpenSSL's: what it came to; what it has to say leaves, if the socket takes it. */
static enum tls_result call_settle(struct tls_stream *stream, int returned)
{
    enum tls_result result = returned == 1 ? TLS_DONE : result_of(stream, returned);
    gathered_send(stream);
    if (stream->broken && !stream->failed)
        snprintf(stream->words, sizeof stream->words, "the connection broke");
    return result;
}

enum tls_result tls_stream_read(struct tls_stream *stream, void *data, size_t *len)
{
    size_t room = *len;
    *len = 0;
    if (stream->failed)
        return TLS_FAILED;
    ERR_clear_error();
    enum tls_result result = call_settle(stream, SSL_read_ex(stream->ssl, data, room, len));
    if (stream->broken && (result == TLS_WANTS_READ || result == TLS_WANTS_WRITE)) {
        stream->failed = true;
        return TLS_FAILED;
    }
    return result == TLS_WANTS_READ && stream->rest.len > 0 ? TLS_WANTS_WRITE : result;
}

/* What of the bytes enciphered so far has not left for sure is asked for again; returns how much has. */
static size_t owed_settle(struct tls_stream *stream, size_t enciphered)
{
    stream->owed = enciphered < stream->rest.len ? enciphered : stream->rest.len;
    return enciphered - stream->owed;
}

/* What is small is joined to full records; what is long goes from where it lies. */
struct records {
    uint8_t joined[RECORD_BYTES];
    size_t filled;
    size_t enciphered; /* so far */
};

/* As what OpenSSL returns: 1 when it is done. */
static int run_encipher(struct tls_stream *stream, struct records *records, struct bytes run)
{
    size_t done = 0;
    const int returned = run.len == 0 ? 1 : SSL_write_ex(stream->ssl, run.data, run.len, &done);
    records->enciphered += done;
    return returned;
}

static int joined_encipher(struct tls_stream *stream, struct records *records)
{
    const struct bytes joined = bytes_of(records->joined, records->filled);
    records->filled = 0;
    return run_encipher(stream, records, joined);
}

static int part_encipher(struct tls_stream *stream, struct records *records, struct bytes part)
{
    int returned = 1;
    while (part.len > 0 && returned == 1) {
        size_t len = RECORD_BYTES - records->filled;
        if (records->filled == 0 && part.len >= RECORD_BYTES) {
            len = part.len - part.len % RECORD_BYTES;
            returned = run_encipher(stream, records, bytes_of(part.data, len));
        } else {
            len = part.len < len ? part.len : len;
            memcpy(records->joined + records->filled, part.data, len);
            records->filled += len;
            if (records->filled == RECORD_BYTES)
                returned = joined_encipher(stream, records);
        }
        part = bytes_of(part.data + len, part.len - len);
    }
    return returned;
}

static int parts_encipher(struct tls_stream *stream, const struct bytes *parts, size_t count,
                          size_t *enciphered)
{
    struct records records;
    size_t left = GATHER_PLAIN_MAX;
    int returned = 1;
    records.filled = records.enciphered = 0;
    for (size_t i = 0; i < count && returned == 1; i++) {
        const size_t len = parts[i].len < left ? parts[i].len : left;
        returned = part_encipher(stream, &records, bytes_of(parts[i].data, len));
        left -= len;
    }
    if (returned == 1)
        returned = joined_encipher(stream, &records);
    *enciphered = records.enciphered;
    return records.enciphered > 0 ? 1 : returned;
}

enum tls_result tls_stream_write(struct tls_stream *stream, const struct bytes *parts, size_t count,
                                 size_t *len)
{
    size_t enciphered = stream->owed;
    *len = 0;
    if (stream->failed || stream->broken)
        return TLS_FAILED;
    ERR_clear_error();
    /* First of all what waits; a read may have sent it since, and it is accounted for all the same. */
    bool waits = stream->rest.len > 0 || stream->owed > 0;
    enum tls_result result =
        call_settle(stream, waits ? 1 : parts_encipher(stream, parts, count, &enciphered));
    if (result != TLS_DONE || stream->broken)
        return stream->broken ? TLS_FAILED : result;
    *len = owed_settle(stream, enciphered);
    return *len > 0 ? TLS_DONE : TLS_WANTS_WRITE;
}

void tls_stream_finish(struct tls_stream *stream)
{
    if (stream->failed || !tls_stream_is_open(stream))
        return;
    ERR_clear_error();
    (void)SSL_shutdown(stream->ssl);
    gathered_send(stream); /* what does not fit now is left unsaid: the FIN says it too */
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
