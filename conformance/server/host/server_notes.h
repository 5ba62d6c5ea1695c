/* What the report of a server says beside its verdicts: what was judged in part, and how to choose better. */
#ifndef CONFORMANCE_SERVER_HOST_SERVER_NOTES_H
#define CONFORMANCE_SERVER_HOST_SERVER_NOTES_H

#include "conformance/options/server_options.h"
#include "conformance/report/run_result.h"
#include "conformance/selection/case_set.h"

/*
 * Sets the notes and profile_note of `run`, whose cases came of `set`. The notes go to `*notes`, which the
 * caller frees once the reports are written; the rest borrows from `options`, whose note may grow by a hint.
 * False when memory runs out.
 */
bool server_notes_take(struct server_options *options, const struct case_set *set, struct run_result *run,
                       struct run_note **notes);

#endif
