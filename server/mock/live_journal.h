/* The journal as a file that grows while the mock runs: each line is there as soon as it happened. */
#ifndef SERVER_MOCK_LIVE_JOURNAL_H
#define SERVER_MOCK_LIVE_JOURNAL_H

#include <stdio.h>

#include "server/journal/journal.h"

struct live_journal {
    const char *path; /* borrowed; NULL: there is none */
    FILE *file;       /* NULL: none, or it could not be written any more */
    struct buffer line;
};

/* Opens and empties the file. False with what is wrong in `error`. */
bool live_journal_open(struct live_journal *live, const char *path, char error[300]);
/* False when it could not be written, which is said: once of a file that takes no more, after which nothing
 * more is tried. */
bool live_journal_begin(struct live_journal *live, const struct journal_header *header, struct bytes key);
bool live_journal_entry(struct live_journal *live, const struct journal_entry *entry);
void live_journal_close(struct live_journal *live);

#endif
