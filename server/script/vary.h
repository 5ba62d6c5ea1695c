/*
 * vary: one case per value. Each parse is of one variant: the first value of every vary line holds, and
 * $NAME is replaced by it in the tree before anything else reads it. Private to server/script.
 */
#ifndef SERVER_SCRIPT_VARY_H
#define SERVER_SCRIPT_VARY_H

#include "server/script/line.h"

extern const struct value_rule VARY_ARGS[];
extern const struct value_rule VARY_OPTIONS[];

/* Reads the vary lines among `lines`, and puts their first values into all others. */
bool vary_apply(struct parser *parser, struct node *lines);
/* Appends "[value,value]" to the script's name, when there are vary lines. */
bool vary_name(struct parser *parser, struct place place);

#endif
