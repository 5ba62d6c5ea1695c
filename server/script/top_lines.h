/*
 * The lines outside the blocks. A mock's own are case, vary and server; whoever reads more of a file gives
 * its own table, in which it has these too. Private to server/script and to conformance/script.
 */
#ifndef SERVER_SCRIPT_TOP_LINES_H
#define SERVER_SCRIPT_TOP_LINES_H

#include "server/script/line.h"

enum { TOP_LINES_MAX = 32 };

/* A table of such lines, and what makes something of one of them. */
struct top_lines {
    const struct line_rule *rules; /* ids from 0, below TOP_LINES_MAX; ended by a NULL word */
    bool (*build)(struct parser *parser, const struct node *node, const struct line_rule *rule,
                  void *context);
    void *context;
};

/* Reads the whole text and puts the values of its vary lines in. `end` gets the place of the end of the file.
 */
bool top_lines_read(struct parser *parser, const struct line_rule *rules, struct node **lines,
                    struct place *end);
/* Hands each line to its row. `seen` by ids: which lines were there. */
bool top_lines_build(struct parser *parser, const struct node *lines, const struct top_lines *top,
                     bool seen[TOP_LINES_MAX]);
/* A whole file as a mock reads it, into parser->script. */
bool top_build(struct parser *parser, void *context);

#endif
