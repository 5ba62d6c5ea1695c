/*
 * The line that runs one case of a run again, with every option that had a part in it. The reports (--json,
 * --junit), --jobs and which other cases were taken have none.
 */
#ifndef CONFORMANCE_RUNNER_REPRO_H
#define CONFORMANCE_RUNNER_REPRO_H

#include "conformance/options/options.h"

/* `tier` is the one the client was judged by, told or found out. Malloc'd; NULL when memory runs out. */
char *repro_line(const struct run_options *options, const char *case_name, const char *profile,
                 enum client_tier tier);

#endif
