/*
 * A failing check as a line that GitHub shows at the case's file: "::error file=…,line=…,title=…::…". A
 * warning for what is disputed or a SHOULD.
 */
#ifndef CONFORMANCE_REPORT_ANNOTATIONS_H
#define CONFORMANCE_REPORT_ANNOTATIONS_H

#include <stdio.h>

#include "conformance/report/run_result.h"

enum { ANNOTATIONS_MAX = 50 /* a page shows no more */ };

void annotations_write(FILE *out, const struct run_result *run);

#endif
