/* What the client's request asks of a server: is its key right, is its config. */
#include <stdlib.h>

#include "codec/rules/ojin/server_rule_set.h"
#include "codec/wire/http_head.h"

static bool begins_with_bearer(struct bytes value)
{
    static const char scheme[] = "bearer";
    const size_t len = sizeof scheme - 1;
    const bool blank = value.len > len && (value.data[len] == ' ' || value.data[len] == '\t');
    return blank && bytes_equal_text_ignoring_case(bytes_of(value.data, len), scheme);
}

static void observe_key(struct server_rule_set *rules, const struct http_head *head)
{
    struct server_session *session = &rules->session;
    struct bytes value;
    struct bytes second;
    session->key = REQUEST_KEY_UNKNOWN;
    if (!http_head_header(head, "Authorization", 0, &value)) {
        session->key = REQUEST_KEY_MISSING;
        return;
    }
    /* Which of two counts is nowhere said. */
    if (http_head_header(head, "Authorization", 1, &second))
        return;
    session->key_empty = value.len == 0;
    session->key_bearer = begins_with_bearer(value);
    if (session->key_empty)
        session->key = REQUEST_KEY_MISSING;
    else if (session->key_bearer)
        session->key = REQUEST_KEY_WRONG;
    else if (rules->context.key.len > 0)
        session->key = bytes_equal(value, rules->context.key) ? REQUEST_KEY_RIGHT : REQUEST_KEY_WRONG;
}

/* As a URI or as a form has it, in which a '+' is a space. True as well when memory runs out: no breach is
 * made of that. */
static bool decodes_to(struct bytes value, struct bytes expected)
{
    uint8_t *decoded = malloc(value.len + 1);
    if (decoded == NULL)
        return true;
    size_t len = 0;
    bool equal = percent_decode(value, decoded, &len) && bytes_equal(bytes_of(decoded, len), expected);
    equal = equal || (form_decode(value, decoded, &len) && bytes_equal(bytes_of(decoded, len), expected));
    free(decoded);
    return equal;
}

static void observe_config(struct server_rule_set *rules, const struct http_head *head)
{
    struct bytes value;
    rules->session.config = REQUEST_CONFIG_RIGHT;
    if (!http_head_parameter(head, "config_id", 0, &value) || value.len == 0)
        rules->session.config = REQUEST_CONFIG_MISSING;
    else if (rules->context.config_only && rules->context.config.len > 0 &&
             !decodes_to(value, rules->context.config))
        rules->session.config = REQUEST_CONFIG_WRONG;
}

void server_observe_request(struct server_rule_set *rules, const struct wire_event *event)
{
    struct http_head head;
    if (rules->session.asked || !http_head_parse(event->data, &head) || !http_head_asks_for_websocket(&head))
        return;
    rules->session.asked = true;
    observe_key(rules, &head);
    observe_config(rules, &head);
}
