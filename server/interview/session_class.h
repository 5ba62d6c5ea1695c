/* The session class of the interview family. */
#ifndef SERVER_INTERVIEW_SESSION_CLASS_H
#define SERVER_INTERVIEW_SESSION_CLASS_H

#include "server/core/session.h"

extern const struct session_class INTERVIEW_SESSION_CLASS;

#endif
