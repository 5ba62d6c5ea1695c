/* What the builders of client steps share. Private to conformance/script. */
#ifndef CONFORMANCE_SCRIPT_CLIENT_LINES_H
#define CONFORMANCE_SCRIPT_CLIENT_LINES_H

#include "conformance/script/case_script.h"
#include "conformance/script/client_side.h"
#include "server/script/line.h"

/* The client block into the case. */
bool client_build(struct parser *parser, struct case_script *script, const struct node *block);
/* A send step: its kind, and the options that this kind takes. */
bool client_send_build(struct parser *parser, const struct client_side *side, const struct node *node,
                       struct client_step *step);
/* The options of the line, kept with the step; those that must be there are looked for by the caller. */
bool client_options_take(struct parser *parser, const struct line *line, struct client_step *step);
/* As deep as blocks can be: SCRIPT_DEPTH_MAX. */
void client_steps_free(struct client_step *steps, size_t count);

#endif
