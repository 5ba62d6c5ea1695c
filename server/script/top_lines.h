/* The lines outside the blocks. Private to server/script. */
#ifndef SERVER_SCRIPT_TOP_LINES_H
#define SERVER_SCRIPT_TOP_LINES_H

#include "server/script/line.h"

/* The whole tree into parser->script. `end` is the place of the end of the file. */
bool top_build(struct parser *parser, const struct node *lines, struct place end);

#endif
