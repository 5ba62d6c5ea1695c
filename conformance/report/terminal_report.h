/*
 * The report for people at a terminal: what failed and why, a table by requirement, a summary. Its last line
 * is exactly "N passed, M failed", counted in cases.
 */
#ifndef CONFORMANCE_REPORT_TERMINAL_REPORT_H
#define CONFORMANCE_REPORT_TERMINAL_REPORT_H

#include <stdio.h>

#include "conformance/report/run_result.h"

enum { TERMINAL_WIDTH_DEFAULT = 100, TERMINAL_WIDTH_MIN = 40 };

struct terminal_options {
    bool colour;
    unsigned width; /* columns; 0: TERMINAL_WIDTH_DEFAULT */
};

/* One line for a case as it ends: "PASS  ojin/cancel/late-speech  oris-1.0  812 ms". */
void terminal_case(FILE *out, const struct run_case *run_case, const struct terminal_options *options);
void terminal_report(FILE *out, const struct run_result *run, const struct terminal_options *options);

#endif
