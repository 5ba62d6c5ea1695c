/* Any bytes as a journal: a sentence that says which line is wrong, or entries that are written and read
 * again as they are, and that can be replayed to some end. */
#include <stdlib.h>

#include "conformance/replay/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static const char KEY[] = "the-key-of-the-journal";

enum { WRITTEN_BYTES_MAX = 64 * 1024 * 1024 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void write_all(const struct journal *journal, struct buffer *out)
{
    check(journal_write_header(journal, out) && buffer_append(out, bytes_of_text("\n")));
    for (size_t i = 0; i < journal_count(journal); i++)
        check(journal_write_entry(journal_at(journal, i), out) && buffer_append(out, bytes_of_text("\n")));
}

static void check_same(const struct journal_entry *a, const struct journal_entry *b)
{
    check(a->at_us == b->at_us && a->connection == b->connection && a->kind == b->kind);
    check(strcmp(a->label, b->label) == 0 && strcmp(a->step, b->step) == 0);
    if (a->kind == JOURNAL_WIRE)
        check(a->wire.kind == b->wire.kind && a->wire.direction == b->wire.direction);
}

/* What is written reads back. Not to the byte: what is no key of ours is hashed, each time it is written. */
static void there_and_back(const struct journal *journal)
{
    char error[200] = "";
    struct buffer out;
    buffer_init(&out, WRITTEN_BYTES_MAX);
    write_all(journal, &out);
    struct journal *again = journal_read(buffer_bytes(&out), SESSION_CLASSES, bytes_of_text(KEY), error);
    check(again != NULL && journal_count(again) == journal_count(journal));
    for (size_t i = 0; i < journal_count(journal); i++)
        check_same(journal_at(journal, i), journal_at(again, i));
    journal_free(again);
    buffer_free(&out);
}

static void replay(const struct journal *journal)
{
    const struct replay_case given = {.journal = journal, .key = KEY};
    struct replay_result result;
    replay_run(&given, &result);
    check(memchr(result.text, '\0', sizeof result.text) != NULL);
    check((result.text[0] == '\0') ==
          (result.outcome == REPLAY_IDENTICAL || result.outcome == REPLAY_NO_MEMORY));
    check(result.outcome != REPLAY_DIFFERENT || result.entry < journal_count(journal));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char error[200] = "";
    struct journal *journal = journal_read(bytes_of(data, len), SESSION_CLASSES, bytes_of_text(KEY), error);
    if (journal == NULL) {
        check(error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL);
        return 0;
    }
    const struct journal_header *header = journal_header_of(journal);
    there_and_back(journal);
    if (header->picture_width == 0 && header->picture_height == 0 && header->script[0] == '\0' &&
        session_class_by_family(header->family) != NULL)
        replay(journal);
    journal_free(journal);
    return 0;
}
