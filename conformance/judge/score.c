#include "conformance/judge/score.h"

#include <stdlib.h>

#include "codec/media/coded_reader.h"
#include "codec/wire/float32.h"

enum {
    SCORE_PCM_BYTES_MAX = 256 * 1024 * 1024,
    SCORE_TEXT_BYTES_MAX = 16 * 1024 * 1024,
    FEED_SAMPLES = 1024,
    RUNS_MAX = 64, /* of one turn */
    SOURCES_MAX = 4096
};

/* Sources of turns that are known by their samples alone: from the top down, where no turn counts to. */
static const uint16_t SHORT_SOURCE_FIRST = UINT16_MAX;

struct turn_runs {
    size_t count;
    struct coded_run list[RUNS_MAX];
};

/* ---- the lists ---- */

static bool list_grow(void **list, size_t count, size_t *capacity, size_t item_bytes)
{
    if (count < *capacity)
        return true;
    const size_t more = *capacity == 0 ? 64 : 2 * *capacity;
    void *grown = realloc(*list, more * item_bytes);
    if (grown == NULL)
        return false;
    *list = grown;
    *capacity = more;
    return true;
}

static bool source_add(struct score *score, const struct score_source *source)
{
    for (size_t i = 0; i < score->source_count; i++) {
        const struct score_source *other = &score->sources[i];
        if (other->source == source->source && other->first < source->end && source->first < other->end)
            score->ambiguous = true;
    }
    void *list = score->sources;
    if (score->source_count == SOURCES_MAX)
        return false;
    if (!list_grow(&list, score->source_count, &score->source_capacity, sizeof *score->sources))
        return false;
    score->sources = list;
    score->sources[score->source_count++] = *source;
    return true;
}

/* ---- reading a turn ---- */

static void take_run(void *context, const struct coded_run *run)
{
    struct turn_runs *runs = context;
    if (runs->count < RUNS_MAX)
        runs->list[runs->count++] = *run;
}

static void read_runs(struct bytes pcm, struct turn_runs *out)
{
    struct coded_reader reader;
    float samples[FEED_SAMPLES];
    const size_t count = float32_count(pcm);
    out->count = 0;
    coded_reader_init(&reader, take_run, out);
    for (size_t at = 0; at < count; at += FEED_SAMPLES) {
        const size_t n = count - at < FEED_SAMPLES ? count - at : FEED_SAMPLES;
        float32_read(bytes_of(pcm.data + at * FLOAT32_BYTES, n * FLOAT32_BYTES), samples);
        coded_reader_feed(&reader, samples, n);
    }
    coded_reader_finish(&reader);
}

/* The whole turn is one stretch of something that is too short to say what it is. */
static bool is_short(const struct turn_runs *runs, size_t count)
{
    return count > 0 && count < CODED_WINDOW_SAMPLES && runs->count == 1 &&
           runs->list[0].kind == CODED_RUN_OTHER && runs->list[0].count == count;
}

/* Does it go on where the last one ends, in the signal and in the sound? */
static bool goes_on(const struct score *score, const struct score_source *source)
{
    if (score->source_count == 0)
        return false;
    const struct score_source *last = &score->sources[score->source_count - 1];
    return last->source == source->source && last->end == source->first &&
           last->pcm + (last->end - last->first) * FLOAT32_BYTES == source->pcm;
}

static bool sources_of_turn(struct score *score, const struct turn_runs *runs, size_t pcm)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct coded_run *run = &runs->list[i];
        const struct score_source source = {.source = run->source,
                                            .first = run->first,
                                            .end = run->first + (uint32_t)run->count,
                                            .pcm = pcm + (size_t)run->at * FLOAT32_BYTES};
        if (run->kind != CODED_RUN_SIGNAL)
            continue;
        if (goes_on(score, &source))
            score->sources[score->source_count - 1].end = source.end;
        else if (!source_add(score, &source))
            return false;
    }
    return true;
}

/* Which run a part lies in, and so where in the signal. */
static void part_place(const struct score *score, const struct turn_runs *runs, size_t turn_pcm,
                       struct score_part *part)
{
    const uint64_t at = (part->pcm - turn_pcm) / FLOAT32_BYTES;
    part->sound = part->count == 0 ? SCORE_NONE : SCORE_UNKNOWN;
    for (size_t i = 0; i < runs->count && part->count > 0; i++) {
        const struct coded_run *run = &runs->list[i];
        if (at < run->at || at + part->count > run->at + run->count)
            continue;
        if (run->kind == CODED_RUN_SILENCE)
            part->sound = SCORE_SILENT;
        if (run->kind != CODED_RUN_SIGNAL)
            return;
        part->sound = SCORE_CODED;
        part->source = run->source;
        part->first = run->first + (uint32_t)(at - run->at);
        for (size_t n = 0; n < score->source_count; n++)
            if (score->sources[n].source == part->source && score->sources[n].first <= part->first &&
                part->first < score->sources[n].end)
                part->row = n;
        return;
    }
}

/* The parts from `from` on are a turn. */
static bool turn_read(struct score *score, size_t from)
{
    if (from == score->part_count)
        return true;
    struct turn_runs runs;
    const size_t pcm = score->parts[from].pcm;
    const size_t count = (score->pcm.len - pcm) / FLOAT32_BYTES;
    read_runs(bytes_of(score->pcm.data + pcm, score->pcm.len - pcm), &runs);
    if (is_short(&runs, count)) {
        struct coded_run *run = &runs.list[0];
        run->kind = CODED_RUN_SIGNAL;
        run->source = (uint16_t)(SHORT_SOURCE_FIRST - score->source_count);
        run->first = 0;
    }
    if (!sources_of_turn(score, &runs, pcm))
        return false;
    for (size_t i = from; i < score->part_count; i++)
        part_place(score, &runs, pcm, &score->parts[i]);
    return true;
}

/* ---- reading the journal ---- */

static bool text_add_part(struct score *score, const struct speech_summary *summary, struct score_part *part)
{
    part->text = score->texts.len;
    part->text_len = summary->text_len;
    return buffer_append(&score->texts, bytes_of(summary->text, summary->text_len + 1));
}

/* Text that came in a message of its own is that of the sound behind it. */
static void text_take(struct score *score, struct score_part *part)
{
    struct score_part *before = score->part_count == 0 ? NULL : &score->parts[score->part_count - 1];
    if (before == NULL || !before->is_text_alone || before->turn != part->turn || part->text_len > 0)
        return;
    part->text = before->text;
    part->text_len = before->text_len;
    before->text_len = 0;
}

static bool part_add(struct score *score, size_t position, size_t turn, size_t pcm,
                     const struct speech_summary *summary)
{
    struct score_part part = {.position = position,
                              .number = 1,
                              .turn = turn,
                              .count = summary->decodes ? summary->samples : 0,
                              .pcm = pcm};
    if (part.count == 0)
        score->pcm.len = pcm;
    for (size_t i = 0; i < score->part_count; i++)
        part.number += score->parts[i].count > 0 ? 1 : 0;
    void *list = score->parts;
    if (!list_grow(&list, score->part_count, &score->part_capacity, sizeof *score->parts))
        return false;
    score->parts = list;
    if (!text_add_part(score, summary, &part))
        return false;
    part.is_text_alone = !summary->has_audio && part.text_len > 0;
    if (part.count > 0)
        text_take(score, &part);
    score->parts[score->part_count++] = part;
    return true;
}

static bool is_sent_text(const struct journal_entry *entry)
{
    return entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
           entry->wire.kind == WIRE_EVENT_TEXT;
}

static bool read_journal(struct score *score, const struct judge_input *input)
{
    const struct session_messages *messages = input->script->class->messages;
    size_t turn = 1, turn_from = 0;
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        const size_t pcm = score->pcm.len;
        struct speech_summary summary;
        if (!is_sent_text(entry) || !messages->speech(entry->wire.data, &score->pcm, &summary))
            continue;
        if (!summary.stops && !part_add(score, i, turn, pcm, &summary))
            return false;
        if (!summary.ends_turn)
            continue;
        if (!turn_read(score, turn_from))
            return false;
        turn += score->part_count > turn_from ? 1 : 0;
        turn_from = score->part_count;
    }
    return turn_read(score, turn_from);
}

static bool lengths_make(struct score *score)
{
    score->lengths = calloc(score->source_count + 1, sizeof *score->lengths);
    if (score->lengths == NULL)
        return false;
    for (size_t i = 0; i < score->source_count; i++) {
        const struct score_source *source = &score->sources[i];
        size_t n = 0;
        while (n < score->length_count && score->lengths[n].source != source->source)
            n++;
        if (n == score->length_count)
            score->lengths[score->length_count++] = (struct coded_source){.source = source->source};
        if (score->lengths[n].count < source->end)
            score->lengths[n].count = source->end;
    }
    return true;
}

bool score_build(struct score *score, const struct judge_input *input)
{
    *score = (struct score){.is_pcm16 = input->script->class->messages->speech_is_pcm16};
    buffer_init(&score->pcm, SCORE_PCM_BYTES_MAX);
    buffer_init(&score->texts, SCORE_TEXT_BYTES_MAX);
    return read_journal(score, input) && lengths_make(score);
}

void score_free(struct score *score)
{
    free(score->parts);
    free(score->sources);
    free(score->lengths);
    buffer_free(&score->pcm);
    buffer_free(&score->texts);
}

/* ---- asking ---- */

float score_sample(const struct score *score, size_t row, uint32_t n)
{
    const size_t at = score->sources[row].pcm + (size_t)n * FLOAT32_BYTES;
    return float32_at(bytes_of(score->pcm.data + at, FLOAT32_BYTES), 0);
}

const char *score_text(const struct score *score, const struct score_part *part)
{
    return (const char *)score->texts.data + part->text;
}
