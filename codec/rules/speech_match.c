#include "codec/rules/speech_match.h"

enum { WINDOW_SAMPLES_MAX = 32, WINDOW_SAMPLES_MIN = 4 };

size_t speech_bytes(const struct rule_context *context, size_t speech)
{
    return context->speech[speech].sample_count * sizeof(int16_t);
}

static uint8_t byte_at(const struct rule_context *context, size_t speech, size_t byte)
{
    uint16_t sample = (uint16_t)context->speech[speech].samples[byte / 2];
    return (uint8_t)((byte & 1) != 0 ? sample >> 8 : sample & 0xFF);
}

int16_t speech_sample(const struct rule_context *context, struct speech_cursor cursor)
{
    return context->speech[cursor.speech].samples[cursor.byte / 2];
}

struct speech_cursor speech_advance(const struct rule_context *context, struct speech_cursor cursor,
                                    uint64_t bytes)
{
    for (;;) {
        size_t left = speech_bytes(context, cursor.speech) - cursor.byte;
        if (bytes <= left || cursor.speech + 1 == context->speech_count) {
            cursor.byte += bytes < left ? (size_t)bytes : left;
            return cursor;
        }
        bytes -= left;
        cursor = (struct speech_cursor){.speech = cursor.speech + 1, .byte = 0};
    }
}

static bool is_zero_from(struct bytes audio, size_t from)
{
    for (size_t i = from; i < audio.len; i++) {
        if (audio.data[i] != 0)
            return false;
    }
    return true;
}

/* A difference: zeros behind the end of a speech are padding, all else is wrong. */
static void match_ends_at(struct speech_match *match, struct bytes audio, size_t at,
                          size_t compared_before_crossing)
{
    if (match->crossed && is_zero_from(audio, match->crossed_at)) {
        match->good = true;
        match->end = match->crossed_end;
        match->padding = audio.len - match->crossed_at;
        match->compared = compared_before_crossing;
        return;
    }
    match->wrong_at = at;
}

struct speech_match speech_match_at(const struct rule_context *context, struct speech_cursor cursor,
                                    struct bytes audio)
{
    struct speech_match match = {.good = false, .end = cursor};
    size_t compared_before_crossing = 0;
    for (size_t i = 0; i < audio.len; i++) {
        while (match.end.byte == speech_bytes(context, match.end.speech)) {
            match.crossed = true;
            match.crossed_at = i;
            match.crossed_end = match.end;
            compared_before_crossing = i;
            if (match.end.speech + 1 == context->speech_count) {
                match.past_end = true;
                match_ends_at(&match, audio, i, compared_before_crossing);
                return match;
            }
            match.end = (struct speech_cursor){.speech = match.end.speech + 1, .byte = 0};
        }
        if (audio.data[i] != byte_at(context, match.end.speech, match.end.byte)) {
            match_ends_at(&match, audio, i, compared_before_crossing);
            return match;
        }
        match.end.byte++;
        match.compared++;
    }
    match.good = true;
    return match;
}

/* Does the window equal the speech from that byte on (as far as both go, but at least a few samples)? */
static bool window_is_at(const struct rule_context *context, size_t speech, size_t byte, struct bytes window)
{
    size_t left = speech_bytes(context, speech) - byte;
    size_t len = window.len < left ? window.len : left;
    if (len < WINDOW_SAMPLES_MIN * sizeof(int16_t))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (window.data[i] != byte_at(context, speech, byte + i))
            return false;
    }
    return true;
}

static bool window_is_swapped(const struct rule_context *context, struct speech_cursor at,
                              struct bytes window)
{
    size_t left = speech_bytes(context, at.speech) - at.byte;
    size_t len = window.len < left ? window.len : left;
    if (len < 2 || (at.byte & 1) != 0)
        return false;
    for (size_t i = 0; i + 1 < len; i += 2) {
        if (window.data[i] != byte_at(context, at.speech, at.byte + i + 1) ||
            window.data[i + 1] != byte_at(context, at.speech, at.byte + i))
            return false;
    }
    return true;
}

/* Looks for the window in the speech it should be in, from the place outwards, then at the starts of the
 * others. */
static enum speech_difference window_found(const struct rule_context *context, struct speech_cursor at,
                                           struct bytes window, size_t *samples)
{
    size_t total = speech_bytes(context, at.speech);
    for (size_t distance = 1; distance <= total; distance++) {
        bool shifted = (distance & 1) != 0;
        *samples = distance / 2;
        if (distance <= total - at.byte && window_is_at(context, at.speech, at.byte + distance, window))
            return shifted ? SPEECH_SHIFTED : SPEECH_SKIPPED;
        if (distance <= at.byte && window_is_at(context, at.speech, at.byte - distance, window))
            return shifted ? SPEECH_SHIFTED : SPEECH_REPEATED;
    }
    for (size_t speech = 0; speech < context->speech_count; speech++) {
        *samples = speech;
        if (speech != at.speech && window_is_at(context, speech, 0, window))
            return SPEECH_OTHER;
    }
    *samples = 0;
    return SPEECH_DIFFERS;
}

enum speech_difference speech_difference_of(const struct rule_context *context,
                                            const struct speech_match *match, struct bytes audio,
                                            size_t *samples)
{
    *samples = 0;
    struct speech_cursor at = match->end;
    size_t from = match->wrong_at;
    /* To the start of the sample that differs, when it begins in this message. */
    if ((at.byte & 1) != 0 && from > 0) {
        at.byte--;
        from--;
    }
    struct bytes window = bytes_of(audio.data + from, audio.len - from);
    if (window.len > WINDOW_SAMPLES_MAX * sizeof(int16_t))
        window.len = WINDOW_SAMPLES_MAX * sizeof(int16_t);
    if (!match->past_end && window_is_swapped(context, at, window))
        return SPEECH_SWAPPED;
    /* Zeros are found everywhere and mean nothing. */
    enum speech_difference found =
        is_zero_from(window, 0) ? SPEECH_DIFFERS : window_found(context, at, window, samples);
    return found == SPEECH_DIFFERS && match->past_end ? SPEECH_PAST_END : found;
}

/* How far the audio equals the speech from there on. */
static size_t equal_bytes(const struct rule_context *context, struct speech_cursor from, struct bytes audio)
{
    const size_t left = speech_bytes(context, from.speech) - from.byte;
    const size_t len = audio.len < left ? audio.len : left;
    size_t n = 0;
    while (n < len && audio.data[n] == byte_at(context, from.speech, from.byte + n))
        n++;
    return n;
}

size_t speech_find(const struct rule_context *context, struct speech_cursor cursor, struct bytes audio,
                   struct speech_cursor *from)
{
    *from = cursor;
    size_t found = equal_bytes(context, cursor, audio);
    if (found >= sizeof(int16_t))
        return found;
    const size_t window = WINDOW_SAMPLES_MAX * sizeof(int16_t);
    const size_t total = speech_bytes(context, cursor.speech);
    for (size_t byte = cursor.byte + sizeof(int16_t); audio.len >= window && byte + window <= total;
         byte += sizeof(int16_t)) {
        from->byte = byte;
        found = equal_bytes(context, *from, audio);
        if (found >= window)
            return found;
    }
    *from = cursor;
    return 0;
}
