/* How a rule says what it found. */
#include "codec/rules/ojin/rule_set.h"
#include "codec/wire/json_members.h"
#include "codec/wire/secret.h"

void rule_kept(struct rule_set *rules, enum rule rule)
{
    finding_book_kept(&rules->book, rule);
}

/* The key, known or learned. */
static struct bytes secret_of(const struct rule_set *rules)
{
    return rules->context.key.len > 0 ? rules->context.key
                                      : bytes_of(rules->learned_key, rules->learned_key_len);
}

void finding_add_sent(const struct rule_set *rules, struct text *out, struct bytes sent, size_t bytes_max)
{
    const struct bytes secret = secret_of(rules);
    const size_t looked_at = bytes_max + SECRET_SPELLING_MAX * secret.len; /* one may begin before the end */
    struct secrets_scan scan;
    struct bytes found;
    size_t at;
    size_t len;
    sent = bytes_of(sent.data, sent.len < looked_at ? sent.len : looked_at);
    secrets_scan_init(&scan, &(struct secrets){.key = secret}, sent.len);
    while (secrets_scan_next(&scan, sent, &found, &at, &len) && at < bytes_max) {
        text_add_printable(out, bytes_of(sent.data, at), at);
        text_add(out, "<key>");
        sent = bytes_of(sent.data + at + len, sent.len - at - len);
        bytes_max -= at;
    }
    text_add_printable(out, sent, bytes_max);
}

/* NULL: it is not there. */
static const cJSON *value_at(const cJSON *value, const char *path)
{
    static const char WITHIN[] = "payload.";
    const size_t within = sizeof WITHIN - 1;
    if (strncmp(path, WITHIN, within) == 0)
        return json_member(json_member(value, "payload"), path + within);
    return json_member(value, path);
}

void finding_add_fault(struct text *out, struct bytes json, const struct wire_error *error)
{
    cJSON *tree = NULL;
    text_add(out, error->field);
    if (error->status == WIRE_WRONG_MEMBER_TYPE && json_parse_last(json, &tree).status == WIRE_OK) {
        const cJSON *value = value_at(tree, error->field);
        text_add(out, " is ");
        text_add(out, cJSON_IsNumber(value) ? "a number with a fraction" : json_value_description(value));
    } else {
        text_add(out, ": ");
        text_add(out, wire_status_sentence(error->status));
    }
    cJSON_Delete(tree);
}

void finding_end(struct rule_set *rules, enum rule rule, struct finding_draft *draft, uint64_t at_us,
                 bool note)
{
    finding_book_end(&rules->book, rule, draft, at_us, note);
}

void rule_broken(struct rule_set *rules, enum rule rule, uint64_t at_us, const char *expected,
                 const char *actual)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, actual);
    finding_end(rules, rule, &draft, at_us, false);
}
