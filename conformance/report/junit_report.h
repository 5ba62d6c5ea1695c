/*
 * The report as JUnit XML, as CI systems read it: a suite a profile, a testcase a case, and a suite
 * "requirements" with one for each requirement that fails the run; cases are named the same in
 * every run: the class after the profile, the name after the case. What is unsupported or was not run is
 * skipped; an error of our own is an error; else what fails is a failure.
 */
#ifndef CONFORMANCE_REPORT_JUNIT_REPORT_H
#define CONFORMANCE_REPORT_JUNIT_REPORT_H

#include <stdio.h>

#include "conformance/report/run_result.h"

/* False when `out` could not be written. */
bool junit_report_write(FILE *out, const struct run_result *run);

#endif
