/* The tables of a suite's lines, for who prints the reference. Each is ended by a NULL name. Private to
 * conformance/script. */
#ifndef CONFORMANCE_SCRIPT_CASE_TABLES_H
#define CONFORMANCE_SCRIPT_CASE_TABLES_H

#include "server/script/line.h"

extern const struct line_rule CASE_RULES[];
extern const struct line_rule CLIENT_RULES[];
extern const struct line_rule CLIENT_SEND_RULES[]; /* by kind, which is their first word too */
extern const struct line_rule PLAN_RULES[];
extern const struct condition_rule PLAN_CONDITIONS[];
extern const struct line_rule CHECK_RULES[]; /* one row */
extern const struct value_rule FILTER_RULES[];
extern const struct value_rule EXPECT_RULES[]; /* the words of a check, with their sentences */

#endif
