/* By how much something was too late, or too early, for the window of a check. */
#include <stdlib.h>

#include "conformance/judge/check.h"

static uint64_t time_at(const struct pattern *pattern, size_t position)
{
    return journal_at(pattern->input->journal, position)->at_us;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* The way of an event at `position` to the nearest edge of the window that an event makes; CHECK_NEVER: none
 * does. */
static uint64_t way_to_edge(const struct pattern *pattern, const struct check_window *window, size_t position)
{
    const size_t length = stream_length(pattern->input, pattern->source->side);
    uint64_t way = CHECK_NEVER;
    if (window->from > 0)
        way = apart(time_at(pattern, position), time_at(pattern, window->from - 1));
    if (!window->open && window->to < length) {
        const uint64_t to_end = apart(time_at(pattern, position), time_at(pattern, window->to));
        way = to_end < way ? to_end : way;
    }
    return way;
}

struct stray {
    uint64_t way_us, amount;
};

static int stray_compare(const void *a, const void *b)
{
    const struct stray *left = a, *right = b;
    return left->way_us < right->way_us ? -1 : left->way_us > right->way_us;
}

/* The way of the one that completes `amount`, the nearest first. */
static uint64_t way_of(struct stray *strays, size_t count, uint64_t amount)
{
    uint64_t sum = 0;
    qsort(strays, count, sizeof *strays, stray_compare);
    for (size_t i = 0; i < count; i++) {
        sum += strays[i].amount;
        if (sum >= amount)
            return strays[i].way_us;
    }
    return CHECK_NEVER;
}

static void strays_take(const struct pattern *pattern, const struct check_window *window, size_t from,
                        size_t to, bool bytes, struct stray *strays, size_t *count)
{
    for (size_t i = pattern_find(pattern, from, to); i < to; i = pattern_find(pattern, i + 1, to))
        strays[(*count)++] =
            (struct stray){way_to_edge(pattern, window, i),
                           bytes ? journal_at(pattern->input->journal, i)->wire.message_bytes : 1};
}

/* Of what was seen no time is known. */
static struct stray *strays_new(const struct pattern *pattern)
{
    if (side_is_seen(pattern->source->side))
        return NULL;
    return calloc(stream_length(pattern->input, pattern->source->side) + 1, sizeof(struct stray));
}

uint64_t check_excuse_excess(const struct pattern *pattern, const struct check_window *window,
                             uint64_t excess)
{
    struct stray *strays = strays_new(pattern);
    size_t count = 0;
    if (strays == NULL)
        return 0;
    strays_take(pattern, window, window->from, window->to, false, strays, &count);
    const uint64_t way = way_of(strays, count, excess);
    free(strays);
    return way;
}

/* Not one more in all that the client ever saw? Then it never came, by whatever clock. */
static uint64_t lacking_of_seen(const struct pattern *pattern, const struct check_window *window)
{
    const size_t length = stream_length(pattern->input, pattern->source->side);
    const uint64_t outside =
        pattern_count(pattern, 0, window->from) + pattern_count(pattern, window->to, length);
    return side_is_seen(pattern->source->side) && outside == 0 ? CHECK_NEVER : 0;
}

uint64_t check_excuse_lacking(const struct pattern *pattern, const struct check_window *window,
                              uint64_t lacking, bool bytes)
{
    struct stray *strays = strays_new(pattern);
    size_t count = 0;
    if (strays == NULL)
        return lacking_of_seen(pattern, window);
    strays_take(pattern, window, 0, window->from, bytes, strays, &count);
    strays_take(pattern, window, window->to, stream_length(pattern->input, pattern->source->side), bytes,
                strays, &count);
    const uint64_t way = way_of(strays, count, lacking);
    free(strays);
    return way;
}
