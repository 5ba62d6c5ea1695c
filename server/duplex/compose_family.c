/* What the family does its own way with the message of a `send` step. */
#include "server/duplex/compose.h"

static bool send(struct session *session, const void *message, const char *label, struct bytes members,
                 struct actions *actions)
{
    return duplex_send_with(session, message, label, members, false, actions);
}

static bool is_wrong(const struct session *session, struct bytes text)
{
    const struct duplex_read_options options = {.profile = session->profile};
    struct duplex_message message;
    duplex_message_read(text, &options, &message);
    const bool wrong = message.faults.count > 0 && message.type != DUPLEX_MESSAGE_OTHER;
    duplex_message_free(&message);
    return wrong;
}

const struct compose_json DUPLEX_COMPOSE = {.send = send, .is_wrong = is_wrong};
