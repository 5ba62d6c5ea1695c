/*
 * What to say of a pattern of --run that takes no case, or of --skip that leaves none out: whether another
 * option leaves its cases out, or what may have been meant. A mistyped pattern among others would otherwise
 * be missed.
 */
#ifndef CONFORMANCE_SELECTION_PATTERN_HINTS_H
#define CONFORMANCE_SELECTION_PATTERN_HINTS_H

#include "conformance/selection/selection.h"

/* For each pattern that no case of the family matches, a line on standard error with what may have been
 * meant. `command` is the subcommand's name. */
void pattern_hints_say(const char *command, const struct family *family, const struct case_set *set,
                       const char *const *patterns, size_t count);

/* Of --skip, which leaves out what another option may have left out as well: for each pattern that no case
 * at all matches. */
void skip_patterns_say(const char *command, const struct case_set *set, const char *const *patterns,
                       size_t count);

/* The same of both options of `run`, which takes a case only when its other options allow it: of a pattern
 * whose cases are all left out, the option that leaves out the first. */
void run_patterns_say(const struct run_options *options, const struct case_set *set);

#endif
