/* The session class of the full-duplex family. */
#ifndef SERVER_DUPLEX_SESSION_CLASS_H
#define SERVER_DUPLEX_SESSION_CLASS_H

#include "server/core/session.h"

extern const struct session_class DUPLEX_SESSION_CLASS;

#endif
