#include "codec/rules/finding_book.h"

#include <assert.h>

void finding_begin(struct finding_draft *draft)
{
    draft->finding = (struct finding){.note = false};
    draft->expected = text_of(draft->finding.expected, sizeof draft->finding.expected);
    draft->actual = text_of(draft->finding.actual, sizeof draft->finding.actual);
}

void finding_begin_with(struct finding_draft *draft, const char *expected, const char *actual)
{
    finding_begin(draft);
    text_add(&draft->expected, expected);
    text_add(&draft->actual, actual);
}

void finding_book_kept(struct finding_book *book, size_t rule)
{
    assert(rule < RULES_MAX);
    if (book->records[rule].verdict == RULE_NOT_REACHED)
        book->records[rule].verdict = RULE_KEPT;
}

void finding_book_end(struct finding_book *book, size_t rule, struct finding_draft *draft, uint64_t at_us,
                      bool note)
{
    assert(rule < RULES_MAX && book->records[rule].requirement != NULL);
    struct rule_record *record = &book->records[rule];
    if (!note)
        record->verdict = RULE_BROKEN;
    unsigned *count = note ? &record->notes : &record->findings;
    if (*count == FINDINGS_PER_RULE_MAX || book->pending_count == FINDINGS_PENDING_MAX)
        return;
    (*count)++;
    draft->finding.requirement = record->requirement;
    draft->finding.note = note;
    draft->finding.at_us = at_us;
    draft->finding.waited = draft->finding.waited || book->by_clock;
    draft->finding.event = book->event_count == 0 ? 0 : book->event_count - 1;
    const size_t last = (book->pending_first + book->pending_count++) % FINDINGS_PENDING_MAX;
    book->pending[last] = draft->finding;
}

bool finding_book_take(struct finding_book *book, struct finding *out)
{
    if (book->pending_count == 0)
        return false;
    *out = book->pending[book->pending_first];
    book->pending_first = (book->pending_first + 1) % FINDINGS_PENDING_MAX;
    book->pending_count--;
    return true;
}
