/* What a run ends in: the files that were asked for, and the report on the terminal. */
#ifndef CONFORMANCE_RUN_REPORT_FILES_H
#define CONFORMANCE_RUN_REPORT_FILES_H

#include "conformance/report/run_result.h"

/* Paths may be NULL. The exit status of the run; 3 when a file could not be written. */
int report_files_write(const struct run_result *run, const char *json_path, const char *junit_path,
                       bool colour);

#endif
