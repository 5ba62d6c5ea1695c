/* The session class of the Ojin family. */
#ifndef SERVER_OJIN_SESSION_CLASS_H
#define SERVER_OJIN_SESSION_CLASS_H

#include "server/core/session.h"

extern const struct session_class OJIN_SESSION_CLASS;

#endif
