/*
 * The defect around a client core: a client_class whose core is a struct defect_run. It hands on what comes
 * in and what comes out, through the functions of the defect. So the core is the correct client's, whole.
 */
#ifndef CONFORMANCE_DEFECTS_SHELL_H
#define CONFORMANCE_DEFECTS_SHELL_H

#include "conformance/defects/defect.h"

/* Sets the run's `shell`. */
void defect_shell_init(struct defect_run *run);
/* Frees the messages that were changed. */
void defect_shell_release(struct defect_run *run);

#endif
