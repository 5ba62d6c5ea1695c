/* The standard descriptors of a program, which whoever starts it may have closed, or pointed at a full disk.
 */
#ifndef CODEC_OPTIONS_STREAMS_H
#define CODEC_OPTIONS_STREAMS_H

#include <stdbool.h>

/* First thing in main: one of the three that is closed is opened as /dev/null, or the next file that is
 * opened would get its number and what is printed. False when that is not possible: nothing may be opened
 * then. */
bool streams_open(void);
/* Last thing in main: `status`, or `failed` in place of 0, with a line on standard error, when something that
 * was printed on standard output did not get there. Who reads no further (EPIPE) has what they want. */
int streams_end(const char *program, int status, int failed);

#endif
