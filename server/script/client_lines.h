/* What the builders of client steps share. Private to server/script. */
#ifndef SERVER_SCRIPT_CLIENT_LINES_H
#define SERVER_SCRIPT_CLIENT_LINES_H

#include "server/script/client_side.h"
#include "server/script/line.h"

/* The client block into parser->script. */
bool client_build(struct parser *parser, const struct node *block);
/* A send step: its kind, and the options that this kind takes. */
bool client_send_build(struct parser *parser, const struct node *node, struct client_step *step);
/* The options of the line, kept with the step; those that must be there are looked for by the caller. */
bool client_options_take(struct parser *parser, const struct line *line, struct client_step *step);
/* As deep as blocks can be: SCRIPT_DEPTH_MAX. */
void client_steps_free(struct client_step *steps, size_t count);

#endif
