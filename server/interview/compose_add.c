/* The message of a `send` step, on its way. */
#include "codec/wire/json.h"
#include "codec/wire/utf8.h"
#include "server/interview/compose.h"

enum { MEMBERS_MAX = 4096 };

bool interview_compose_is_fault(const struct session *session, struct bytes text)
{
    if (session == NULL) /* nothing is sent: only the options are looked at */
        return false;
    if (utf8_valid_prefix(text) != text.len)
        return true;
    struct interview_message message;
    interview_message_read(text, &session->dialect, &message);
    const bool wrong = message.faults.count > 0 && message.type != INTERVIEW_MESSAGE_OTHER;
    interview_message_free(&message);
    return wrong;
}

bool interview_compose_add(const struct compose_call *call, const struct interview_message *message,
                           struct bytes members)
{
    char data[MEMBERS_MAX];
    struct text text = text_of(data, sizeof data);
    const char *extra = compose_value(call, "extra");
    if (call->actions == NULL)
        return true;
    text_add_bytes(&text, members);
    text_add(&text, extra == NULL ? "" : ",");
    text_add(&text, extra == NULL ? "" : extra);
    if (text.cut)
        return compose_say(call, "extra is longer than 4095 bytes");
    if (!interview_send(call->session, message, call->kind, bytes_of(data, text.len), false, call->actions))
        return compose_say(call, "no room for the message");
    struct action *action = &call->actions->list[call->actions->count - 1];
    const struct bytes json = actions_bytes(call->actions, action);
    if (json_check(json).status == WIRE_NOT_JSON) {
        actions_take_back(call->actions);
        return compose_say(call, "extra: expected members as JSON has them (\"name\":value)");
    }
    action->fault = interview_compose_is_fault(call->session, json);
    return true;
}
