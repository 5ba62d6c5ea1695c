#include "codec/wire/nearest.h"

enum { WORD_COMPARED_MAX = 64, DISTANCE_MAX = 2, BEGINNING_MIN = 3 };

static size_t smallest(size_t a, size_t b, size_t c)
{
    const size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* How many letters to change, add or drop to make one word of the other. */
static size_t word_distance(struct bytes a, struct bytes b)
{
    size_t row[WORD_COMPARED_MAX + 1];
    if (a.len > WORD_COMPARED_MAX || b.len > WORD_COMPARED_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            const size_t above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a.data[i - 1] == b.data[j - 1] ? 0 : 1));
            diagonal = above;
        }
    }
    return row[b.len];
}

/* What somebody has begun to write is as far away as what is still near. */
static bool is_beginning(struct bytes word, const char *candidate)
{
    return word.len >= BEGINNING_MIN && strlen(candidate) > word.len &&
           memcmp(word.data, candidate, word.len) == 0;
}

struct nearest nearest_to(struct bytes word)
{
    return (struct nearest){.word = word, .distance = DISTANCE_MAX + 1};
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t distance = word_distance(nearest->word, bytes_of_text(candidate));
    if (distance > DISTANCE_MAX && is_beginning(nearest->word, candidate))
        distance = DISTANCE_MAX;
    if (distance >= nearest->distance || distance >= strlen(candidate))
        return;
    nearest->distance = distance;
    nearest->name = candidate;
}

void text_add_nearest(struct text *text, const struct nearest *nearest)
{
    if (nearest->name == NULL)
        return;
    text_add(text, "; did you mean \"");
    text_add(text, nearest->name);
    text_add(text, "\"?");
}
