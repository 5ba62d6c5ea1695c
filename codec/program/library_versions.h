/*
 * The versions of the libraries that a program has loaded, as they give them.
 */
#ifndef CODEC_PROGRAM_LIBRARY_VERSIONS_H
#define CODEC_PROGRAM_LIBRARY_VERSIONS_H

#include "codec/wire/text.h"

enum { LIBRARY_VERSIONS_MAX = 512 }; /* bytes that all of them take at most */

/* Adds "libuv 1.44.2, OpenSSL 3.0.16, …": those of the libraries known here that this process has loaded. */
void library_versions_add(struct text *out);

#endif
