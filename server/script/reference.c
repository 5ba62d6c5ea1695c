/* Tables to Markdown. */
#include "server/script/reference.h"

#include "server/script/tables.h"

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

/* A "|" would end the cell. */
static bool add_cell(struct buffer *out, const char *text)
{
    bool good = true;
    for (; *text != '\0' && good; text++)
        good = (*text != '|' || add(out, "\\")) && buffer_append(out, bytes_of(text, 1));
    return good;
}

bool reference_head(struct buffer *out, const char *first, const char *second)
{
    return add(out, "| ") && add(out, first) && add(out, " | ") && add(out, second) &&
           add(out, " |\n|---|---|\n");
}

bool reference_row(struct buffer *out, const char *first, const char *second)
{
    return add(out, "| ") && add_cell(out, first) && add(out, " | ") && add_cell(out, second) &&
           add(out, " |\n");
}

/* "a whole number from 1 to 9"; for conditions their own table says it. */
static void add_type(struct text *text, const struct value_rule *rule)
{
    char expected[SCRIPT_EXPECTED_MAX];
    switch (rule->type) {
    case VALUE_NONE:
    case VALUE_NAME:
        text_add(text, "a word");
        return;
    case VALUE_TEXT:
        text_add(text, "a word or a text in double quotes");
        return;
    case VALUE_STRING:
        text_add(text, "a text in double quotes");
        return;
    case VALUE_CONDITION:
        text_add(text, "a condition of those below");
        return;
    case VALUE_LABEL:
    case VALUE_COUNT:
    case VALUE_DURATION:
    case VALUE_SIZE:
    case VALUE_HEX:
    case VALUE_CHOICE:
    case VALUE_REQUIREMENT:
    case VALUE_PATTERN:
        value_expected(expected, rule);
        text_add(text, expected);
        return;
    }
}

static bool add_option(struct buffer *out, const struct value_rule *rule)
{
    char name[SCRIPT_TEXT_MAX];
    char meaning[2 * SCRIPT_TEXT_MAX];
    struct text name_text = text_of(name, sizeof name);
    struct text text = text_of(meaning, sizeof meaning);
    text_add(&name_text, "&emsp;`");
    text_add(&name_text, rule->name);
    text_add(&name_text, rule->many ? "=` …" : "=`");
    add_type(&text, rule);
    if (rule->sentence != NULL) {
        text_add(&text, ": ");
        text_add(&text, rule->sentence);
    }
    return reference_row(out, name, meaning);
}

/* `serve` as NAME, pipes */
static void rule_head(struct text *text, const struct line_rule *rule, size_t first_arg)
{
    text_add(text, "`");
    text_add(text, rule->word);
    for (size_t i = first_arg; rule->args != NULL && rule->args[i].name != NULL; i++) {
        const struct value_rule *arg = &rule->args[i];
        text_add(text, arg->optional ? " [" : " ");
        text_add(text,
                 arg->type == VALUE_CHOICE && arg->choices[0] != NULL && arg->choices[1] == NULL ? "" : "<");
        text_add(text, arg->name);
        text_add(text,
                 arg->type == VALUE_CHOICE && arg->choices[0] != NULL && arg->choices[1] == NULL ? "" : ">");
        text_add(text, arg->many ? " …" : "");
        text_add(text, arg->optional ? "]" : "");
    }
    text_add(text, (rule->flags & LINE_AS) != 0 ? " [as NAME]" : "");
    text_add(text, (rule->flags & LINE_PIPES) != 0 ? " [| pipe …]" : "");
    text_add(text, (rule->flags & LINE_BLOCK) != 0 ? " { … }" : "");
    text_add(text, "`");
}

bool reference_rules_from(struct buffer *out, const struct line_rule *rules, const char *what,
                          size_t first_arg)
{
    bool good = reference_head(out, what, "meaning");
    for (size_t i = 0; rules[i].word != NULL && good; i++) {
        if ((rules[i].flags & LINE_SKIPPED) != 0)
            continue;
        char head[SCRIPT_TEXT_MAX];
        struct text text = text_of(head, sizeof head);
        rule_head(&text, &rules[i], first_arg);
        good = rules[i].sentence != NULL && reference_row(out, head, rules[i].sentence);
        for (const struct value_rule *option = rules[i].options;
             good && option != NULL && option->name != NULL; option++)
            good = add_option(out, option);
    }
    return good;
}

bool reference_rules(struct buffer *out, const struct line_rule *rules, const char *what)
{
    return reference_rules_from(out, rules, what, 0);
}

bool reference_conditions(struct buffer *out, const struct condition_rule *rules)
{
    bool good = reference_head(out, "condition", "comes when");
    for (; rules->name != NULL && good; rules++) {
        char name[SCRIPT_TEXT_MAX];
        struct text text = text_of(name, sizeof name);
        text_add(&text, "`");
        text_add(&text, rules->name);
        text_add(&text, rules->counted ? ":N`" : "`");
        good = rules->sentence != NULL && reference_row(out, name, rules->sentence);
    }
    return good;
}

bool reference_options(struct buffer *out, const struct value_rule *rules, const char *what)
{
    bool good = reference_head(out, what, "value");
    for (; rules->name != NULL && good; rules++)
        good = add_option(out, rules);
    return good;
}

/* "a b c" as "`a`, `b`, `c`" */
static void names_add(struct text *text, const char *spaced)
{
    for (const char *at = spaced; *at != '\0';) {
        const size_t len = strcspn(at, " ");
        text_add(text, at == spaced ? "`" : ", `");
        text_add_bytes(text, bytes_of(at, len));
        text_add(text, "`");
        at += len;
        at += strspn(at, " ");
    }
}

/* Kinds with the same options stand in one row. */
static bool add_send(struct buffer *out, const struct send_kind *kinds)
{
    bool good = reference_head(out, "kind", "options");
    for (size_t i = 0; kinds[i].name != NULL && good;) {
        char names[SCRIPT_TEXT_MAX];
        char options[2 * SCRIPT_TEXT_MAX];
        struct text name_text = text_of(names, sizeof names);
        struct text option_text = text_of(options, sizeof options);
        size_t next = i;
        for (; kinds[next].name != NULL && strcmp(kinds[next].options, kinds[i].options) == 0; next++) {
            text_add(&name_text, next == i ? "`" : ", `");
            text_add(&name_text, kinds[next].name);
            text_add(&name_text, "`");
        }
        names_add(&option_text, kinds[i].options);
        good = reference_row(out, names, options);
        i = next;
    }
    return good;
}

bool reference_names(struct buffer *out, const char *const *names)
{
    bool good = true;
    for (size_t i = 0; names[i] != NULL && good; i++)
        good = add(out, i == 0 ? "`" : ", `") && add(out, names[i]) && add(out, "`");
    return good && add(out, "\n");
}

bool reference_write(const char *table, const struct session_class *class, struct buffer *out)
{
    if (strcmp(table, "lines") == 0)
        return reference_rules(out, TOP_RULES, "line");
    if (strcmp(table, "steps") == 0)
        return reference_rules(out, SERVER_RULES, "step");
    if (strcmp(table, "branches") == 0)
        return reference_rules(out, BRANCH_RULES, "branch");
    if (strcmp(table, "until") == 0)
        return reference_conditions(out, SERVE_CONDITIONS);
    if (strcmp(table, "receive") == 0)
        return reference_names(out, class->receive_types);
    if (strcmp(table, "send") == 0)
        return add_send(out, class->send_kinds);
    return strcmp(table, "pipes") == 0 && reference_rules(out, PIPE_RULES, "pipe");
}
