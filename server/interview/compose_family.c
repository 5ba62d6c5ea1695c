/* What the family does its own way with the message of a `send` step. */
#include "server/interview/compose.h"

static bool send(struct session *session, const void *message, const char *label, struct bytes members,
                 struct actions *actions)
{
    return interview_send(session, message, label, members, false, actions);
}

static bool is_wrong(const struct session *session, struct bytes text)
{
    struct interview_message message;
    interview_message_read(text, &session->dialect, &message);
    const bool wrong = message.faults.count > 0 && message.type != INTERVIEW_MESSAGE_OTHER;
    interview_message_free(&message);
    return wrong;
}

const struct compose_json INTERVIEW_COMPOSE = {.send = send, .is_wrong = is_wrong};
