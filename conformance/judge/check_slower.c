/* Did something become slower? A client that is told to slow down need not stop, and nobody says by how much:
 * but once it has to wait longer for its next message than it ever did before. */
#include "conformance/judge/check.h"

enum { EVENTS_BEFORE_MIN = 3 };

static uint64_t at_us(const struct pattern *pattern, size_t position)
{
    return journal_at(pattern->input->journal, position)->at_us;
}

/* Where the window ends in time: nothing that matches came up to then. */
static uint64_t window_end_us(const struct pattern *pattern, const struct check_window *window)
{
    const size_t count = journal_count(pattern->input->journal);
    return at_us(pattern, window->to < count ? window->to : count - 1);
}

static void wait_add(struct text *out, const char *before, uint64_t us)
{
    text_add(out, before);
    text_add_u64(out, us / 1000);
    text_add(out, " ms");
}

/* The longest time from a match in [from, to) to the next there; `last` is set to the last of them. */
static uint64_t longest_us(const struct pattern *pattern, size_t from, size_t to, size_t *last)
{
    uint64_t longest = 0;
    size_t at = pattern_find(pattern, from, to);
    while (at < to) {
        const size_t next = pattern_find(pattern, at + 1, to);
        *last = at;
        if (next < to && at_us(pattern, next) - at_us(pattern, at) > longest)
            longest = at_us(pattern, next) - at_us(pattern, at);
        at = next;
    }
    return longest;
}

/* The wait in which the window begins counts as one of those after it: a message may have been on its way. */
void check_slower(const struct pattern *pattern, const struct check_window *window, struct check_outcome *out,
                  struct text *actual)
{
    size_t last = 0;
    if (pattern_count(pattern, 0, window->from) < EVENTS_BEFORE_MIN) {
        text_add(actual, "too few came before to compare the waits");
        out->status = CHECK_UNMET;
        return;
    }
    const uint64_t before_us = longest_us(pattern, 0, window->from, &last);
    const uint64_t wanted_us = before_us + before_us / 8;
    uint64_t after_us = longest_us(pattern, last, window->to, &last);
    const uint64_t end_us = window_end_us(pattern, window) - at_us(pattern, last);
    after_us = end_us > after_us ? end_us : after_us;
    out->journal_sequence = journal_at(pattern->input->journal, last)->sequence;
    wait_add(actual, "the longest wait before was ", before_us);
    wait_add(actual, ", the longest after ", after_us);
    if (after_us > wanted_us)
        return;
    out->status = CHECK_BROKEN;
    out->excuse_us = wanted_us - after_us;
}
