#include "server/mock/live_journal.h"

#include <errno.h>

bool live_journal_open(struct live_journal *live, const char *path, char error[300])
{
    *live = (struct live_journal){.path = path};
    buffer_init(&live->line, JOURNAL_LINE_BYTES_MAX);
    if (path == NULL)
        return true;
    live->file = fopen(path, "we"); /* not for a command that runs beside the mock */
    if (live->file == NULL)
        snprintf(error, 300, "cannot write the journal %.200s: %s", path, strerror(errno));
    return live->file != NULL;
}

/* `whole`: the line is. One for which there is no memory is left out, and those after it still come. */
static bool line_put(struct live_journal *live, bool whole)
{
    static const uint8_t newline = '\n';
    if (!whole || !buffer_append(&live->line, bytes_of(&newline, 1))) {
        fprintf(stderr, "ojin-mock: a line is missing in the journal %s: out of memory\n", live->path);
        return false;
    }
    if (fwrite(live->line.data, 1, live->line.len, live->file) == live->line.len && fflush(live->file) == 0)
        return true;
    fprintf(stderr, "ojin-mock: cannot write the journal %s any more: %s\n", live->path, strerror(errno));
    fclose(live->file);
    live->file = NULL;
    return false;
}

bool live_journal_begin(struct live_journal *live, const struct journal_header *header, struct bytes key)
{
    if (live->file == NULL)
        return true;
    struct journal *journal = journal_new(header, key);
    buffer_clear(&live->line);
    bool whole = journal != NULL && journal_write_header(journal, &live->line);
    if (journal != NULL)
        journal_free(journal);
    return line_put(live, whole);
}

bool live_journal_entry(struct live_journal *live, const struct journal_entry *entry)
{
    if (live->file == NULL)
        return true;
    buffer_clear(&live->line);
    return line_put(live, journal_write_entry(entry, &live->line));
}

void live_journal_close(struct live_journal *live)
{
    if (live->file != NULL)
        fclose(live->file);
    live->file = NULL;
    buffer_free(&live->line);
}
