/*
 * Whether somebody wants the run to end: SIGINT, SIGTERM and SIGHUP (the terminal is gone) raise a flag, and
 * whoever waits looks at it.
 */
#ifndef CONFORMANCE_PROCESS_INTERRUPT_H
#define CONFORMANCE_PROCESS_INTERRUPT_H

#include <signal.h>

/* From here on the signals raise the flag and end nothing by themselves. */
void interrupt_watch(void);
/* Not 0 once one came. */
extern volatile sig_atomic_t interrupted;

#endif
