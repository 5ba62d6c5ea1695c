/* What stands in the messages of the full-duplex family, for those who know no family. */
#ifndef SERVER_DUPLEX_MESSAGES_H
#define SERVER_DUPLEX_MESSAGES_H

#include "server/core/session_messages.h"

extern const struct session_messages DUPLEX_MESSAGES;

#endif
