/*
 * The end of what a client wrote, for people: the last lines of its log and of its errors, without
 * observations and without the key. Of a stack that is written newest first (JavaScript, Java, C#) the first
 * calls alone: the others are those of the library that called, and would take the place of the exception.
 */
#ifndef CONFORMANCE_PROCESS_OUTPUT_TAIL_H
#define CONFORMANCE_PROCESS_OUTPUT_TAIL_H

#include "codec/wire/text.h"
#include "conformance/process/capture.h"

enum {
    OUTPUT_TAIL_BYTES_MAX = 1800, /* of each of the two */
    OUTPUT_TAIL_CALLS_MAX = 4
};

void output_tail_write(struct text *out, const struct capture *output, const struct capture *errors,
                       struct bytes key);

#endif
