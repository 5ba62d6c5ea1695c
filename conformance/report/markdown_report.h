/*
 * The report as a summary in Markdown, as CI services show it on the page of a job: the totals, the causes
 * that fail the run, a table of the others, the requirements that are not simply met, and what was not
 * judged.
 */
#ifndef CONFORMANCE_REPORT_MARKDOWN_REPORT_H
#define CONFORMANCE_REPORT_MARKDOWN_REPORT_H

#include <stdio.h>

#include "conformance/report/run_result.h"

enum { MARKDOWN_ROWS_MAX = 200 /* of a table; how many more there are is said */ };

/* False when `out` could not be written. */
bool markdown_report_write(FILE *out, const struct run_result *run);

#endif
