/*
 * The traces of exceptions that the runtimes of languages print. Private to crash_marks.c.
 */
#ifndef CONFORMANCE_PROCESS_CRASH_TRACES_H
#define CONFORMANCE_PROCESS_CRASH_TRACES_H

#include "conformance/process/crash_marks.h"

/* Takes the next line, without its end, and keeps `trace`, `last` and `part` of `marks` up to date. */
void crash_traces_take(struct crash_marks *marks, struct bytes line);

#endif
