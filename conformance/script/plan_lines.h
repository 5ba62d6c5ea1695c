/* The plan { } block: what the client under test is asked to do. Private to conformance/script. */
#ifndef CONFORMANCE_SCRIPT_PLAN_LINES_H
#define CONFORMANCE_SCRIPT_PLAN_LINES_H

#include "conformance/script/case_script.h"
#include "server/script/parser.h"

/* The block into the case; NULL: the plan of a case without one. */
bool plan_build(struct parser *parser, struct case_script *script, const struct node *block);

#endif
