/* The URL of an interview, from what a user knows of it: 004 Authentication. */
#ifndef CLIENT_APP_INTERVIEW_URL_H
#define CLIENT_APP_INTERVIEW_URL_H

#include "codec/wire/text.h"

enum { INTERVIEW_URL_BYTES_MAX = 32768, INTERVIEW_URL_ERROR_MAX = 300 };

/*
 * Adds to `out` the URL with the path of the interview and the token in its query. The path is added to a URL
 * that ends before it: with the host, or with /api/v1. `id` NULL: the URL has the path already. `token` NULL:
 * the server wants none; it is not added to a query that has one. False with a sentence that holds no secret:
 * the id is missing or another one, or the URL is too long.
 */
bool interview_url_write(struct text *out, const char *url, const char *id, const char *token,
                         char error[INTERVIEW_URL_ERROR_MAX]);

#endif
