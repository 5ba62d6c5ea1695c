/*
 * The words of the language that not every family has: steps and conditions of a plan, and what a client can
 * report. The script_words of a family say which are its own; one without them takes all. Private to
 * conformance/script.
 */
#ifndef CONFORMANCE_SCRIPT_WORDS_H
#define CONFORMANCE_SCRIPT_WORDS_H

#include "conformance/script/case_family.h"
#include "server/script/parser.h"

/* Lists ended by NULL; static. */
const char *const *words_plan(const struct script_words *words);
const char *const *words_seen(const struct script_words *words);

/* True for a word that all families have, too; with an error when it is another family's. */
bool words_plan_check(struct parser *parser, const struct script_words *words, struct place place,
                      const char *word);
bool words_condition_check(struct parser *parser, const struct script_words *words, struct place place,
                           const char *word);

#endif
