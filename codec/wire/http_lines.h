/*
 * Header lines that take the place of those a response has by itself. Each line ends with CRLF; one with
 * nothing after its colon takes its header out.
 */
#ifndef CODEC_WIRE_HTTP_LINES_H
#define CODEC_WIRE_HTTP_LINES_H

#include "codec/wire/buffer.h"

/* Is there a header of that name among the lines? */
bool http_lines_name(struct bytes lines, const char *name);
/* Appends the response `head` with the header lines `lines` in place of those of the same name, or added in
 * front of the empty line. False when there is no room. */
bool http_lines_rewrite(struct bytes head, struct bytes lines, struct buffer *out);

#endif
