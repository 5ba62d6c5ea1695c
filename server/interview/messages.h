/* What stands in the messages of the interview family, for those who know no family. */
#ifndef SERVER_INTERVIEW_MESSAGES_H
#define SERVER_INTERVIEW_MESSAGES_H

#include "server/core/session_messages.h"

extern const struct session_messages INTERVIEW_MESSAGES;

#endif
