/*
 * A line for each cause that GitHub shows with the run: "::error title=FAIL OJ-IN-02::…", a warning for one
 * that fails nobody. It points at no file: which line of the client is wrong is not known, and the cases are
 * no files of its repository.
 */
#ifndef CONFORMANCE_REPORT_ANNOTATIONS_H
#define CONFORMANCE_REPORT_ANNOTATIONS_H

#include <stdio.h>

#include "conformance/report/run_result.h"

enum { ANNOTATIONS_MAX = 50 /* a page shows no more */ };

void annotations_write(FILE *out, const struct run_result *run);

#endif
