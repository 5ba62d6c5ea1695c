/*
 * Pictures drawn ahead: the workers of a run mostly show the same face, so that it is drawn once, before they
 * part from the runner, and not again by each.
 */
#ifndef CONFORMANCE_RUNNER_PICTURES_AHEAD_H
#define CONFORMANCE_RUNNER_PICTURES_AHEAD_H

#include "conformance/runner/worker_job.h"
#include "server/persona/persona.h"

enum { PICTURES_AHEAD_CASES_MIN = 4 }; /* fewer draw less than the whole of it */

/* For the size of the run. NULL when too few of the jobs show pictures of it, or memory runs out; free with
 * persona_free. */
struct persona *pictures_ahead(const struct worker_job *jobs, size_t count);

/* Those for a case's mock: drawn ahead, or new ones. NULL with a sentence in `error`. */
struct persona *pictures_of(const struct worker_job *job, char error[PERSONA_ERROR_MAX]);

#endif
