#include "codec/rules/ojin/speech_follow.h"

#include "codec/ojin/constants.h"

/* Samples of a resampled source that count as silence. */
enum { QUIET_LEVEL = 2 };

/* Fewer samples than this may fit by chance, and count for nothing. */
enum { FEW_SAMPLES = 4 };

static bool speech_is_exact(const struct rule_context *context)
{
    return context->speech_known && context->speech_exact && context->speech_count > 0;
}

static bool is_quiet(int16_t sample)
{
    return sample <= QUIET_LEVEL && sample >= -QUIET_LEVEL;
}

/* Does any speech hold that much silence, at its start or anywhere? Half of it is enough, as rates may
 * differ. */
static bool speech_holds_silence(const struct rule_context *context, uint64_t bytes, bool at_start)
{
    size_t needed = (size_t)(bytes / sizeof(int16_t) / 2);
    for (size_t i = 0; i < context->speech_count; i++) {
        size_t run = 0;
        for (size_t n = 0; n < context->speech[i].sample_count; n++) {
            run = is_quiet(context->speech[i].samples[n]) ? run + 1 : 0;
            if (run >= needed)
                return true;
            if (run == 0 && at_start)
                break;
        }
    }
    return false;
}

/* Whether the first audio message, which is all zero, opens the stream instead of being its speech. */
static bool is_opening(const struct rule_context *context, bool opening_due, const struct input_view *view)
{
    if (!context->speech_known || context->speech_count == 0 ||
        (opening_due && view->audio_bytes / sizeof(int16_t) == OJIN_FRAME_SAMPLES))
        return true;
    if (!context->speech_exact)
        return opening_due || !speech_holds_silence(context, view->audio_bytes, true);
    struct speech_match match = speech_match_at(context, (struct speech_cursor){.speech = 0}, view->audio);
    return !match.good || match.padding > 0;
}

/* Takes over a match that began at `start`: the place moves on. */
static void take(struct speech_follow *follow, const struct rule_context *context, struct speech_cursor start,
                 const struct input_view *view, const struct speech_match *match, struct audio_outcome *out)
{
    size_t tail = match->crossed ? view->audio.len - match->crossed_at : 0;
    bool tail_is_zero = match->crossed && tail > 0 && match->padding == 0;
    for (size_t i = match->crossed_at; i < view->audio.len && tail_is_zero; i++)
        tail_is_zero = view->audio.data[i] == 0;
    if (view->audio_zero && match->compared > 0) {
        if (!follow->has_fallback) {
            follow->fallback = start;
            follow->fallback_bytes = 0;
            follow->fallback_is_first = out->first;
        }
        follow->has_fallback = true;
        follow->fallback_bytes += view->audio_bytes;
    } else {
        follow->has_fallback = tail_is_zero;
        follow->fallback = match->crossed_end;
        follow->fallback_bytes = tail;
        follow->fallback_is_first = false;
        follow->confirmed = true;
        follow->opening_bytes = 0;
    }
    follow->starts[follow->start_count++ % SPEECH_STARTS_KEPT] = start;
    follow->cursor = speech_advance(context, match->end, view->audio_bytes - view->audio.len);
    follow->compared_bytes += match->compared;
    out->compared = match->compared > 0;
    if (view->audio_zero && match->compared == 0)
        out->stray_silence = true;
    else if (match->padding > 0)
        out->padding_samples = (match->padding + 1) / sizeof(int16_t);
}

static bool try_at(struct speech_follow *follow, const struct rule_context *context,
                   struct speech_cursor start, const struct input_view *view, struct audio_outcome *out)
{
    struct speech_match match = speech_match_at(context, start, view->audio);
    if (match.good)
        take(follow, context, start, view, &match, out);
    return match.good;
}

/* Was the speech at the place begun, and cut short by a cancel, with no other begun since? */
static bool rest_is_cancelled(const struct speech_follow *follow, const struct rule_context *context)
{
    return follow->cancel_pending && follow->cursor.byte > 0 &&
           follow->cursor.byte < speech_bytes(context, follow->cursor.speech);
}

/* After a cancel the next audio may begin any later speech. */
static bool try_after_cancel(struct speech_follow *follow, const struct rule_context *context,
                             const struct input_view *view, struct audio_outcome *out)
{
    const bool cut_short = rest_is_cancelled(follow, context);
    if (!follow->cancel_pending)
        return false;
    for (size_t speech = follow->cursor.speech + 1; speech < context->speech_count; speech++) {
        if (try_at(follow, context, (struct speech_cursor){.speech = speech}, view, out)) {
            follow->cancel_pending = false;
            out->after_cancel = cut_short;
            return true;
        }
    }
    return false;
}

static struct input_view view_behind(const struct input_view *view, size_t bytes)
{
    struct input_view behind = *view;
    behind.audio = bytes_of(view->audio.data + bytes, view->audio.len - bytes);
    behind.audio_bytes -= bytes;
    return behind;
}

/*
 * Samples of the cancelled speech, that a filter or a buffer held back, in front of the next: they are of it
 * as far as they go, and behind them everything is in its place.
 */
static bool try_behind_cancelled(struct speech_follow *follow, const struct rule_context *context,
                                 const struct input_view *view, struct audio_outcome *out)
{
    if (!rest_is_cancelled(follow, context))
        return false;
    struct speech_cursor from;
    const size_t head = speech_find(context, follow->cursor, view->audio, &from);
    for (size_t cut = head - head % sizeof(int16_t); cut > 0 && cut < view->audio.len;
         cut -= sizeof(int16_t)) {
        const struct input_view behind = view_behind(view, cut);
        if (!try_after_cancel(follow, context, &behind, out))
            continue;
        out->after_cancel = false;
        out->cancelled_leads = true;
        out->cancelled_samples = cut / sizeof(int16_t);
        out->cancelled_from = from;
        return true;
    }
    return false;
}

/* The speech goes on as if it had not been cancelled. */
static bool try_cancelled(struct speech_follow *follow, const struct rule_context *context,
                          const struct input_view *view, struct audio_outcome *out)
{
    const struct speech_cursor from = follow->cursor;
    if (view->audio_zero || !rest_is_cancelled(follow, context) || !try_at(follow, context, from, view, out))
        return false;
    const size_t left = speech_bytes(context, from.speech) - from.byte;
    const uint64_t bytes = view->audio_bytes < left ? view->audio_bytes : left;
    out->cancelled_samples = bytes / sizeof(int16_t);
    out->cancelled_from = from;
    out->cancelled_leads = follow->cursor.speech != from.speech;
    follow->cancel_pending = !out->cancelled_leads;
    return true;
}

/* The zeros before were not what they were taken for. */
static bool try_other_zeros(struct speech_follow *follow, const struct rule_context *context,
                            const struct input_view *view, struct audio_outcome *out)
{
    uint64_t fallback_bytes = follow->fallback_bytes;
    bool fallback_is_first = follow->fallback_is_first;
    if (follow->has_fallback && try_at(follow, context, follow->fallback, view, out)) {
        out->start_was_opening = fallback_is_first;
        if (!fallback_is_first)
            out->padding_samples += fallback_bytes / sizeof(int16_t);
        return true;
    }
    if (follow->opening_bytes == 0 || follow->confirmed)
        return false;
    struct speech_cursor shifted = speech_advance(context, follow->cursor, follow->opening_bytes);
    out->opening_was_speech = try_at(follow, context, shifted, view, out);
    return out->opening_was_speech;
}

/* A frame of silence in front of the speech, in one message with it: the opening rules have that. */
static bool try_behind_opening(struct speech_follow *follow, const struct rule_context *context,
                               const struct input_view *view, struct audio_outcome *out)
{
    if (!out->first || view->audio.len <= OJIN_FRAME_AUDIO_BYTES)
        return false;
    for (size_t i = 0; i < OJIN_FRAME_AUDIO_BYTES; i++) {
        if (view->audio.data[i] != 0)
            return false;
    }
    const struct input_view behind = view_behind(view, OJIN_FRAME_AUDIO_BYTES);
    return try_at(follow, context, follow->cursor, &behind, out);
}

/* A byte lost or gained with an odd message is OJ-IN-05's. */
static bool try_after_odd(struct speech_follow *follow, const struct rule_context *context,
                          const struct input_view *view, struct audio_outcome *out)
{
    struct speech_cursor at = follow->cursor;
    if (!follow->odd_seen)
        return false;
    if (try_at(follow, context, speech_advance(context, at, 1), view, out))
        return true;
    return at.byte > 0 && try_at(follow, context, (struct speech_cursor){at.speech, at.byte - 1}, view, out);
}

/* What the server refused may be sent again, from the start of any message not long ago: once for each
 * refusal. */
static bool try_again(struct speech_follow *follow, const struct rule_context *context,
                      const struct input_view *view, struct audio_outcome *out)
{
    size_t kept = follow->start_count < SPEECH_STARTS_KEPT ? follow->start_count : SPEECH_STARTS_KEPT;
    for (size_t i = 1; follow->refusals > 0 && i <= kept; i++) {
        struct speech_cursor start = follow->starts[(follow->start_count - i) % SPEECH_STARTS_KEPT];
        if (!try_at(follow, context, start, view, out))
            continue;
        follow->refusals--;
        return true;
    }
    return false;
}

/* How the audio differs from the speech there. False: nothing of it is recognised. */
static bool differs_from(const struct rule_context *context, struct speech_cursor start, struct bytes audio,
                         struct audio_outcome *out)
{
    out->match = speech_match_at(context, start, audio);
    out->difference = speech_difference_of(context, &out->match, audio, &out->difference_samples);
    return out->difference != SPEECH_DIFFERS || out->match.compared >= FEW_SAMPLES * sizeof(int16_t);
}

/* Behind a cancel it may have been meant as the start of any later speech; the next when it is like none. */
static bool differs_somehow(const struct speech_follow *follow, const struct rule_context *context,
                            struct bytes audio, struct audio_outcome *out)
{
    const size_t next = follow->cursor.speech + 1;
    for (size_t speech = next; follow->cancel_pending && speech < context->speech_count; speech++)
        if (differs_from(context, (struct speech_cursor){.speech = speech}, audio, out) &&
            out->difference != SPEECH_OTHER)
            return true;
    const bool has_next = follow->cancel_pending && next < context->speech_count;
    const struct speech_cursor start = has_next ? (struct speech_cursor){.speech = next} : follow->cursor;
    return differs_from(context, start, audio, out);
}

static void describe_mismatch(const struct speech_follow *follow, const struct rule_context *context,
                              const struct input_view *view, struct audio_outcome *out)
{
    const bool is_like = differs_somehow(follow, context, view->audio, out);
    out->nothing_fits = !is_like && !follow->confirmed;
    size_t at = out->match.wrong_at;
    if ((out->match.end.byte & 1) != 0 && at > 0)
        at--;
    if (view->audio.len - at >= sizeof(int16_t))
        out->received_sample = (int16_t)(uint16_t)(view->audio.data[at] | view->audio.data[at + 1] << 8);
}

static void follow_exactly(struct speech_follow *follow, const struct rule_context *context,
                           const struct input_view *view, struct audio_outcome *out)
{
    if (try_after_cancel(follow, context, view, out) || try_cancelled(follow, context, view, out) ||
        try_at(follow, context, follow->cursor, view, out))
        return;
    if (view->audio_zero) {
        out->stray_silence = true;
        return;
    }
    if (try_behind_cancelled(follow, context, view, out) || try_other_zeros(follow, context, view, out) ||
        try_behind_opening(follow, context, view, out) || try_after_odd(follow, context, view, out) ||
        try_again(follow, context, view, out))
        return;
    describe_mismatch(follow, context, view, out);
    out->stray_sound = out->difference == SPEECH_PAST_END && out->match.wrong_at == 0;
    out->mismatch = !out->stray_sound;
    out->compared = out->mismatch;
    follow->broken = out->mismatch;
}

void speech_follow_audio(struct speech_follow *follow, const struct rule_context *context, bool opening_due,
                         const struct input_view *view, struct audio_outcome *out)
{
    *out = (struct audio_outcome){.empty = view->audio_bytes == 0};
    if (out->empty)
        return;
    out->first = !follow->started;
    follow->started = true;
    follow->odd_seen = follow->odd_seen || view->audio_bytes % sizeof(int16_t) != 0;
    bool exact = speech_is_exact(context) && !follow->lost && !follow->broken;
    if (out->first && view->audio_zero && is_opening(context, opening_due, view)) {
        out->opening = true;
        follow->opening_bytes = view->audio_bytes;
        return;
    }
    if (exact)
        follow_exactly(follow, context, view, out);
    else if (view->audio_zero)
        out->stray_silence =
            !context->speech_known || !speech_holds_silence(context, view->audio_bytes, false);
    follow->speech_met = follow->speech_met || !view->audio_zero;
}

size_t speech_follow_said(const struct speech_follow *follow, const struct rule_context *context)
{
    const struct speech_cursor at = follow->cursor;
    if (!speech_is_exact(context) || follow->lost || follow->broken || follow->error_seen ||
        follow->cancelled)
        return RULE_SPEECHES_UNKNOWN;
    return at.speech + (at.byte == speech_bytes(context, at.speech) ? 1 : 0);
}

bool speech_follow_missing(const struct speech_follow *follow, const struct rule_context *context,
                           size_t *samples, size_t *whole_speeches)
{
    if (!speech_is_exact(context) || follow->lost || follow->broken || follow->error_seen ||
        follow->compared_bytes == 0)
        return false;
    struct speech_cursor at = follow->cursor;
    size_t left = (speech_bytes(context, at.speech) - at.byte) / sizeof(int16_t);
    *samples = follow->cancel_pending ? 0 : left;
    *whole_speeches = follow->cancelled ? 0 : context->speech_count - 1 - at.speech;
    return *samples > 0 || *whole_speeches > 0;
}
