#include <check.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/media/speaker_file.h"
#include "codec/wire/float32.h"

static char path[64];

static void set_up(void)
{
    snprintf(path, sizeof path, "/tmp/test_speaker_file.%ld.wav", (long)getpid());
}

static void tear_down(void)
{
    unlink(path);
}

/* `count` samples of value 1/8, 2/8 … in an exact block. */
static struct bytes steps(size_t count)
{
    uint8_t *pcm = malloc(count * FLOAT32_BYTES);
    ck_assert_ptr_nonnull(pcm);
    for (size_t i = 0; i < count; i++)
        float32_put(pcm + i * FLOAT32_BYTES, (float)(i + 1) / 8);
    return bytes_of(pcm, count * FLOAT32_BYTES);
}

static size_t read_back(float *out, size_t room)
{
    SF_INFO info = {.format = 0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(info.samplerate, 24000);
    ck_assert_int_eq(info.channels, 1);
    ck_assert_int_eq(info.format & SF_FORMAT_SUBMASK, SF_FORMAT_FLOAT);
    const sf_count_t count = sf_read_float(file, out, (sf_count_t)room);
    sf_close(file);
    return (size_t)count;
}

START_TEST(pieces_stand_at_their_places_with_silence_between)
{
    char error[SPEAKER_FILE_ERROR_MAX] = "";
    struct bytes pcm = steps(5);
    struct speaker_file *file = speaker_file_open(path, 24000, SPEAKER_FLOAT32, error);
    ck_assert_ptr_nonnull(file);
    ck_assert(speaker_file_write(file, 3, pcm, error));
    ck_assert(speaker_file_write(file, 8, pcm, error));
    ck_assert(speaker_file_write(file, 10000, pcm, error));
    ck_assert_uint_eq(speaker_file_samples(file), 10005);
    static float samples[20000];
    /* It can be read before it is finished. */
    ck_assert_uint_eq(read_back(samples, 20000), 10005);
    for (size_t i = 0; i < 10005; i++) {
        const float expected = i >= 3 && i < 8    ? (float)(i - 2) / 8
                               : i >= 8 && i < 13 ? (float)(i - 7) / 8
                               : i >= 10000       ? (float)(i - 9999) / 8
                                                  : 0;
        ck_assert(samples[i] == expected);
    }
    ck_assert(speaker_file_close(file, error));
    ck_assert_uint_eq(read_back(samples, 20000), 10005);
    free((void *)(uintptr_t)pcm.data);
}
END_TEST

START_TEST(what_overlaps_or_is_too_far_away_is_refused)
{
    char error[SPEAKER_FILE_ERROR_MAX] = "";
    struct bytes pcm = steps(4);
    struct speaker_file *file = speaker_file_open(path, 24000, SPEAKER_FLOAT32, error);
    ck_assert_ptr_nonnull(file);
    ck_assert(speaker_file_write(file, 0, pcm, error));
    ck_assert(!speaker_file_write(file, 3, pcm, error));
    ck_assert_ptr_nonnull(strstr(error, "overlaps"));
    ck_assert(!speaker_file_write(file, UINT64_C(24000) * SPEAKER_FILE_SECONDS_MAX, pcm, error));
    ck_assert_ptr_nonnull(strstr(error, "six hours"));
    ck_assert_uint_eq(speaker_file_samples(file), 4);
    ck_assert(speaker_file_close(file, error));
    free((void *)(uintptr_t)pcm.data);
}
END_TEST

START_TEST(samples_of_16_bits_stay_what_they_are)
{
    static const uint8_t pcm[] = {0x01, 0x00, 0xff, 0x7f, 0x00, 0x80, 0xff};
    char error[SPEAKER_FILE_ERROR_MAX] = "";
    struct speaker_file *file = speaker_file_open(path, 24000, SPEAKER_PCM16, error);
    ck_assert_ptr_nonnull(file);
    ck_assert(speaker_file_write(file, 10000, bytes_of(pcm, sizeof pcm), error)); /* half a sample is none */
    ck_assert(speaker_file_write(file, 10003, bytes_of(pcm, 2), error));
    ck_assert_uint_eq(speaker_file_samples(file), 10004);
    ck_assert(speaker_file_close(file, error));
    static int16_t samples[20000];
    SF_INFO info = {.format = 0};
    SNDFILE *in = sf_open(path, SFM_READ, &info);
    ck_assert_ptr_nonnull(in);
    ck_assert_int_eq(info.format & SF_FORMAT_SUBMASK, SF_FORMAT_PCM_16);
    ck_assert_int_eq(sf_read_short(in, samples, 20000), 10004);
    sf_close(in);
    for (size_t i = 0; i < 10000; i++)
        ck_assert_int_eq(samples[i], 0);
    ck_assert_int_eq(samples[10000], 1);
    ck_assert_int_eq(samples[10001], INT16_MAX);
    ck_assert_int_eq(samples[10002], INT16_MIN);
    ck_assert_int_eq(samples[10003], 1);
}
END_TEST

START_TEST(a_place_that_cannot_be_written_is_named)
{
    char error[SPEAKER_FILE_ERROR_MAX] = "";
    ck_assert_ptr_null(speaker_file_open("/nowhere/at/all.wav", 24000, SPEAKER_FLOAT32, error));
    ck_assert_ptr_nonnull(strstr(error, "'/nowhere/at/all.wav'"));
    ck_assert(speaker_file_close(NULL, error));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("speaker_file");
    TCase *tcase = tcase_create("speaker_file");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, pieces_stand_at_their_places_with_silence_between);
    tcase_add_test(tcase, samples_of_16_bits_stay_what_they_are);
    tcase_add_test(tcase, what_overlaps_or_is_too_far_away_is_refused);
    tcase_add_test(tcase, a_place_that_cannot_be_written_is_named);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
