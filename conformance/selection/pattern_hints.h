/*
 * Patterns of --run and --skip that match no case are wrong usage, also among others that match: a line on
 * standard error says what may have been meant.
 */
#ifndef CONFORMANCE_SELECTION_PATTERN_HINTS_H
#define CONFORMANCE_SELECTION_PATTERN_HINTS_H

#include "conformance/selection/selection.h"

/* Of --run: does each match a case of the family (NULL: of any)? `command` is the subcommand's name. */
bool run_patterns_match(const char *command, const struct family *family, const struct case_set *set,
                        const struct patterns *patterns);

/* Of --skip: does each match a case, of whatever family? */
bool skip_patterns_match(const char *command, const struct case_set *set, const struct patterns *patterns);

/* Both for `run` and `list`. A pattern of --run whose cases other options leave out is no wrong usage: the
 * line says which option leaves out the first of them. */
bool patterns_match(const struct run_options *options, const struct case_set *set);

#endif
