/* How a rule says what it found. */
#include "codec/rules/ojin/rule_set.h"
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
