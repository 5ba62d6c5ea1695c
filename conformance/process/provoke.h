/*
 * --provoke CMD: brings the server under test into a condition that no client can bring about.
 */
#ifndef CONFORMANCE_PROCESS_PROVOKE_H
#define CONFORMANCE_PROCESS_PROVOKE_H

#include <stdbool.h>

enum { PROVOKE_SENTENCE_MAX = 300, PROVOKE_LIMIT_MS = 30000 };
#define PROVOKE_RESTORE "restore"

enum provoke_outcome {
    PROVOKE_DONE,   /* exit 0 */
    PROVOKE_CANNOT, /* exit 77 */
    PROVOKE_FAILED  /* it could not be started, ended otherwise, or took too long */
};

/* Is CMD a program that can be started? Else `sentence` names it and says why not. */
bool provoke_can_start(const char *command, char sentence[PROVOKE_SENTENCE_MAX]);

/* Runs CMD CONDITION URL, found by PATH, no shell; what it prints goes to standard error. Says in `sentence`
 * what went wrong. */
enum provoke_outcome provoke(const char *command, const char *condition, const char *url,
                             char sentence[PROVOKE_SENTENCE_MAX]);

#endif
