/*
 * The report for people at a terminal: a table of the requirements that are not simply met, what was not
 * judged, and last the causes, the most important one at the end (causes.h), above the summary. Its last line
 * begins with exactly "N passed, M failed", counted in cases; ", K disputed" follows where some are, and ", R
 * requirements not met" where rules were broken in cases that are not about them.
 */
#ifndef CONFORMANCE_REPORT_TERMINAL_REPORT_H
#define CONFORMANCE_REPORT_TERMINAL_REPORT_H

#include <stdio.h>

#include "conformance/report/run_result.h"

enum { TERMINAL_WIDTH_DEFAULT = 100, TERMINAL_WIDTH_MIN = 40 };

struct terminal_options {
    bool colour;
    bool verbose;   /* what passed, or was not judged, case by case too */
    unsigned width; /* columns; 0: TERMINAL_WIDTH_DEFAULT */
};

struct run_progress {
    size_t done, count, failed;
    const char *case_name; /* that ended last */
};

/*
 * The one line that shows how far a run is, over the one before: "[12/66] 1 failed  ojin/cancel/late-speech",
 * cut to the width so that it stays one line. After the last case it is gone.
 */
void terminal_progress(FILE *out, const struct run_progress *progress,
                       const struct terminal_options *options);
void terminal_report(FILE *out, const struct run_result *run, const struct terminal_options *options);

#endif
