#include "conformance/judge/heard.h"

#include <stdlib.h>

#include "codec/wire/crc32.h"
#include "codec/wire/float32.h"
#include "conformance/judge/overlay.h"

enum {
    FEED_SAMPLES = 1024,
    /* A source is known by this many samples of its beginning, where it holds more. */
    BEGINNING_SAMPLES_MIN = 8,
    CANCELLED_SAMPLES_MAX = 3
};
/* What is compared with pieces that were told, all in all: a client may tell many that fit nowhere. */
static const uint64_t COMPARED_BYTES_MAX = UINT64_C(1) << 30;
static const uint64_t LAID_SAMPLES_MAX = 4 * (uint64_t)JUDGE_SOUND_SAMPLES_MAX;
/* And with pieces that were played over each other. */
static const uint64_t OVERLAID_SAMPLES_MAX = UINT64_C(1) << 26;
/* In place of a piece that is nothing that was sent: no block of the signal has two samples alike for long.
 */
static const int16_t SOMETHING_ELSE = 20000;
static const float FULL_SCALE = 32768;
/* As coded_sample_is has it: samples of the signal are 16 steps apart. */
static const float SAME_BELOW = 8.0F / 32768;

/* ---- runs ---- */

struct listener {
    struct heard *heard;
    const struct score *score;
    const int16_t *samples;
    uint64_t overlay_budget;
};

static float sample_at(const struct listener *listener, uint64_t at)
{
    return (float)listener->samples[at] / FULL_SCALE;
}

static bool list_push(struct coded_run **list, size_t *count, size_t *capacity, const struct coded_run *run)
{
    if (*count == *capacity) {
        const size_t more = *capacity == 0 ? 64 : 2 * *capacity;
        struct coded_run *grown = realloc(*list, more * sizeof *grown);
        if (grown == NULL)
            return false;
        *list = grown;
        *capacity = more;
    }
    (*list)[(*count)++] = *run;
    return true;
}

static void run_push(struct heard *heard, const struct coded_run *run)
{
    if (run->count > 0 && !list_push(&heard->runs, &heard->run_count, &heard->run_capacity, run))
        heard->no_memory = true;
}

static void third_push(struct heard *heard, const struct coded_run *run)
{
    if (!list_push(&heard->thirds, &heard->third_count, &heard->third_capacity, run))
        heard->no_memory = true;
}

static struct coded_run voice_run(const struct score_part *part, uint64_t at, uint64_t from, uint64_t to)
{
    const uint64_t end = part->count < to ? part->count : to;
    return (struct coded_run){.kind = CODED_RUN_SIGNAL,
                              .at = at + from,
                              .count = end > from ? end - from : 0,
                              .source = part->source,
                              .first = part->first + (uint32_t)from};
}

/* Pieces that begin together: the two longest as one run, then the longest alone. */
static void overlay_push(struct listener *listener, const struct overlay *overlay, uint64_t at)
{
    struct coded_run both = voice_run(overlay->voices[0], at, 0, overlay->count);
    const struct coded_run second = voice_run(overlay->voices[1], at, 0, overlay->count);
    both.kind = CODED_RUN_MIXED;
    both.count = second.count;
    both.second_source = second.source;
    both.second_first = second.first;
    run_push(listener->heard, &both);
    const struct coded_run alone = voice_run(overlay->voices[0], at, second.count, overlay->count);
    run_push(listener->heard, &alone);
    for (size_t i = 2; i < overlay->voice_count; i++) {
        const struct coded_run third = voice_run(overlay->voices[i], at, 0, overlay->count);
        third_push(listener->heard, &third);
    }
}

/* Are `count` samples from `at` on those of a source from its sample `first` on? */
static bool is_stretch(const struct listener *listener, size_t row, uint32_t first, uint64_t at,
                       uint64_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const float difference = sample_at(listener, at + n) - score_sample(listener->score, row, first + n);
        if (difference > SAME_BELOW || difference < -SAME_BELOW)
            return false;
    }
    return true;
}

/* Finds a stretch that is the beginning of a turn, cut off, or a whole message: row, and where in it. */
static bool short_find(const struct listener *listener, uint64_t at, uint64_t count, size_t *row,
                       uint32_t *first)
{
    const struct score *score = listener->score;
    for (*row = 0, *first = 0; *row < score->source_count; (*row)++) {
        const uint64_t whole = score->sources[*row].end - score->sources[*row].first;
        const bool enough = count == whole || (count < whole && count >= BEGINNING_SAMPLES_MIN);
        if (enough && is_stretch(listener, *row, 0, at, count))
            return true;
    }
    for (size_t i = 0; i < score->part_count; i++) {
        const struct score_part *part = &score->parts[i];
        if (part->sound != SCORE_CODED || part->count != count)
            continue;
        *row = part->row;
        *first = part->first - score->sources[*row].first;
        if (is_stretch(listener, *row, *first, at, count))
            return true;
    }
    return false;
}

static void part_push(struct heard *heard, enum coded_run_kind kind, uint64_t from, uint64_t to)
{
    const struct coded_run run = {.kind = kind, .at = from, .count = to - from};
    run_push(heard, &run);
}

/* A stretch that is too short to hold a block may still be known by its samples. */
static bool push_short(struct listener *listener, uint64_t from, uint64_t count)
{
    size_t row = 0;
    uint32_t first = 0;
    if (count >= 2 * CODED_WINDOW_SAMPLES + CODED_PENDING_SAMPLES ||
        !short_find(listener, from, count, &row, &first))
        return false;
    const struct score_source *source = &listener->score->sources[row];
    const struct coded_run signal = {.kind = CODED_RUN_SIGNAL,
                                     .at = from,
                                     .count = count,
                                     .source = source->source,
                                     .first = source->first + first};
    run_push(listener->heard, &signal);
    return true;
}

/* Takes the silence of the runs so far back to sample `at`; false: there is something else. */
static bool silence_cut(struct heard *heard, uint64_t at)
{
    struct coded_run *last = heard->run_count == 0 ? NULL : &heard->runs[heard->run_count - 1];
    if (last == NULL || last->at + last->count <= at)
        return true;
    if (last->kind != CODED_RUN_SILENCE || last->at > at)
        return false;
    last->count = at - last->at;
    return true;
}

/* Several pieces at once, of which the first sounds at sample `from`. Where the first samples cancel each
 * other out they began before. How many samples they explain from `from` on. */
static uint64_t push_overlaid(struct listener *listener, uint64_t from, uint64_t end)
{
    struct overlay overlay;
    for (uint64_t back = 0; back <= CANCELLED_SAMPLES_MAX && back <= from; back++) {
        if (!overlay_find(listener->score, listener->samples + from - back, end - from + back,
                          &listener->overlay_budget, &overlay) ||
            overlay.count <= back || !silence_cut(listener->heard, from - back))
            continue;
        overlay_push(listener, &overlay, from - back);
        return overlay.count - back;
    }
    return 0;
}

/* What is nothing by itself may be so short, or several pieces at once; with silence around it. */
static void take_strange(struct listener *listener, const struct coded_run *run)
{
    struct heard *heard = listener->heard;
    const uint64_t end = run->at + run->count;
    uint64_t from = run->at, to = end;
    while (from < end && listener->samples[from] == 0)
        from++;
    while (to > from && coded_sample_is_silent(sample_at(listener, to - 1)))
        to--;
    const size_t before = heard->run_count;
    part_push(heard, CODED_RUN_SILENCE, run->at, from);
    if (from < to && push_short(listener, from, to - from)) {
        part_push(heard, CODED_RUN_SILENCE, to, end);
        return;
    }
    const uint64_t explained = from < to ? push_overlaid(listener, from, end) : 0;
    if (explained == 0) {
        heard->run_count = before;
        heard->strange += to - from;
        run_push(heard, run);
        return;
    }
    heard->strange += to > from + explained ? to - from - explained : 0;
    part_push(heard, CODED_RUN_OTHER, from + explained, end);
}

static void take_run(void *context, const struct coded_run *run)
{
    struct listener *listener = context;
    if (run->kind == CODED_RUN_OTHER)
        take_strange(listener, run);
    else
        run_push(listener->heard, run);
}

static bool listen_to(struct heard *heard, const struct score *score, const int16_t *samples, size_t count)
{
    struct listener listener = {
        .heard = heard, .score = score, .samples = samples, .overlay_budget = OVERLAID_SAMPLES_MAX};
    struct coded_reader reader;
    float block[FEED_SAMPLES];
    coded_reader_init(&reader, take_run, &listener);
    for (size_t at = 0; at < count;) {
        size_t n = 0;
        for (; n < FEED_SAMPLES && at < count; n++)
            block[n] = (float)samples[at++] / FULL_SCALE;
        coded_reader_feed(&reader, block, n);
    }
    coded_reader_finish(&reader);
    heard->samples = count;
    return !heard->no_memory;
}

/* ---- what was told ---- */

struct teller {
    const struct score *score;
    size_t next; /* byte of the score's sound at which the piece told last ended */
    uint64_t compared;
    uint64_t laid; /* samples */
};

/* Of float32 samples that were PCM16, as those. */
static uint32_t pcm16_crc(struct bytes samples)
{
    uint8_t block[2 * FEED_SAMPLES];
    uint32_t crc = 0;
    size_t len = 0;
    for (size_t n = 0; n < float32_count(samples); n++) {
        const uint16_t sample = (uint16_t)(int16_t)(float32_at(samples, n) * FULL_SCALE);
        block[len++] = (uint8_t)(sample & 0xFFU);
        block[len++] = (uint8_t)(sample >> 8);
        if (len < sizeof block && n + 1 < float32_count(samples))
            continue;
        crc = crc32_more(crc, bytes_of(block, len));
        len = 0;
    }
    return crc;
}

/* Is it the piece that begins at byte `pcm` of what was sent? */
static bool piece_is(struct teller *teller, const struct observation *piece, size_t pcm)
{
    const struct buffer *sent = &teller->score->pcm;
    const size_t bytes = (size_t)piece->samples * FLOAT32_BYTES;
    if (pcm > sent->len || bytes > sent->len - pcm || teller->compared > COMPARED_BYTES_MAX)
        return false;
    teller->compared += bytes;
    const struct bytes samples = bytes_of(sent->data + pcm, bytes);
    return (teller->score->is_pcm16 ? pcm16_crc(samples) : crc32_of(samples)) == piece->audio_crc;
}

/* Where it comes from: as a rule it goes on where the one before ended, or begins a message. */
static bool piece_find(struct teller *teller, const struct observation *piece, size_t *pcm)
{
    bool found = piece_is(teller, piece, teller->next);
    *pcm = teller->next;
    for (size_t i = 0; !found && i < teller->score->part_count; i++) {
        *pcm = teller->score->parts[i].pcm;
        found = teller->score->parts[i].count > 0 && piece_is(teller, piece, *pcm);
    }
    if (found)
        teller->next = *pcm + (size_t)piece->samples * FLOAT32_BYTES;
    return found;
}

static int16_t sum_of(int16_t a, float b)
{
    const float sum = (float)a + b * FULL_SCALE;
    if (!(sum > (float)INT16_MIN)) /* what is no number too */
        return INT16_MIN;
    return sum >= (float)INT16_MAX ? INT16_MAX : (int16_t)sum;
}

/* Lays the piece at its place; over another one both sound. */
static void piece_lay(struct teller *teller, const struct observation *piece, int16_t *samples)
{
    size_t pcm = 0;
    if (piece->samples > LAID_SAMPLES_MAX - teller->laid)
        return;
    teller->laid += piece->samples;
    const bool found = piece->has_audio && piece_find(teller, piece, &pcm);
    const struct bytes sound =
        found ? bytes_of(teller->score->pcm.data + pcm, (size_t)piece->samples * FLOAT32_BYTES)
              : bytes_of(NULL, 0);
    for (size_t n = 0; n < piece->samples; n++) {
        int16_t *to = &samples[piece->at + n];
        *to = found ? sum_of(*to, float32_at(sound, n)) : SOMETHING_ELSE;
    }
}

static bool is_piece(const struct observation *observation)
{
    return observation->kind == OBSERVED_HEARD && observation->has_at && observation->samples > 0;
}

static bool lay_told(struct heard *heard, const struct score *score, const struct judge_input *input)
{
    struct teller teller = {.score = score};
    uint64_t count = 0;
    for (size_t i = 0; i < input->observation_count; i++) {
        const struct observation *piece = &input->observations[i];
        const uint64_t end = (uint64_t)piece->at + piece->samples;
        if (is_piece(piece) && end <= JUDGE_SOUND_SAMPLES_MAX && end > count)
            count = end;
    }
    int16_t *samples = calloc(count + 1, sizeof *samples);
    if (samples == NULL)
        return false;
    for (size_t i = 0; i < input->observation_count; i++) {
        const struct observation *piece = &input->observations[i];
        if (is_piece(piece) && (uint64_t)piece->at + piece->samples <= count)
            piece_lay(&teller, piece, samples);
    }
    const bool good = listen_to(heard, score, samples, count);
    free(samples);
    return good;
}

static enum heard_from told(const struct judge_input *input)
{
    enum heard_from from = HEARD_NOTHING;
    for (size_t i = 0; i < input->observation_count; i++)
        if (is_piece(&input->observations[i])) {
            if (input->observations[i].has_audio)
                return HEARD_TOLD;
            from = HEARD_UNKNOWN;
        }
    return from;
}

/* ---- all of it ---- */

bool heard_build(struct heard *heard, const struct score *score, const struct judge_input *input)
{
    *heard = (struct heard){.from = input->sound_known ? HEARD_SAMPLES : told(input)};
    switch (heard->from) {
    case HEARD_SAMPLES:
        return listen_to(heard, score, input->sound, input->sound_count);
    case HEARD_TOLD:
        return lay_told(heard, score, input);
    case HEARD_NOTHING:
    case HEARD_UNKNOWN:
        return true;
    }
    return true;
}

void heard_free(struct heard *heard)
{
    free(heard->runs);
    free(heard->thirds);
}

/* ---- asking ---- */

static bool stretch_holds(uint16_t source, uint32_t first, uint64_t count, uint16_t wanted, uint32_t position)
{
    return source == wanted && first <= position && position - first < count;
}

bool heard_find(const struct heard *heard, uint16_t source, uint32_t position, uint64_t *at)
{
    for (size_t i = 0; i < heard->third_count; i++) {
        const struct coded_run *run = &heard->thirds[i];
        if (stretch_holds(run->source, run->first, run->count, source, position)) {
            *at = run->at + (position - run->first);
            return true;
        }
    }
    for (size_t i = 0; i < heard->run_count; i++) {
        const struct coded_run *run = &heard->runs[i];
        const bool second = run->kind == CODED_RUN_MIXED;
        if (run->kind != CODED_RUN_SIGNAL && !second)
            continue;
        if (stretch_holds(run->source, run->first, run->count, source, position)) {
            *at = run->at + (position - run->first);
            return true;
        }
        if (second && stretch_holds(run->second_source, run->second_first, run->count, source, position)) {
            *at = run->at + (position - run->second_first);
            return true;
        }
    }
    return false;
}
