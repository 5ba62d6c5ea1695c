/*
 * Cases that come one after another on standard input, for ojin-client conform with CONFORM_PERSISTENT: each
 * line is a plan with what else would stand in the environment of a process of its own.
 */
#ifndef CLIENT_APP_CONFORM_TASK_H
#define CLIENT_APP_CONFORM_TASK_H

#include "codec/wire/bytes.h"

struct conform_task {
    char *line;
    size_t capacity, len;
};

/* Is CONFORM_PERSISTENT set? */
bool conform_task_is_many(void);
void conform_task_init(struct conform_task *task);
/* Waits for the next line. False at the end of standard input. */
bool conform_task_next(struct conform_task *task);
/* The line, until the next. */
struct bytes conform_task_plan(const struct conform_task *task);
/* Sets the variables of the profile's family, of all where the profile is not known, and CONFORM_OUT and
 * CONFORM_CA, from the members of the line. False when it is no JSON object or memory runs out. */
bool conform_task_set_environment(const struct conform_task *task, const char *profile_name);
void conform_task_free(struct conform_task *task);

#endif
