/* The vary lines: their values, and $NAME in the tree. */
#include "server/script/vary.h"

#include <stdlib.h>

enum { ARG_NAME, ARG_IN, ARG_VALUES };
enum { OPTION_FROM, OPTION_TO, OPTION_STEP };

static const char *const IN[] = {"in", NULL};

const struct value_rule VARY_ARGS[] = {
    {.name = "a name", .type = VALUE_LABEL},
    {.name = "in", .type = VALUE_CHOICE, .choices = IN, .optional = true},
    {.name = "a value", .type = VALUE_TEXT, .optional = true, .many = true},
    {.name = NULL}};
const struct value_rule VARY_OPTIONS[] = {
    {.name = "from",
     .type = VALUE_COUNT,
     .max = UINT32_MAX,
     .sentence = "in place of a list: from this number"},
    {.name = "to", .type = VALUE_COUNT, .max = UINT32_MAX, .sentence = "up to this one"},
    {.name = "step",
     .type = VALUE_COUNT,
     .min = 1,
     .max = UINT32_MAX,
     .sentence = "step from one value to the next; default 1"},
    {.name = NULL}};

static const struct line_rule VARY_RULE = {"vary", 0, 0, VARY_ARGS, VARY_OPTIONS, NULL};

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static bool node_is(const struct node *node, const char *word)
{
    return strcmp(node->items->token.text, word) == 0;
}

/* ---- the lines ---- */

/* What stands for a value in the case's name: bytes that need no quoting in a file's name. */
static void label_add(struct text *text, const char *value)
{
    for (; *value != '\0'; value++)
        text_add_char(text, is_name_byte(*value) || *value == '.' || *value == '+' ? *value
                            : *value == ','                                        ? '+'
                                                                                   : '-');
}

static bool labels_differ(struct parser *parser, const struct vary *vary, struct place place)
{
    const size_t last = vary->count - 1;
    char own[SCRIPT_NAME_MAX], other[SCRIPT_NAME_MAX];
    struct text own_text = text_of(own, sizeof own);
    label_add(&own_text, vary->values[last].text);
    for (size_t i = 0; i < last; i++) {
        struct text text = text_of(other, sizeof other);
        label_add(&text, vary->values[i].text);
        if (strcmp(own, other) == 0)
            return complain_word(parser, place, "values that differ in letters and digits",
                                 vary->values[last].text, NULL);
    }
    return true;
}

static bool vary_add(struct parser *parser, struct vary *vary, struct place place, const char *text,
                     bool is_string)
{
    if (text[0] == '\0' || strchr(text, '$') != NULL)
        return complain_word(parser, place, "a value without \"$\" that is not empty", text, NULL);
    if (vary->count == SCRIPT_VARIANTS_MAX)
        return complain_word(parser, place, "at most 256 variants", text, NULL);
    vary->values[vary->count++] = (struct vary_value){.text = text, .is_string = is_string};
    return labels_differ(parser, vary, place);
}

static bool vary_list(struct parser *parser, const struct node *node, struct vary *vary)
{
    size_t position = 0;
    for (const struct item *item = node->items->next; item != NULL; item = item->next)
        if (item->token.kind != TOKEN_OPTION && position++ >= ARG_VALUES &&
            !vary_add(parser, vary, item->token.place, item->token.text, item->token.kind == TOKEN_STRING))
            return false;
    return vary->count > 0 || complain(parser, node->end, "a value", node->found_at_end);
}

static bool vary_range(struct parser *parser, const struct node *node, const struct line *line,
                       struct vary *vary)
{
    const struct value *from = &line->options[OPTION_FROM];
    const struct value *to = &line->options[OPTION_TO];
    const uint64_t step = line->options[OPTION_STEP].set ? line->options[OPTION_STEP].number : 1;
    if (!from->set || !to->set)
        return complain(parser, node->end, "in and values, or from= and to=", node->found_at_end);
    if (to->number < from->number)
        return complain_word(parser, to->place, "to= not below from=", to->text, NULL);
    if ((to->number - from->number) / step >= SCRIPT_VARIANTS_MAX)
        return complain_word(parser, to->place, "at most 256 variants", to->text, NULL);
    for (uint64_t number = from->number; number <= to->number; number += step) {
        char digits[24];
        struct text text = text_of(digits, sizeof digits);
        text_add_u64(&text, number);
        char *copy = arena_take(&parser->arena, text.len + 1);
        if (copy == NULL)
            return complain_memory(parser);
        memcpy(copy, digits, text.len);
        vary->values[vary->count++] = (struct vary_value){.text = copy};
    }
    return true;
}

static bool vary_read(struct parser *parser, const struct node *node, struct vary *vary)
{
    struct line line;
    if (!line_check(parser, &VARY_RULE, node, &line))
        return false;
    const struct value *name = &line.args[ARG_NAME];
    for (const struct vary *other = parser->varies; other != vary; other++)
        if (strcmp(other->name, name->text) == 0)
            return complain_word(parser, name->place, "a name that no other vary has", name->text, NULL);
    vary->name = name->text;
    vary->line = node->items->token.place.line;
    vary->values = arena_take(&parser->arena, SCRIPT_VARIANTS_MAX * sizeof *vary->values);
    if (vary->values == NULL)
        return complain_memory(parser);
    const bool list = line.arg_count > 1;
    for (size_t i = 0; list && i <= OPTION_STEP; i++)
        if (line.options[i].set)
            return complain_word(parser, line.options[i].place,
                                 "in and values, or from= and to=", line.options[i].text, NULL);
    return list ? vary_list(parser, node, vary) : vary_range(parser, node, &line, vary);
}

bool varies_read(struct parser *parser, const struct node *lines)
{
    size_t total = 1;
    for (const struct node *node = lines; node != NULL; node = node->next) {
        if (!node_is(node, "vary"))
            continue;
        if (parser->vary_count == SCRIPT_VARIES_MAX)
            return complain(parser, node->items->token.place, "at most 4 vary lines", "one more");
        struct vary *vary = &parser->varies[parser->vary_count];
        if (!vary_read(parser, node, vary)) {
            /* What $NAME would have been is not known: the rest cannot be read. */
            return false;
        }
        parser->vary_count++;
        total *= vary->count;
        if (total > SCRIPT_VARIANTS_MAX)
            return complain(parser, node->items->token.place,
                            "at most 256 variants of all vary lines together", "more");
    }
    parser->variant_count = total;
    return true;
}

/* ---- $NAME in the tree ---- */

/* The vary that the reference after a "$" at `at` means; NULL: none, it is a counter's or a capture's. */
static const struct vary *vary_meant(const struct parser *parser, const char *at, size_t *len)
{
    *len = 0;
    while (is_name_byte(at[*len]))
        (*len)++;
    for (size_t i = 0; i < parser->vary_count; i++)
        if (strlen(parser->varies[i].name) == *len && memcmp(parser->varies[i].name, at, *len) == 0)
            return &parser->varies[i];
    return NULL;
}

/* "$$" stays for who reads the value. NULL: no reference of a vary in it. */
static const char *reference_find(const struct parser *parser, const char *text, const struct vary **vary,
                                  size_t *len)
{
    for (const char *at = strchr(text, '$'); at != NULL; at = strchr(at, '$')) {
        at++;
        if (*at == '$')
            at++;
        else if ((*vary = vary_meant(parser, at, len)) != NULL)
            return at - 1;
    }
    return NULL;
}

static bool text_fill(struct parser *parser, struct place place, size_t size_max, const char **text,
                      bool *is_string)
{
    const struct vary *vary;
    size_t len;
    const char *from = *text;
    const char *at = reference_find(parser, from, &vary, &len);
    if (at == NULL)
        return true;
    if (at == from && from[1 + len] == '\0')
        *is_string = *is_string || vary->values[0].is_string;
    char *filled = arena_take(&parser->arena, size_max);
    if (filled == NULL)
        return complain_memory(parser);
    struct text out = text_of(filled, size_max);
    for (; at != NULL; at = reference_find(parser, from, &vary, &len)) {
        text_add_bytes(&out, bytes_of(from, (size_t)(at - from)));
        text_add(&out, vary->values[0].text);
        from = at + 1 + len;
    }
    text_add(&out, from);
    if (out.cut)
        return complain_word(parser, place, "a shorter text, its $NAME filled in", *text, NULL);
    *text = filled;
    return true;
}

static bool item_fill(struct parser *parser, struct item *item)
{
    struct token *token = &item->token;
    bool is_string = token->kind == TOKEN_STRING;
    switch (token->kind) {
    case TOKEN_OPTION:
        return text_fill(parser, token->value_place,
                         token->value_is_string ? SCRIPT_STRING_MAX + 1 : SCRIPT_TEXT_MAX, &token->value,
                         &token->value_is_string);
    case TOKEN_WORD:
    case TOKEN_STRING:
        if (!text_fill(parser, token->place, is_string ? SCRIPT_STRING_MAX + 1 : SCRIPT_TEXT_MAX,
                       &token->text, &is_string))
            return false;
        token->kind = is_string ? TOKEN_STRING : TOKEN_WORD;
        return true;
    case TOKEN_PIPE:
    case TOKEN_OPEN:
    case TOKEN_CLOSE:
    case TOKEN_NEWLINE:
    case TOKEN_END:
        return true;
    }
    return true;
}

/* `as NAME`, `as=NAME` and `mark NAME`: $NAME can mean but one thing. */
static bool item_redefines(const struct parser *parser, const struct item *before, const struct item *item,
                           const char **name)
{
    const struct token *token = &item->token;
    size_t len;
    if (token->kind == TOKEN_OPTION && strcmp(token->text, "as") == 0)
        *name = token->value;
    else if (token->kind == TOKEN_WORD && before->token.kind == TOKEN_WORD &&
             strcmp(before->token.text, "as") == 0)
        *name = token->text;
    else
        return false;
    return vary_meant(parser, *name, &len) != NULL && (*name)[len] == '\0';
}

static bool node_fill(struct parser *parser, const struct node *node)
{
    for (struct item *before = node->items, *item = before->next; item != NULL;
         before = item, item = item->next) {
        const char *name;
        if (item_redefines(parser, before, item, &name))
            return complain_word(parser, item->token.place, "a name that no vary has", name, NULL);
        if (!item_fill(parser, item))
            return false;
    }
    return true;
}

/* As deep as the tree: SCRIPT_DEPTH_MAX. */
static bool nodes_fill(struct parser *parser, const struct node *lines)
{
    for (const struct node *node = lines; node != NULL; node = node->next)
        if ((!node_fill(parser, node) && !parser_goes_on(parser)) || !nodes_fill(parser, node->children))
            return false;
    return true;
}

/* A case is the same requirement under the same conditions, whatever its values are. */
static bool node_stays(struct parser *parser, const struct node *node)
{
    const struct vary *vary;
    size_t len;
    for (const struct item *item = node->items->next; item != NULL; item = item->next)
        if (item->token.kind != TOKEN_PIPE && reference_find(parser, item->token.text, &vary, &len) != NULL)
            return complain_word(
                parser, item->token.place,
                "no $NAME of a vary here (title, expect, limit, config, blocks and checks may "
                "hold it)",
                item->token.text, NULL);
    return true;
}

/* NULL: none has that word, which is told elsewhere. */
static const struct line_rule *rule_of(const struct line_rule *rules, const struct node *node)
{
    for (; rules->word != NULL; rules++)
        if (node_is(node, rules->word))
            return rules;
    return NULL;
}

bool vary_apply(struct parser *parser, const struct line_rule *rules, struct node *lines)
{
    if (!varies_read(parser, lines))
        return false;
    for (struct node *node = lines; node != NULL && parser->vary_count > 0; node = node->next) {
        const struct line_rule *rule = rule_of(rules, node);
        const unsigned flags = rule == NULL ? 0 : rule->flags;
        bool good = true;
        if ((flags & LINE_SKIPPED) != 0)
            continue;
        if ((flags & LINE_FIXED) != 0)
            good = node_stays(parser, node);
        else if (!node_is(node, "vary"))
            good = node_fill(parser, node);
        if ((!good && !parser_goes_on(parser)) || !nodes_fill(parser, node->children))
            return false;
    }
    return true;
}

bool vary_name(struct parser *parser, struct place place)
{
    struct script *script = parser->script;
    char name[SCRIPT_NAME_MAX];
    struct text text = text_of(name, sizeof name);
    text_add(&text, script->name);
    for (size_t i = 0; i < parser->vary_count; i++) {
        text_add(&text, i == 0 ? "[" : ",");
        label_add(&text, parser->varies[i].values[0].text);
    }
    text_add(&text, parser->vary_count > 0 ? "]" : "");
    if (text.cut)
        return complain_word(parser, place, "at most 63 bytes of name and values", name, NULL);
    memcpy(script->name, name, sizeof name);
    return true;
}
