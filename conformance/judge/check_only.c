/* Nothing is played but what was sent: no noise out of a message that could not be read, nothing of another.
 */
#include "conformance/judge/check_sound.h"

/* What was played beside it: how much, and where the first of it was. */
struct strangers {
    uint64_t samples;
    uint64_t at;
};

static void add(const struct sound_check *sound, struct strangers *found, uint64_t at, uint64_t count)
{
    const struct check_window *window = sound->window;
    const uint64_t from = at > window->heard_from ? at : window->heard_from;
    const uint64_t to = at + count < window->heard_to ? at + count : window->heard_to;
    if (from >= to)
        return;
    found->at = found->samples == 0 ? from : found->at;
    found->samples += to - from;
}

/* The part among those that are meant which holds that sample, or the next one that does: its first sample
 * and where it ends. False: none from there on. */
static bool part_next(const struct sound_check *sound, uint16_t source, uint64_t position, uint64_t *first,
                      uint64_t *end)
{
    bool found = false;
    for (size_t i = 0; i < sound->score->part_count; i++) {
        const struct score_part *part = &sound->score->parts[i];
        const uint64_t part_end = (uint64_t)part->first + part->count;
        if (!sound_is_meant(sound, part) || part->source != source || part_end <= position ||
            (found && part->first >= *first))
            continue;
        found = true;
        *first = part->first;
        *end = part_end;
    }
    return found;
}

/* A stretch of the coded signal, heard from `at` on: what of it lies in no part that is meant. */
static void take_signal(const struct sound_check *sound, struct strangers *found, uint16_t source,
                        uint64_t first, uint64_t count, uint64_t at)
{
    const uint64_t stretch_end = first + count;
    for (uint64_t position = first; position < stretch_end;) {
        uint64_t part_first = stretch_end, part_end = stretch_end;
        if (!part_next(sound, source, position, &part_first, &part_end) || part_first > stretch_end)
            part_first = stretch_end;
        if (part_first > position)
            add(sound, found, at + (position - first), part_first - position);
        position = part_first == stretch_end ? stretch_end : part_end;
    }
}

static void take_run(const struct sound_check *sound, struct strangers *found, const struct coded_run *run)
{
    switch (run->kind) {
    case CODED_RUN_SIGNAL:
        take_signal(sound, found, run->source, run->first, run->count, run->at);
        break;
    case CODED_RUN_MIXED:
        take_signal(sound, found, run->source, run->first, run->count, run->at);
        take_signal(sound, found, run->second_source, run->second_first, run->count, run->at);
        break;
    case CODED_RUN_OTHER:
        add(sound, found, run->at, run->count);
        break;
    case CODED_RUN_SILENCE:
        break;
    }
}

void check_only(const struct sound_check *sound)
{
    const struct heard *heard = sound->heard;
    struct strangers found = {.samples = 0};
    if (heard->run_count == 0 || heard->samples == 0) {
        text_add(sound->actual, "nothing was played");
        sound->out->status = CHECK_UNMET;
        return;
    }
    for (size_t i = 0; i < heard->run_count; i++)
        take_run(sound, &found, &heard->runs[i]);
    for (size_t i = 0; i < heard->third_count; i++)
        take_run(sound, &found, &heard->thirds[i]);
    if (found.samples == 0) {
        text_add(sound->actual, "nothing else was played");
        return;
    }
    sound_samples_add(sound->actual, sound, found.samples);
    text_add(sound->actual, " that were played are none of it, the first of them ");
    sound_place_add(sound->actual, sound, found.at);
    sound_broken(sound, NULL, false);
}
