/*
 * The report as one page for a browser, which needs nothing else: no network, no font, no other file. A
 * summary; the requirements with what the run says of them; then each case with its checks and a picture of
 * its session: two lanes, messages as arrows on a time axis, like messages in a row as one band.
 *
 * Everything is there as text without the script; the script draws the pictures (case_picture.h) and filters.
 */
#ifndef CONFORMANCE_REPORT_HTML_REPORT_H
#define CONFORMANCE_REPORT_HTML_REPORT_H

#include <stdio.h>

#include "conformance/report/run_result.h"

/* False when `out` could not be written. */
bool html_report_write(FILE *out, const struct run_result *run);

#endif
