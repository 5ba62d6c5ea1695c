/* Do the times between one event and the next grow? A client that tries again and again is to wait longer
 * each time. */
#include "conformance/judge/check.h"

static void gap_add(struct text *out, uint64_t number, uint64_t us)
{
    text_add(out, number == 1 ? "the times between them were " : ", ");
    text_add_u64(out, us / 1000);
    text_add(out, " ms");
}

/* A delay may be drawn at random within bounds that grow, and a limit may hold the last ones down: what
 * counts is that the longest of the later half is well above the longest of the earlier half. */
void check_growing(const struct pattern *pattern, const struct check_window *window,
                   struct check_outcome *out, struct text *actual)
{
    const struct journal *journal = pattern->input->journal;
    const uint64_t gaps = pattern_count(pattern, window->from, window->to) - 1;
    uint64_t number = 0, longest_early = 0, longest_late = 0;
    size_t at = pattern_find(pattern, window->from, window->to);
    if (at == window->to || gaps < 2) {
        text_add(actual, "too few came to compare the times between them");
        out->status = CHECK_UNMET;
        return;
    }
    for (size_t next = pattern_find(pattern, at + 1, window->to); next < window->to;
         at = next, next = pattern_find(pattern, at + 1, window->to)) {
        const uint64_t gap = journal_at(journal, next)->at_us - journal_at(journal, at)->at_us;
        uint64_t *longest = number < gaps / 2 ? &longest_early : &longest_late;
        *longest = gap > *longest ? gap : *longest;
        gap_add(actual, ++number, gap);
        out->journal_sequence = journal_at(journal, next)->sequence;
    }
    if (longest_late >= longest_early + longest_early / 4)
        return;
    out->status = CHECK_BROKEN;
    out->excuse_us = longest_early - longest_late * 4 / 5; /* the early one was this much longer than meant */
}
