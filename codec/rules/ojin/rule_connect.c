/* The request and the key: OJ-CON-01, OJ-CON-02, OJ-CON-03, OJ-CON-13. 000 WebSocket Handshake; 001 API Key
 * Best Practices. */
#include "codec/rules/ojin/rule_set.h"
#include "codec/rules/query_value.h"
#include "codec/wire/authorization.h"
#include "codec/wire/http_head.h"
#include "codec/wire/secret.h"

/* What the mock and the runner have for it stands in the sentence: the session is refused before anything
 * else can be seen of the client. */
static const char NO_HEADER_CAN_BE_SET[] =
    "there is no Authorization header; for a client that cannot set one, such as a page in a browser, "
    "--quirk key-in-url lets it in with the key in its query (api_key)";

enum { SHOWN_MAX = 80, SEARCHED_MAX = 65536 /* of a message, for the key */ };

static bool request_of(const struct observed *seen, struct http_head *head)
{
    return seen->event->kind == WIRE_EVENT_REQUEST && seen->event->direction == WIRE_FROM_CLIENT &&
           http_head_parse(seen->event->data, head);
}

/* One for a WebSocket: a browser's GET of a page, or what asks whether the server is up, opens none and needs
 * neither config nor key. */
static bool upgrade_of(const struct observed *seen, struct http_head *head)
{
    return request_of(seen, head) && http_head_asks_for_websocket(head);
}

/* True when some config_id of the request is not empty; *count: how many there are. */
static bool find_config(const struct http_head *head, size_t *count)
{
    struct bytes value;
    bool given = false;
    for (*count = 0; http_head_parameter(head, "config_id", *count, &value); (*count)++)
        given = given || value.len > 0;
    return given;
}

void rule_config_present(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    struct http_head head;
    size_t count;
    if (!upgrade_of(seen, &head))
        return;
    if (find_config(&head, &count))
        rule_kept(rules, rule);
    else
        rule_broken(rules, rule, seen->event->at_us, "a config_id in the query of the request",
                    count == 0 ? "there is no config_id" : "config_id is empty");
}

static const char config_expected[] = "config_id once, percent-encoded where its characters need it";

static void config_broken(struct rule_set *rules, enum rule rule, const struct observed *seen,
                          struct bytes value, const char *what)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, config_expected);
    text_add(&draft.actual, what);
    text_add(&draft.actual, ": config_id=");
    finding_add_sent(rules, &draft.actual, value, SHOWN_MAX);
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

void rule_config_encoded(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    struct http_head head;
    struct bytes value;
    size_t count;
    if (!upgrade_of(seen, &head) || !find_config(&head, &count))
        return;
    http_head_parameter(&head, "config_id", 0, &value);
    if (count > 1) {
        rule_broken(rules, rule, seen->event->at_us, config_expected,
                    "config_id stands in the query more than once");
        return;
    }
    const char *fault =
        query_value_fault(value, rules->context.config, "does not decode to the config id that was given");
    if (fault != NULL)
        config_broken(rules, rule, seen, value, fault);
    else
        rule_kept(rules, rule);
}

/* Says what the value is without saying it: neither a key nor what may be one stands in a finding. */
static void describe_value(struct text *out, struct bytes value, struct bytes key)
{
    const struct authorization read = authorization_of(value);
    if (read.secret.len == 0) {
        text_add(out, read.scheme == NULL ? "a word" : read.scheme);
        text_add(out, " alone");
        return;
    }
    if (read.word.len == 0) {
        text_add(out, "a value of ");
        text_add_u64(out, value.len);
        text_add(out, " bytes that is not the key");
        return;
    }
    if (read.scheme != NULL) {
        text_add_char(out, '"');
        text_add(out, read.scheme);
        text_add(out, " \"");
    } else {
        text_add(out, "a word of ");
        text_add_u64(out, read.word.len);
        text_add(out, " bytes, a space");
    }
    if (key.len > 0 && bytes_equal(read.secret, key)) {
        text_add(out, " and <key>");
    } else {
        text_add(out, " and ");
        text_add_u64(out, read.secret.len);
        text_add(out, key.len > 0 ? " bytes that are not the key" : " bytes");
    }
}

/* With an unknown key only a prefix, absence and emptiness can be told. */
static bool key_is_right(struct bytes value, struct bytes key)
{
    if (key.len > 0)
        return bytes_equal(value, key);
    return value.len > 0 && memchr(value.data, ' ', value.len) == NULL;
}

static bool holds_key(const struct rule_set *rules, struct bytes data)
{
    size_t at, len;
    const struct bytes searched = bytes_of(data.data, data.len < SEARCHED_MAX ? data.len : SEARCHED_MAX);
    return secret_find(searched, rules->context.key, &at, &len);
}

/* A parameter that is in use for the key: whatever is in it, it is there to be one. */
static bool has_key_parameter(const struct http_head *head)
{
    struct bytes value;
    for (size_t n = 0; http_head_parameter(head, "api_key", n, &value); n++)
        if (value.len > 0)
            return true;
    return false;
}

/* A browser names the Origin of its page and lets no page set a header; and whoever puts the key into the URL
 * mostly does it for want of a way to set one. */
static bool cannot_set_headers(const struct rule_set *rules, const struct http_head *head)
{
    struct bytes origin;
    return http_head_header(head, "Origin", 0, &origin) || has_key_parameter(head) ||
           (rules->context.key.len >= SECRET_BYTES_MIN && holds_key(rules, head->target));
}

void rule_key_raw(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    static const char expected[] = "one header \"Authorization: <key>\", the raw key with no scheme in front";
    struct http_head head;
    struct bytes value;
    struct bytes second;
    if (!upgrade_of(seen, &head))
        return;
    if (!http_head_header(&head, "Authorization", 0, &value)) {
        rule_broken(rules, rule, seen->event->at_us, expected,
                    cannot_set_headers(rules, &head) ? NO_HEADER_CAN_BE_SET
                                                     : "there is no Authorization header");
    } else if (http_head_header(&head, "Authorization", 1, &second)) {
        rule_broken(rules, rule, seen->event->at_us, expected, "there is more than one Authorization header");
    } else if (value.len == 0) {
        rule_broken(rules, rule, seen->event->at_us, expected, "the Authorization header is empty");
    } else if (!key_is_right(value, rules->context.key)) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, expected);
        text_add(&draft.actual, "Authorization is ");
        describe_value(&draft.actual, value, rules->context.key);
        finding_end(rules, rule, &draft, seen->event->at_us, false);
    } else {
        rule_kept(rules, rule);
    }
}

/* A key that is not known, or so short that it may stand anywhere, cannot be looked for. The URL of a request
 * for a page is no better place for it than that of an upgrade. */
void rule_key_hidden(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    static const char expected[] = "the key in the Authorization header and nowhere else";
    struct http_head head;
    const bool is_request = request_of(seen, &head);
    const bool searchable = rules->context.key.len >= SECRET_BYTES_MIN;
    if (is_request && !(searchable && holds_key(rules, head.target)) && has_key_parameter(&head)) {
        rule_broken(rules, rule, seen->event->at_us, expected, "an api_key stands in the URL");
        return;
    }
    if (!searchable)
        return;
    if (is_request) {
        if (holds_key(rules, head.target))
            rule_broken(rules, rule, seen->event->at_us, expected, "the key stands in the URL");
        else if (http_head_asks_for_websocket(&head))
            rule_kept(rules, rule);
    } else if (seen->client_message && holds_key(rules, seen->event->data)) {
        rule_broken(rules, rule, seen->event->at_us, expected, "the key stands in a message");
    }
}
