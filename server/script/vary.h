/*
 * vary: one case per value. Each parse is of one variant: the first value of every vary line holds, and
 * $NAME is replaced by it in the tree before anything else reads it. Private to server/script and to
 * conformance/script.
 */
#ifndef SERVER_SCRIPT_VARY_H
#define SERVER_SCRIPT_VARY_H

#include "server/script/line.h"

extern const struct value_rule VARY_ARGS[];
extern const struct value_rule VARY_OPTIONS[];

/* Reads the vary lines among `lines`. */
bool varies_read(struct parser *parser, const struct node *lines);
/* Reads them, and puts their first values into the other lines, as their rows have it (LINE_FIXED,
 * LINE_SKIPPED). */
bool vary_apply(struct parser *parser, const struct line_rule *rules, struct node *lines);
/* Appends "[value,value]" to the script's name, when there are vary lines. */
bool vary_name(struct parser *parser, struct place place);

#endif
