/*
 * Where a defect hooks in between the client and the network; all zero changes nothing. What passes here is
 * plain: TLS is on the far side of it.
 */
#ifndef CLIENT_NET_SEAMS_H
#define CLIENT_NET_SEAMS_H

#include "codec/wire/buffer.h"

struct channel_seams {
    void *context; /* handed to all functions, each of which may be NULL */
    /* Bytes of the upgrade's request and of frames before they leave; may change them. */
    void (*up)(void *context, struct buffer *bytes);
    /* Bytes of the response and of frames before the client sees them; may change them. */
    void (*down)(void *context, struct buffer *bytes);
    /* The server ended the transport, and this side has not: what is put into `bytes` is read before the end.
     */
    void (*ended)(void *context, struct buffer *bytes);
    bool trust_all;       /* takes any certificate */
    bool trust_none;      /* knows no authority, so that no certificate is good */
    bool unpacks_nothing; /* offers compressed messages and cannot read them */
};

#endif
