#include "server/control/walk.h"

void walk_begin(struct walk *walk, const struct ring *ring, const struct find *find)
{
    *walk = (struct walk){.find = *find,
                          .ring = ring,
                          .at = ring->gone,
                          .end = ring->gone + ring_count(ring),
                          .kept = ring_count(ring),
                          .lost = ring->lost,
                          .next = ring->next};
}

void walk_extend(struct walk *walk)
{
    walk->end = walk->ring->gone + ring_count(walk->ring);
}

/* Goes past what has fallen out since the last part; NULL: there is none left. */
static const struct ring_entry *entry_next(struct walk *walk)
{
    const struct ring *ring = walk->ring;
    if (walk->at < ring->gone) {
        const uint64_t to = ring->gone < walk->end ? ring->gone : walk->end;
        walk->missed += to - walk->at;
        walk->at = to;
    }
    if (walk->at >= walk->end)
        return NULL;
    return ring_at(ring, (size_t)(walk->at++ - ring->gone));
}

static void entry_take(struct walk *walk, const struct ring_entry *entry, struct json_writer *json)
{
    if (!find_matches(&walk->find, entry))
        return;
    if (walk->found++ == walk->find.limit && json != NULL)
        walk->next = entry->sequence;
    if (json == NULL || json->failed || walk->found > walk->find.limit)
        return;
    json_raw(json, NULL, bytes_of(NULL, 0));
    json->failed = json->failed || !ring_entry_write(entry, json->out);
}

bool walk_go_on(struct walk *walk, struct json_writer *json, bool (*is_over)(void *context), void *context)
{
    for (const struct ring_entry *entry; (entry = entry_next(walk)) != NULL;) {
        entry_take(walk, entry, json);
        if (is_over != NULL && is_over(context))
            return false;
    }
    return true;
}
