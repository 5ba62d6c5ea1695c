/*
 * The report as TAP version 14: a test point a case, and one for each requirement that fails the run; cases
 * are described by the case's name and its profile, the same in every run. What is unsupported or was not run
 * is a SKIP with the reason. A point that fails, or has a remark, has a YAML block with the checks behind it:
 * requirement, level, verdict, expected, actual, and the line that repeats it. An interrupted run ends in
 * "Bail out!".
 */
#ifndef CONFORMANCE_REPORT_TAP_REPORT_H
#define CONFORMANCE_REPORT_TAP_REPORT_H

#include <stdio.h>

#include "conformance/report/run_result.h"

/* False when `out` could not be written. */
bool tap_report_write(FILE *out, const struct run_result *run);
/* The same under the name of version 13, for harnesses that take no later one, such as Perl's prove: what is
 * written is right in both. */
bool tap13_report_write(FILE *out, const struct run_result *run);

#endif
