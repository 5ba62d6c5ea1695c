/* What a client under test is let in by. */
#ifndef CONFORMANCE_PROCESS_CLIENT_KEY_H
#define CONFORMANCE_PROCESS_CLIENT_KEY_H

#include "server/core/session.h"

enum { CLIENT_KEY_MAX = 512 };

/* CONFORM_KEY; in a family with tokens one that is good for any interview, and the same in every run. False:
 * no memory. */
bool client_key_make(const struct session_class *class, char out[CLIENT_KEY_MAX]);

#endif
