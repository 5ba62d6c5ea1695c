/* The parameters of a request: decoded, and read as numbers and durations. */
#ifndef SERVER_CONTROL_QUERY_H
#define SERVER_CONTROL_QUERY_H

#include "codec/wire/http_head.h"

enum { QUERY_VALUE_MAX = 512, QUERY_ERROR_MAX = 200 };

/* The parameter of that name, decoded and terminated, into `out`. False when there is none; `*wrong` is set
 * when it is broken or too long, else left alone. */
bool query_text(const struct http_head *head, const char *name, char out[QUERY_VALUE_MAX], bool *wrong);
/* Decimal digits alone, at most `max`. */
bool query_number(const char *text, uint64_t max, uint64_t *out);
/* "250ms", "5s" or "2m": milliseconds, at most `max_ms`. */
bool query_duration(const char *text, uint64_t max_ms, uint64_t *out_ms);
/* The first parameter that is none of `names` (ended by NULL), as it was sent; false when there is none. */
bool query_unknown(const struct http_head *head, const char *const *names, struct bytes *out);

#endif
