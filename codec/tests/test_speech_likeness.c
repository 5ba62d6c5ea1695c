/* Speech that a client had to convert: any way to do it is told from what is no conversion. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codec/media/sound.h"
#include "codec/rules/speech_likeness.h"
#include "codec/tests/suite.h"

#define STEREO FIXTURES_DIR "/speech/hello-3s-48k-stereo.wav"

enum {
    SOURCE_RATE = 48000,
    PROTOCOL_RATE = 16000,
    MESSAGE_BYTES = 12800,
    LATE = 800, /* samples: 50 ms */
    ACTUAL_MAX = 200
};

/* What a client makes of 48 kHz; gives how many samples. */
typedef size_t converter(const int16_t *in, size_t count, int16_t *out);

static int16_t clipped(double sample)
{
    return (int16_t)(sample > INT16_MAX ? INT16_MAX : sample < INT16_MIN ? INT16_MIN : sample);
}

static size_t every_third(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = in[3 * i];
    return count / 3;
}

static size_t mean_of_three(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = clipped((in[3 * i] + in[3 * i + 1] + in[3 * i + 2]) / 3.0);
    return count / 3;
}

/* Between two samples, by a ratio a little off. */
static size_t on_a_line(const int16_t *in, size_t count, int16_t *out)
{
    size_t made = 0;
    for (double at = 0.4; at + 1 < (double)count; at += 2.9999) {
        const size_t n = (size_t)at;
        const double part = at - (double)n;
        out[made++] = clipped(in[n] * (1 - part) + in[n + 1] * part);
    }
    return made;
}

/* A filter of one pole, at some 800 Hz. */
static size_t smoothed(const int16_t *in, size_t count, int16_t *out)
{
    double level = 0;
    for (size_t i = 0; i < count; i++) {
        level += 0.1 * (in[i] - level);
        if (i % 3 == 0)
            out[i / 3] = clipped(level);
    }
    return count / 3;
}

static size_t loud_and_clipped(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = clipped(4.0 * in[3 * i]);
    return count / 3;
}

static size_t soft(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = (int16_t)(in[3 * i] / 6);
    return count / 3;
}

static size_t late(const int16_t *in, size_t count, int16_t *out)
{
    memset(out, 0, LATE * sizeof *out);
    return LATE + every_third(in, count, out + LATE);
}

static size_t without_its_start(const int16_t *in, size_t count, int16_t *out)
{
    return every_third(in + LATE * 3, count - (size_t)LATE * 3, out);
}

/* A filter that begins anew with each 20 ms, and loses a sample. */
static size_t in_pieces(const int16_t *in, size_t count, int16_t *out)
{
    size_t made = 0;
    for (size_t i = 0; i < count / 3; i++)
        if (i % 320 != 319)
            out[made++] = in[3 * i];
    return made;
}

static size_t the_first_half(const int16_t *in, size_t count, int16_t *out)
{
    return every_third(in, count / 2, out);
}

static size_t a_tenth_of_a_second(const int16_t *in, size_t count, int16_t *out)
{
    (void)count;
    return every_third(in, SOURCE_RATE / 10, out);
}

static size_t as_it_is(const int16_t *in, size_t count, int16_t *out)
{
    memcpy(out, in, count * sizeof *out);
    return count;
}

static size_t as_it_is_cut(const int16_t *in, size_t count, int16_t *out)
{
    return as_it_is(in, count / 3, out);
}

/* Both channels alike, one behind the other. */
static size_t as_it_is_in_stereo(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = in[i / 2];
    return count;
}

static size_t as_telephone_sound(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 6; i++)
        out[i] = in[6 * i];
    return count / 6;
}

static size_t a_tone(const int16_t *in, size_t count, int16_t *out)
{
    (void)in;
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)(i % 36 < 18 ? 6000 : -6000);
    return count;
}

static size_t every_second(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 2; i++)
        out[i] = in[2 * i];
    return count / 2;
}

/* As if it had been 44.1 kHz. */
static size_t of_another_rate(const int16_t *in, size_t count, int16_t *out)
{
    size_t made = 0;
    for (double at = 0; at < (double)count; at += 44.1 / 16)
        out[made++] = in[(size_t)at];
    return made;
}

static size_t every_sixth_byte(const int16_t *in, size_t count, int16_t *out)
{
    uint8_t *to = (uint8_t *)out;
    for (size_t i = 0; i < count / 6;
         i++) { /* of which one is the lower and the next the upper of a sample */
        to[2 * i] = (uint8_t)((uint16_t)in[6 * i] & 0xFF);
        to[2 * i + 1] = (uint8_t)((uint16_t)in[6 * i + 3] & 0xFF);
    }
    return count / 6;
}

static size_t swapped(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = (int16_t)(uint16_t)((uint16_t)in[3 * i] << 8 | (uint16_t)in[3 * i] >> 8);
    return count / 3;
}

static size_t zeros(const int16_t *in, size_t count, int16_t *out)
{
    (void)in;
    memset(out, 0, count / 3 * sizeof *out);
    return count / 3;
}

static size_t far_too_soft(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = (int16_t)(in[3 * i] / 400);
    return count / 3;
}

static size_t noise(const int16_t *in, size_t count, int16_t *out)
{
    uint32_t seed = 1;
    (void)in;
    for (size_t i = 0; i < count / 3; i++) {
        seed = seed * 1664525U + 1013904223U;
        out[i] = (int16_t)((int32_t)(seed >> 16) % 20000 - 10000);
    }
    return count / 3;
}

static size_t backwards(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = in[count - 1 - 3 * i];
    return count / 3;
}

/* One message again and again. */
static size_t the_same_again(const int16_t *in, size_t count, int16_t *out)
{
    for (size_t i = 0; i < count / 3; i++)
        out[i] = in[3 * (i % 6400)];
    return count / 3;
}

static size_t with_a_hole(const int16_t *in, size_t count, int16_t *out)
{
    const size_t head = every_third(in, SOURCE_RATE / 2, out);
    return head + every_third(in + SOURCE_RATE, count - SOURCE_RATE, out + head);
}

static size_t messages_in_another_order(const int16_t *in, size_t count, int16_t *out)
{
    const size_t half = count / 2;
    const size_t head = every_third(in + half, count - half, out);
    return head + every_third(in, half, out + head);
}

static size_t nothing(const int16_t *in, size_t count, int16_t *out)
{
    (void)in, (void)count, (void)out;
    return 0;
}

static const struct {
    const char *name;
    converter *convert;
    enum likeness expected;
} ROWS[] = {
    {"every third sample", every_third, LIKENESS_ALIKE},
    {"the mean of three", mean_of_three, LIKENESS_ALIKE},
    {"on a line between two", on_a_line, LIKENESS_ALIKE},
    {"smoothed", smoothed, LIKENESS_ALIKE},
    {"loud and clipped", loud_and_clipped, LIKENESS_ALIKE},
    {"soft", soft, LIKENESS_ALIKE},
    {"50 ms late", late, LIKENESS_ALIKE},
    {"without its first 50 ms", without_its_start, LIKENESS_ALIKE},
    {"in pieces of 20 ms", in_pieces, LIKENESS_ALIKE},
    {"the first half", the_first_half, LIKENESS_ALIKE},
    {"a tenth of a second", a_tenth_of_a_second, LIKENESS_UNKNOWN},
    {"nothing", nothing, LIKENESS_UNKNOWN},
    {"as it is", as_it_is, LIKENESS_UNCONVERTED},
    {"as it is, cut", as_it_is_cut, LIKENESS_UNCONVERTED},
    {"as it is in stereo, half of it", as_it_is_in_stereo, LIKENESS_UNCONVERTED},
    {"at 8 kHz", as_telephone_sound, LIKENESS_UNCONVERTED},
    {"a tone", a_tone, LIKENESS_OTHER},
    {"every second sample", every_second, LIKENESS_UNCONVERTED},
    {"as if of another rate", of_another_rate, LIKENESS_OTHER},
    {"every sixth byte", every_sixth_byte, LIKENESS_OTHER},
    {"with swapped bytes", swapped, LIKENESS_SWAPPED},
    {"zeros", zeros, LIKENESS_OTHER},
    {"far too soft", far_too_soft, LIKENESS_OTHER},
    {"noise", noise, LIKENESS_OTHER},
    {"backwards", backwards, LIKENESS_OTHER},
    {"the same message again", the_same_again, LIKENESS_PARTS},
    {"with a hole", with_a_hole, LIKENESS_PARTS},
    {"in another order", messages_in_another_order, LIKENESS_PARTS},
};

static struct sound read_at(unsigned rate)
{
    char error[SOUND_ERROR_MAX];
    struct sound sound;
    ck_assert_msg(sound_read(STEREO, rate, &sound, error), "%s", error);
    return sound;
}

/* Message by message, the last one shorter. */
static void hear(struct speech_heard *heard, const struct rule_context *context, const int16_t *samples,
                 size_t count)
{
    uint8_t *bytes = malloc(2 * count + 1);
    ck_assert_ptr_nonnull(bytes);
    pcm_write_le(samples, bytes, count);
    for (size_t at = 0; at < 2 * count; at += MESSAGE_BYTES)
        speech_heard_take(
            heard, context,
            bytes_of(bytes + at, 2 * count - at < MESSAGE_BYTES ? 2 * count - at : MESSAGE_BYTES));
    free(bytes);
}

START_TEST(what_was_converted_is_told_from_what_was_not)
{
    struct sound source = read_at(SOURCE_RATE), speech = read_at(PROTOCOL_RATE);
    const struct rule_context context = {
        .speech_known = true, .speech_count = 1, .speech = {{speech.samples, speech.sample_count}}};
    int16_t *out = malloc((source.sample_count + LATE) * sizeof *out);
    struct speech_heard heard = {.bytes = 0};
    ck_assert_ptr_nonnull(out);
    const size_t made = ROWS[_i].convert(source.samples, source.sample_count, out);
    hear(&heard, &context, out, made);
    const struct likeness_outcome outcome = speech_likeness(&context, &heard);
    ck_assert_msg(outcome.status == ROWS[_i].expected, "%s: %d, %u %% at %zu", ROWS[_i].name,
                  (int)outcome.status, outcome.percent, outcome.at);
    ck_assert_uint_eq(outcome.samples, made);
    ck_assert_uint_eq(outcome.due, speech.sample_count);
    speech_heard_free(&heard);
    free(out);
    sound_free(&source);
    sound_free(&speech);
}
END_TEST

START_TEST(it_is_told_where_it_is_another)
{
    char data[ACTUAL_MAX];
    struct text text = text_of(data, sizeof data);
    const struct likeness_outcome outcome = {LIKENESS_OTHER, 149909, 49969, 8000, 12};
    likeness_describe(&text, &outcome);
    ck_assert_str_eq(
        data, "149909 samples, where the speech has 49969; from 500 ms on they are not like it (12 %)");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("speech likeness");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, what_was_converted_is_told_from_what_was_not, 0, TABLE_COUNT(ROWS));
    tcase_add_test(tcase, it_is_told_where_it_is_another);
    return suite_run("speech likeness", tcase);
}
