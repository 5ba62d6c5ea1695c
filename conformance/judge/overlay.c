#include "conformance/judge/overlay.h"

enum {
    NEIGHBOURS = 12, /* parts that are tried together … */
    NEIGHBOURS_STEP = 6,
    SAMPLES_MIN = 8 /* fewer may fit by chance */
};
static const float FULL_SCALE = 32768;
/* Samples of the signal are 16 steps apart, and so are their sums; each voice may be off by one. */
static const float SAME_BELOW = 8.0F / 32768;

struct search {
    const struct score *score;
    const int16_t *samples;
    uint64_t count;
    uint64_t *budget;
    size_t voice_count;
    const struct score_part *voices[OVERLAY_VOICES_MAX];
    struct overlay *best;
};

static float voice_sample(const struct score *score, const struct score_part *part, uint64_t n)
{
    if (n >= part->count)
        return 0;
    return score_sample(score, part->row, part->first - score->sources[part->row].first + (uint32_t)n);
}

/* How many samples from the first on the voices explain. */
static uint64_t explained(const struct search *search)
{
    uint64_t n = 0;
    for (; n<search->count && * search->budget> 0; n++, (*search->budget)--) {
        float sum = 0;
        for (size_t i = 0; i < search->voice_count; i++)
            sum += voice_sample(search->score, search->voices[i], n);
        const float difference = (float)search->samples[n] / FULL_SCALE - sum;
        if (difference > SAME_BELOW || difference < -SAME_BELOW)
            break;
    }
    return n;
}

static void keep_if_better(struct search *search)
{
    struct overlay *best = search->best;
    const uint64_t count = explained(search);
    const bool enough = count >= SAMPLES_MIN && (count == search->count || count >= CODED_WINDOW_SAMPLES);
    if (!enough || count <= best->count)
        return;
    *best = (struct overlay){.voice_count = search->voice_count, .count = count};
    for (size_t i = 0; i < search->voice_count; i++) { /* the longest first */
        size_t at = i;
        for (; at > 0 && best->voices[at - 1]->count < search->voices[i]->count; at--)
            best->voices[at] = best->voices[at - 1];
        best->voices[at] = search->voices[i];
    }
}

/* Every choice of two to OVERLAY_VOICES_MAX among the parts from `from` to `to`: as its digits, each greater
 * than the one before. */
static void try_neighbours(struct search *search, size_t from, size_t to)
{
    size_t chosen[OVERLAY_VOICES_MAX] = {from};
    size_t depth = 1;
    while (depth > 0 && *search->budget > 0 && search->best->count < search->count) {
        if (chosen[depth - 1] == to) { /* no more at this place */
            depth--;
            if (depth > 0)
                chosen[depth - 1]++;
            continue;
        }
        const struct score_part *part = &search->score->parts[chosen[depth - 1]];
        if (part->sound != SCORE_CODED) {
            chosen[depth - 1]++;
            continue;
        }
        search->voices[depth - 1] = part;
        search->voice_count = depth;
        if (depth > 1)
            keep_if_better(search);
        if (depth < OVERLAY_VOICES_MAX) {
            chosen[depth] = chosen[depth - 1] + 1;
            depth++;
        } else {
            chosen[depth - 1]++;
        }
    }
}

bool overlay_find(const struct score *score, const int16_t *samples, uint64_t count, uint64_t *budget,
                  struct overlay *out)
{
    struct search search = {
        .score = score, .samples = samples, .count = count, .budget = budget, .best = out};
    *out = (struct overlay){.voice_count = 0};
    for (size_t from = 0; from < score->part_count && out->count < count; from += NEIGHBOURS_STEP) {
        const size_t left = score->part_count - from;
        try_neighbours(&search, from, from + (left < NEIGHBOURS ? left : NEIGHBOURS));
    }
    return out->count > 0;
}
