/*
 * The journal as a file that grows while the mock runs: each line is there as soon as it happened. One that
 * is no regular file and that nobody reads loses whole lines, which the console tells; see output.h.
 */
#ifndef SERVER_MOCK_LIVE_JOURNAL_H
#define SERVER_MOCK_LIVE_JOURNAL_H

#include "server/journal/journal.h"
#include "server/mock/console.h"

enum { LIVE_JOURNAL_QUEUE_BYTES = 16 * 1024 * 1024 };

struct live_journal {
    const char *path;              /* borrowed; NULL: there is none */
    const struct console *console; /* borrowed */
    struct output *output;         /* NULL: none, or it could not be written any more */
    struct buffer line;
    uint64_t dropped; /* lines, as far as was told */
    bool is_dropping; /* which was told */
    bool is_lacking;  /* a line is missing for which there was no memory */
};

/* Opens and empties the file. False with what is wrong in `error`. */
bool live_journal_open(struct live_journal *live, const char *path, const struct console *console,
                       char error[300]);
/* What cannot be written is said on the console, and not tried again once the file takes no more. */
void live_journal_begin(struct live_journal *live, const struct journal_header *header, struct bytes key);
void live_journal_entry(struct live_journal *live, const struct journal_entry *entry);
/* Lines that are missing because nobody read them. */
uint64_t live_journal_dropped(const struct live_journal *live);
/* Has every line so far been taken? True where there is no journal. */
bool live_journal_whole(const struct live_journal *live);
/* Writes what waits, in bounded time, and says what is missing. */
void live_journal_close(struct live_journal *live);

#endif
