#include "server/control/counts.h"

#include <string.h>

static struct count *place_of(struct counts *counts, const char *name)
{
    for (size_t n = 0; n < counts->used; n++)
        if (strncmp(counts->list[n].name, name, COUNT_NAME_MAX - 1) == 0)
            return &counts->list[n];
    if (counts->used == COUNTS_MAX)
        return NULL;
    /* The last place is kept for all others. */
    struct count *place = &counts->list[counts->used++];
    const char *given = counts->used == COUNTS_MAX ? "other" : name;
    size_t len = strlen(given);
    if (len > COUNT_NAME_MAX - 1)
        len = COUNT_NAME_MAX - 1;
    memcpy(place->name, given, len);
    place->name[len] = '\0';
    return place;
}

void counts_add(struct counts *counts, const char *name, uint64_t bytes)
{
    struct count *place = place_of(counts, name);
    if (place == NULL)
        place = &counts->list[COUNTS_MAX - 1];
    place->events++;
    place->bytes += bytes;
}

uint64_t counts_of(const struct counts *counts, const char *name)
{
    for (size_t n = 0; n < counts->used; n++)
        if (strcmp(counts->list[n].name, name) == 0)
            return counts->list[n].events;
    return 0;
}

uint64_t counts_sum(const struct counts *counts)
{
    uint64_t sum = 0;
    for (size_t n = 0; n < counts->used; n++)
        sum += counts->list[n].events;
    return sum;
}
