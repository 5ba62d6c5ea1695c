#include "server/script/line.h"

enum { RULE_NAMES_MAX = 40 };

const struct line_rule *line_find_rule(struct parser *parser, const struct line_rule *rules,
                                       const struct item *word, const char *place_name)
{
    const char *names[RULE_NAMES_MAX] = {NULL};
    for (size_t i = 0; rules[i].word != NULL; i++) {
        if (strcmp(rules[i].word, word->token.text) == 0)
            return &rules[i];
        if (i + 1 < RULE_NAMES_MAX)
            names[i] = rules[i].word;
    }
    char before[SCRIPT_EXPECTED_MAX];
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(before, sizeof before);
    text_add(&text, place_name);
    text_add(&text, ": ");
    choices_write(expected, before, names);
    complain_word(parser, word->token.place, expected, word->token.text, names);
    return NULL;
}

int line_option_index(const struct line_rule *rule, const char *name)
{
    for (int i = 0; rule->options != NULL && rule->options[i].name != NULL; i++)
        if (strcmp(rule->options[i].name, name) == 0)
            return i;
    return -1;
}

static bool value_fits(struct parser *parser, const struct value *value, size_t size)
{
    if (strlen(value->text) < size)
        return true;
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, "at most ");
    text_add_u64(&text, size - 1);
    text_add(&text, " bytes");
    return complain_word(parser, value->place, expected, value->text, NULL);
}

bool value_copy(struct parser *parser, const struct value *value, char *out, size_t size)
{
    if (!value_fits(parser, value, size))
        return false;
    memcpy(out, value->text, strlen(value->text) + 1);
    return true;
}

bool text_keep(struct parser *parser, const char *text, const char **out)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = arena_take(parser->kept, bytes);
    if (copy == NULL)
        return complain_memory(parser);
    memcpy(copy, text, bytes);
    *out = copy;
    return true;
}

bool value_keep(struct parser *parser, const struct value *value, size_t size, const char **out)
{
    return value_fits(parser, value, size) && text_keep(parser, value->text, out);
}

/* "an option of \"serve\" (for, until)" */
static bool option_unknown(struct parser *parser, const struct line_rule *rule, const struct token *token)
{
    const char *names[LINE_OPTIONS_MAX + 1] = {NULL};
    size_t count = 0;
    while (rule->options != NULL && rule->options[count].name != NULL && count < LINE_OPTIONS_MAX) {
        names[count] = rule->options[count].name;
        count++;
    }
    char before[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(before, sizeof before);
    text_add(&text, count == 0 ? "no option after " : "an option of ");
    text_add(&text, rule->word);
    text_add(&text, count == 0 ? "" : ": ");
    char expected[SCRIPT_EXPECTED_MAX];
    choices_write(expected, before, names);
    return complain_word(parser, token->place, expected, token->text, names);
}

static bool line_take_option(struct parser *parser, const struct token *token, struct line *line)
{
    int index = line_option_index(line->rule, token->text);
    if (index < 0)
        return (line->rule->flags & LINE_OPEN_OPTIONS) != 0 || option_unknown(parser, line->rule, token);
    struct value *value = &line->options[index];
    const struct value_rule *rule = &line->rule->options[index];
    if (value->set && !rule->many)
        return complain_word(parser, token->place, "each option once", token->text, NULL);
    return value_read(parser, rule, token->value_place, token->value, token->value_is_string, value);
}

/* The rule of the n-th positional word; the last one stays when it takes many. */
static const struct value_rule *line_arg_rule(const struct line_rule *rule, size_t n)
{
    const struct value_rule *last = NULL;
    for (size_t i = 0; rule->args != NULL && rule->args[i].name != NULL; i++) {
        if (i == n)
            return &rule->args[i];
        last = &rule->args[i];
    }
    return last != NULL && last->many ? last : NULL;
}

static void line_expected_after(char out[SCRIPT_EXPECTED_MAX], const struct line *line)
{
    unsigned flags = line->rule->flags;
    struct text text = text_of(out, SCRIPT_EXPECTED_MAX);
    bool options = line->rule->options != NULL || (flags & LINE_OPEN_OPTIONS) != 0;
    text_add(&text, options ? "name=value" : "");
    if ((flags & LINE_AS) != 0 && !line->as.set)
        text_add(&text, options ? ", as NAME" : "as NAME");
    if ((flags & LINE_BLOCK) != 0)
        text_add(&text, text.len > 0 ? " or \"{\"" : "\"{\"");
    else
        text_add(&text, text.len > 0 ? " or the end of the line" : "the end of the line");
}

static bool line_take_arg(struct parser *parser, const struct token *token, struct line *line)
{
    const struct value_rule *rule = line_arg_rule(line->rule, line->arg_count);
    bool is_string = token->kind == TOKEN_STRING;
    if (rule == NULL) {
        char expected[SCRIPT_EXPECTED_MAX];
        line_expected_after(expected, line);
        return complain_word(parser, token->place, expected, token->text, NULL);
    }
    struct value value;
    if (!value_read(parser, rule, token->place, token->text, is_string, &value))
        return false;
    if (line->arg_count < LINE_ARGS_MAX)
        line->args[line->arg_count] = value;
    line->arg_count++;
    return true;
}

/* `as NAME`: two words. Returns the item after them, NULL on error or at the end; `done` tells which. */
static bool line_take_as(struct parser *parser, const struct item *as, const struct node *node,
                         struct line *line)
{
    static const struct value_rule NAME_RULE = {.name = "a name", .type = VALUE_LABEL};
    const struct item *name = as->next;
    char expected[SCRIPT_EXPECTED_MAX];
    value_expected(expected, &NAME_RULE);
    if (line->as.set)
        return complain_word(parser, as->token.place, "one name only", "as", NULL);
    if (name == NULL)
        return complain(parser, node->end, expected, node->found_at_end);
    if (name->token.kind == TOKEN_PIPE)
        return complain(parser, name->token.place, expected, "\"|\"");
    return value_read(parser, &NAME_RULE, name->token.place, name->token.text, name->token.kind != TOKEN_WORD,
                      &line->as);
}

static bool item_is_as(const struct line_rule *rule, const struct item *item)
{
    return (rule->flags & LINE_AS) != 0 && item->token.kind == TOKEN_WORD &&
           strcmp(item->token.text, "as") == 0;
}

/* Positional words that are missing when the line (or the pipe) ends at `place`. */
static bool line_check_missing(struct parser *parser, const struct line *line, struct place place,
                               const char *found)
{
    const struct value_rule *missing = line_arg_rule(line->rule, line->arg_count);
    if (missing == NULL || missing->optional || (missing->many && line->arg_count > 0))
        return true;
    char expected[SCRIPT_EXPECTED_MAX];
    value_expected(expected, missing);
    return complain(parser, place, expected, found);
}

/* Reads items from the one after `word`; stops at a pipe. */
static bool line_check_items(struct parser *parser, const struct item *word, const struct node *node,
                             struct line *line)
{
    line->place = word->token.place;
    for (const struct item *item = word->next; item != NULL; item = item->next) {
        const struct token *token = &item->token;
        bool good = true;
        if (token->kind == TOKEN_PIPE) {
            line->pipe = item;
            return line_check_missing(parser, line, token->place, "\"|\"");
        }
        if (item_is_as(line->rule, item)) {
            good = line_take_as(parser, item, node, line);
            item = item->next;
        } else if (token->kind == TOKEN_OPTION) {
            good = line_take_option(parser, token, line);
        } else {
            good = line_take_arg(parser, token, line);
        }
        if (!good)
            return false;
    }
    return line_check_missing(parser, line, node->end, node->found_at_end);
}

bool line_check_pipe(struct parser *parser, const struct line_rule *rule, const struct item *word,
                     const struct node *node, struct line *out)
{
    *out = (struct line){.rule = rule};
    return line_check_items(parser, word, node, out);
}

bool line_check(struct parser *parser, const struct line_rule *rule, const struct node *node,
                struct line *out)
{
    *out = (struct line){.rule = rule};
    if (!line_check_items(parser, node->items, node, out))
        return false;
    if (out->pipe != NULL && (rule->flags & LINE_PIPES) == 0)
        return complain(parser, out->pipe->token.place,
                        "the end of the line (send, raw and serve on= have pipes)", "\"|\"");
    if (node->has_block && (rule->flags & LINE_BLOCK) == 0)
        return complain(parser, node->open, "the end of the line", "\"{\"");
    if (!node->has_block && (rule->flags & LINE_BLOCK) != 0)
        return complain(parser, node->end, "\"{\"", node->found_at_end);
    return true;
}
