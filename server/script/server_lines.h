/* What the builders of server steps share. Private to server/script. */
#ifndef SERVER_SCRIPT_SERVER_LINES_H
#define SERVER_SCRIPT_SERVER_LINES_H

#include "server/script/line.h"

/* Keeps a name=value of the script with the step. */
bool step_add_option(struct parser *parser, struct server_step *step, const struct token *token);
/* Checks kind, options and pipes of a send step whose options are kept already. */
bool send_build(struct parser *parser, const struct node *node, const struct line *line,
                struct server_step *step);

#endif
