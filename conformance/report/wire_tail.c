#include "conformance/report/wire_tail.h"

#include "conformance/report/picture_rows.h"
#include "conformance/report/wire_bytes.h"

enum { LINES_MAX = 64, FIELDS_BYTES_MAX = 700, DATA_BYTES_SHOWN = 1024 * 1024 };

/* A run of alike events: the index of its first and how many. */
struct stretch {
    const struct journal_entry *first;
    size_t count;
};

static bool entry_alike(const struct journal_entry *a, const struct journal_entry *b)
{
    return a->wire.kind == WIRE_EVENT_BINARY && b->wire.kind == WIRE_EVENT_BINARY &&
           a->wire.direction == b->wire.direction && strcmp(a->label, b->label) == 0;
}

static void size_add(struct text *out, uint64_t bytes)
{
    text_add_u64(out, bytes);
    text_add(out, bytes == 1 ? " byte" : " bytes");
}

static void data_add(struct text *out, const struct journal_entry *entry)
{
    struct buffer shown;
    buffer_init(&shown, 2 * DATA_BYTES_SHOWN);
    if (journal_entry_shown(entry, DATA_BYTES_SHOWN, &shown))
        text_add_printable(out, buffer_bytes(&shown), 100);
    buffer_free(&shown);
}

static void what_add(struct text *out, const struct journal_entry *entry)
{
    const struct wire_event *wire = &entry->wire;
    text_add(out, entry->label[0] == '\0' ? "-" : entry->label);
    text_add(out, "  ");
    switch (wire->kind) {
    case WIRE_EVENT_TEXT:
        data_add(out, entry);
        break;
    case WIRE_EVENT_BINARY:
    case WIRE_EVENT_TRANSPORT:
        size_add(out, wire->message_bytes);
        break;
    case WIRE_EVENT_CLOSE:
    case WIRE_EVENT_RESPONSE:
        text_add_u64(out, wire->code);
        break;
    case WIRE_EVENT_VIOLATION:
        data_add(out, entry);
        break;
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
        size_add(out, wire->data.len);
        break;
    case WIRE_EVENT_END:
        text_add(out, wire->code == 0 ? "the connection ended" : "the connection was reset");
        break;
    }
}

static void line_write(struct text *out, const struct stretch *stretch)
{
    const struct journal_entry *entry = stretch->first;
    text_add_u64(out, entry->at_us / 1000000);
    text_add_char(out, '.');
    uint64_t millis = entry->at_us / 1000 % 1000;
    text_add_char(out, (char)('0' + millis / 100));
    text_add_char(out, (char)('0' + millis / 10 % 10));
    text_add_char(out, (char)('0' + millis % 10));
    text_add(out, entry->wire.direction == WIRE_FROM_CLIENT ? " s  client  " : " s  server  ");
    what_add(out, entry);
    if (stretch->count > 1) {
        text_add(out, "  x");
        text_add_u64(out, stretch->count);
    }
    text_add_char(out, '\n');
}

void wire_line_write(struct text *out, const struct journal_entry *entry)
{
    const struct stretch alone = {.first = entry, .count = 1};
    line_write(out, &alone);
}

static void mark_write(struct text *out, const struct journal_entry *entry, const struct check_result *check)
{
    char fields[FIELDS_BYTES_MAX];
    struct text text = text_of(fields, sizeof fields);
    wire_bytes_write(&text, entry);
    text_add(out, "^ ");
    text_add(out, check->requirement->id);
    text_add_char(out, ' ');
    text_add(out, check->name);
    text_add(out, text.len > 0 ? "  " : "");
    text_add(out, fields);
    text_add_char(out, '\n');
}

static const struct check_result *failing_check(const struct journal *journal,
                                                const struct case_result *result)
{
    for (size_t i = 0; result != NULL && i < result->check_count; i++)
        if (check_fails(&result->checks[i]) &&
            picture_entry_of(journal, result->checks[i].journal_sequence) != SIZE_MAX)
            return &result->checks[i];
    return NULL;
}

static size_t stretches_gather(const struct journal *journal, size_t marked, struct stretch *stretches,
                               size_t room)
{
    size_t used = 0; /* from the end of the journal backwards */
    for (size_t i = journal_count(journal); i > 0; i--) {
        const struct journal_entry *entry = journal_at(journal, i - 1);
        if (entry->kind != JOURNAL_WIRE)
            continue;
        const bool alone = i - 1 == marked || (used > 0 && stretches[used - 1].first->sequence == marked);
        if (used > 0 && !alone && entry_alike(stretches[used - 1].first, entry)) {
            stretches[used - 1].first = entry;
            stretches[used - 1].count++;
            continue;
        }
        if (used == room)
            break;
        stretches[used++] = (struct stretch){.first = entry, .count = 1};
    }
    return used;
}

void wire_tail_write(struct text *out, const struct journal *journal, const struct case_result *result,
                     size_t lines)
{
    struct stretch stretches[LINES_MAX];
    const struct check_result *check = failing_check(journal, result);
    const size_t marked = check == NULL ? SIZE_MAX : picture_entry_of(journal, check->journal_sequence);
    const struct journal_entry *entry = check == NULL ? NULL : journal_at(journal, marked);
    size_t used = stretches_gather(journal, marked, stretches, lines < LINES_MAX ? lines : LINES_MAX);
    if (entry != NULL && entry->kind == JOURNAL_WIRE && used > 0 &&
        entry->sequence < stretches[used - 1].first->sequence) {
        wire_line_write(out, entry);
        mark_write(out, entry, check);
        text_add(out, "...\n");
    }
    while (used > 0) {
        line_write(out, &stretches[--used]);
        if (stretches[used].first == entry)
            mark_write(out, entry, check);
    }
}
