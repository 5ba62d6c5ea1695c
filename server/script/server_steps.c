/* The server { } block: its tree of lines to a tree of steps. */
#include <stdlib.h>

#include "server/script/server_lines.h"
#include "server/script/tables.h"

static bool step_takes_connection(enum server_step_kind kind)
{
    return kind == STEP_ACCEPT || kind == STEP_REFUSE || kind == STEP_IGNORE;
}

static bool step_build(struct parser *parser, const struct node *node, bool branches,
                       struct server_step *step)
{
    const struct line_rule *rule = line_find_rule(parser, branches ? BRANCH_RULES : SERVER_RULES, node->items,
                                                  branches ? "a branch of the alt" : "a server step");
    struct line line;
    if (rule == NULL || !line_check(parser, rule, node, &line))
        return false;
    step->kind = (enum server_step_kind)rule->id;
    const bool other_connection = step_takes_connection(step->kind) || step->kind == STEP_ASIDE;
    if ((parser->injected || parser->aside) && other_connection)
        return complain_word(parser, line.place, "a step for a connection that is open", rule->word, NULL);
    step->line = line.place.line;
    if (!step_build_kind(parser, node, &line, step))
        return false;
    if (step->kind == STEP_REPEAT || !line.as.set)
        return true;
    return value_copy(parser, &line.as, step->as, sizeof step->as) &&
           step_define_name(parser, &line.as, false);
}

/* The names of a step that was no good, so that who uses them is not told of a name that is there. */
static void names_keep(struct parser *parser, const struct node *node)
{
    const struct item *before = node->items;
    for (const struct item *item = before->next; item != NULL; before = item, item = item->next) {
        const bool mark = before == node->items && strcmp(before->token.text, "mark") == 0;
        if (before->token.kind != TOKEN_WORD || item->token.kind != TOKEN_WORD ||
            (!mark && strcmp(before->token.text, "as") != 0) || parser->name_count == SCRIPT_CAPTURES_MAX ||
            name_is_defined(parser, bytes_of_text(item->token.text), mark))
            continue;
        struct defined_name *name = &parser->names[parser->name_count++];
        struct text text = text_of(name->name, sizeof name->name);
        name->is_mark = mark;
        text_add(&text, item->token.text);
    }
}

static bool steps_build(struct parser *parser, const struct node *lines, bool branches,
                        struct server_step **steps, size_t *count);

/* In the block of an aside, which runs while the script goes on, counters around it have no value. */
static bool block_build(struct parser *parser, const struct node *node, struct server_step *step)
{
    const size_t counter_count = parser->counter_count;
    const bool aside = parser->aside;
    parser->aside = aside || step->kind == STEP_ASIDE;
    if (step->kind == STEP_ASIDE)
        parser->counter_count = 0;
    parser->counters[parser->counter_count++] = step;
    const bool built =
        steps_build(parser, node->children, step->kind == STEP_ALT, &step->children, &step->child_count);
    parser->counter_count = counter_count;
    parser->aside = aside;
    return built;
}

/* Lines to steps. Recursion goes as deep as the tree: SCRIPT_DEPTH_MAX. */
static bool steps_build(struct parser *parser, const struct node *lines, bool branches,
                        struct server_step **steps, size_t *count)
{
    size_t total = 0;
    for (const struct node *node = lines; node != NULL; node = node->next) {
        if (++parser->step_count > SCRIPT_STEPS_MAX)
            return complain(parser, node->items->token.place, "at most 1024 steps", "one more");
        total++;
    }
    if (total == 0)
        return true;
    *steps = calloc(total, sizeof **steps);
    if (*steps == NULL)
        return complain_memory(parser);
    for (const struct node *node = lines; node != NULL; node = node->next) {
        struct server_step *step = &(*steps)[(*count)++];
        if (branches && *count > SCRIPT_BRANCHES_MAX)
            return complain(parser, node->items->token.place, "at most 8 branches of an alt", "one more");
        if (!step_build(parser, node, branches, step)) {
            names_keep(parser, node);
            if (!parser_goes_on(parser))
                return false;
            continue;
        }
        if (!node->has_block)
            continue;
        if (!block_build(parser, node, step))
            return false;
    }
    return true;
}

/* What needs a connection may not come before the first step that takes one. */
static bool steps_begin_well(struct parser *parser, const struct node *lines, bool *begun)
{
    static const char *const BEGINNINGS[] = {"accept", "refuse", "ignore", NULL};
    static const char *const BEFORE[] = {"mark", "wait", "quirk", NULL};
    for (const struct node *node = lines; node != NULL && !*begun; node = node->next) {
        const char *word = node->items->token.text;
        if (strcmp(word, "alt") == 0 || strcmp(word, "aside") == 0)
            return complain_word(parser, node->items->token.place,
                                 "accept, refuse or ignore before this step", word, NULL);
        if (choices_hold(BEGINNINGS, word))
            *begun = true;
        else if (node->has_block && !steps_begin_well(parser, node->children, begun))
            return false;
        else if (!node->has_block && !choices_hold(BEFORE, word))
            return complain_word(parser, node->items->token.place,
                                 "accept, refuse or ignore before this step", word, NULL);
    }
    return true;
}

bool server_build(struct parser *parser, const struct node *block)
{
    bool begun = false;
    if (block->children == NULL)
        return complain(parser, block->open, "steps between \"{\" and \"}\"", "none");
    return steps_build(parser, block->children, false, &parser->script->steps, &parser->script->step_count) &&
           (parser_has_told(parser) || steps_begin_well(parser, block->children, &begun));
}

bool server_build_lines(struct parser *parser, const struct node *lines, struct place end)
{
    bool begun = parser->injected;
    if (lines == NULL)
        return complain(parser, end, "a step", "the end of the text");
    return steps_build(parser, lines, false, &parser->script->steps, &parser->script->step_count) &&
           steps_begin_well(parser, lines, &begun);
}
