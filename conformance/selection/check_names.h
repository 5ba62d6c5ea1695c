/*
 * What a line of a baseline may name of a case.
 */
#ifndef CONFORMANCE_SELECTION_CHECK_NAMES_H
#define CONFORMANCE_SELECTION_CHECK_NAMES_H

#include "conformance/selection/case_set.h"

/* Is there a check that `pattern` means in a case that `cases` means: one of its script, one of the judge's
 * own, or a requirement of clients of its family? */
bool check_name_fits(const struct case_set *set, const char *cases, const char *pattern);

#endif
