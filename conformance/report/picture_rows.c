#include "conformance/report/picture_rows.h"

size_t picture_entry_of(const struct journal *journal, uint64_t sequence)
{
    if (sequence >= journal_count(journal))
        return SIZE_MAX;
    const struct journal_entry *entry = journal_at(journal, (size_t)sequence);
    if (entry->kind != JOURNAL_FINDING)
        return (size_t)sequence;
    size_t found = SIZE_MAX;
    uint64_t events = 0;
    for (size_t i = 0; i < (size_t)sequence && events <= entry->finding.event; i++) {
        const struct journal_entry *before = journal_at(journal, i);
        if (before->kind != JOURNAL_WIRE || before->connection != entry->connection)
            continue;
        found = i;
        events++;
    }
    return found;
}

static bool is_shown(const struct journal_entry *entry)
{
    switch (entry->kind) {
    case JOURNAL_WIRE:
    case JOURNAL_MARK:
    case JOURNAL_STEP:
    case JOURNAL_FAILED:
    case JOURNAL_DONE:
    case JOURNAL_OWN_ERROR:
    case JOURNAL_TRANSPORT:
        return true;
    case JOURNAL_CAPTURE:
    case JOURNAL_FINDING:
    case JOURNAL_TAKEN:
    case JOURNAL_DROPPED:
        break;
    }
    return false;
}

/* Messages of which there are many. */
static bool is_stream(const struct journal_entry *entry)
{
    return entry->kind == JOURNAL_WIRE &&
           (entry->wire.kind == WIRE_EVENT_BINARY || entry->wire.kind == WIRE_EVENT_PING ||
            entry->wire.kind == WIRE_EVENT_PONG);
}

static bool ends_streams(const struct journal_entry *entry)
{
    return entry->kind == JOURNAL_WIRE && !is_stream(entry);
}

static bool is_alike(const struct journal_entry *a, const struct journal_entry *b)
{
    if (a->connection != b->connection || a->wire.kind != b->wire.kind || a->wire.fault != b->wire.fault ||
        strcmp(a->label, b->label) != 0 || strcmp(a->step, b->step) != 0 || a->has_frame != b->has_frame)
        return false;
    return !a->has_frame ||
           (a->frame.decodes == b->frame.decodes && a->frame.index == b->frame.index &&
            a->frame.is_final == b->frame.is_final &&
            memcmp(a->frame.interaction, b->frame.interaction, sizeof a->frame.interaction) == 0);
}

static void row_take(struct picture_row *row, const struct journal_entry *entry)
{
    row->last = entry;
    row->count++;
    row->bytes += entry->wire.message_bytes;
}

size_t picture_rows_gather(const struct journal *journal, const bool *marked, struct picture_row *rows)
{
    size_t count = 0;
    size_t open[2] = {SIZE_MAX, SIZE_MAX}; /* by direction: the row that may go on */
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (!is_shown(entry))
            continue;
        size_t *running = &open[entry->wire.direction == WIRE_FROM_CLIENT ? 0 : 1];
        if (is_stream(entry) && !marked[i] && *running != SIZE_MAX && is_alike(rows[*running].first, entry)) {
            row_take(&rows[*running], entry);
            continue;
        }
        if (ends_streams(entry))
            open[0] = open[1] = SIZE_MAX;
        rows[count] = (struct picture_row){.first = entry, .marked = marked[i]};
        row_take(&rows[count], entry);
        if (is_stream(entry))
            *running = marked[i] ? SIZE_MAX : count;
        count++;
    }
    return count;
}
