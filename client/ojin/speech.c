#include "client/ojin/speech.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "client/ojin/client.h"

void speech_init(struct speech *speech, bool is_played)
{
    *speech = (struct speech){.is_played = is_played};
}

static void spans_forget(struct speech *speech, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(speech->spans[i].params);
    speech->span_count -= count;
    memmove(speech->spans, speech->spans + count, speech->span_count * sizeof speech->spans[0]);
}

void speech_free(struct speech *speech)
{
    spans_forget(speech, speech->span_count);
    free(speech->samples);
    *speech = (struct speech){0};
}

static uint64_t end_position(const struct speech *speech)
{
    return speech->base + speech->held;
}

/* Forgets what both readers have passed. */
static void compact(struct speech *speech)
{
    uint64_t keep = speech->sent;
    if (speech->is_played && speech->played < keep)
        keep = speech->played;
    size_t gone = (size_t)(keep - speech->base);
    if (gone == 0)
        return;
    memmove(speech->samples, speech->samples + gone, (speech->held - gone) * sizeof *speech->samples);
    speech->base = keep;
    speech->held -= gone;
}

static struct bytes span_params(const struct speech_span *span)
{
    return bytes_of(span->params, span->params_len);
}

/* Whether what is added at `from` has the params of what is there already. */
static bool span_goes_on(const struct speech *speech, struct bytes params)
{
    if (speech->span_count == 0)
        return params.len == 0;
    return bytes_equal(span_params(&speech->spans[speech->span_count - 1]), params);
}

static bool span_add(struct speech *speech, uint64_t from, struct bytes params)
{
    if (span_goes_on(speech, params))
        return true;
    /* Of those that begin where nothing is left to send, only the last matters. */
    size_t passed = 0;
    while (passed + 1 < speech->span_count && speech->spans[passed + 1].from <= speech->sent)
        passed++;
    spans_forget(speech, passed);
    if (speech->span_count == SPEECH_SPANS_MAX)
        return false;
    struct speech_span span = {.from = from, .params_len = params.len};
    if (params.len > 0) {
        span.params = malloc(params.len);
        if (span.params == NULL)
            return false;
        memcpy(span.params, params.data, params.len);
    }
    speech->spans[speech->span_count++] = span;
    return true;
}

bool speech_add(struct speech *speech, const int16_t *samples, size_t count, struct bytes params)
{
    if (count == 0)
        return true;
    if (speech->capacity - speech->held < count)
        compact(speech);
    if (count > OJIN_CLIENT_SPEECH_SAMPLES_MAX || speech->held > OJIN_CLIENT_SPEECH_SAMPLES_MAX - count)
        return false;
    if (speech->capacity - speech->held < count) {
        size_t capacity = speech->held + count + speech->held / 2;
        int16_t *grown = realloc(speech->samples, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        speech->samples = grown;
        speech->capacity = capacity;
    }
    if (!span_add(speech, end_position(speech), params))
        return false;
    memcpy(speech->samples + speech->held, samples, count * sizeof *samples);
    speech->held += count;
    return true;
}

uint64_t speech_unsent(const struct speech *speech)
{
    return end_position(speech) - speech->sent;
}

/* The span that holds the next sample to send; NULL: none does. */
static const struct speech_span *span_of_next(const struct speech *speech)
{
    const struct speech_span *found = NULL;
    for (size_t i = 0; i < speech->span_count && speech->spans[i].from <= speech->sent; i++)
        found = &speech->spans[i];
    return found;
}

uint64_t speech_unsent_alike(const struct speech *speech)
{
    for (size_t i = 0; i < speech->span_count; i++)
        if (speech->spans[i].from > speech->sent)
            return speech->spans[i].from - speech->sent;
    return speech_unsent(speech);
}

struct bytes speech_params(const struct speech *speech)
{
    const struct speech_span *span = span_of_next(speech);
    return span != NULL ? span_params(span) : (struct bytes){0};
}

const int16_t *speech_send(struct speech *speech, size_t count)
{
    assert(count <= speech_unsent(speech));
    const int16_t *samples = speech->samples + (speech->sent - speech->base);
    speech->sent += count;
    return samples;
}

void speech_begin_turn(struct speech *speech)
{
    if (!speech->is_played)
        return;
    if (speech->turn_count == SPEECH_TURNS_MAX) {
        memmove(speech->turns, speech->turns + 1, sizeof speech->turns - sizeof speech->turns[0]);
        speech->turn_count--;
    }
    speech->turns[speech->turn_count++] = speech->sent;
}

void speech_next_turn(struct speech *speech)
{
    if (speech->turn_count == 0)
        return;
    if (speech->turns[0] > speech->played)
        speech->played = speech->turns[0];
    memmove(speech->turns, speech->turns + 1, sizeof speech->turns - sizeof speech->turns[0]);
    speech->turn_count--;
}

bool speech_play(struct speech *speech, int16_t *out, size_t count)
{
    uint64_t end = speech->turn_count > 0 ? speech->turns[0] : speech->sent;
    if (!speech->is_played || speech->played >= end)
        return false;
    uint64_t left = end - speech->played;
    size_t taken = left < count ? (size_t)left : count;
    memcpy(out, speech->samples + (speech->played - speech->base), taken * sizeof *out);
    memset(out + taken, 0, (count - taken) * sizeof *out);
    speech->played += taken;
    return true;
}

void speech_drop(struct speech *speech)
{
    speech->held = (size_t)(speech->sent - speech->base);
    speech->played = speech->sent;
    spans_forget(speech, speech->span_count);
    speech->turn_count = 0;
    compact(speech);
}
