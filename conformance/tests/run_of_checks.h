/* A run with results that a test sets by hand. */
#ifndef CONFORMANCE_TESTS_RUN_OF_CHECKS_H
#define CONFORMANCE_TESTS_RUN_OF_CHECKS_H

#include "conformance/report/run_result.h"

enum { CASE_COUNT = 4 };

struct run {
    struct case_script scripts[CASE_COUNT];
    struct run_case cases[CASE_COUNT];
    const struct profile *profiles[1];
    struct run_result result;
};

void copy(char *to, size_t capacity, const char *from);
/* Case `n` has one result more. */
void check_set(struct run *run, size_t n, const char *name, const char *id, enum verdict verdict,
               enum check_scope scope, const char *actual);
/* Cases of which nothing is known yet; all that passed. To be freed with free. */
struct run *run_of_nothing(size_t count);

#endif
