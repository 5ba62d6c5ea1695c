/*
 * `run --memory`: the suite's cases over the transport in memory, with the reference client.
 */
#ifndef CONFORMANCE_RUN_MEMORY_CASES_H
#define CONFORMANCE_RUN_MEMORY_CASES_H

#include "conformance/report/run_result.h"
#include "conformance/run/options.h"

/* Runs each of `cases` that is not for a real transport (script and profile are set; ran, result and so on
 * are filled in). False with what is wrong on standard error. */
bool memory_cases_run(const struct run_options *options, struct run_case *cases, size_t count);

#endif
