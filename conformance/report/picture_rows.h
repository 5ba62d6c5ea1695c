/* The rows of a picture: entries of a journal, like ones in a row as one. Private to the picture. */
#ifndef CONFORMANCE_REPORT_PICTURE_ROWS_H
#define CONFORMANCE_REPORT_PICTURE_ROWS_H

#include "server/journal/journal.h"

struct picture_row {
    const struct journal_entry *first, *last;
    uint64_t count;
    uint64_t bytes;
    bool marked; /* a check hangs on it: it stands alone */
};

/* The entry of the wire that `sequence` is about: itself, or the event that shows a finding; SIZE_MAX: none.
 */
size_t picture_entry_of(const struct journal *journal, uint64_t sequence);

/*
 * Fills `rows` (room for journal_count) and returns how many there are. Frames, audio and pings of one side
 * that are alike are one row, however many of the other side's stand between them, until something that is no
 * such message comes. An entry for which `marked` is set stands alone.
 */
size_t picture_rows_gather(const struct journal *journal, const bool *marked, struct picture_row *rows);

#endif
