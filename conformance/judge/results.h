/*
 * The list of results of one case as it grows. What the limits of scripts and rules allow always fits.
 */
#ifndef CONFORMANCE_JUDGE_RESULTS_H
#define CONFORMANCE_JUDGE_RESULTS_H

#include "conformance/judge/judge.h"

/* The next result, empty, of that name and requirement; NULL when the list is full or `requirement` is NULL.
 */
struct check_result *results_add(struct case_result *out, const char *name,
                                 const struct requirement *requirement, enum verdict verdict);
/* Adds a result with both texts. */
void results_say(struct case_result *out, const char *name, const struct requirement *requirement,
                 enum verdict verdict, const char *expected, const char *actual);

/* Copies with a terminator, cut to `capacity`. */
void results_copy(char *to, size_t capacity, const char *from);

/* Is there anything in it that a reader wants to see again? What fails; what would with --inferred or
 * --strict; and what was not reached, which may be found to fail once all cases are seen. */
bool results_are_worth_keeping(const struct case_result *result);

#endif
