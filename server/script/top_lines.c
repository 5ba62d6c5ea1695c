#include "server/script/top_lines.h"

#include "server/script/tables.h"
#include "server/script/vary.h"

enum top_word { TOP_CASE, TOP_VARY, TOP_CLIENT, TOP_SERVER, TOP_OTHER };

static const struct value_rule CASE_ARGS[] = {{.name = "the case's name", .type = VALUE_NAME},
                                              {.name = NULL}};

#define OF_A_SUITE(word)                                                                                     \
    {                                                                                                        \
        word, TOP_OTHER, LINE_SKIPPED, NULL, NULL, NULL                                                      \
    }

/* What a mock plays; the lines of a suite are here to be known, and left to it. */
const struct line_rule TOP_RULES[] = {
    {"case", TOP_CASE, LINE_ONCE | LINE_FIXED, CASE_ARGS, NULL, "the case's name, family/area/what"},
    OF_A_SUITE("title"),
    OF_A_SUITE("expect"),
    OF_A_SUITE("clause"),
    OF_A_SUITE("profiles"),
    OF_A_SUITE("config"),
    OF_A_SUITE("pictures"),
    OF_A_SUITE("tls"),
    OF_A_SUITE("memory"),
    OF_A_SUITE("needs"),
    OF_A_SUITE("limit"),
    OF_A_SUITE("set"),
    OF_A_SUITE("condition"),
    {"vary", TOP_VARY, 0, VARY_ARGS, VARY_OPTIONS,
     "$NAME is the first value: after in the words and texts of a list, or the numbers of a range. A suite "
     "plays one case for each. Up to 4 lines, whose values multiply to at most 256 cases"},
    {"client", TOP_CLIENT, LINE_SKIPPED, NULL, NULL, NULL},
    OF_A_SUITE("plan"),
    {"server", TOP_SERVER, LINE_ONCE | LINE_BLOCK, NULL, NULL, "what the mock does"},
    OF_A_SUITE("check"),
    {NULL, 0, 0, NULL, NULL, NULL}};

bool top_lines_read(struct parser *parser, const struct line_rule *rules, struct node **lines,
                    struct place *end)
{
    return text_check(parser) && tree_read(parser, lines, end) && vary_apply(parser, rules, *lines);
}

bool top_lines_build(struct parser *parser, const struct node *lines, const struct top_lines *top,
                     bool seen[TOP_LINES_MAX])
{
    for (const struct node *node = lines; node != NULL; node = node->next) {
        const struct line_rule *rule = line_find_rule(parser, top->rules, node->items, "a line of a script");
        bool good = rule != NULL;
        if (good && seen[rule->id] && (rule->flags & LINE_ONCE) != 0)
            good = complain_word(parser, node->items->token.place,
                                 "each of case, title, plan and the like once", rule->word, NULL);
        else if (good) {
            seen[rule->id] = true;
            good = top->build(parser, node, rule, top->context);
        }
        if (!good && !parser_goes_on(parser))
            return false;
    }
    return true;
}

/* ---- what a mock plays ---- */

/* The vary lines were read first of all. */
static bool top_line_build(struct parser *parser, const struct node *node, const struct line_rule *rule,
                           void *context)
{
    struct line line;
    (void)context;
    switch ((enum top_word)rule->id) {
    case TOP_CASE:
        return line_check(parser, rule, node, &line) &&
               value_copy(parser, &line.args[0], parser->script->name, sizeof parser->script->name);
    case TOP_SERVER:
        return line_check(parser, rule, node, &line) && server_build(parser, node);
    case TOP_VARY:
    case TOP_CLIENT:
    case TOP_OTHER:
        return true;
    }
    return true;
}

/* A case about a server has nothing for a mock. */
static bool server_missing(struct parser *parser, const struct node *lines, struct place end)
{
    for (const struct node *node = lines; node != NULL; node = node->next)
        if (strcmp(node->items->token.text, "client") == 0)
            return complain(parser, node->items->token.place, "a block \"server {\" that a mock can play",
                            "\"client {\": this is a case about a server, for ojin-conform server");
    return complain(parser, end, "a block \"server {\"", "the end of the file");
}

bool top_build(struct parser *parser, void *context)
{
    (void)context;
    const struct top_lines top = {.rules = TOP_RULES, .build = top_line_build};
    bool seen[TOP_LINES_MAX] = {false};
    struct node *lines = NULL;
    struct place end;
    if (!top_lines_read(parser, top.rules, &lines, &end) || !top_lines_build(parser, lines, &top, seen))
        return false;
    if (!seen[TOP_CASE])
        return complain(parser, end, "a line \"case NAME\"", "the end of the file");
    if (!vary_name(parser, lines->items->token.place))
        return false;
    return seen[TOP_SERVER] || server_missing(parser, lines, end);
}
