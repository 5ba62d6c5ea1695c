/* The request: OJ-CON-01, OJ-CON-02, OJ-CON-13. 000 WebSocket Handshake. */
#include <stdlib.h>

#include "codec/rules/rule_set.h"
#include "codec/wire/http_head.h"

enum { SHOWN_MAX = 80 };

static bool request_of(const struct observed *seen, struct http_head *head)
{
    return seen->event->kind == WIRE_EVENT_REQUEST && seen->event->direction == WIRE_FROM_CLIENT &&
           http_head_parse(seen->event->data, head);
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
    if (!request_of(seen, &head))
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
    text_add_printable(&draft.actual, value, SHOWN_MAX);
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

/* What is wrong with the encoding; NULL when nothing is. `decoded` is as large as the value. */
static const char *config_fault(const struct rule_set *rules, struct bytes value, uint8_t *decoded)
{
    size_t len;
    if (!percent_decode(value, decoded, &len))
        return "a '%' that is not followed by two hex digits";
    if (!percent_encoding_is_clean(value))
        return "a character that must be percent-encoded stands bare";
    if (rules->context.config.len == 0 || bytes_equal(bytes_of(decoded, len), rules->context.config))
        return NULL;
    /* Decoding never makes text longer, so it can be done in place. */
    if (percent_decode(bytes_of(decoded, len), decoded, &len) &&
        bytes_equal(bytes_of(decoded, len), rules->context.config))
        return "percent-encoded twice";
    return "does not decode to the config id that was given";
}

void rule_config_encoded(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    struct http_head head;
    struct bytes value;
    size_t count;
    if (!request_of(seen, &head) || !find_config(&head, &count))
        return;
    http_head_parameter(&head, "config_id", 0, &value);
    if (count > 1) {
        rule_broken(rules, rule, seen->event->at_us, config_expected,
                    "config_id stands in the query more than once");
        return;
    }
    uint8_t *decoded = malloc(value.len);
    if (decoded == NULL)
        return;
    const char *fault = config_fault(rules, value, decoded);
    free(decoded);
    if (fault != NULL)
        config_broken(rules, rule, seen, value, fault);
    else
        rule_kept(rules, rule);
}

static bool equal_ignoring_case(struct bytes word, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < len && word.len == len; i++) {
        uint8_t c = word.data[i];
        if (c >= 'A' && c <= 'Z')
            c = (uint8_t)(c + ('a' - 'A'));
        if (c != (uint8_t)name[i])
            return false;
    }
    return word.len == len;
}

/* The name of a scheme that is well known; NULL for any other word, which may be part of a secret. */
static const char *scheme_of(struct bytes word)
{
    static const char *const schemes[][2] = {
        {"bearer", "Bearer"}, {"basic", "Basic"},     {"digest", "Digest"}, {"token", "Token"},
        {"apikey", "ApiKey"}, {"api-key", "Api-Key"}, {"key", "Key"},       {"jwt", "JWT"}};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (equal_ignoring_case(word, schemes[i][0]))
            return schemes[i][1];
    }
    return NULL;
}

/* Says what the value is without saying it: neither a key nor what may be one stands in a finding. */
static void describe_value(struct text *out, struct bytes value, struct bytes key)
{
    size_t word_len = 0;
    while (word_len < value.len && value.data[word_len] != ' ')
        word_len++;
    const char *scheme = scheme_of(bytes_of(value.data, word_len));
    if (word_len == value.len && scheme != NULL) {
        text_add(out, scheme);
        text_add(out, " alone");
        return;
    }
    if (word_len == value.len) {
        text_add(out, "a value of ");
        text_add_u64(out, value.len);
        text_add(out, " bytes that is not the key");
        return;
    }
    size_t rest_at = word_len;
    while (rest_at < value.len && value.data[rest_at] == ' ')
        rest_at++;
    struct bytes rest = bytes_of(value.data + rest_at, value.len - rest_at);
    if (scheme != NULL) {
        text_add_char(out, '"');
        text_add(out, scheme);
        text_add(out, " \"");
    } else {
        text_add(out, "a word of ");
        text_add_u64(out, word_len);
        text_add(out, " bytes, a space");
    }
    if (key.len > 0 && bytes_equal(rest, key)) {
        text_add(out, " and <key>");
    } else {
        text_add(out, " and ");
        text_add_u64(out, rest.len);
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

void rule_key_raw(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    static const char expected[] = "one header \"Authorization: <key>\", the raw key with no scheme in front";
    struct http_head head;
    struct bytes value;
    struct bytes second;
    if (!request_of(seen, &head))
        return;
    if (!http_head_header(&head, "Authorization", 0, &value)) {
        rule_broken(rules, rule, seen->event->at_us, expected, "there is no Authorization header");
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
