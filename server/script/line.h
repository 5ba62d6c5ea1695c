/*
 * A line of the tree against its row of a table: which positional words and options it takes, whether it may
 * have a name, pipes and a block. Private to server/script.
 */
#ifndef SERVER_SCRIPT_LINE_H
#define SERVER_SCRIPT_LINE_H

#include "server/script/value.h"

enum { LINE_ARGS_MAX = 5, LINE_OPTIONS_MAX = 12 };

enum line_flag {
    LINE_AS = 1,           /* may end in `as NAME` */
    LINE_PIPES = 2,        /* may have pipes */
    LINE_BLOCK = 4,        /* must have a block */
    LINE_ONCE = 8,         /* comes at most once in its block */
    LINE_OPEN_OPTIONS = 16 /* takes options beyond its table; the builder checks them */
};

struct line_rule {
    const char *word;
    int id;
    unsigned flags;
    const struct value_rule *args;    /* ended by a NULL name; NULL: none */
    const struct value_rule *options; /* the same */
    const char *sentence;             /* what it means, for the reference */
};

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

#endif
