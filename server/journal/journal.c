/* The entries in memory. */
#include "server/journal/journal.h"

#include <stdlib.h>

#include "codec/wire/text.h"

enum { ENTRIES_FIRST = 256 };

struct journal {
    struct journal_header header;
    uint8_t *key;
    size_t key_len;
    struct bytes *learned; /* secrets of connections, each once; owned */
    size_t learned_count;
    struct journal_entry *entries;
    size_t count;
    size_t capacity;
    size_t data_bytes;
    bool full;
};

void journal_header_class(struct journal_header *header, const struct session_class *class)
{
    struct text text = text_of(header->family, sizeof header->family);
    text_add(&text, class->family->name);
    header->class = class;
}

bool journal_header_other(struct journal_header *header, const struct session_class *class,
                          const char *profile, const struct quirks *quirks)
{
    if (header->other_count == JOURNAL_OTHERS_MAX)
        return false;
    struct journal_other *other = &header->others[header->other_count++];
    *other = (struct journal_other){.class = class, .quirks = *quirks};
    struct text text = text_of(other->family, sizeof other->family);
    text_add(&text, class->family->name);
    text = text_of(other->profile, sizeof other->profile);
    text_add(&text, profile);
    return true;
}

static const struct journal_other *other_find(const struct journal_header *header,
                                              const struct session_class *class)
{
    for (size_t i = 0; i < header->other_count; i++)
        if (header->others[i].class == class)
            return &header->others[i];
    return NULL;
}

const char *journal_header_profile(const struct journal_header *header, const struct session_class *class)
{
    const struct journal_other *other = other_find(header, class);
    return class == header->class ? header->profile : other == NULL ? NULL : other->profile;
}

const struct quirks *journal_header_quirks(const struct journal_header *header,
                                           const struct session_class *class)
{
    const struct journal_other *other = class == header->class ? NULL : other_find(header, class);
    return other == NULL ? &header->quirks : &other->quirks;
}

struct journal *journal_new(const struct journal_header *header, struct bytes key)
{
    struct journal *journal = calloc(1, sizeof *journal);
    if (journal == NULL)
        return NULL;
    journal->header = *header;
    if (key.len > 0) {
        journal->key = malloc(key.len);
        if (journal->key == NULL) {
            free(journal);
            return NULL;
        }
        memcpy(journal->key, key.data, key.len);
        journal->key_len = key.len;
    }
    return journal;
}

/* The journal allocated it; the span is const for everybody else. */
static uint8_t *owned(struct bytes span)
{
    uint8_t *data = NULL;
    memcpy(&data, &span.data, sizeof data);
    return data;
}

void journal_free(struct journal *journal)
{
    if (journal == NULL)
        return;
    for (size_t i = 0; i < journal->count; i++)
        free(owned(journal->entries[i].wire.data));
    for (size_t i = 0; i < journal->learned_count; i++)
        free(owned(journal->learned[i]));
    free(journal->learned);
    free(journal->entries);
    free(journal->key);
    free(journal);
}

const struct journal_header *journal_header_of(const struct journal *journal)
{
    return &journal->header;
}

void journal_set_epoch_ms(struct journal *journal, uint64_t epoch_ms)
{
    journal->header.epoch_ms = epoch_ms;
}

static bool journal_grow(struct journal *journal)
{
    if (journal->count < journal->capacity)
        return true;
    size_t capacity = journal->capacity == 0 ? ENTRIES_FIRST : journal->capacity * 2;
    if (capacity > JOURNAL_ENTRIES_MAX)
        capacity = JOURNAL_ENTRIES_MAX;
    struct journal_entry *entries = realloc(journal->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    journal->entries = entries;
    journal->capacity = capacity;
    return true;
}

/* How much of the data is kept: of a frame only its head. */
static size_t kept_bytes(const struct journal_entry *entry)
{
    const bool frame = entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
                       entry->wire.kind == WIRE_EVENT_BINARY;
    if (frame && entry->wire.data.len > JOURNAL_HEAD_BYTES_MAX)
        return JOURNAL_HEAD_BYTES_MAX;
    return entry->wire.data.len;
}

/* The journal's own copy of what connections brought; false without memory. */
static bool journal_keep(struct journal *journal, struct bytes key, struct bytes *out)
{
    *out = (struct bytes){0};
    if (key.len == 0)
        return true;
    for (size_t i = journal->learned_count; i > 0; i--) {
        *out = journal->learned[i - 1];
        if (bytes_equal(*out, key))
            return true;
    }
    struct bytes *learned = realloc(journal->learned, (journal->learned_count + 1) * sizeof *learned);
    uint8_t *copy = malloc(key.len);
    if (learned != NULL)
        journal->learned = learned;
    if (learned == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    memcpy(copy, key.data, key.len);
    *out = learned[journal->learned_count++] = bytes_of(copy, key.len);
    return true;
}

/* Appends without a look at the bounds; false without memory. */
static bool journal_put(struct journal *journal, const struct journal_entry *entry, size_t data_bytes)
{
    uint8_t *data = NULL;
    struct bytes key = bytes_of(journal->key, journal->key_len), others;
    if (!journal_grow(journal) || (key.len == 0 && !journal_keep(journal, entry->key, &key)) ||
        !journal_keep(journal, entry->others, &others))
        return false;
    if (data_bytes > 0) {
        data = malloc(data_bytes);
        if (data == NULL)
            return false;
        memcpy(data, entry->wire.data.data, data_bytes);
    }
    struct journal_entry *copy = &journal->entries[journal->count];
    *copy = *entry;
    copy->sequence = journal->count;
    if (!entry->is_of_other)
        copy->class = journal->header.class;
    copy->wire.data = bytes_of(data, data_bytes);
    copy->key = key;
    copy->others = others;
    if (copy->kind == JOURNAL_WIRE && copy->wire.message_bytes < entry->wire.data.len)
        copy->wire.message_bytes = entry->wire.data.len;
    journal->count++;
    journal->data_bytes += data_bytes;
    return true;
}

static void journal_say_full(struct journal *journal, const struct journal_entry *at)
{
    struct journal_entry mark = {.at_us = at->at_us, .connection = at->connection, .kind = JOURNAL_MARK};
    journal->full = true;
    memcpy(mark.label, JOURNAL_FULL_MARK, sizeof JOURNAL_FULL_MARK);
    (void)journal_put(journal, &mark, 0);
}

void journal_end(struct journal *journal)
{
    journal->full = true;
}

bool journal_append(struct journal *journal, const struct journal_entry *entry)
{
    if (journal->full)
        return false;
    const size_t bytes = kept_bytes(entry);
    /* The last place is kept for the mark that says so. */
    if (journal->count < JOURNAL_ENTRIES_MAX - 1 && bytes <= JOURNAL_DATA_BYTES_MAX - journal->data_bytes &&
        journal_put(journal, entry, bytes))
        return true;
    journal_say_full(journal, entry);
    return false;
}

size_t journal_count(const struct journal *journal)
{
    return journal->count;
}

const struct journal_entry *journal_at(const struct journal *journal, size_t n)
{
    return n < journal->count ? &journal->entries[n] : NULL;
}
