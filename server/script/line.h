/*
 * A line of the tree against its row of a table: which positional words and options it takes, whether it may
 * have a name, pipes and a block. Private to server/script and to
 * conformance/script.
 */
#ifndef SERVER_SCRIPT_LINE_H
#define SERVER_SCRIPT_LINE_H

#include "server/script/value.h"

struct line {
    const struct line_rule *rule;
    struct place place;
    struct value args[LINE_ARGS_MAX];
    size_t arg_count;
    struct value options[LINE_OPTIONS_MAX]; /* by the index of the rule's table */
    struct value as;
    const struct item *pipe; /* the first "|"; NULL: none */
};

/* The row for a line's word in a table that ends with a NULL word. `place_name` says where, for the error:
 * "a server step". */
const struct line_rule *line_find_rule(struct parser *parser, const struct line_rule *rules,
                                       const struct item *word, const char *place_name);
/* Checks a line of the tree. */
bool line_check(struct parser *parser, const struct line_rule *rule, const struct node *node,
                struct line *out);
/* Checks the items from `word` up to the next pipe or the end of the line: one pipe of a step. */
bool line_check_pipe(struct parser *parser, const struct line_rule *rule, const struct item *word,
                     const struct node *node, struct line *out);
/* Index of an option in the rule's table; -1. */
int line_option_index(const struct line_rule *rule, const char *name);
/* Copies a value's text into a field of `size` bytes; an error when it is too long. */
bool value_copy(struct parser *parser, const struct value *value, char *out, size_t size);
/* Keeps a text beyond the parse, in parser->kept. */
bool text_keep(struct parser *parser, const char *text, const char **out);
/* The same of a value's text; an error when it does not fit into `size` bytes. */
bool value_keep(struct parser *parser, const struct value *value, size_t size, const char **out);

#endif
