#include "codec/rules/speech_likeness.h"

#include "codec/wire/text.h"

enum {
    STEP = 4, /* samples are taken together by fours: what is above 2 kHz counts little */
    POINTS = LIKENESS_WINDOW_SAMPLES / STEP,
    REACH = LIKENESS_WINDOW_SAMPLES + 2 * LIKENESS_LATE_SAMPLES,
    QUIET_SHARE = 16,    /* a window with less than this part of the mean energy is not looked at */
    FAINT_SHARE = 256,   /* of the energy: an eighth of a sixteenth as loud is no speech any more */
    OTHERS_SHARE = 4,    /* up to this part of the windows may be another: a seam between two messages */
    SAMPLES_PER_MS = 16, /* the protocols' input */
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
    const size_t looked_at = (samples_of_all(context) + 2 * (size_t)LIKENESS_LATE_SAMPLES) * BYTES_PER_SAMPLE;
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

struct likeness_outcome speech_likeness(const struct rule_context *context, const struct speech_heard *heard)
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

void likeness_describe(struct text *out, const struct likeness_outcome *outcome)
{
    text_add_u64(out, outcome->samples);
    text_add(out, " samples, where the speech has ");
    text_add_u64(out, outcome->due);
    if (outcome->status != LIKENESS_OTHER)
        return;
    text_add(out, "; from ");
    text_add_u64(out, outcome->at / SAMPLES_PER_MS);
    text_add(out, " ms on they are not like it (");
    text_add_u64(out, outcome->percent);
    text_add(out, " %)");
}
