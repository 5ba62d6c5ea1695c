#include "conformance/replay/places.h"

#include <stdlib.h>

static int place_compare(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    if (a->connection != b->connection)
        return a->connection < b->connection ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

struct place *places_new(const struct journal *journal, bool scripted)
{
    const size_t count = journal_count(journal);
    struct place *places = malloc((count + 1) * sizeof *places);
    if (places == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        places[i] = (struct place){scripted && !entry->is_of_other ? 0 : entry->connection, i};
    }
    qsort(places, count, sizeof *places, place_compare);
    return places;
}
