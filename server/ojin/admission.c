/*
 * Who is let in (000 WebSocket Handshake; spec README, refusals). A bad key is refused at the handshake; what
 * is wrong with the config, the caller's permission or the backend is told after it, because many clients do
 * not show the body of a refused upgrade. By quirk it is told at the handshake too, and either may wait for a
 * slot first.
 */
#include <stdlib.h>

#include "server/ojin/session.h"

enum { STATUS_UNAVAILABLE = 503, STATUS_UNAUTHENTICATED = 401, REFUSAL_HEAD_MAX = 250 };

/* HTTP status of a refusal; 0: that code refuses nobody. */
static const uint16_t STATUSES[OJIN_ERROR_COUNT] = {[OJIN_ERROR_AUTH_FAILED] = STATUS_UNAUTHENTICATED,
                                                    [OJIN_ERROR_INVALID_HEADERS] = STATUS_UNAUTHENTICATED,
                                                    [OJIN_ERROR_UNAUTHORIZED] = 403,
                                                    [OJIN_ERROR_MISSING_CONFIG_ID] = 400,
                                                    [OJIN_ERROR_MODEL_NOT_FOUND] = 404,
                                                    [OJIN_ERROR_BACKEND_UNAVAILABLE] = STATUS_UNAVAILABLE};

/* Plain texts that were seen (field notes, Text). */
static const char *const NO_BACKEND_TEXTS[] = {
    [OJIN_BACKEND_THERE] = NULL,
    [OJIN_NO_BACKEND_ERROR] = NULL,
    [OJIN_NO_BACKEND_TEXT] = "No backend servers available. Please try again later.",
    [OJIN_NO_BACKEND_SHORT] = "No backend servers available.",
    [OJIN_NO_BACKEND_MODEL] = "Model not found",
    [OJIN_NO_BACKEND_EMPTY] = "",
};

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

const char *ojin_refusal_message(const struct session *session, enum ojin_error_code code)
{
    const bool why = code == OJIN_ERROR_MODEL_NOT_FOUND && session->config.config_fault != NULL;
    return why ? session->config.config_fault : ojin_error_description(code);
}

static void refuse(struct session *session, uint64_t now_us, enum ojin_error_code code, const char *plain,
                   struct actions *actions)
{
    char body[OJIN_ERROR_BYTES_MAX];
    struct text body_text = text_of(body, sizeof body);
    if (plain != NULL)
        text_add(&body_text, plain);
    else
        ojin_write_error(session, now_us, code, ojin_refusal_message(session, code), NULL, &body_text);
    char head[REFUSAL_HEAD_MAX];
    struct text head_text = text_of(head, sizeof head);
    if (STATUSES[code] == STATUS_UNAUTHENTICATED)
        text_add(&head_text, "WWW-Authenticate: " OJIN_CHALLENGE "\r\n");
    text_add(&head_text, plain != NULL ? "Content-Type: text/plain; charset=utf-8\r\nContent-Length: "
                                       : "Content-Type: application/json\r\nContent-Length: ");
    text_add_u64(&head_text, body_text.len);
    text_add(&head_text, "\r\nConnection: close\r\n\r\n");

    struct action *action = NULL;
    uint8_t *out = actions_add(actions, ACTION_REFUSE, "refusal", head_text.len + body_text.len, &action);
    session->phase = OJIN_PHASE_CLOSED;
    if (out == NULL)
        return;
    action->code = STATUSES[code];
    memcpy(out, head, head_text.len);
    memcpy(out + head_text.len, body, body_text.len);
}

static bool key_is_right(const struct session *session, struct bytes value)
{
    if (starts_with_bearer(value))
        return false;
    return session->config.key == NULL || key_matches(value, session->config.key);
}

static void set_refusal(struct session *session, enum ojin_error_code code)
{
    if (session->refused)
        return;
    session->refused = true;
    session->refusal = code;
}

/* OJ-SRV-02 */
static void check_config(struct session *session, const struct http_head *head)
{
    struct bytes config = {0};
    if (session->config.config_fault != NULL)
        set_refusal(session, OJIN_ERROR_MODEL_NOT_FOUND);
    if (ojin_quirk(session, OJIN_QUIRK_ANY_CONFIG) != 0)
        return;
    if (!http_head_parameter(head, "config_id", 0, &config) || config.len == 0)
        set_refusal(session, OJIN_ERROR_MISSING_CONFIG_ID);
    else if (session->config.config_id != NULL && !decodes_to(config, session->config.config_id))
        set_refusal(session, OJIN_ERROR_MODEL_NOT_FOUND);
}

void ojin_refuse_no_backend(struct session *session)
{
    set_refusal(session, OJIN_ERROR_BACKEND_UNAVAILABLE);
    session->refusal_text = NO_BACKEND_TEXTS[ojin_quirk(session, OJIN_QUIRK_NO_BACKEND)];
}

/* Where the session waits for a slot: before the answer, or, when it is only told there is none, after it,
 * unless that is told at the handshake too. */
static void wait_for_slot(struct session *session, uint64_t now_us)
{
    const uint64_t queue = ojin_quirk(session, OJIN_QUIRK_QUEUE);
    const uint64_t full = ojin_quirk(session, OJIN_QUIRK_QUEUE_FULL);
    const bool in_vain = full != 0 && (queue == 0 || queue >= full);
    session->answer_us = now_us + queue;
    if (!in_vain)
        return;
    ojin_refuse_no_backend(session);
    if (queue != 0 || ojin_quirk(session, OJIN_QUIRK_HANDSHAKE_REFUSALS) != 0)
        session->answer_us = now_us + full;
    else
        session->away_us = full;
}

void ojin_admission_answer(struct session *session, uint64_t now_us, struct actions *actions)
{
    if (session->refused && ojin_quirk(session, OJIN_QUIRK_HANDSHAKE_REFUSALS) != 0) {
        refuse(session, now_us, session->refusal, session->refusal_text, actions);
        return;
    }
    session->phase = OJIN_PHASE_ADMITTED;
    (void)actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL);
}

/* By quirk, of a request that has no Authorization: some parameter that is there for a key holds the right
 * one, or holds any where any is right. */
static bool key_is_in_url(const struct session *session, const struct http_head *head)
{
    static const char *const NAMES[] = {"api_key", "key", "token", "access_token"};
    struct bytes value = {0};
    bool is_right = false;
    if (ojin_quirk(session, OJIN_QUIRK_KEY_IN_URL) == 0 || head == NULL ||
        http_head_header(head, "Authorization", 0, &value))
        return false;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (http_head_parameter(head, NAMES[i], 0, &value) && value.len > 0)
            is_right = is_right || session->config.key == NULL || decodes_to(value, session->config.key);
    return is_right;
}

/* OJ-SRV-01. True: let in as far as its key goes. */
static bool check_key(struct session *session, const struct session_event *event, struct actions *actions)
{
    struct bytes key = {0};
    if (ojin_quirk(session, OJIN_QUIRK_BEARER_KEYS) != 0 || key_is_in_url(session, event->head))
        return true;
    if (event->head == NULL || !http_head_header(event->head, "Authorization", 0, &key) || key.len == 0) {
        refuse(session, event->now_us, OJIN_ERROR_INVALID_HEADERS, NULL, actions);
        return false;
    }
    if (!key_is_right(session, key)) {
        refuse(session, event->now_us, OJIN_ERROR_AUTH_FAILED, NULL, actions);
        return false;
    }
    return true;
}

void ojin_admit(struct session *session, const struct session_event *event, struct actions *actions)
{
    session->opened_us = event->now_us;
    session->answer_us = event->now_us;
    if (!check_key(session, event, actions))
        return;
    if (event->head != NULL)
        check_config(session, event->head);
    if (ojin_quirk(session, OJIN_QUIRK_FORBIDDEN) != 0)
        set_refusal(session, OJIN_ERROR_UNAUTHORIZED);
    if (ojin_quirk(session, OJIN_QUIRK_NO_BACKEND) != 0 && !session->refused)
        ojin_refuse_no_backend(session);
    if (!session->refused)
        wait_for_slot(session, event->now_us);
    if (session->answer_us == event->now_us)
        ojin_admission_answer(session, event->now_us, actions);
    else
        session->phase = OJIN_PHASE_WAITING;
}
