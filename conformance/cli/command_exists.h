/* Whether the command of a client under test is there. */
#ifndef CONFORMANCE_CLI_COMMAND_EXISTS_H
#define CONFORMANCE_CLI_COMMAND_EXISTS_H

#include <stdbool.h>

/* Is there such a program, here or in PATH? Says what is wrong on standard error. */
bool command_exists(const char *name);

#endif
