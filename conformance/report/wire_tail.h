/* The last things that crossed the wire of a case, a line each, for people. */
#ifndef CONFORMANCE_REPORT_WIRE_TAIL_H
#define CONFORMANCE_REPORT_WIRE_TAIL_H

#include "codec/wire/text.h"
#include "conformance/judge/judge.h"

enum { WIRE_TAIL_LINES = 8 };

/* Appends one entry of the wire as a line: "1.234 s  client  audio  1293 bytes\n". */
void wire_line_write(struct text *out, const struct journal_entry *entry);

/* Appends the last `lines` wire events; equal ones in a row (a stream of silence) share a line:
 *     "1.234 s  server  silence  34,567 bytes  x12"
 * The event that the first failing check of `result` (NULL: none) is about has a line to itself, in front
 * when it is older, and below it the check and the message's fields, the wrong one marked:
 *     "^ OJ-IN-03 wire  type 01  timestamp 0000019a2b3c4d5e  >params-size 00000007<  data 1805..." */
void wire_tail_write(struct text *out, const struct journal *journal, const struct case_result *result,
                     size_t lines);

#endif
