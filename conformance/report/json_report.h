/*
 * The report as JSON, for machines: conformance/report.schema.json. It is kept by requirement and by case.
 * `causes` are those of causes.h, in their order. `requirements` lists what some case judged; `uncovered` the
 * ids of the run's profiles that none did.
 */
#ifndef CONFORMANCE_REPORT_JSON_REPORT_H
#define CONFORMANCE_REPORT_JSON_REPORT_H

#include <stdio.h>

#include "conformance/report/run_result.h"

enum { JSON_REPORT_SCHEMA = 2 };

/* False when memory runs out or `out` could not be written. */
bool json_report_write(FILE *out, const struct run_result *run);

#endif
