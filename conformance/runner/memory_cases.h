/*
 * `run --memory`: the suite's cases over the transport in memory, with the reference client of the family.
 */
#ifndef CONFORMANCE_RUNNER_MEMORY_CASES_H
#define CONFORMANCE_RUNNER_MEMORY_CASES_H

#include "client/core/event.h"
#include "conformance/memory/memory.h"
#include "conformance/options/options.h"
#include "conformance/report/run_result.h"

/* What cases in memory share: pictures and speech. */
struct memory_cases;
/* NULL with what is wrong on standard error. `options` is borrowed. */
struct memory_cases *memory_cases_new(const struct run_options *options);
void memory_cases_free(struct memory_cases *memory);
/* Runs one, which is not for a real transport, with a client within `shell`; NULL: the correct one. False
 * with what is wrong on standard error. */
bool memory_cases_run_one(struct memory_cases *memory, struct run_case *run_case,
                          const struct client_shell *shell);
/* The same of the correct client, whose session is kept in `track` … */
bool memory_cases_keep_one(struct memory_cases *memory, struct run_case *run_case,
                           struct memory_track *track);
/* … and whether the client within `shell` has the same session in that case (memory_has_session): then the
 * case comes to the same. False too with what is wrong on standard error: then memory_cases_run_one says it.
 */
bool memory_cases_same_one(struct memory_cases *memory, const struct run_case *run_case,
                           const struct client_shell *shell, const struct memory_track *track);

/* Runs each of `cases` that is not for a real transport (script and profile are set; ran, result and so on
 * are filled in). False with what is wrong on standard error. */
bool memory_cases_run(const struct run_options *options, struct run_case *cases, size_t count);

#endif
