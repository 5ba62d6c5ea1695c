/* The lines outside the blocks of a case, and the order of it all. Private to conformance/script. */
#ifndef CONFORMANCE_SCRIPT_CASE_LINES_H
#define CONFORMANCE_SCRIPT_CASE_LINES_H

#include "conformance/script/case_script.h"
#include "server/script/top_lines.h"

/* The whole text into a struct case_script, `context`, whose played script is the parser's. For parser_run.
 */
bool case_build(struct parser *parser, void *context);

#endif
