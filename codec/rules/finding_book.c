#include "codec/rules/finding_book.h"

#include <assert.h>

#include "codec/rules/requirements.h"

/* Of a finding: the event that the rules see when it ends. */
#define EVENT_NOW UINT64_MAX

void finding_book_open(struct finding_book *book, size_t count, const char *(*requirement)(size_t n),
                       const struct profile *profile)
{
    assert(count <= RULES_MAX);
    for (size_t i = 0; i < count; i++) {
        const struct requirement *row = requirement_by_id(requirement(i));
        book->records[i].requirement = requirement(i);
        book->records[i].spared = row == NULL || !requirement_applies(row, profile);
    }
}

void finding_book_spare(struct finding_book *book, const struct rule_class *class,
                        const struct wire_event *event)
{
    for (size_t i = 0; i < class->count; i++)
        book->records[i].spared =
            book->records[i].spared || rule_is_spared(class, book->records[i].requirement, event);
}

void finding_book_blind(struct finding_book *book)
{
    for (size_t i = 0; i < RULES_MAX; i++)
        book->records[i].spared = true;
}

uint64_t finding_book_event(const struct finding_book *book)
{
    return book->event_count == 0 ? 0 : book->event_count - 1;
}

void finding_begin(struct finding_draft *draft)
{
    draft->finding = (struct finding){.event = EVENT_NOW};
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
    if (!book->records[rule].spared && book->records[rule].verdict == RULE_NOT_REACHED)
        book->records[rule].verdict = RULE_KEPT;
}

void finding_book_end(struct finding_book *book, size_t rule, struct finding_draft *draft, uint64_t at_us,
                      bool note)
{
    assert(rule < RULES_MAX && book->records[rule].requirement != NULL);
    struct rule_record *record = &book->records[rule];
    if (record->spared)
        return;
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
    if (draft->finding.event == EVENT_NOW)
        draft->finding.event = finding_book_event(book);
    const size_t last = (book->pending_first + book->pending_count++) % FINDINGS_PENDING_MAX;
    book->pending[last] = draft->finding;
}

void finding_book_broken(struct finding_book *book, size_t rule, uint64_t at_us, const char *expected,
                         const char *actual)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, actual);
    finding_book_end(book, rule, &draft, at_us, false);
}

void finding_book_broken_number(struct finding_book *book, size_t rule, uint64_t at_us, const char *expected,
                                const char *actual, uint64_t number, const char *unit)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, actual);
    text_add_u64(&draft.actual, number);
    text_add(&draft.actual, unit);
    finding_book_end(book, rule, &draft, at_us, false);
}

static void end_with_fault(struct finding_book *book, size_t rule, uint64_t at_us, const char *expected,
                           const struct json_fault *fault, bool note)
{
    struct finding_draft draft;
    finding_begin_with(&draft, expected, "");
    json_fault_write(&draft.actual, fault);
    finding_book_end(book, rule, &draft, at_us, note);
}

void finding_book_broken_by_fault(struct finding_book *book, size_t rule, uint64_t at_us,
                                  const char *expected, const struct json_fault *fault)
{
    end_with_fault(book, rule, at_us, expected, fault, false);
}

void finding_book_remark_on_fault(struct finding_book *book, size_t rule, uint64_t at_us,
                                  const char *expected, const struct json_fault *fault)
{
    end_with_fault(book, rule, at_us, expected, fault, true);
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
