/* Tables to Markdown. */
#include "conformance/script/reference.h"

#include "conformance/script/case_tables.h"
#include "conformance/script/client_side.h"
#include "conformance/script/words.h"
#include "server/script/parser.h"
#include "server/script/reference.h"

static bool add_expects(struct buffer *out, const struct value_rule *rules)
{
    bool good = reference_head(out, "word", "holds when");
    for (; rules->name != NULL && good; rules++) {
        char name[SCRIPT_NAME_MAX];
        struct text text = text_of(name, sizeof name);
        text_add(&text, "`");
        text_add(&text, rules->name);
        text_add(&text, "`");
        good = reference_row(out, name, rules->sentence);
    }
    return good;
}

static bool add_receives(struct buffer *out, const struct client_receive *receives)
{
    bool good = reference_head(out, "message", "meaning");
    for (; receives->name != NULL && good; receives++) {
        char name[SCRIPT_NAME_MAX];
        struct text text = text_of(name, sizeof name);
        text_add(&text, "`");
        text_add(&text, receives->name);
        text_add(&text, "`");
        good = reference_row(out, name, receives->sentence);
    }
    return good;
}

/* A family's part of client { }. */
static bool add_client(const char *table, const struct client_side *side, struct buffer *out)
{
    if (side == NULL)
        return false;
    if (strcmp(table, "connect") == 0)
        return reference_rules(out, side->connect, "step");
    if (strcmp(table, "receives") == 0)
        return add_receives(out, side->receives);
    return strcmp(table, "sends") == 0 && reference_rules_from(out, side->sends, "kind", 1);
}

bool case_reference_write(const char *table, const struct case_family *family, struct buffer *out)
{
    if (strcmp(table, "case-lines") == 0)
        return reference_rules(out, CASE_RULES, "line");
    if (strcmp(table, "plan") == 0)
        return reference_rules(out, PLAN_RULES, "step");
    if (strcmp(table, "plan-conditions") == 0)
        return reference_conditions(out, PLAN_CONDITIONS);
    if (strcmp(table, "client-steps") == 0)
        return reference_rules(out, CLIENT_RULES, "step");
    if (strcmp(table, "client-sends-of-all") == 0)
        return reference_rules_from(out, CLIENT_SEND_RULES, "kind", 1);
    if (strncmp(table, "client-", 7) == 0)
        return add_client(table + 7, family->client_side, out);
    if (strcmp(table, "seen") == 0)
        return reference_names(out, words_seen(family->words));
    if (strcmp(table, "check") == 0)
        return reference_rules(out, CHECK_RULES, "line");
    if (strcmp(table, "expects") == 0)
        return add_expects(out, EXPECT_RULES);
    if (strcmp(table, "filters") == 0)
        return reference_options(out, FILTER_RULES, "filter");
    return reference_write(table, family->class, out);
}
