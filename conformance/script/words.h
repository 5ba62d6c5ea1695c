/*
 * The words of the language that not every family has: steps and conditions of a plan, and what a client can
 * report. A class says which are its own (struct script_words); one that does not takes all. Private to
 * conformance/script.
 */
#ifndef CONFORMANCE_SCRIPT_WORDS_H
#define CONFORMANCE_SCRIPT_WORDS_H

#include "server/script/parser.h"

/* Lists ended by NULL; static. */
const char *const *words_plan(const struct session_class *class);
const char *const *words_seen(const struct session_class *class);

/* True for a word that all families have, too; with an error when it is another family's. */
bool words_plan_check(struct parser *parser, struct place place, const char *word);
bool words_condition_check(struct parser *parser, struct place place, const char *word);

#endif
