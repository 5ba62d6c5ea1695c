#include "codec/media/coded_check.h"

#include <string.h>

const char *coded_finding_name(enum coded_finding_kind kind)
{
    switch (kind) {
    case CODED_GAP:
        return "gap";
    case CODED_MISSING:
        return "missing";
    case CODED_OVERLAP:
        return "overlap";
    case CODED_REPEAT:
        return "repeat";
    case CODED_REORDER:
        return "reorder";
    case CODED_DAMAGED:
        return "damaged";
    case CODED_TRUNCATED:
        return "truncated";
    case CODED_FOREIGN:
        return "foreign";
    }
    return "?";
}

void coded_check_init(struct coded_check *check, const struct coded_source *sources, size_t source_count,
                      coded_finding_sink *sink, void *context)
{
    *check = (struct coded_check){
        .sink = sink, .context = context, .sources = sources, .source_count = source_count};
}

static void find(struct coded_check *check, enum coded_finding_kind kind, uint16_t source, uint32_t position,
                 uint64_t count, uint64_t at)
{
    const struct coded_finding finding = {
        .kind = kind, .source = source, .position = position, .count = count, .at = at};
    if (count > 0)
        check->sink(check->context, &finding);
}

/* source_count: it was not sent. */
static size_t row_of(const struct coded_check *check, uint16_t source)
{
    size_t n = 0;
    while (n < check->source_count && check->sources[n].source != source)
        n++;
    return n;
}

/* --- what is left out --- */

static void hole_remove(struct coded_check *check, size_t n)
{
    check->hole_count--;
    memmove(check->holes + n, check->holes + n + 1, (check->hole_count - n) * sizeof check->holes[0]);
}

/* A hole at the end of its source is what cutting it off leaves. */
static void hole_tell(struct coded_check *check, size_t n)
{
    const struct coded_hole hole = check->holes[n];
    const struct coded_source *source = &check->sources[hole.source];
    hole_remove(check, n);
    find(check, hole.end == source->count ? CODED_TRUNCATED : CODED_MISSING, source->source, hole.first,
         hole.end - hole.first, hole.at);
}

static void hole_add(struct coded_check *check, size_t source, uint32_t first, uint32_t end, uint64_t at)
{
    if (first >= end)
        return;
    if (check->hole_count == CODED_HOLES_MAX)
        hole_tell(check, 0);
    check->holes[check->hole_count++] =
        (struct coded_hole){.source = source, .first = first, .end = end, .at = at};
}

/* Samples `first` to `end` are played although later ones were: out of order where they had been left out,
 * else for a second time. Both are told in the order of their positions. */
static void take_back(struct coded_check *check, size_t source, uint32_t first, uint32_t end, uint64_t at)
{
    const uint16_t name = check->sources[source].source;
    while (first < end) {
        size_t next = check->hole_count;
        for (size_t i = 0; i < check->hole_count; i++) {
            const struct coded_hole *hole = &check->holes[i];
            if (hole->source == source && hole->end > first && hole->first < end &&
                (next == check->hole_count || hole->first < check->holes[next].first))
                next = i;
        }
        if (next == check->hole_count) {
            find(check, CODED_REPEAT, name, first, end - first, at);
            return;
        }
        const struct coded_hole hole = check->holes[next];
        if (hole.first > first) {
            find(check, CODED_REPEAT, name, first, hole.first - first, at);
            at += hole.first - first;
            first = hole.first;
        }
        const uint32_t last = hole.end < end ? hole.end : end;
        find(check, CODED_REORDER, name, first, last - first, at);
        hole_remove(check, next);
        hole_add(check, source, hole.first, first, hole.at);
        hole_add(check, source, last, hole.end, hole.at);
        at += last - first;
        first = last;
    }
}

/* --- what is played --- */

/* From one source to another: what is left of the one, and all between them, is left out. */
static void change_source(struct coded_check *check, size_t row)
{
    if (check->playing)
        hole_add(check, check->source, check->position, check->sources[check->source].count, check->at);
    for (size_t i = check->playing ? check->source + 1 : 0; i < row; i++)
        hole_add(check, i, 0, check->sources[i].count, check->at);
    check->playing = true;
    check->source = row;
    check->position = 0;
    check->silence = 0; /* between turns nobody speaks */
}

/* What stood between the run before and one that begins at `first`. Returns how many samples of the source it
 * took the place of. */
static uint32_t between(struct coded_check *check, uint32_t first)
{
    const uint16_t source = check->sources[check->source].source;
    const bool in_place = first > check->position && first - check->position == check->other + check->silence;
    if (check->other > 0)
        find(check, CODED_DAMAGED, source, check->position, check->other, check->at);
    if (check->silence > 0 && first == check->position && check->position > 0)
        find(check, CODED_GAP, source, check->position, check->silence, check->at);
    return in_place && check->silence == 0 ? first - check->position : 0;
}

static void take_forward(struct coded_check *check, size_t row, uint32_t first, uint32_t end, uint64_t at)
{
    if (!check->playing || row != check->source)
        change_source(check, row);
    const uint32_t replaced = between(check, first);
    if (first < check->position) {
        const uint32_t back = end < check->position ? end : check->position;
        take_back(check, row, first, back, at);
    } else {
        hole_add(check, row, check->position + replaced, first, at);
    }
    if (end > check->position)
        check->position = end;
}

static void take_signal(struct coded_check *check, uint16_t source, uint32_t first, uint64_t count,
                        uint64_t at)
{
    const size_t row = row_of(check, source);
    check->heard += count;
    if (row == check->source_count || first >= check->sources[row].count) {
        find(check, CODED_FOREIGN, source, first, count, at);
    } else {
        const uint32_t length = check->sources[row].count;
        const uint64_t inside = count < length - first ? count : length - first;
        const uint32_t end = first + (uint32_t)inside;
        if (check->playing && row < check->source)
            take_back(check, row, first, end, at);
        else
            take_forward(check, row, first, end, at);
        find(check, CODED_FOREIGN, source, end, count - inside, at + inside);
    }
    check->at = at + count;
    check->silence = 0;
    check->other = 0;
}

void coded_check_run(void *context, const struct coded_run *run)
{
    struct coded_check *check = context;
    switch (run->kind) {
    case CODED_RUN_SIGNAL:
        take_signal(check, run->source, run->first, run->count, run->at);
        break;
    case CODED_RUN_MIXED:
        find(check, CODED_OVERLAP, run->source, run->first, run->count, run->at);
        take_signal(check, run->source, run->first, run->count, run->at);
        take_signal(check, run->second_source, run->second_first, run->count, run->at);
        break;
    case CODED_RUN_SILENCE:
        check->silence += run->count;
        break;
    case CODED_RUN_OTHER:
        check->other += run->count;
        break;
    }
}

void coded_check_finish(struct coded_check *check)
{
    if (check->other > 0 && check->playing)
        find(check, CODED_DAMAGED, check->sources[check->source].source, check->position, check->other,
             check->at);
    change_source(check, check->source_count);
    while (check->hole_count > 0)
        hole_tell(check, 0);
    check->playing = false;
}
