#include "codec/media/coded_reader.h"

#include <string.h>

/* Silence shorter than that, in the middle of something else, is part of it. */
enum { QUIET_SAMPLES = 240 };

void coded_reader_init(struct coded_reader *reader, coded_run_sink *sink, void *context)
{
    *reader = (struct coded_reader){.sink = sink, .context = context};
}

static void run_close(struct coded_reader *reader)
{
    if (reader->run.count > 0)
        reader->sink(reader->context, &reader->run);
    reader->run.count = 0;
    reader->quiet = 0;
}

static bool run_is_signal(const struct coded_reader *reader)
{
    return reader->run.count > 0 &&
           (reader->run.kind == CODED_RUN_SIGNAL || reader->run.kind == CODED_RUN_MIXED);
}

/* --- silence and what is none of it --- */

static void take_nothing(struct coded_reader *reader, uint64_t at, float sample)
{
    const bool silent = coded_sample_is_silent(sample);
    struct coded_run *run = &reader->run;
    if (run->count > 0 && run->kind == CODED_RUN_SILENCE && !silent)
        run_close(reader);
    if (run->count == 0)
        *run = (struct coded_run){.kind = silent ? CODED_RUN_SILENCE : CODED_RUN_OTHER, .at = at};
    run->count++;
    reader->quiet = silent ? reader->quiet + 1 : 0;
    if (run->kind == CODED_RUN_SILENCE || reader->quiet < QUIET_SAMPLES)
        return;
    const uint64_t quiet = reader->quiet;
    run->count -= quiet;
    run_close(reader);
    *run = (struct coded_run){.kind = CODED_RUN_SILENCE, .at = at + 1 - quiet, .count = quiet};
}

/* The first `count` of what is pending are no signal. */
static void drop_pending(struct coded_reader *reader, size_t count)
{
    const uint64_t at = reader->taken - reader->pending_count;
    for (size_t i = 0; i < count; i++)
        take_nothing(reader, at + i, reader->pending[i]);
    reader->pending_count -= count;
    memmove(reader->pending, reader->pending + count, reader->pending_count * sizeof reader->pending[0]);
    memmove(reader->rest, reader->rest + count, reader->pending_count * sizeof reader->rest[0]);
}

/* --- finding the signal --- */

/* The next sample, less the signal that would have gone on there; the sample itself when none would. */
static float rest_of(const struct coded_reader *reader, float sample)
{
    const uint64_t since = reader->taken - reader->after_at;
    if (!reader->has_after || since >= (uint64_t)CODED_SAMPLES_MAX - reader->after_position)
        return sample;
    return sample - coded_sample(reader->after_source, reader->after_position + (uint32_t)since);
}

/* The signal of a block that ends the pending samples, followed back to where it began. Everything before is
 * dropped. */
static void lock_signal(struct coded_reader *reader, uint16_t source, uint32_t position)
{
    size_t start = reader->pending_count - CODED_BLOCK_SAMPLES;
    while (start > 0 && position > 0 && coded_sample_is(source, position - 1, reader->pending[start - 1])) {
        start--;
        position--;
    }
    drop_pending(reader, start);
    run_close(reader);
    reader->run = (struct coded_run){.kind = CODED_RUN_SIGNAL,
                                     .at = reader->taken - reader->pending_count,
                                     .count = reader->pending_count,
                                     .source = source,
                                     .first = position};
    reader->pending_count = 0;
}

/* The same of a block under which the signal before goes on. */
static void lock_mixed(struct coded_reader *reader, uint16_t source, uint32_t position)
{
    size_t start = reader->pending_count - CODED_BLOCK_SAMPLES;
    while (start > 0 && position > 0 && coded_sample_is(source, position - 1, reader->rest[start - 1])) {
        start--;
        position--;
    }
    drop_pending(reader, start);
    run_close(reader);
    const uint64_t at = reader->taken - reader->pending_count;
    reader->run = (struct coded_run){.kind = CODED_RUN_MIXED,
                                     .at = at,
                                     .count = reader->pending_count,
                                     .source = reader->after_source,
                                     .first = reader->after_position + (uint32_t)(at - reader->after_at),
                                     .second_source = source,
                                     .second_first = position};
    reader->pending_count = 0;
}

static bool find_mixed(struct coded_reader *reader)
{
    uint16_t source;
    uint32_t position;
    const uint64_t left = (uint64_t)CODED_SAMPLES_MAX - reader->after_position;
    if (!reader->has_after || reader->taken - reader->after_at >= left ||
        !coded_block_read(reader->rest + reader->pending_count - CODED_BLOCK_SAMPLES, &source, &position))
        return false;
    lock_mixed(reader, source, position);
    return true;
}

static void take_pending(struct coded_reader *reader, float sample)
{
    uint16_t source;
    uint32_t position;
    if (reader->pending_count == CODED_PENDING_SAMPLES)
        drop_pending(reader, CODED_BLOCK_SAMPLES);
    reader->rest[reader->pending_count] = rest_of(reader, sample);
    reader->pending[reader->pending_count++] = sample;
    reader->taken++;
    if (reader->pending_count < CODED_BLOCK_SAMPLES)
        return;
    if (coded_block_read(reader->pending + reader->pending_count - CODED_BLOCK_SAMPLES, &source, &position))
        lock_signal(reader, source, position);
    else
        (void)find_mixed(reader);
}

/* --- following it --- */

static bool run_goes_on(const struct coded_run *run, float sample)
{
    const uint64_t position = run->first + run->count;
    if (position >= CODED_SAMPLES_MAX)
        return false;
    if (run->kind == CODED_RUN_SIGNAL)
        return coded_sample_is(run->source, (uint32_t)position, sample);
    return run->second_first + run->count < CODED_SAMPLES_MAX &&
           coded_samples_mix(run->source, (uint32_t)position, run->second_source,
                             run->second_first + (uint32_t)run->count, sample);
}

/* One of two signals is over: the other goes on alone. */
static bool take_rest(struct coded_reader *reader, float sample)
{
    const struct coded_run run = reader->run;
    const uint32_t first = run.first + (uint32_t)run.count;
    const uint32_t second = run.second_first + (uint32_t)run.count;
    if (run.kind != CODED_RUN_MIXED)
        return false;
    const bool second_goes_on = coded_sample_is(run.second_source, second, sample);
    if (!second_goes_on && !coded_sample_is(run.source, first, sample))
        return false;
    run_close(reader);
    reader->run = (struct coded_run){.kind = CODED_RUN_SIGNAL,
                                     .at = reader->taken,
                                     .count = 1,
                                     .source = second_goes_on ? run.second_source : run.source,
                                     .first = second_goes_on ? second : first};
    reader->taken++;
    return true;
}

static void take_sample(struct coded_reader *reader, float sample)
{
    struct coded_run *run = &reader->run;
    if (!run_is_signal(reader) || reader->pending_count > 0) {
        take_pending(reader, sample);
        return;
    }
    if (run_goes_on(run, sample)) {
        run->count++;
        reader->taken++;
        return;
    }
    if (take_rest(reader, sample))
        return;
    reader->has_after = true;
    reader->after_at = reader->taken;
    reader->after_source = run->source;
    reader->after_position = run->first + (uint32_t)run->count;
    run_close(reader);
    take_pending(reader, sample);
}

/* How many of the next samples go on with a run of signal; a piece at a time, which costs less than one by
 * one. */
static size_t follow(struct coded_reader *reader, const float *samples, size_t count)
{
    struct coded_run *run = &reader->run;
    size_t taken = 0, piece = 0;
    do {
        if (run->kind != CODED_RUN_SIGNAL || !run_is_signal(reader) || reader->pending_count > 0)
            break;
        piece = coded_signal_prefix(run->source, run->first + run->count, samples + taken, count - taken);
        run->count += piece;
        reader->taken += piece;
        taken += piece;
    } while (piece > 0 && taken < count);
    return taken;
}

void coded_reader_feed(struct coded_reader *reader, const float *samples, size_t count)
{
    for (size_t i = 0; i < count;) {
        i += follow(reader, samples + i, count - i);
        if (i < count)
            take_sample(reader, samples[i++]);
    }
}

void coded_reader_finish(struct coded_reader *reader)
{
    drop_pending(reader, reader->pending_count);
    run_close(reader);
}
