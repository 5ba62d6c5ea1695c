/* The tables of the language, for who prints the reference. Each is ended by a NULL name. Private to
 * server/script. */
#ifndef SERVER_SCRIPT_TABLES_H
#define SERVER_SCRIPT_TABLES_H

#include "server/script/line.h"

extern const struct line_rule SERVER_RULES[];
extern const struct line_rule BRANCH_RULES[]; /* one row */
extern const struct condition_rule SERVE_CONDITIONS[];
extern const struct line_rule PIPE_RULES[];
extern const struct line_rule CLIENT_RULES[];
extern const struct line_rule CLIENT_SEND_RULES[]; /* by kind, which is their first word too */
extern const struct line_rule PLAN_RULES[];
extern const struct condition_rule PLAN_CONDITIONS[];
extern const struct line_rule TOP_RULES[];
extern const struct line_rule CHECK_RULES[]; /* one row */
extern const struct value_rule FILTER_RULES[];
extern const struct value_rule EXPECT_RULES[]; /* the words of a check, with their sentences */

#endif
