/* A send step of a client { } block: a table for each kind of message, the family's or what all have. */
#include <stdlib.h>

#include "conformance/script/case_tables.h"
#include "conformance/script/client_lines.h"

static const struct value_rule TEXT_ARGS[] = {{.name = "the kind of message", .type = VALUE_NAME},
                                              {.name = "the text", .type = VALUE_STRING},
                                              {.name = NULL}};
static const struct value_rule TEXT_OPTIONS[] = {CLIENT_PACE_OPTION, {.name = NULL}};
static const struct value_rule BINARY_OPTIONS[] = {
    {.name = "hex", .type = VALUE_TEXT, .needed = true, .sentence = "the bytes of the message"},
    CLIENT_PACE_OPTION,
    {.name = NULL}};
static const struct value_rule PING_OPTIONS[] = {
    {.name = "data", .type = VALUE_TEXT, .sentence = "what the ping carries"}, {.name = NULL}};

const struct line_rule CLIENT_SEND_RULES[] = {
    {"text", STEP_SEND_TEXT, 0, TEXT_ARGS, TEXT_OPTIONS, "any text message"},
    {"binary", STEP_SEND_BINARY, 0, CLIENT_KIND_ARGS, BINARY_OPTIONS, "any binary message"},
    {"ping", STEP_SEND_PING, 0, CLIENT_KIND_ARGS, PING_OPTIONS, "a ping"},
    {NULL, 0, 0, NULL, NULL, NULL}};

/* ---- options ---- */

static size_t option_count(const struct line_rule *rule)
{
    size_t count = 0;
    while (rule->options != NULL && rule->options[count].name != NULL)
        count++;
    return count;
}

bool client_options_take(struct parser *parser, const struct line *line, struct client_step *step)
{
    const size_t count = option_count(line->rule);
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += line->options[i].set ? strlen(line->options[i].text) + 1 : 0;
    step->rule = line->rule;
    step->options = calloc(1, count * sizeof *step->options + bytes + 1);
    if (step->options == NULL)
        return complain_memory(parser);
    char *texts = (char *)(step->options + count);
    for (size_t i = 0; i < count; i++) {
        const struct value *value = &line->options[i];
        if (!value->set)
            continue;
        const size_t size = strlen(value->text) + 1;
        memcpy(texts, value->text, size);
        step->options[i] = (struct client_value){
            .set = true, .is_string = value->is_string, .number = value->number, .text = texts};
        texts += size;
    }
    return true;
}

static const struct value *option(const struct line *line, const char *name)
{
    static const struct value NONE = {.set = false, .text = ""};
    int index = line_option_index(line->rule, name);
    return index < 0 ? &NONE : &line->options[index];
}

/* ---- what the tables do not say ---- */

static bool hex_is_good(const char *text)
{
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    return text[digits] == '\0' && digits % 2 == 0;
}

static bool needed_check(struct parser *parser, const struct node *node, const struct line *line)
{
    for (size_t i = 0; i < option_count(line->rule); i++) {
        const struct value_rule *rule = &line->rule->options[i];
        if (!rule->needed || line->options[i].set)
            continue;
        char expected[SCRIPT_EXPECTED_MAX];
        struct text text = text_of(expected, sizeof expected);
        text_add(&text, rule->name);
        text_add(&text, rule->type == VALUE_STRING ? "=\"…\"" : "=…");
        text_add(&text, " in a send ");
        text_add(&text, line->rule->word);
        text_add(&text, " step");
        return complain(parser, node->end, expected, node->found_at_end);
    }
    return true;
}

static bool common_check(struct parser *parser, const struct line *line, const struct client_step *step)
{
    enum { CONTROL_BYTES_MAX = 125 };
    const struct value *hex = option(line, "hex");
    const struct value *data = option(line, "data");
    if (step->send == STEP_SEND_BINARY && !hex_is_good(hex->text))
        return complain_word(parser, hex->place, "an even number of hex digits", hex->text, NULL);
    if (step->send == STEP_SEND_PING && data->set && strlen(data->text) > CONTROL_BYTES_MAX)
        return complain_word(parser, data->place, "at most 125 bytes", data->text, NULL);
    return true;
}

/* ---- a step ---- */

/* The row of the family's table, or else of the common one. */
static const struct line_rule *send_rule(struct parser *parser, const struct client_side *side,
                                         const struct item *kind)
{
    enum { KINDS_MAX = 24 };
    struct line_rule rules[KINDS_MAX] = {{NULL, 0, 0, NULL, NULL, NULL}};
    const struct line_rule *tables[] = {side->sends, CLIENT_SEND_RULES};
    size_t count = 0;
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; tables[t][i].word != NULL; i++) {
            if (strcmp(tables[t][i].word, kind->token.text) == 0)
                return &tables[t][i];
            if (count + 1 < KINDS_MAX)
                rules[count++] = tables[t][i];
        }
    }
    return line_find_rule(parser, rules, kind, "a kind of message"); /* it says what there is */
}

bool client_send_build(struct parser *parser, const struct client_side *side, const struct node *node,
                       struct client_step *step)
{
    static const struct value_rule KIND = {.name = "the kind of message", .type = VALUE_NAME};
    const struct item *kind = node->items->next;
    char expected[SCRIPT_EXPECTED_MAX];
    struct line line;
    if (kind == NULL || kind->token.kind != TOKEN_WORD) {
        value_expected(expected, &KIND);
        return complain(parser, kind == NULL ? node->end : kind->token.place, expected,
                        kind == NULL ? node->found_at_end : "something else");
    }
    const struct line_rule *rule = send_rule(parser, side, kind);
    if (rule == NULL || !line_check(parser, rule, node, &line) || !needed_check(parser, node, &line))
        return false;
    step->send = rule->id;
    step->unpaced = option(&line, "pace")->set;
    step->every_us = option(&line, "every")->number;
    if (step->send == STEP_SEND_TEXT && !value_copy(parser, &line.args[1], step->text, sizeof step->text))
        return false;
    return common_check(parser, &line, step) && client_options_take(parser, &line, step);
}
