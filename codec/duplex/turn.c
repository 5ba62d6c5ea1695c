#include "codec/duplex/turn.h"

/* --- what each delta holds --- */

static bool begins_char(uint8_t byte)
{
    return (byte & 0xc0) != 0x80;
}

static size_t count_chars(struct bytes text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += begins_char(text.data[i]);
    return count;
}

/* Offset of character `n`. */
static size_t char_offset(struct bytes text, size_t n)
{
    size_t at = 0;
    for (; at < text.len; at++) {
        if (!begins_char(text.data[at]))
            continue;
        if (n == 0)
            break;
        n--;
    }
    return at;
}

static size_t part_end(const struct duplex_turn *turn, size_t n)
{
    const size_t end = turn->first_samples + n * DUPLEX_DELTA_SAMPLES;
    return end < turn->samples ? end : turn->samples;
}

bool duplex_turn_divide(size_t samples, size_t first_samples, struct bytes text, struct duplex_turn *out)
{
    const size_t first = first_samples < samples ? first_samples : samples;
    const size_t rest = samples - first;
    const size_t full = rest / DUPLEX_DELTA_SAMPLES + (rest % DUPLEX_DELTA_SAMPLES != 0);
    *out = (struct duplex_turn){.samples = samples,
                                .first_samples = first,
                                .delta_count = 1 + full,
                                .text = text,
                                .text_chars = count_chars(text)};
    return out->text_chars / DUPLEX_DELTA_TEXT_CHARS_MAX +
               (out->text_chars % DUPLEX_DELTA_TEXT_CHARS_MAX != 0) <=
           out->delta_count;
}

/* Characters that are out when the sound up to `end` is: in proportion, with the lead. */
static size_t chars_due(const struct duplex_turn *turn, size_t end)
{
    const uint64_t lead = (uint64_t)DUPLEX_TEXT_LEAD_US * DUPLEX_OUTPUT_RATE / 1000000;
    if (turn->samples == 0 || end + lead >= turn->samples)
        return turn->text_chars;
    return (size_t)(turn->text_chars * (end + lead) / turn->samples);
}

/* Characters that are out after delta `n`: no more than each may hold, and enough for the rest to fit. */
static size_t chars_after(const struct duplex_turn *turn, size_t n)
{
    size_t before = 0;
    for (size_t i = 0; i <= n; i++) {
        const size_t rest = (turn->delta_count - 1 - i) * DUPLEX_DELTA_TEXT_CHARS_MAX;
        const size_t least = turn->text_chars > rest ? turn->text_chars - rest : 0;
        size_t due = chars_due(turn, part_end(turn, i));
        if (due > before + DUPLEX_DELTA_TEXT_CHARS_MAX)
            due = before + DUPLEX_DELTA_TEXT_CHARS_MAX;
        before = due < least ? least : due;
    }
    return before;
}

void duplex_turn_part(const struct duplex_turn *turn, size_t n, struct duplex_turn_part *out)
{
    const size_t first = n == 0 ? 0 : part_end(turn, n - 1);
    const size_t text_first = n == 0 ? 0 : char_offset(turn->text, chars_after(turn, n - 1));
    const size_t text_end = char_offset(turn->text, chars_after(turn, n));
    *out = (struct duplex_turn_part){.first = first,
                                     .samples = part_end(turn, n) - first,
                                     .text = bytes_of(turn->text.data + text_first, text_end - text_first),
                                     .end_of_turn = n + 1 == turn->delta_count};
}

/* --- when it has been heard --- */

uint64_t duplex_output_us(uint64_t samples)
{
    const uint64_t seconds = samples / DUPLEX_OUTPUT_RATE;
    const uint64_t rest = samples % DUPLEX_OUTPUT_RATE;
    return seconds * 1000000 + (rest * 1000000 + DUPLEX_OUTPUT_RATE - 1) / DUPLEX_OUTPUT_RATE;
}

void duplex_playout_add(struct duplex_playout *playout, uint64_t at_us, size_t samples)
{
    const bool goes_on = playout->started && playout->end_us > at_us;
    playout->started = true;
    playout->end_us = (goes_on ? playout->end_us : at_us) + duplex_output_us(samples);
    playout->samples += samples;
}

uint64_t duplex_playout_left(const struct duplex_playout *playout, uint64_t at_us)
{
    if (!playout->started || at_us >= playout->end_us)
        return 0;
    const uint64_t left_us = playout->end_us - at_us;
    const uint64_t left =
        left_us / 1000000 * DUPLEX_OUTPUT_RATE + left_us % 1000000 * DUPLEX_OUTPUT_RATE / 1000000;
    return left < playout->samples ? left : playout->samples;
}

uint64_t duplex_playout_drop(struct duplex_playout *playout, uint64_t at_us)
{
    const uint64_t left = duplex_playout_left(playout, at_us);
    *playout = (struct duplex_playout){.started = false};
    return left;
}
