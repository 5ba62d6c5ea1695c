/*
 * The value of an Authorization header, taken apart: what of it is a secret, and what may be told (RFC 9110
 * 11.4: a scheme, a space, the credentials; the Ojin protocol wants the key alone).
 */
#ifndef CODEC_WIRE_AUTHORIZATION_H
#define CODEC_WIRE_AUTHORIZATION_H

#include "codec/wire/bytes.h"

struct authorization {
    const char
        *scheme;       /* static: its usual spelling, when the first word is a well-known scheme; else NULL */
    struct bytes word; /* in front of the secret; empty when the value is one word that is no scheme. Unless
                          it is a scheme it may be part of a secret. */
    struct bytes blanks; /* between them */
    struct bytes secret; /* empty when a scheme stands alone */
};

/* Borrows from `value`, which has no white space around it. */
struct authorization authorization_of(struct bytes value);

#endif
