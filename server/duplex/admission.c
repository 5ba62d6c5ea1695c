/*
 * Who is let in: 002 Setup. The document knows of no key. A mode that there is not is refused; without one
 * the session has that of its profile, and the rules say so to the client's author.
 */
#include "server/duplex/session.h"

enum { STATUS_BAD_REQUEST = 400, STATUS_FORBIDDEN = 403, MODE_BYTES_MAX = 64 };

static void refuse(uint16_t status, enum duplex_error_code code, const char *sentence,
                   struct actions *actions)
{
    char data[DUPLEX_SENTENCE_MAX];
    struct text text = text_of(data, sizeof data);
    struct action *action = NULL;
    text_add(&text, "Content-Type: application/json\r\n\r\n{\"type\":\"error\",\"error\":{\"code\":");
    text_add_json_string(&text, bytes_of_text(duplex_error_name(code)));
    text_add_json_text_member(&text, "message", sentence);
    text_add_json_text_member(&text, "type", duplex_error_type(code));
    text_add(&text, "}}");
    uint8_t *out = actions_add(actions, ACTION_REFUSE, "refuse", text.len, &action);
    if (out == NULL)
        return;
    memcpy(out, text.data, text.len);
    action->code = status;
}

/* The profile of the mode that a request asks for, or its own without one; NULL: there is no such mode. */
static const struct duplex_profile *mode_read(const struct duplex_profile *profile,
                                              const struct http_head *head)
{
    struct bytes raw;
    uint8_t word[MODE_BYTES_MAX];
    size_t len = 0;
    if (head == NULL || !http_head_parameter(head, DUPLEX_MODE_PARAMETER, 0, &raw))
        return profile;
    if (raw.len > MODE_BYTES_MAX || !form_decode(raw, word, &len))
        return NULL;
    return duplex_profile_of_mode(profile, bytes_of(word, len));
}

const struct profile *duplex_profile_of_request(const struct profile *configured,
                                                const struct http_head *head)
{
    const struct duplex_profile *profile = mode_read(duplex_profile_of(configured), head);
    return profile == NULL ? configured : &profile->base;
}

void duplex_admit(struct session *session, const struct session_event *event, struct actions *actions)
{
    if (session->config.config_fault != NULL) {
        refuse(STATUS_BAD_REQUEST, DUPLEX_ERROR_INVALID_PAYLOAD, session->config.config_fault, actions);
        return;
    }
    const struct duplex_profile *of_config = duplex_session_profile(&session->config);
    const struct duplex_profile *profile = mode_read(of_config, event->head);
    if (profile == NULL && duplex_quirk(session, DUPLEX_QUIRK_ANY_MODE) != 0)
        profile = of_config;
    if (profile == NULL) {
        refuse(STATUS_BAD_REQUEST, DUPLEX_ERROR_INVALID_PAYLOAD, "mode: expected video or audio", actions);
        return;
    }
    if (duplex_quirk(session, DUPLEX_QUIRK_NOT_READY_403) != 0) {
        refuse(STATUS_FORBIDDEN, DUPLEX_ERROR_SERVICE_UNAVAILABLE, "The service is not ready", actions);
        return;
    }
    session->profile = profile;
    session->stage = DUPLEX_STAGE_ADMITTED;
    (void)actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL);
}
