/*
 * The parts of the judge, private to it: the rules, the sentence on the end, and which check judges what.
 */
#ifndef CONFORMANCE_JUDGE_JUDGE_PARTS_H
#define CONFORMANCE_JUDGE_JUDGE_PARTS_H

#include "conformance/judge/judge.h"

/* The results of the rules of codec/rules. */
void judge_rules(const struct judge_input *input, struct case_result *out);
/* Did a rule break that fails or disputes the case? Its requirement, or NULL. */
const struct requirement *judge_broken_rule(const struct judge_input *input);
/* Does a rule judge this requirement? */
bool judge_rule_covers(const struct requirement *requirement);
/* Does a check of the script judge this requirement? */
bool judge_check_covers(const struct script *script, const struct requirement *requirement);
/* The requirement that a check counts for; NULL when the script names none. */
const struct requirement *judge_check_clause(const struct script *script, const struct script_check *check);

/* Where the script stood when the case ended: "stopped in line 14: serve until=cancel". */
void judge_note(const struct judge_input *input, struct text *out);

#endif
