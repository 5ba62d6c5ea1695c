/*
 * What is said of one requirement or one case: for people, or as JSON with the same members.
 */
#ifndef CONFORMANCE_CLI_EXPLAIN_H
#define CONFORMANCE_CLI_EXPLAIN_H

#include <stdio.h>

#include "codec/rules/requirements.h"
#include "conformance/selection/case_set.h"

/* All cases, about clients and about servers. */
struct explain_suite {
    struct case_set clients, servers;
};

/* `cases` are those of the party that the requirement binds. */
void explain_requirement(FILE *out, const struct requirement *requirement, const struct case_set *cases,
                         bool json);
void explain_case(FILE *out, const struct case_script *script, struct bytes text, bool json);

/* A JSON string with its quotes. False when memory runs out. */
bool explain_json_string(FILE *out, struct bytes value);
/* `"name":"value"`, with a comma before it unless it is the first. */
void explain_json_member(FILE *out, bool first, const char *name, const char *value);
/* The lines of the block that `word` opens in a script's text, without its braces; empty: there is none. */
struct bytes explain_block(struct bytes text, const char *word);
/* The requirement that a check counts for; NULL when the script names none. */
const struct requirement *explain_check_clause(const struct case_script *script,
                                               const struct script_check *check);
/* Does a rule of the wire judge it, in every session? */
bool explain_has_rule(const struct requirement *requirement);

#endif
