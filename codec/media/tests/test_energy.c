/* Speech and pauses by their energy. */
#include <math.h>

#include "codec/media/energy.h"
#include "codec/tests/suite.h"
#include "codec/wire/float32.h"
#include "codec/wire/text.h"

enum { SAMPLES_MAX = 200000, RATE = 16000 };

struct energy_case {
    const char *name;
    const char *sound; /* "q320 s1000": 320 samples of quiet, 1000 of speech, … */
    const char *told;  /* "speech@320 pause@1320" */
};

/* Windows are of 320 samples; speech needs 3 of them, a pause 25 (8,000 samples). */
static const struct energy_case CASES[] = {
    {"nothing", "", ""},
    {"quiet", "q32000", ""},
    {"noise below the threshold", "n32000", ""},
    {"speech from the start", "s16000", "speech@0 "},
    {"speech after quiet", "q3200 s3200", "speech@3200 "},
    {"two windows are a click", "q3200 s640 q16000", ""},
    {"three windows are speech", "q3200 s960 q16000", "speech@3200 pause@4160 "},
    {"between two words", "s6400 q7680 s3200", "speech@0 "},
    {"a pause", "s6400 q8000", "speech@0 pause@6400 "},
    {"a pause but for one sample", "s6400 q7999", "speech@0 "},
    {"a pause with noise", "s6400 n8000", "speech@0 pause@6400 "},
    {"speech that fades stays speech", "s6400 f16000", "speech@0 "},
    {"what fades begins no speech", "f16000", ""},
    {"two turns", "s3200 q16000 s3200 q8000", "speech@0 pause@3200 speech@19200 pause@22400 "},
    {"not finite is quiet", "i16000", ""},
    {"too loud is as loud as can be", "x960", "speech@0 "},
};

static float sample_of(char kind, size_t n)
{
    const float sign = n % 2 == 0 ? 1.0F : -1.0F;
    switch (kind) {
    case 's':
        return sign * 0.05F;
    case 'n':
        return sign * 0.004F;
    case 'f':
        return sign * 0.007F;
    case 'i':
        return n % 2 == 0 ? HUGE_VALF : -HUGE_VALF;
    case 'x':
        return sign * 3e38F;
    default:
        return 0;
    }
}

static size_t make_sound(const char *words, uint8_t *pcm)
{
    size_t count = 0;
    while (*words != '\0') {
        char *rest;
        const char kind = *words;
        for (unsigned long left = strtoul(words + 1, &rest, 10); left > 0; left--) {
            float32_put(pcm + count * FLOAT32_BYTES, sample_of(kind, count));
            count++;
        }
        words = rest + (*rest == ' ');
    }
    return count * FLOAT32_BYTES;
}

static void listen_in_pieces(struct bytes pcm, size_t piece, char *told, size_t told_max)
{
    struct energy energy;
    struct text text = text_of(told, told_max);
    energy_init(&energy, RATE);
    for (size_t at = 0; at < pcm.len; at += piece) {
        struct bytes part = bytes_of(pcm.data + at, pcm.len - at < piece ? pcm.len - at : piece);
        enum energy_change change;
        while ((change = energy_take(&energy, &part)) != ENERGY_SAME) {
            text_add(&text, change == ENERGY_SPEECH ? "speech@" : "pause@");
            text_add_u64(&text, energy.since);
            text_add_char(&text, ' ');
            ck_assert_int_eq(energy.speaking, change == ENERGY_SPEECH);
        }
        ck_assert_uint_eq(part.len, 0);
    }
    ck_assert_uint_eq(energy.taken, pcm.len / FLOAT32_BYTES);
}

START_TEST(speech_and_pauses_are_told_with_their_place)
{
    const struct energy_case *row = &CASES[_i];
    static uint8_t pcm[SAMPLES_MAX * FLOAT32_BYTES];
    static const size_t pieces[] = {64000, 4, 1280, 5156};
    const size_t len = make_sound(row->sound, pcm);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        char told[200];
        listen_in_pieces(bytes_of(pcm, len), pieces[i], told, sizeof told);
        ck_assert_msg(strcmp(told, row->told) == 0, "%s, by %zu: %s", row->name, pieces[i], told);
    }
}
END_TEST

START_TEST(a_part_of_a_sample_is_dropped)
{
    struct energy energy;
    energy_init(&energy, RATE);
    for (size_t len = 0; len < 8; len++) {
        uint8_t *block = calloc(1, len + 1);
        struct bytes pcm = bytes_of(block, len);
        ck_assert_int_eq(energy_take(&energy, &pcm), ENERGY_SAME);
        ck_assert_uint_eq(pcm.len, 0);
        free(block);
    }
    ck_assert_uint_eq(energy.taken, 4);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("energy");
    tcase_add_loop_test(tcase, speech_and_pauses_are_told_with_their_place, 0, TABLE_COUNT(CASES));
    tcase_add_test(tcase, a_part_of_a_sample_is_dropped);
    return suite_run("energy", tcase);
}
