#include "server/mock/live_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { JOURNAL_MODE = 0666 };

bool live_journal_open(struct live_journal *live, const char *path, const struct console *console,
                       char error[300])
{
    *live = (struct live_journal){.path = path, .console = console};
    buffer_init(&live->line, JOURNAL_LINE_BYTES_MAX);
    if (path == NULL)
        return true;
    /* Not for a command that runs beside the mock. */
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, JOURNAL_MODE);
    live->output = fd < 0 ? NULL : output_new(fd, LIVE_JOURNAL_QUEUE_BYTES, NULL);
    if (live->output == NULL)
        snprintf(error, 300, "cannot write the journal %.200s: %s", path, strerror(errno));
    return live->output != NULL;
}

uint64_t live_journal_dropped(const struct live_journal *live)
{
    return live->output == NULL ? live->dropped : output_dropped(live->output);
}

/* What is missing in front of what was just written, or at the end. */
static void gap_say(struct live_journal *live)
{
    const uint64_t dropped = live_journal_dropped(live) - live->dropped;
    live->dropped += dropped;
    live->is_dropping = false;
    if (dropped > 0)
        console_say(live->console, "%llu lines are missing in the journal %s: nobody read it in time",
                    (unsigned long long)dropped, live->path);
}

static void failure_say(struct live_journal *live, int error)
{
    console_say(live->console, "cannot write the journal %s any more: %s", live->path, strerror(error));
    live->dropped = output_dropped(live->output);
    (void)output_flush(live->output);
    output_free(live->output);
    live->output = NULL;
}

/* `whole`: the line is. One for which there is no memory is left out, and those after it still come. */
static void line_put(struct live_journal *live, bool whole)
{
    static const uint8_t newline = '\n';
    if (!whole || !buffer_append(&live->line, bytes_of(&newline, 1))) {
        console_say(live->console, "a line is missing in the journal %s: out of memory", live->path);
        live->is_lacking = true;
        return;
    }
    const bool written = output_write(live->output, buffer_bytes(&live->line));
    const int error = output_error(live->output);
    if (error != 0) {
        failure_say(live, error);
    } else if (written) {
        gap_say(live);
    } else if (!live->is_dropping) {
        live->is_dropping = true;
        console_say(live->console, "nobody reads the journal %s: from here on lines are missing in it",
                    live->path);
    }
}

bool live_journal_whole(const struct live_journal *live)
{
    return live->path == NULL ||
           (live->output != NULL && !live->is_lacking && live_journal_dropped(live) == 0);
}

void live_journal_begin(struct live_journal *live, const struct journal_header *header, struct bytes key)
{
    if (live->output == NULL)
        return;
    struct journal *journal = journal_new(header, key);
    buffer_clear(&live->line);
    bool whole = journal != NULL && journal_write_header(journal, &live->line);
    if (journal != NULL)
        journal_free(journal);
    line_put(live, whole);
}

void live_journal_entry(struct live_journal *live, const struct journal_entry *entry)
{
    if (live->output == NULL)
        return;
    buffer_clear(&live->line);
    line_put(live, journal_write_entry(entry, &live->line));
}

void live_journal_close(struct live_journal *live)
{
    if (live->output != NULL) {
        const size_t left = output_flush(live->output);
        const int error = output_error(live->output);
        gap_say(live);
        if (error != 0)
            failure_say(live, error);
        else if (left > 0)
            console_say(live->console, "%zu bytes of the journal %s were not read, and are lost", left,
                        live->path);
        output_free(live->output);
    }
    live->output = NULL;
    buffer_free(&live->line);
}
