/* The tables of the language, for who prints the reference. Each is ended by a NULL name. Private to
 * server/script. */
#ifndef SERVER_SCRIPT_TABLES_H
#define SERVER_SCRIPT_TABLES_H

#include "server/script/line.h"

extern const struct line_rule TOP_RULES[];
extern const struct line_rule SERVER_RULES[];
extern const struct line_rule BRANCH_RULES[]; /* one row */
extern const struct condition_rule SERVE_CONDITIONS[];
extern const struct line_rule PIPE_RULES[];

#endif
