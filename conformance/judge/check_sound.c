/* What was played of the speech that was sent: heard, seamless, samples. */
#include "conformance/judge/check_sound.h"

#include <stdlib.h>

static void how_it_is_known_add(const struct sound_check *sound)
{
    switch (sound->heard->from) {
    case HEARD_NOTHING:
        text_add(sound->actual, "; the client left no sound.wav and reported no heard");
        break;
    case HEARD_SAMPLES:
        text_add(sound->actual, "; its sound.wav has ");
        sound_samples_add(sound->actual, sound, sound->heard->samples);
        break;
    case HEARD_TOLD:
        text_add(sound->actual, "; its heard reports tell of ");
        sound_samples_add(sound->actual, sound, sound->heard->samples);
        break;
    case HEARD_UNKNOWN:
        break;
    }
}

/* ---- what is meant ---- */

/* Something to look at, and all of it can be recognised. */
static bool can_judge(const struct sound_check *sound)
{
    size_t meant = 0;
    for (size_t i = 0; i < sound->score->part_count; i++) {
        const struct score_part *part = &sound->score->parts[i];
        meant += sound_is_meant(sound, part) ? 1 : 0;
        if (part->sound == SCORE_UNKNOWN && part->position >= sound->window->from &&
            part->position < sound->window->to && pattern_matches(sound->sent, part->position)) {
            text_add(sound->actual,
                     "the sound sent is not the coded signal (quirk coded-audio, audio=coded)");
            sound->out->status = CHECK_WRONG;
            return false;
        }
    }
    if (meant == 0) {
        text_add(sound->actual, "the mock sent no such sound");
        sound->out->status = CHECK_UNMET;
    } else if (sound->score->ambiguous) {
        text_add(sound->actual, "two turns were sent with the same coded signal");
        sound->out->status = CHECK_WRONG;
    } else if (sound->heard->from == HEARD_UNKNOWN) {
        text_add(sound->actual,
                 "the client reports when it plays, but leaves no sound.wav and reports no audio");
        sound->out->status = CHECK_DROPPED;
        sound->out->unheard = true;
    }
    return sound->out->status == CHECK_HOLDS;
}

/* ---- how much of a part was heard ---- */

/* Marks what a stretch, heard from `at` on, holds of a part, as far as it lies in the window. */
static void mark_stretch(const struct sound_check *sound, const struct score_part *part, bool *played,
                         uint16_t source, uint32_t first, uint64_t count, uint64_t at)
{
    if (source != part->source)
        return;
    uint64_t from = first > part->first ? first : part->first;
    uint64_t to = first + count < (uint64_t)part->first + part->count ? first + count
                                                                      : (uint64_t)part->first + part->count;
    if (sound->window->heard_from > at) {
        const uint64_t skipped = sound->window->heard_from - at;
        if (skipped >= count)
            return;
        from = from > first + skipped ? from : first + skipped;
    }
    if (sound->window->heard_to < at)
        return;
    if (sound->window->heard_to - at < count && to > first + (sound->window->heard_to - at))
        to = first + (sound->window->heard_to - at);
    for (uint64_t n = from; n < to; n++)
        played[n - part->first] = true;
}

static void mark_played(const struct sound_check *sound, const struct score_part *part, bool *played)
{
    for (size_t i = 0; i < sound->heard->run_count; i++) {
        const struct coded_run *run = &sound->heard->runs[i];
        if (run->kind == CODED_RUN_SIGNAL || run->kind == CODED_RUN_MIXED)
            mark_stretch(sound, part, played, run->source, run->first, run->count, run->at);
        if (run->kind == CODED_RUN_MIXED)
            mark_stretch(sound, part, played, run->second_source, run->second_first, run->count, run->at);
    }
}

static void mark_thirds(const struct sound_check *sound, const struct score_part *part, bool *played)
{
    for (size_t i = 0; i < sound->heard->third_count; i++) {
        const struct coded_run *run = &sound->heard->thirds[i];
        mark_stretch(sound, part, played, run->source, run->first, run->count, run->at);
    }
}

/* How many samples of the part were heard, and the first one (of the part) that was not. */
static bool count_played(const struct sound_check *sound, const struct score_part *part, uint64_t *count,
                         uint32_t *missing)
{
    bool *played = calloc((size_t)part->count + 1, sizeof *played);
    if (played == NULL)
        return false;
    mark_played(sound, part, played);
    mark_thirds(sound, part, played);
    *count = 0;
    *missing = part->count;
    for (uint32_t n = 0; n < part->count; n++) {
        *count += played[n] ? 1 : 0;
        if (!played[n] && *missing == part->count)
            *missing = n;
    }
    free(played);
    return true;
}

static void no_memory(const struct sound_check *sound)
{
    text_add(sound->actual, "out of memory");
    sound->out->status = CHECK_WRONG;
}

/* ---- heard ---- */

/* How late something would have to be for this many samples to be too many, or too few. */
static uint64_t time_of_samples(const struct sound_check *sound, uint64_t samples)
{
    enum { US_PER_SECOND = 1000000 };
    const uint32_t rate = sound->sent->input->script->class->messages->output_rate;
    return rate == 0 ? 0 : samples * US_PER_SECOND / rate;
}

static void missing_say(const struct sound_check *sound, const struct score_part *part, uint64_t count,
                        uint32_t missing)
{
    uint64_t at = 0;
    sound_part_add(sound->actual, sound, part);
    text_add(sound->actual, count == 0 ? " was not played: " : " was not played whole: ");
    text_add_u64(sound->actual, count);
    text_add(sound->actual, " of its ");
    text_add_u64(sound->actual, part->count);
    text_add(sound->actual, " samples were, the first missing is sample ");
    text_add_u64(sound->actual, missing);
    if (missing > 0 && heard_find(sound->heard, part->source, part->first + missing - 1, &at)) {
        text_add(sound->actual, "; it stops at ");
        sound_place_add(sound->actual, sound, at + 1);
    }
    how_it_is_known_add(sound);
    if (!sound_is_anothers(sound, part->count - count))
        sound_broken(sound, part, true);
}

/* Broken by the first part that was not played whole; only as much lateness as is missing in all explains it.
 */
static void judge_heard(const struct sound_check *sound)
{
    uint64_t number = 0, samples = 0, lost = 0;
    for (size_t i = 0; i < sound->score->part_count; i++) {
        const struct score_part *part = &sound->score->parts[i];
        uint64_t count = 0;
        uint32_t missing = 0;
        if (!sound_is_meant(sound, part))
            continue;
        if (!count_played(sound, part, &count, &missing)) {
            no_memory(sound);
            return;
        }
        if (count < part->count && lost == 0)
            missing_say(sound, part, count, missing);
        lost += part->count - count;
        number++;
        samples += count;
    }
    sound->out->excuse_us = time_of_samples(sound, lost);
    if (lost > 0)
        return;
    text_add(sound->actual, "all ");
    text_add_u64(sound->actual, number);
    text_add(sound->actual, " were played, ");
    sound_samples_add(sound->actual, sound, samples);
}

/* ---- samples ---- */

static bool plays_nothing(const struct heard *heard)
{
    for (size_t i = 0; i < heard->run_count; i++)
        if (heard->runs[i].kind != CODED_RUN_SILENCE)
            return false;
    return true;
}

static void judge_samples(const struct sound_check *sound)
{
    uint64_t samples = 0;
    const struct score_part *last = NULL;
    for (size_t i = 0; i < sound->score->part_count; i++) {
        const struct score_part *part = &sound->score->parts[i];
        uint64_t count = 0;
        uint32_t missing = 0;
        if (!sound_is_meant(sound, part))
            continue;
        if (!count_played(sound, part, &count, &missing)) {
            no_memory(sound);
            return;
        }
        samples += count;
        last = count > 0 ? part : last;
    }
    sound_samples_add(sound->actual, sound, samples);
    text_add(sound->actual, samples == 1 ? " was played" : " were played");
    if (last != NULL) {
        text_add(sound->actual, ", the last of them of ");
        sound_part_add(sound->actual, sound, last);
    }
    if (sound->check->min == 0 && plays_nothing(sound->heard)) {
        text_add(sound->actual, ": nothing was played at all");
        how_it_is_known_add(sound);
        sound->out->status = CHECK_UNMET; /* who plays nothing at all has stopped nothing */
        return;
    }
    if (samples >= sound->check->min && samples <= sound->check->max)
        return;
    how_it_is_known_add(sound);
    sound->out->excuse_us = time_of_samples(sound, samples > sound->check->max ? samples - sound->check->max
                                                                               : sound->check->min - samples);
    const bool too_many = samples > sound->check->max;
    /* Where the whole is not asked for, as much as can be known by it at all is enough to have been
     * another's. */
    const uint64_t missing = too_many ? 0 : sound->check->min - samples;
    if (too_many ||
        !sound_is_anothers(sound, missing < CODED_WINDOW_SAMPLES ? CODED_WINDOW_SAMPLES : missing))
        sound_broken(sound, last, samples < sound->check->min);
}

/* ---- seamless ---- */

struct seams_found {
    const struct sound_check *sound;
    uint64_t count;
    struct coded_finding first;
    const struct score_part *part;
    uint64_t longest; /* of the gaps, and of what was played over or again */
};

/* Is it about how something was played, not about something that was not? */
static bool is_seam(enum coded_finding_kind kind)
{
    switch (kind) {
    case CODED_GAP:
    case CODED_OVERLAP:
    case CODED_REPEAT:
    case CODED_REORDER:
    case CODED_DAMAGED:
    case CODED_FOREIGN:
        return true;
    case CODED_MISSING:
    case CODED_TRUNCATED:
        return false;
    }
    return false;
}

/* A clock that is late leaves a gap, or plays over what it played. None puts one delta before another. */
static bool is_late_by_its_length(enum coded_finding_kind kind)
{
    return kind == CODED_GAP || kind == CODED_OVERLAP || kind == CODED_REPEAT;
}

static bool is_point(enum coded_finding_kind kind)
{
    return kind == CODED_GAP || kind == CODED_DAMAGED;
}

/* The part that it is found in, among those that are meant. */
static const struct score_part *part_of(const struct sound_check *sound, const struct coded_finding *finding)
{
    const uint64_t end = finding->position + (is_point(finding->kind) ? 1 : finding->count);
    for (size_t i = 0; i < sound->score->part_count; i++) {
        const struct score_part *part = &sound->score->parts[i];
        if (sound_is_meant(sound, part) && part->source == finding->source && part->first < end &&
            finding->position < (uint64_t)part->first + part->count)
            return part;
    }
    return NULL;
}

static void take_finding(void *context, const struct coded_finding *finding)
{
    struct seams_found *found = context;
    const struct check_window *window = found->sound->window;
    const struct score_part *part = part_of(found->sound, finding);
    if (!is_seam(finding->kind) || (part == NULL && finding->kind != CODED_FOREIGN) ||
        finding->at < window->heard_from || finding->at >= window->heard_to)
        return;
    if (!is_late_by_its_length(finding->kind))
        found->sound->out->timeless = true;
    else if (finding->count > found->longest)
        found->longest = finding->count;
    if (found->count++ > 0)
        return;
    found->first = *finding;
    found->part = part;
}

static void finding_say(const struct sound_check *sound, const struct seams_found *found)
{
    const struct coded_finding *first = &found->first;
    text_add(sound->actual, coded_finding_name(first->kind));
    text_add(sound->actual, " of ");
    sound_samples_add(sound->actual, sound, first->count);
    text_add(sound->actual, " at sample ");
    if (found->part != NULL) {
        text_add_u64(sound->actual,
                     first->position > found->part->first ? first->position - found->part->first : 0);
        text_add(sound->actual, " of ");
        sound_part_add(sound->actual, sound, found->part);
    } else {
        text_add_u64(sound->actual, first->position);
        text_add(sound->actual, " of something that was not sent");
    }
    text_add(sound->actual, ", ");
    sound_place_add(sound->actual, sound, first->at);
    if (found->count > 1) {
        text_add(sound->actual, "; ");
        text_add_u64(sound->actual, found->count - 1);
        text_add(sound->actual, " more");
    }
    sound->out->excuse_us = time_of_samples(sound, found->longest);
    sound_broken(sound, found->part, false);
}

static void judge_seamless(const struct sound_check *sound)
{
    struct coded_check *check = malloc(sizeof *check);
    struct seams_found found = {.sound = sound};
    if (check == NULL) {
        no_memory(sound);
        return;
    }
    coded_check_init(check, sound->score->lengths, sound->score->length_count, take_finding, &found);
    for (size_t i = 0; i < sound->heard->run_count; i++)
        coded_check_run(check, &sound->heard->runs[i]);
    coded_check_finish(check);
    const uint64_t samples = check->heard;
    free(check);
    if (found.count > 0) {
        finding_say(sound, &found);
        return;
    }
    if (samples == 0) {
        text_add(sound->actual, "nothing of what was sent was played");
        (void)sound_is_anothers(sound, CODED_WINDOW_SAMPLES);
        sound->out->status = CHECK_UNMET;
        return;
    }
    sound_samples_add(sound->actual, sound, samples);
    text_add(sound->actual, " were played without a seam");
}

/* ---- all of them ---- */

static void judge_sound(const struct sound_check *sound)
{
    switch (sound->check->expect) {
    case CHECK_HEARD:
        judge_heard(sound);
        break;
    case CHECK_SAMPLES:
        judge_samples(sound);
        break;
    case CHECK_SEAMLESS:
        judge_seamless(sound);
        break;
    case CHECK_ONLY:
        check_only(sound);
        break;
    case CHECK_TIMED:
        check_timed(sound);
        break;
    case CHECK_NONE:
    case CHECK_SOME:
    case CHECK_COUNT:
    case CHECK_BYTES:
    case CHECK_DELIVERED:
    case CHECK_SHOWN:
    case CHECK_SOUNDED:
    case CHECK_TOGETHER:
    case CHECK_GROWING:
    case CHECK_SLOWER:
        break;
    }
}

void check_sound(const struct pattern *sent, const struct script_check *check,
                 const struct check_window *window, struct check_outcome *out, struct text *actual)
{
    struct score score;
    struct heard heard = {.run_count = 0};
    const struct sound_check sound = {.sent = sent,
                                      .check = check,
                                      .window = window,
                                      .score = &score,
                                      .heard = &heard,
                                      .out = out,
                                      .actual = actual};
    if (!score_build(&score, sent->input) || !heard_build(&heard, &score, sent->input))
        no_memory(&sound);
    else if (can_judge(&sound))
        judge_sound(&sound);
    heard_free(&heard);
    score_free(&score);
}
