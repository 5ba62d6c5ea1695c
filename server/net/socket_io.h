/* Reading and writing the client's socket, plain or through TLS, without ever blocking.
 */
#ifndef SERVER_NET_SOCKET_IO_H
#define SERVER_NET_SOCKET_IO_H

#include "server/tls/tls.h"

enum io_result {
    IO_DONE,
    IO_WANTS_READ,  /* nothing can be done before the socket is readable … */
    IO_WANTS_WRITE, /* … or writable */
    IO_ENDED,       /* the client has ended its side in order */
    IO_FAILED
};

enum { SOCKET_PARTS_MAX = 64 }; /* written at once */

/* Of one that was just accepted: it does not block, and no process that is started gets it. */
bool socket_prepare(int fd);
/* `tls` may be NULL. Of a read *len is what room there is, then what was done; a write takes the parts one
 * after another and says in *len how many bytes have left. */
enum io_result socket_read(int fd, struct tls_stream *tls, void *data, size_t *len);
enum io_result socket_write(int fd, struct tls_stream *tls, const struct bytes *parts, size_t count,
                            size_t *len);
/* Ends our side. */
void socket_shut(int fd, struct tls_stream *tls);
/* Bytes that the client's system has not confirmed yet. */
size_t socket_unconfirmed(int fd);
/* Closes with RST in place of FIN. */
void socket_close(int fd, bool reset);

#endif
