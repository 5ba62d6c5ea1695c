/*
 * What the head of an HTTP/1.1 response says about its body: just enough to know where a refused upgrade ends
 * (RFC 9112 6.3).
 */
#ifndef CODEC_WIRE_HTTP_RESPONSE_H
#define CODEC_WIRE_HTTP_RESPONSE_H

#include "codec/wire/bytes.h"

/* The status that makes a connection a WebSocket: RFC 9110 15.2.2. */
enum http_status { HTTP_SWITCHING_PROTOCOLS = 101 };

struct http_response {
    uint16_t status;
    bool has_length; /* false: the body goes on until the transport ends */
    uint64_t body_bytes;
};

/* `head` from the status line to the empty line. False when it is no response head; *out is then left alone.
 */
bool http_response_parse(struct bytes head, struct http_response *out);

#endif
