/*
 * Where lines of the program go while it serves: the log on standard error, the journal. Nobody who serves
 * ever waits for whoever reads them.
 *
 * A regular file takes what it is given, so it is written at once: a line is there as soon as it happened,
 * and none is lost. A pipe, a FIFO, a socket or a terminal takes nothing while nobody reads. A thread of its
 * own writes to it, and waits in our place. O_NONBLOCK is no way out, as it is a flag of the open file, and
 * every process that shares it (the shell, the command of exec) would get it too. Nor is libuv's pool of
 * threads: a write that never ends would keep one of its four for good, and the loop from ending.
 *
 * Lines for the thread wait in a queue of bounded size; one alone may be longer. A line that does not fit is
 * dropped whole and counted, and so are all after it until what waits was taken. Then a line tells how many
 * are missing there, and the next ones come again: what is written is in order.
 *
 * All functions are called from one thread, that of the loop.
 */
#ifndef SERVER_MOCK_OUTPUT_H
#define SERVER_MOCK_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/wire/bytes.h"

enum {
    OUTPUT_STALL_MS = 300, /* at the end: when nothing was taken for this long, nothing more will be */
    OUTPUT_END_MS = 1000   /* at the end: the most it waits */
};

struct output;

/* `fd` stays open as long as the process lives, as a write to it may never end. At most `queue_bytes` wait.
 * `gap_words` (static; NULL: nothing is told there) follow the number in the line about missing ones: "lines
 * are missing here". NULL without memory. */
struct output *output_new(int fd, size_t queue_bytes, const char *gap_words);
/* A line with its newline. False when it was dropped. */
bool output_write(struct output *output, struct bytes line);
/* Lines dropped so far. */
uint64_t output_dropped(struct output *output);
/* The errno of a write that has failed, after which nothing more is tried; 0: none has. */
int output_error(struct output *output);
/* Waits until all is written, OUTPUT_STALL_MS and OUTPUT_END_MS at most. Returns how many bytes are left.
 * Further lines may follow. */
size_t output_flush(struct output *output);
/* After output_flush, at the end of the process: what is left then is lost. May be NULL. */
void output_free(struct output *output);

#endif
