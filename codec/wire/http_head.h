/*
 * The head of an HTTP/1.1 request as it came, undecoded, so that the rules can judge what was really sent:
 * percent-encoding, repeated headers and repeated query parameters stay visible (RFC 9112, RFC 3986).
 *
 * Everything borrows from the head passed in.
 */
#ifndef CODEC_WIRE_HTTP_HEAD_H
#define CODEC_WIRE_HTTP_HEAD_H

#include "codec/wire/bytes.h"
#include "codec/wire/text.h"

enum { HTTP_HEAD_BYTES_MAX = 65536, HTTP_HEADERS_MAX = 100 };

struct http_header {
    struct bytes name;
    struct bytes value; /* without white space around it */
};

struct http_head {
    struct bytes method;
    struct bytes target; /* path and query, as sent */
    struct bytes path;
    struct bytes query;   /* without the '?'; empty when there is none */
    struct bytes version; /* "HTTP/1.1" */
    size_t header_count;
    struct http_header headers[HTTP_HEADERS_MAX];
};

/* `head` from the request line to the empty line. False when it is no request head; *out is then left alone.
 */
bool http_head_parse(struct bytes head, struct http_head *out);
/* The n-th (from 0) header of that name, case-insensitive; false when there are fewer. */
bool http_head_header(const struct http_head *head, const char *name, size_t n, struct bytes *value);
/* The n-th (from 0) query parameter of that exact name, undecoded; false when there are fewer. */
bool http_head_parameter(const struct http_head *head, const char *name, size_t n, struct bytes *value);
/* Does an Upgrade header name websocket, in any case, alone or in a list (RFC 6455 4.2.1)? */
bool http_head_asks_for_websocket(const struct http_head *head);
/* Takes a response, head and body, apart: the value of its first Retry-After header and the body; each empty
 * when there is none. False, and nothing set, when its head has no end. */
bool http_response_split(struct bytes response, struct bytes *retry_after, struct bytes *body);
/* Can a header hold this value as it is (RFC 9110 5.5)? No control characters, no white space at its ends;
 * what is beyond ASCII may be there. */
bool http_value_is_sound(struct bytes value);
/* The n-th (from 0) header of that name, case-insensitive, in the head of a response; false when there are
 * fewer. */
bool http_response_header(struct bytes head, const char *name, size_t n, struct bytes *value);
/* Adds the value as one of a query: all but unreserved characters as escapes (RFC 3986 2.3). */
void percent_encode(struct text *out, const char *value);
/* Percent-decodes `in` into `out` (at least in.len bytes); false on a broken escape. '+' stays '+'. */
bool percent_decode(struct bytes in, uint8_t *out, size_t *out_len);
/* The same for a form (application/x-www-form-urlencoded, as URLSearchParams and urlencode write a query):
 * '+' is a space. */
bool form_decode(struct bytes in, uint8_t *out, size_t *out_len);
/* True when `value` holds only unreserved characters and well-formed escapes, plus the sub-delims, ':', '@',
 * '/' and '?' that a query may hold bare (RFC 3986 3.4), except '&', which ends the value; an '=' in it does
 * not. A '+' is clean: it is a form's space. */
bool percent_encoding_is_clean(struct bytes value);

#endif
