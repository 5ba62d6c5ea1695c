/*
 * TLS for the mock's side of a connection: certificates made on the spot, good ones and faulty ones, or PEM
 * files of the user's; and one stream over a connected socket. OpenSSL, TLS 1.2 and later, ALPN http/1.1.
 *
 * Without files there is a throw-away authority (EC P-256) that signs a certificate for localhost, 127.0.0.1,
 * ::1 and the names asked for. Its own certificate lies in a temporary file that clients can be told to
 * trust; it is removed with the authority, and by the next one that is made when its own program was killed.
 */
#ifndef SERVER_TLS_TLS_H
#define SERVER_TLS_TLS_H

#include "codec/wire/bytes.h"

enum { TLS_ERROR_MAX = 300, TLS_HOSTS_MAX = 32, TLS_WORDS_MAX = 160 };

/* What is wrong with the certificate. */
enum tls_fault {
    TLS_SOUND,
    TLS_EXPIRED,       /* its time was over yesterday */
    TLS_NOT_YET_VALID, /* its time begins tomorrow */
    TLS_SELF_SIGNED,   /* signed by itself: the authority knows nothing of it */
    TLS_WRONG_HOST     /* made out to wrong-host.invalid */
};

/* "sound", "expired", "not-yet-valid", "self-signed", "wrong-host": static; and back, false for a word that
 * is none. */
const char *tls_fault_name(enum tls_fault fault);
bool tls_fault_by_name(struct bytes name, enum tls_fault *out);
/* The words of all faults, separated by spaces. */
const char *tls_fault_names(void);

/* Strings are read by tls_new only. */
struct tls_options {
    bool on;
    enum tls_fault fault; /* of the certificate made on the spot */
    const char
        *cert_file; /* PEM: the certificate, those that vouch for it behind it; NULL: made on the spot */
    const char *key_file;     /* PEM: its key; NULL: it stands in cert_file */
    const char *const *hosts; /* names and numeric addresses beside localhost's, for the one made here */
    size_t host_count;
    const char *ca_folder; /* where ca.pem of the authority is to lie; NULL: in a temporary folder */
};

struct tls; /* opaque: OpenSSL's */

/* NULL with a sentence in `error` ("cannot read the certificate x.pem: no such file or directory"). */
struct tls *tls_new(const struct tls_options *options, char error[TLS_ERROR_MAX]);
void tls_free(struct tls *tls);
/* Where the authority's certificate lies; NULL with files of the user's. */
const char *tls_ca_file(const struct tls *tls);

/* ---- one connection ---- */

struct tls_stream;

enum tls_result {
    TLS_DONE,
    TLS_WANTS_READ,  /* nothing can be done before the socket is readable … */
    TLS_WANTS_WRITE, /* … or writable */
    TLS_ENDED,       /* the client has ended its side in order */
    TLS_FAILED       /* see tls_stream_words */
};

/* Over a connected, non-blocking socket, which stays the caller's. NULL when memory runs out. */
struct tls_stream *tls_stream_new(struct tls *tls, int fd);
void tls_stream_free(struct tls_stream *stream);
/* Reads and writes shake hands first, of themselves. Of a read *len is what room there is, then what was
 * done; a write takes the parts one after another and says in *len how many bytes have left. One that has to
 * wait may be tried again with other bytes as long as they begin with the same. When a write has failed,
 * reads still give what came before that. */
enum tls_result tls_stream_read(struct tls_stream *stream, void *data, size_t *len);
enum tls_result tls_stream_write(struct tls_stream *stream, const struct bytes *parts, size_t count,
                                 size_t *len);
/* Nothing is sent after it: tells the client in TLS's own way (close_notify). */
void tls_stream_finish(struct tls_stream *stream);
/* The handshake is done. */
bool tls_stream_is_open(const struct tls_stream *stream);
/* Why it failed, for people: "the client does not trust the certificate (alert unknown CA)". */
const char *tls_stream_words(const struct tls_stream *stream);

#endif
