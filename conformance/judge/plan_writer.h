/*
 * The plan of a case as the client under test gets it: the JSON of client/plan/plan.h, written from the
 * script. The runner writes it to CONFORM_PLAN; the transport in memory parses it back.
 */
#ifndef CONFORMANCE_JUDGE_PLAN_WRITER_H
#define CONFORMANCE_JUDGE_PLAN_WRITER_H

#include "codec/wire/buffer.h"
#include "conformance/script/case_script.h"

/* "end"; as a script and a plan have it. Static. */
const char *plan_step_name(enum plan_step_kind kind);
/* Appends one JSON object, without a newline. Sound files become `speech_folder`/NAME (an absolute path stays
 * as it is). False when memory runs out or `out` is full. */
bool plan_write(const struct case_script *script, const char *profile, const char *speech_folder,
                struct buffer *out);

#endif
