#include "conformance/report/picture_seen.h"
#include "conformance/judge/pattern.h"

#include <stdlib.h>

struct stretch {
    const struct observation *first;
    uint64_t count;
    bool marked;
};

bool picture_item_add(struct text *out, const struct text *item, bool *first, size_t reserve)
{
    if (item->cut || item->len + 1 + reserve >= out->capacity - out->len)
        return false;
    text_add(out, *first ? "" : ",");
    text_add(out, item->data);
    *first = false;
    return true;
}

static bool is_frame(const struct observation *seen)
{
    return seen->kind == OBSERVED_FRAME || seen->kind == OBSERVED_PLAYED;
}

static bool is_alike(const struct observation *a, const struct observation *b)
{
    return a->index == b->index && a->is_final == b->is_final &&
           memcmp(a->interaction, b->interaction, sizeof a->interaction) == 0;
}

static bool is_marked(uint64_t number, const struct check_result *const *checks, size_t check_count)
{
    for (size_t i = 0; i < check_count; i++)
        if (checks[i]->observation_number == number)
            return true;
    return false;
}

/* `out` has room for all observations. */
static size_t stretches_gather(const struct picture_source *source, const struct check_result *const *checks,
                               size_t check_count, struct stretch *out)
{
    size_t count = 0;
    size_t open[2] = {SIZE_MAX, SIZE_MAX}; /* of frames read, of frames played */
    for (size_t i = 0; i < source->observation_count; i++) {
        const struct observation *seen = &source->observations[i];
        const bool marked = is_marked(i + 1, checks, check_count);
        size_t *running = &open[seen->kind == OBSERVED_PLAYED ? 1 : 0];
        if (is_frame(seen) && !marked && *running != SIZE_MAX && is_alike(out[*running].first, seen)) {
            out[*running].count++;
            continue;
        }
        if (!is_frame(seen))
            open[0] = open[1] = SIZE_MAX;
        else
            *running = marked ? SIZE_MAX : count;
        out[count++] = (struct stretch){.first = seen, .count = 1, .marked = marked};
    }
    return count;
}

static void marks_add(struct text *out, uint64_t number, const struct check_result *const *checks,
                      size_t check_count)
{
    bool any = false;
    for (size_t i = 0; i < check_count; i++) {
        if (checks[i]->observation_number != number)
            continue;
        text_add(out, any ? "," : ",[");
        text_add_u64(out, i);
        any = true;
    }
    text_add(out, any ? "]" : "");
}

void picture_seen_write(struct text *out, const struct picture_source *source,
                        const struct check_result *const *checks, size_t check_count)
{
    char data[6 * (OBSERVATION_TEXT_MAX + OBSERVATION_CODE_MAX)];
    char what[OBSERVATION_TEXT_MAX + OBSERVATION_CODE_MAX];
    struct stretch *stretches = calloc(source->observation_count + 1, sizeof *stretches);
    const size_t count = stretches == NULL ? 0 : stretches_gather(source, checks, check_count, stretches);
    bool first = true;
    text_add(out, "\"seen\":[");
    for (size_t i = 0; i < count; i++) {
        if (i >= PICTURE_SEEN_MAX && !stretches[i].marked)
            continue;
        struct text described = text_of(what, sizeof what);
        struct text item = text_of(data, sizeof data);
        observation_describe(&described, source->messages, stretches[i].first);
        text_add_char(&item, '[');
        text_add_json_string(&item, bytes_of_text(what));
        text_add_char(&item, ',');
        text_add_u64(&item, stretches[i].count);
        marks_add(&item, (uint64_t)(stretches[i].first - source->observations) + 1, checks, check_count);
        text_add_char(&item, ']');
        picture_item_add(out, &item, &first, 1024);
    }
    text_add(out, "],\"seen_count\":");
    text_add_u64(out, source->observation_count);
    text_add(out, ",");
    free(stretches);
}
