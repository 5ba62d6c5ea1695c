/* What is said once the mock listens: a line of JSON for scripts, and for people at a terminal what to paste.
 */
#ifndef SERVER_MOCK_READY_H
#define SERVER_MOCK_READY_H

#include "server/mock/options.h"
#include "server/token/token.h"

enum { READY_ORIGIN_MAX = 128 };

struct ready {
    const struct mock_options *options;
    unsigned port;
    const char *ca;                /* the file a client trusts; NULL: no TLS, or the user's own certificate */
    const char *control;           /* path of the control interface; NULL: there is none */
    char origin[READY_ORIGIN_MAX]; /* filled in by ready_origin: "ws://127.0.0.1:7700" */
};

/* An address that a client can be given: a wildcard is reached by way of this machine. */
void ready_origin(struct ready *ready);
/* A token that is good for the interview that clients are told of, NUL-terminated. False: no memory. */
bool ready_token(const struct ready *ready, char out[TOKEN_BYTES_MAX + 1]);
/* The line of JSON, on standard output. False with errno set when it did not get there, though somebody
 * reads. */
bool ready_print(const struct ready *ready);
/* On standard error, where it is a terminal, as standard output is. */
void ready_welcome(const struct ready *ready);

#endif
