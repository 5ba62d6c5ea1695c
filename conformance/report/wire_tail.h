/* The last things that crossed the wire of a case, a line each, for people. */
#ifndef CONFORMANCE_REPORT_WIRE_TAIL_H
#define CONFORMANCE_REPORT_WIRE_TAIL_H

#include "codec/wire/text.h"
#include "server/journal/journal.h"

enum { WIRE_TAIL_LINES = 8 };

/* Appends the last `lines` wire events; equal ones in a row (a stream of silence) share a line:
 *     "1.234 s  server  silence  34,567 bytes  x12" */
void wire_tail_write(struct text *out, const struct journal *journal, size_t lines);

#endif
