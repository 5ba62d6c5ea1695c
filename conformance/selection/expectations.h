/*
 * What a run is held against besides the documents: a frozen suite (--suite) and a baseline (--baseline).
 */
#ifndef CONFORMANCE_SELECTION_EXPECTATIONS_H
#define CONFORMANCE_SELECTION_EXPECTATIONS_H

#include "conformance/selection/baseline.h"
#include "conformance/selection/suite_list.h"

struct expectations {
    struct suite_list suite;
    struct baseline baseline;
};

/* With --suite the set has the cases as that suite had them from then on. False with what is wrong on
 * standard error. Freed either way. */
bool expectations_load(const struct run_options *options, struct case_set *set, struct expectations *out);
void expectations_free(struct expectations *expectations);

/* Changes the verdicts of the run; with --update-baseline writes the file first, unless the run was
 * interrupted or a case ended in an error of our own. False when the file cannot be written. */
bool expectations_apply(const struct run_options *options, const struct case_set *set,
                        struct expectations *expectations, struct run_result *run);

#endif
