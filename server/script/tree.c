/* Tokens to lines and blocks. Where all errors are wanted, a line that cannot be read is left out; with a
 * brace too many or too few the rest would be guesswork, and nothing more is said. No recursion: the open
 * blocks stand on a stack of SCRIPT_DEPTH_MAX. */
#include "server/script/parser.h"

struct tree {
    struct node **tails[SCRIPT_DEPTH_MAX + 1]; /* where the next line of each open block goes */
    struct node *openers[SCRIPT_DEPTH_MAX + 1];
    size_t depth;
    struct node *line; /* the one being read; NULL between lines */
    struct item **item_tail;
    bool after_block; /* a "}" came: nothing more may stand in its line */
};

static const char *token_found(const struct token *token)
{
    switch (token->kind) {
    case TOKEN_PIPE:
        return "\"|\"";
    case TOKEN_OPEN:
        return "\"{\"";
    case TOKEN_CLOSE:
        return "\"}\"";
    case TOKEN_NEWLINE:
        return "the end of the line";
    case TOKEN_END:
        return "the end of the file";
    case TOKEN_STRING:
        return "a string";
    case TOKEN_WORD:
    case TOKEN_OPTION:
        return NULL;
    }
    return NULL;
}

static bool tree_complain(struct parser *parser, const struct token *token, const char *expected)
{
    const char *found = token_found(token);
    if (found != NULL)
        return complain(parser, token->place, expected, found);
    return complain_word(parser, token->place, expected, token->text, NULL);
}

static bool tree_add_item(struct parser *parser, struct tree *tree, const struct token *token)
{
    if (tree->after_block)
        return tree_complain(parser, token, "the end of the line after \"}\"");
    if (tree->line == NULL) {
        if (token->kind != TOKEN_WORD)
            return tree_complain(parser, token, "a word at the beginning of the line");
        struct node *line = arena_take(&parser->arena, sizeof *line);
        if (line == NULL)
            return complain_memory(parser);
        *tree->tails[tree->depth] = line;
        tree->tails[tree->depth] = &line->next;
        tree->line = line;
        tree->item_tail = &line->items;
    }
    struct item *item = arena_take(&parser->arena, sizeof *item);
    if (item == NULL)
        return complain_memory(parser);
    item->token = *token;
    *tree->item_tail = item;
    tree->item_tail = &item->next;
    return true;
}

static void tree_end_line(struct tree *tree, const struct token *token)
{
    if (tree->line != NULL) {
        tree->line->end = token->place;
        tree->line->found_at_end = token_found(token);
    }
    tree->line = NULL;
}

static bool tree_open(struct parser *parser, struct tree *tree, const struct token *token)
{
    struct node *line = tree->line;
    if (line == NULL)
        return tree_complain(parser, token, "a word at the beginning of the line");
    if (tree->depth == SCRIPT_DEPTH_MAX)
        return complain(parser, token->place, "at most 8 blocks inside each other", "one more");
    line->has_block = true;
    line->open = token->place;
    tree_end_line(tree, token);
    tree->depth++;
    tree->openers[tree->depth] = line;
    tree->tails[tree->depth] = &line->children;
    return true;
}

static bool tree_close(struct parser *parser, struct tree *tree, const struct token *token)
{
    if (tree->depth == 0)
        return complain(parser, token->place, "a word at the beginning of the line", "\"}\" without \"{\"");
    tree_end_line(tree, token);
    tree->depth--;
    tree->after_block = true;
    return true;
}

static bool tree_end(struct parser *parser, struct tree *tree, const struct token *token)
{
    tree_end_line(tree, token);
    if (tree->depth == 0)
        return true;
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, "\"}\" for the \"{\" in line ");
    text_add_u64(&text, tree->openers[tree->depth]->open.line);
    return complain(parser, token->place, expected, "the end of the file");
}

static bool tree_take(struct parser *parser, struct tree *tree, const struct token *token)
{
    switch (token->kind) {
    case TOKEN_WORD:
    case TOKEN_STRING:
    case TOKEN_OPTION:
    case TOKEN_PIPE:
        return tree_add_item(parser, tree, token);
    case TOKEN_OPEN:
        if (tree->after_block)
            return tree_complain(parser, token, "the end of the line after \"}\"");
        return tree_open(parser, tree, token);
    case TOKEN_CLOSE:
        return tree_close(parser, tree, token);
    case TOKEN_NEWLINE:
        tree_end_line(tree, token);
        tree->after_block = false;
        return true;
    case TOKEN_END:
        return tree_end(parser, tree, token);
    }
    return false;
}

/* To the end of the line in hand. Does it open a block? */
static bool line_skip(struct parser *parser)
{
    uint8_t last = 0;
    bool comment = false;
    for (; parser->offset < parser->text.len && parser->text.data[parser->offset] != '\n'; parser->offset++) {
        const uint8_t byte = parser->text.data[parser->offset];
        comment = comment || byte == '#';
        if (!comment && byte != ' ' && byte != '\t' && byte != '\r')
            last = byte;
        parser->place.column++;
    }
    return last == '{';
}

/* The line in hand is marked, so that it is left out, with its block. */
static bool tree_recover(struct parser *parser, struct tree *tree)
{
    struct node *line = tree->line != NULL ? tree->line : arena_take(&parser->arena, sizeof *line);
    if (line == NULL)
        return complain_memory(parser);
    if (tree->line == NULL) {
        *tree->tails[tree->depth] = line;
        tree->tails[tree->depth] = &line->next;
    }
    line->broken = true;
    parser->broken = true;
    tree->line = NULL;
    if (!line_skip(parser) || tree->depth == SCRIPT_DEPTH_MAX)
        return true;
    tree->openers[++tree->depth] = line;
    tree->tails[tree->depth] = &line->children;
    return true;
}

/* As deep as the tree: SCRIPT_DEPTH_MAX. */
static void broken_drop(struct node **lines)
{
    while (*lines != NULL) {
        if ((*lines)->broken) {
            *lines = (*lines)->next;
            continue;
        }
        broken_drop(&(*lines)->children);
        lines = &(*lines)->next;
    }
}

bool tree_read(struct parser *parser, struct node **lines, struct place *end)
{
    struct tree tree = {.tails = {lines}};
    struct token token = {.kind = TOKEN_NEWLINE};
    *lines = NULL;
    do {
        const bool read = lexer_next(parser, &token);
        if (read && tree_take(parser, &tree, &token))
            continue;
        if (read && (token.kind == TOKEN_OPEN || token.kind == TOKEN_CLOSE || token.kind == TOKEN_END))
            return false;
        if (!parser_goes_on(parser) || !tree_recover(parser, &tree))
            return false;
        token.kind = TOKEN_NEWLINE;
    } while (token.kind != TOKEN_END);
    if (parser->broken)
        broken_drop(lines);
    *end = token.place;
    return true;
}
