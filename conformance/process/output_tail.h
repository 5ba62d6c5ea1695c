/*
 * The end of what a client wrote, for people: the last lines of its log and of its errors, without
 * observations and without the key.
 */
#ifndef CONFORMANCE_PROCESS_OUTPUT_TAIL_H
#define CONFORMANCE_PROCESS_OUTPUT_TAIL_H

#include "codec/wire/text.h"
#include "conformance/process/capture.h"

enum { OUTPUT_TAIL_BYTES_MAX = 1800 /* of each of the two */ };

void output_tail_write(struct text *out, const struct capture *output, const struct capture *errors,
                       struct bytes key);

#endif
