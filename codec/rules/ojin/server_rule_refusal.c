/* Requests that must be refused: OJ-SRV-01, OJ-SRV-02, OJ-SRV-21. 000 WebSocket Handshake, ErrorResponse
 * codes. */
#include "codec/rules/ojin/server_rule_set.h"
#include "codec/wire/http_response.h"

enum { CODE_SHOWN_MAX = 40, STATUS_UNAUTHORIZED = 401, STATUS_TOO_MANY = 429, STATUS_UNAVAILABLE = 503 };

static bool is_response(const struct server_seen *seen)
{
    return seen->event->kind == WIRE_EVENT_RESPONSE && seen->event->direction == WIRE_FROM_SERVER;
}

/* A server with no room may say so before it looks at anything. */
static bool is_crowded(const struct wire_event *event)
{
    return event->code == STATUS_TOO_MANY || event->code == STATUS_UNAVAILABLE;
}

/* "an errorResponse with MODEL_NOT_FOUND", "sessionReady", "a frame" … */
static void add_message(struct text *out, const struct server_seen *seen)
{
    if (seen->is_frame) {
        text_add(out, "a frame");
    } else if (!seen->is_text && !seen->is_body) {
        text_add(out, "no JSON");
    } else if (seen->message.type == OJIN_MESSAGE_ERROR_RESPONSE) {
        text_add(out, "an errorResponse with code ");
        text_add_printable(out, bytes_of_text(seen->message.code), CODE_SHOWN_MAX);
    } else {
        text_add(out, "a message that is ");
        text_add(out, ojin_message_type_name(seen->message.type));
    }
}

static void add_status(struct text *out, const struct server_seen *seen)
{
    text_add(out, "HTTP status ");
    text_add_u64(out, seen->event->code);
    if (seen->event->code != HTTP_SWITCHING_PROTOCOLS) {
        text_add(out, " with ");
        add_message(out, seen);
        text_add(out, " as its body");
    }
}

static bool has_code(const struct server_seen *seen, enum ojin_error_code code)
{
    return (seen->is_text || seen->is_body) && seen->message.type == OJIN_MESSAGE_ERROR_RESPONSE &&
           strcmp(seen->message.code, ojin_error_name(code)) == 0;
}

/* --- OJ-SRV-01 --- */

static void describe_key(const struct server_session *session, struct text *out)
{
    if (session->key == REQUEST_KEY_MISSING)
        text_add(out,
                 session->key_empty ? "for an empty Authorization header" : "for no Authorization header");
    else
        text_add(out, session->key_bearer ? "for a key with a Bearer prefix" : "for a wrong key");
}

static bool refusal_code_is_right(const struct server_session *session, const struct server_seen *seen)
{
    const bool headers = has_code(seen, OJIN_ERROR_INVALID_HEADERS);
    const bool auth = has_code(seen, OJIN_ERROR_AUTH_FAILED);
    if (session->key == REQUEST_KEY_WRONG)
        return auth;
    /* Whether an empty header is missing or wrong is not said. */
    return headers || (session->key_empty && auth);
}

static void key_broken(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen,
                       const char *actual)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "HTTP/1.1 401 with a JSON errorResponse as its body, code ");
    text_add(&draft.expected,
             rules->session.key == REQUEST_KEY_WRONG ? "AUTH_FAILED, " : "INVALID_HEADERS, ");
    describe_key(&rules->session, &draft.expected);
    if (actual != NULL)
        text_add(&draft.actual, actual);
    else
        add_status(&draft.actual, seen);
    server_finding_end(rules, rule, &draft, seen->event->at_us);
    rules->refusal_judged = true;
}

void server_rule_key(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    static const char version[] = "HTTP/1.1 ";
    const struct server_session *session = &rules->session;
    const struct wire_event *event = seen->event;
    const bool refuse = session->key == REQUEST_KEY_MISSING || session->key == REQUEST_KEY_WRONG;
    if (!session->asked || !refuse || rules->refusal_judged || session->answered ||
        event->direction != WIRE_FROM_SERVER)
        return;
    if (event->kind == WIRE_EVENT_VIOLATION) {
        key_broken(rules, rule, seen, "no HTTP response");
    } else if (event->kind == WIRE_EVENT_END) {
        key_broken(rules, rule, seen, "the connection ended without a response");
    } else if (event->kind == WIRE_EVENT_RESPONSE && !is_crowded(event)) {
        rules->refusal_judged = true;
        if (event->code != STATUS_UNAUTHORIZED || !refusal_code_is_right(session, seen))
            key_broken(rules, rule, seen, NULL);
        else if (event->data.len < sizeof version - 1 ||
                 memcmp(event->data.data, version, sizeof version - 1) != 0)
            key_broken(rules, rule, seen, "a status line that does not begin with HTTP/1.1");
        else
            server_kept(rules, rule);
    }
}

/* --- OJ-SRV-02 --- */

static enum ojin_error_code config_code(const struct server_rule_set *rules)
{
    return rules->session.config == REQUEST_CONFIG_MISSING ? OJIN_ERROR_MISSING_CONFIG_ID
                                                           : OJIN_ERROR_MODEL_NOT_FOUND;
}

static void config_broken(struct server_rule_set *rules, enum server_rule rule,
                          const struct server_seen *seen)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "an errorResponse with ");
    text_add(&draft.expected, ojin_error_name(config_code(rules)));
    text_add(&draft.expected, rules->session.config == REQUEST_CONFIG_MISSING
                                  ? " for a request without a config_id"
                                  : " for a config_id that does not exist");
    if (is_response(seen))
        add_status(&draft.actual, seen);
    else
        add_message(&draft.actual, seen);
    server_finding_end(rules, rule, &draft, seen->event->at_us);
    rules->config_judged = true;
}

static void config_closed(struct server_rule_set *rules, enum server_rule rule,
                          const struct server_seen *seen)
{
    struct finding_draft draft;
    if (seen->event->code == OJIN_CLOSE_POLICY)
        return;
    finding_begin(&draft);
    text_add(&draft.expected, "close code 1008 after the refusal over the config");
    text_add(&draft.actual, "close code ");
    text_add_u64(&draft.actual, seen->event->code);
    server_finding_end(rules, rule, &draft, seen->event->at_us);
    rules->config_judged = true;
}

/* The answer has come: at the handshake, or as the first message. */
static void config_answer(struct server_rule_set *rules, enum server_rule rule,
                          const struct server_seen *seen)
{
    if (has_code(seen, config_code(rules))) {
        rules->config_refused = true;
        server_kept(rules, rule);
    } else if (has_code(seen, OJIN_ERROR_BACKEND_UNAVAILABLE) || has_code(seen, OJIN_ERROR_RATE_LIMITED)) {
        rules->config_judged = true; /* it did not come to look */
    } else {
        config_broken(rules, rule, seen);
    }
}

void server_rule_config(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct server_session *session = &rules->session;
    const bool key_passes = session->key == REQUEST_KEY_RIGHT || session->key == REQUEST_KEY_UNKNOWN;
    if (!session->asked || !key_passes || session->config == REQUEST_CONFIG_RIGHT || rules->config_judged ||
        rules->context.no_backend || seen->event->direction != WIRE_FROM_SERVER)
        return;
    if (is_response(seen) && seen->event->code != HTTP_SWITCHING_PROTOCOLS) {
        /* A key that is not known to be right may be wrong. */
        const bool other_reason = is_crowded(seen->event) || (session->key != REQUEST_KEY_RIGHT &&
                                                              seen->event->code == STATUS_UNAUTHORIZED);
        if (!other_reason)
            config_answer(rules, rule, seen);
        rules->config_judged = true;
    } else if (seen->from_server && !rules->config_refused) {
        if (seen->is_text || seen->is_frame)
            config_answer(rules, rule, seen);
    } else if (seen->from_server && (seen->is_frame || seen->message.type == OJIN_MESSAGE_SESSION_READY)) {
        config_broken(rules, rule, seen);
    } else if (seen->event->kind == WIRE_EVENT_CLOSE && rules->config_refused) {
        config_closed(rules, rule, seen);
    }
}

/* --- OJ-SRV-21 --- */

static void backend_broken(struct server_rule_set *rules, enum server_rule rule,
                           const struct server_seen *seen)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "BACKEND_UNAVAILABLE or a plain-text message, as there is no backend");
    if (is_response(seen))
        add_status(&draft.actual, seen);
    else
        add_message(&draft.actual, seen);
    server_finding_end(rules, rule, &draft, seen->event->at_us);
    rules->backend_judged = true;
}

/* The backend may be missed only after sessionReady; a frame could not be made without one. */
void server_rule_backend(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct server_session *session = &rules->session;
    const bool key_passes = session->key == REQUEST_KEY_RIGHT || session->key == REQUEST_KEY_UNKNOWN;
    if (!rules->context.no_backend || !session->asked || !key_passes || rules->backend_judged ||
        session->config != REQUEST_CONFIG_RIGHT || seen->event->direction != WIRE_FROM_SERVER)
        return;
    const bool refused = is_response(seen) && seen->event->code != HTTP_SWITCHING_PROTOCOLS;
    const bool plain = seen->is_text && seen->message.type == OJIN_MESSAGE_PLAIN_TEXT;
    const bool plain_body = refused && (!seen->is_body || seen->message.type == OJIN_MESSAGE_PLAIN_TEXT);
    if (has_code(seen, OJIN_ERROR_BACKEND_UNAVAILABLE) || plain || plain_body) {
        rules->backend_judged = true;
        server_kept(rules, rule);
    } else if (refused || seen->is_frame ||
               (seen->is_text && seen->message.type == OJIN_MESSAGE_ERROR_RESPONSE)) {
        backend_broken(rules, rule, seen);
    }
}
