/* What stands in the messages of the Ojin family: 000 InteractionInput, InteractionResponse, errorResponse.
 */
#ifndef SERVER_OJIN_MESSAGES_H
#define SERVER_OJIN_MESSAGES_H

#include "server/core/session_messages.h"

extern const struct session_messages OJIN_MESSAGES;

/* Of a binary message that the server sent; without `checksums` it has none. */
void ojin_frame_summarise(struct bytes message, bool checksums, struct frame_summary *out);

#endif
