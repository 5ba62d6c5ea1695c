/*
 * A task: a case as a client gets it that has no process of its own for it. The plan
 * (conformance/plan.schema.json) with what else stands in the environment of a client: url, key, config,
 * audio, video, out, control, and ca with TLS. A client that takes many cases gets one on each line of its
 * standard input; over HTTP it is what GET plan answers.
 */
#ifndef CONFORMANCE_RUNNER_TASK_H
#define CONFORMANCE_RUNNER_TASK_H

#include "codec/wire/buffer.h"
#include "conformance/process/launch.h"

/* `plan` is the plan's JSON. A value that is NULL is left out. Appends one object on one line, without the
 * newline. False when memory runs out.
 */
bool task_write(const struct client_values *values, struct bytes plan, struct buffer *out);

#endif
