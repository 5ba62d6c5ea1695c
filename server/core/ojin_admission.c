/*
 * Who is let in (000 WebSocket Handshake; spec README, refusals). A bad key is refused at the handshake; what
 * is wrong with the config is told after it, because many clients do not show the body of a refused upgrade.
 */
#include <stdlib.h>

#include "server/core/ojin_session.h"

enum { STATUS_UNAUTHORIZED = 401, REFUSAL_HEAD_MAX = 200 };

static const char BEARER[] = "bearer ";

static bool starts_with_bearer(struct bytes value)
{
    const size_t len = sizeof BEARER - 1;
    if (value.len < len)
        return false;
    for (size_t i = 0; i < len; i++) {
        const uint8_t c = value.data[i];
        const uint8_t lower = (uint8_t)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
        if (lower != (uint8_t)BEARER[i])
            return false;
    }
    return true;
}

/* Looks at every byte, so that the time taken does not tell how much of a key was right. */
static bool key_matches(struct bytes value, const char *key)
{
    const size_t key_len = strlen(key);
    size_t differences = value.len ^ key_len;
    for (size_t i = 0; i < value.len; i++) {
        const uint8_t expected = i < key_len ? (uint8_t)key[i] : 0;
        differences |= (size_t)(value.data[i] ^ expected);
    }
    return differences == 0;
}

/* As a URI or as a form has it, in which a '+' is a space. */
static bool decodes_to(struct bytes value, const char *expected)
{
    uint8_t *decoded = malloc(value.len);
    if (decoded == NULL)
        return false;
    size_t len = 0;
    bool equal = percent_decode(value, decoded, &len) && bytes_equal_text(bytes_of(decoded, len), expected);
    equal =
        equal || (form_decode(value, decoded, &len) && bytes_equal_text(bytes_of(decoded, len), expected));
    free(decoded);
    return equal;
}

static void refuse(struct session *session, uint64_t now_us, enum ojin_error_code code,
                   struct actions *actions)
{
    char body[OJIN_ERROR_BYTES_MAX];
    struct text body_text = text_of(body, sizeof body);
    ojin_write_error_response(&body_text, ojin_error_name(code), ojin_error_description(code), NULL,
                              ojin_now_ms(session, now_us));
    char head[REFUSAL_HEAD_MAX];
    struct text head_text = text_of(head, sizeof head);
    text_add(&head_text, "Content-Type: application/json\r\nContent-Length: ");
    text_add_u64(&head_text, body_text.len);
    text_add(&head_text, "\r\nConnection: close\r\n\r\n");

    struct action *action = NULL;
    uint8_t *out = actions_add(actions, ACTION_REFUSE, "refusal", head_text.len + body_text.len, &action);
    if (out == NULL)
        return;
    action->code = STATUS_UNAUTHORIZED;
    memcpy(out, head, head_text.len);
    memcpy(out + head_text.len, body, body_text.len);
}

static bool key_is_right(const struct session *session, struct bytes value)
{
    if (starts_with_bearer(value))
        return false;
    return session->config.key == NULL || key_matches(value, session->config.key);
}

/* OJ-SRV-02 */
static void check_config(struct session *session, const struct http_head *head)
{
    struct bytes config = {0};
    if (!http_head_parameter(head, "config_id", 0, &config) || config.len == 0) {
        session->refused = true;
        session->refusal = OJIN_ERROR_MISSING_CONFIG_ID;
    } else if (session->config.config_id != NULL && !decodes_to(config, session->config.config_id)) {
        session->refused = true;
        session->refusal = OJIN_ERROR_MODEL_NOT_FOUND;
    }
}

/* OJ-SRV-01 */
void ojin_admit(struct session *session, const struct session_event *event, struct actions *actions)
{
    struct bytes key = {0};
    if (event->head == NULL || !http_head_header(event->head, "Authorization", 0, &key) || key.len == 0) {
        session->phase = OJIN_PHASE_CLOSED;
        refuse(session, event->now_us, OJIN_ERROR_INVALID_HEADERS, actions);
        return;
    }
    if (!key_is_right(session, key)) {
        session->phase = OJIN_PHASE_CLOSED;
        refuse(session, event->now_us, OJIN_ERROR_AUTH_FAILED, actions);
        return;
    }
    check_config(session, event->head);
    session->phase = OJIN_PHASE_ADMITTED;
    (void)actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL);
}
