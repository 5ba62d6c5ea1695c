/*
 * The reports that sanitizers and Valgrind write, and where each says that it happened. Private to
 * crash_marks.c.
 */
#ifndef CONFORMANCE_PROCESS_CRASH_REPORTS_H
#define CONFORMANCE_PROCESS_CRASH_REPORTS_H

#include "conformance/process/crash_marks.h"

/* Takes the next line, without its end, and keeps `report`, `report_kind` and `report_place` of `marks`: the
 * first report's. */
void crash_reports_take(struct crash_marks *marks, struct bytes line);

#endif
