#include "codec/rules/speech_likeness.h"

#include <stdlib.h>

#include "codec/wire/text.h"

enum {
    STEP = 4, /* samples are taken together by fours: what is above 2 kHz counts little */
    POINTS = LIKENESS_WINDOW_SAMPLES / STEP,
    REACH = LIKENESS_WINDOW_SAMPLES + 2 * LIKENESS_LATE_SAMPLES,
    QUIET_SHARE = 16,    /* a window with less than this part of the mean energy is not looked at */
    FAINT_SHARE = 256,   /* of the energy: an eighth of a sixteenth as loud is no speech any more */
    OTHERS_SHARE = 4,    /* up to this part of the windows may be another: a seam between two messages */
    SAMPLES_PER_MS = 16, /* the protocols' input */
    PROTOCOL_RATE = 1000 * SAMPLES_PER_MS,
    KEPT_TIMES = 3, /* of what came, lengths of the speech that are kept: half of 48 kHz in stereo */
    BYTES_PER_SAMPLE = 2
};

/* ---- the speech, all of it joined ---- */

static size_t samples_of_all(const struct rule_context *context)
{
    size_t count = 0;
    for (size_t i = 0; i < context->speech_count; i++)
        count += context->speech[i].sample_count;
    return count;
}

static int32_t source_at(const struct rule_context *context, size_t n)
{
    for (size_t i = 0; i < context->speech_count; i++) {
        if (n < context->speech[i].sample_count)
            return context->speech[i].samples[n];
        n -= context->speech[i].sample_count;
    }
    return 0;
}

static double source_window(const struct rule_context *context, size_t from, int32_t points[POINTS])
{
    double energy = 0;
    for (size_t k = 0; k < POINTS; k++) {
        points[k] = 0;
        for (size_t i = 0; i < STEP; i++)
            points[k] += source_at(context, from + k * STEP + i);
        energy += (double)points[k] * points[k];
    }
    return energy;
}

/* Of its windows, in the mean. */
static double source_energy(const struct rule_context *context, size_t due)
{
    int32_t points[POINTS];
    double energy = 0;
    size_t windows = 0;
    for (size_t from = 0; from + LIKENESS_WINDOW_SAMPLES <= due; from += LIKENESS_WINDOW_SAMPLES, windows++)
        energy += source_window(context, from, points);
    return windows == 0 ? 0 : energy / (double)windows;
}

/* ---- what came ---- */

void speech_heard_free(struct speech_heard *heard)
{
    buffer_free(&heard->kept);
    *heard = (struct speech_heard){.bytes = 0};
}

void speech_heard_take(struct speech_heard *heard, const struct rule_context *context, struct bytes audio)
{
    const size_t looked_at =
        (samples_of_all(context) + 2 * (size_t)LIKENESS_LATE_SAMPLES) * KEPT_TIMES * BYTES_PER_SAMPLE;
    if (heard->bytes == 0)
        buffer_init(&heard->kept, looked_at);
    heard->bytes += audio.len;
    const size_t room = looked_at - heard->kept.len;
    const size_t len = audio.len < room ? audio.len : room;
    if (len > 0 && !buffer_append(&heard->kept, bytes_of(audio.data, len)))
        heard->lost = true;
}

static int32_t heard_at(const struct speech_heard *heard, int64_t n)
{
    if (n < 0 || n >= (int64_t)(heard->kept.len / BYTES_PER_SAMPLE))
        return 0;
    const uint8_t *at = heard->kept.data + (size_t)n * BYTES_PER_SAMPLE;
    return (int16_t)(uint16_t)(at[0] | at[1] << 8);
}

/* The same sums of fours, at every sample from `from` on. */
static void heard_reach(const struct speech_heard *heard, int64_t from, int32_t sums[REACH])
{
    for (size_t k = 0; k < REACH; k++) {
        sums[k] = 0;
        for (int64_t i = 0; i < STEP; i++)
            sums[k] += heard_at(heard, from + (int64_t)k + i);
    }
}

/* ---- side by side ---- */

struct tally {
    double mean_energy;
    size_t windows, others; /* that were looked at, and those of them that are not alike */
    size_t at;              /* the first of those */
    unsigned percent;
};

/* The square of the correlation, 0 to 1; of what is turned round, or far too faint, 0. */
static double likeness_at(const int32_t points[POINTS], double energy, const int32_t *sums)
{
    double product = 0, heard_energy = 0;
    for (size_t k = 0; k < POINTS; k++) {
        product += (double)points[k] * sums[k * STEP];
        heard_energy += (double)sums[k * STEP] * sums[k * STEP];
    }
    if (product <= 0 || heard_energy * FAINT_SHARE < energy)
        return 0;
    return product * product / (energy * heard_energy);
}

/* The best of all places within `reach` samples of *late, which moves there. */
static double likeness_best(const struct speech_heard *heard, const int32_t points[POINTS], double energy,
                            size_t from, int64_t reach, int64_t *late)
{
    int32_t sums[REACH];
    const int64_t first = *late - reach;
    double best = 0;
    heard_reach(heard, (int64_t)from + first, sums);
    for (int64_t k = 0; k <= 2 * reach; k++) {
        const double likeness = likeness_at(points, energy, sums + k);
        if (likeness <= best)
            continue;
        best = likeness;
        *late = first + k;
    }
    return best;
}

static unsigned percent_of(double likeness)
{
    unsigned percent = 0;
    while (percent < 100 && (percent + 1.0) * (percent + 1.0) <= likeness * 10000.0)
        percent++;
    return percent;
}

/* One window more. `*late` moves on with those that are alike. */
static void window_judge(const struct rule_context *context, const struct speech_heard *heard, size_t from,
                         int64_t *late, struct tally *tally)
{
    int32_t points[POINTS];
    const double energy = source_window(context, from, points);
    if (energy == 0 || energy * QUIET_SHARE < tally->mean_energy)
        return;
    int64_t at = *late;
    const int64_t reach = tally->windows == tally->others ? LIKENESS_LATE_SAMPLES : LIKENESS_DRIFT_SAMPLES;
    const unsigned percent = percent_of(likeness_best(heard, points, energy, from, reach, &at));
    tally->windows++;
    if (percent >= LIKENESS_PERCENT_MIN) {
        *late = at;
    } else if (tally->others++ == 0) {
        tally->at = from;
        tally->percent = percent;
    }
}

/* ---- as it stands ---- */

static struct likeness_outcome compare_in_place(const struct rule_context *context,
                                                const struct speech_heard *heard)
{
    struct likeness_outcome out = {.samples = (size_t)(heard->bytes / BYTES_PER_SAMPLE),
                                   .due = samples_of_all(context)};
    const size_t came = out.samples < out.due ? out.samples : out.due;
    struct tally tally = {.mean_energy = source_energy(context, out.due)};
    int64_t late = 0;
    for (size_t from = 0; from + LIKENESS_WINDOW_SAMPLES + LIKENESS_LATE_SAMPLES <= came;
         from += LIKENESS_WINDOW_SAMPLES)
        window_judge(context, heard, from, &late, &tally);
    if (heard->lost || tally.windows == 0)
        return out;
    out.status = tally.others * OTHERS_SHARE > tally.windows ? LIKENESS_OTHER : LIKENESS_ALIKE;
    out.at = tally.at;
    out.percent = tally.percent;
    return out;
}

/* ---- in parts: each window of what came, wherever in the speech it is from ---- */

enum {
    PARTS_MAX = 24,         /* windows that are looked for, evenly spread */
    PARTS_MIN = 3,          /* fewer tell nothing */
    SEARCHES_MAX = 8,       /* through all of the speech; else only where the one before was found */
    SEARCH_STEP = STEP / 2, /* samples from one place that is tried to the next … */
    SEARCH_POINTS_STEP = 4, /* … by every fourth point … */
    SEARCH_PERCENT = 40     /* … before it is looked at closely */
};

struct sums {
    int32_t *of_fours; /* of the speech, at every sample; owned */
    size_t count;
};

static bool sums_make(struct sums *sums, const struct rule_context *context, size_t due)
{
    *sums = (struct sums){.of_fours = NULL, .count = due < STEP ? 0 : due - STEP};
    if (sums->count < LIKENESS_WINDOW_SAMPLES)
        return false;
    sums->of_fours = malloc(sums->count * sizeof *sums->of_fours);
    if (sums->of_fours == NULL)
        return false;
    int32_t sum = 0;
    for (size_t n = 0; n < sums->count + STEP; n++) {
        sum += source_at(context, n);
        if (n >= STEP)
            sum -= source_at(context, n - STEP);
        if (n + 1 >= STEP && n + 1 - STEP < sums->count)
            sums->of_fours[n + 1 - STEP] = sum;
    }
    return true;
}

static double heard_window(const struct speech_heard *heard, size_t from, int32_t points[POINTS])
{
    double energy = 0;
    for (size_t k = 0; k < POINTS; k++) {
        points[k] = 0;
        for (size_t i = 0; i < STEP; i++)
            points[k] += heard_at(heard, (int64_t)(from + k * STEP + i));
        energy += (double)points[k] * points[k];
    }
    return energy;
}

static double energy_at(const int32_t *sums)
{
    double energy = 0;
    for (size_t k = 0; k < POINTS; k++)
        energy += (double)sums[k * STEP] * sums[k * STEP];
    return energy;
}

static bool may_be_at(const int32_t points[POINTS], const int32_t *sums)
{
    double product = 0, energy = 0, other_energy = 0;
    for (size_t k = 0; k < POINTS; k += SEARCH_POINTS_STEP) {
        product += (double)points[k] * sums[k * STEP];
        energy += (double)points[k] * points[k];
        other_energy += (double)sums[k * STEP] * sums[k * STEP];
    }
    return product > 0 && product * product * 100 >= SEARCH_PERCENT * energy * other_energy;
}

/* Is the window like the speech there, and not far too faint for it? */
static bool is_at(const struct sums *sums, const int32_t points[POINTS], double energy, size_t n)
{
    return percent_of(likeness_at(points, energy, sums->of_fours + n)) >= LIKENESS_PERCENT_MIN &&
           energy * FAINT_SHARE >= energy_at(sums->of_fours + n);
}

/* The first place from `first` to `last` that the window is like. */
static bool part_find(const struct sums *sums, const int32_t points[POINTS], double energy, size_t first,
                      size_t last, size_t *place)
{
    const size_t end = sums->count - LIKENESS_WINDOW_SAMPLES;
    for (size_t n = first; n <= last && n <= end; n += SEARCH_STEP) {
        if (!may_be_at(points, sums->of_fours + n))
            continue;
        for (*place = n == 0 ? 0 : n - 1; *place <= n + 1 && *place <= end; ++*place)
            if (is_at(sums, points, energy, *place))
                return true;
    }
    return false;
}

struct parts {
    size_t windows; /* of what came */
    size_t stride;
    double loudest;
    size_t looked_at, found, searches;
    int64_t offset; /* of the latest that was found, from its place in what came */
};

static void part_judge(const struct sums *sums, const struct speech_heard *heard, size_t from,
                       struct parts *parts)
{
    int32_t points[POINTS];
    size_t place = 0;
    const double energy = heard_window(heard, from, points);
    if (energy == 0 || energy * QUIET_SHARE < parts->loudest)
        return;
    parts->looked_at++;
    const int64_t near = (int64_t)from + parts->offset - LIKENESS_DRIFT_SAMPLES;
    const size_t first = near < 0 ? 0 : (size_t)near;
    bool found = part_find(sums, points, energy, first, first + 2 * (size_t)LIKENESS_DRIFT_SAMPLES, &place);
    if (!found && parts->searches < SEARCHES_MAX) {
        parts->searches++;
        found = part_find(sums, points, energy, 0, SIZE_MAX, &place);
    }
    if (found)
        parts->offset = (int64_t)place - (int64_t)from;
    parts->found += found;
}

static bool is_of_parts(const struct rule_context *context, const struct speech_heard *heard)
{
    struct parts parts = {.windows = heard->kept.len / BYTES_PER_SAMPLE / LIKENESS_WINDOW_SAMPLES};
    int32_t points[POINTS];
    struct sums sums;
    if (!sums_make(&sums, context, samples_of_all(context)))
        return false;
    parts.stride = parts.windows / PARTS_MAX + 1;
    for (size_t n = 0; n < parts.windows; n++) {
        const double energy = heard_window(heard, n * LIKENESS_WINDOW_SAMPLES, points);
        parts.loudest = energy > parts.loudest ? energy : parts.loudest;
    }
    for (size_t n = 0; n < parts.windows; n += parts.stride)
        part_judge(&sums, heard, n * LIKENESS_WINDOW_SAMPLES, &parts);
    free(sums.of_fours);
    return parts.looked_at >= PARTS_MIN && (parts.looked_at - parts.found) * OTHERS_SHARE <= parts.looked_at;
}

/* ---- as it was ---- */

static const struct {
    unsigned rate, channels;
} FORMS[] = {{48000, 2}, {48000, 1}, {44100, 2}, {44100, 1}, {32000, 1}, {24000, 2}, {24000, 1}, {22050, 2},
             {22050, 1}, {16000, 2}, {12000, 1}, {11025, 1}, {8000, 2},  {8000, 1},  {96000, 1}};

/* One channel of it, of what stands nearest to each sample of the protocol. */
static bool read_in_form(const struct speech_heard *heard, size_t form, struct speech_heard *out)
{
    const uint64_t rate = FORMS[form].rate, channels = FORMS[form].channels;
    const uint64_t count = heard->kept.len / BYTES_PER_SAMPLE / channels * PROTOCOL_RATE / rate;
    *out = (struct speech_heard){.bytes = count * BYTES_PER_SAMPLE};
    buffer_init(&out->kept, (size_t)out->bytes);
    uint8_t *to = buffer_reserve(&out->kept, (size_t)out->bytes);
    if (to == NULL)
        return false;
    out->kept.len = (size_t)out->bytes;
    for (uint64_t n = 0; n < count; n++)
        memcpy(to + n * BYTES_PER_SAMPLE,
               heard->kept.data + n * rate / PROTOCOL_RATE * channels * BYTES_PER_SAMPLE, BYTES_PER_SAMPLE);
    return true;
}

/* All of its windows are alike. */
static bool is_alike_throughout(const struct rule_context *context, const struct speech_heard *heard)
{
    const size_t due = samples_of_all(context), came = (size_t)(heard->bytes / BYTES_PER_SAMPLE);
    struct tally tally = {.mean_energy = source_energy(context, due)};
    int64_t late = 0;
    for (size_t from = 0; tally.others == 0 &&
                          from + LIKENESS_WINDOW_SAMPLES + LIKENESS_LATE_SAMPLES <= (came < due ? came : due);
         from += LIKENESS_WINDOW_SAMPLES)
        window_judge(context, heard, from, &late, &tally);
    return tally.windows > 0 && tally.others == 0;
}

static bool is_in_another_form(const struct rule_context *context, const struct speech_heard *heard)
{
    bool alike = false;
    for (size_t i = 0; !alike && i < sizeof FORMS / sizeof FORMS[0]; i++) {
        struct speech_heard read;
        alike = read_in_form(heard, i, &read) && is_alike_throughout(context, &read);
        speech_heard_free(&read);
    }
    return alike;
}

/* ---- all of it ---- */

/* What is far too faint looks like speech when its bytes are swapped. */
static bool is_faint(const struct rule_context *context, const struct speech_heard *heard)
{
    int32_t points[POINTS];
    const size_t windows = heard->kept.len / BYTES_PER_SAMPLE / LIKENESS_WINDOW_SAMPLES;
    double energy = 0;
    for (size_t n = 0; n < windows; n++)
        energy += heard_window(heard, n * LIKENESS_WINDOW_SAMPLES, points);
    return energy * FAINT_SHARE < source_energy(context, samples_of_all(context)) * (double)windows;
}

static bool swap_bytes(const struct speech_heard *heard, struct speech_heard *out)
{
    *out = (struct speech_heard){.bytes = heard->bytes};
    buffer_init(&out->kept, heard->kept.len);
    uint8_t *to = buffer_reserve(&out->kept, heard->kept.len);
    if (to == NULL)
        return false;
    out->kept.len = heard->kept.len - heard->kept.len % BYTES_PER_SAMPLE;
    for (size_t i = 0; i < out->kept.len; i++)
        to[i] = heard->kept.data[i ^ 1];
    return true;
}

/* Of what is not like the speech where it ought to be: is it like it in another way? */
static enum likeness other_or_spoilt(const struct rule_context *context, const struct speech_heard *heard)
{
    struct speech_heard swapped;
    if (!is_faint(context, heard) && swap_bytes(heard, &swapped)) {
        const bool alike = compare_in_place(context, &swapped).status == LIKENESS_ALIKE;
        const bool in_parts = !alike && !is_of_parts(context, heard) && is_of_parts(context, &swapped);
        speech_heard_free(&swapped);
        if (alike || in_parts)
            return LIKENESS_SWAPPED;
    }
    return is_of_parts(context, heard)          ? LIKENESS_PARTS
           : is_in_another_form(context, heard) ? LIKENESS_UNCONVERTED
                                                : LIKENESS_OTHER;
}

struct likeness_outcome speech_likeness(const struct rule_context *context, const struct speech_heard *heard)
{
    struct likeness_outcome out = compare_in_place(context, heard);
    if (out.status == LIKENESS_OTHER)
        out.status = other_or_spoilt(context, heard);
    return out;
}

void likeness_describe(struct text *out, const struct likeness_outcome *outcome)
{
    text_add_u64(out, outcome->samples);
    text_add(out, " samples, where the speech has ");
    text_add_u64(out, outcome->due);
    switch (outcome->status) {
    case LIKENESS_UNKNOWN:
    case LIKENESS_ALIKE:
        break;
    case LIKENESS_PARTS:
        text_add(out, "; what comes from ");
        text_add_u64(out, outcome->at / SAMPLES_PER_MS);
        text_add(out, " ms on is missing, repeated or moved");
        break;
    case LIKENESS_SWAPPED:
        text_add(out, "; the bytes of the samples are swapped");
        break;
    case LIKENESS_UNCONVERTED:
        text_add(out, "; they are like it at another rate, or in more channels");
        break;
    case LIKENESS_OTHER:
        text_add(out, "; from ");
        text_add_u64(out, outcome->at / SAMPLES_PER_MS);
        text_add(out, " ms on they are not like it (");
        text_add_u64(out, outcome->percent);
        text_add(out, " %)");
        break;
    }
}
