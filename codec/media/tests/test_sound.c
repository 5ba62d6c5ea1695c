#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sndfile.h>

#include "codec/media/sound.h"

enum { RATE = 16000, SAMPLES_MAX = 100000, WAV_HEADER_BYTES = 44 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PI           3.14159265358979323846

struct folder {
    char path[32];
    char file[48];
};

static struct folder folder_make(void)
{
    struct folder folder = {.path = "/tmp/test_sound.XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(folder.path));
    snprintf(folder.file, sizeof folder.file, "%s/sound", folder.path);
    return folder;
}

static void folder_drop(const struct folder *folder)
{
    unlink(folder->file);
    rmdir(folder->path);
}

static void write_bytes(const char *path, const void *bytes, size_t len)
{
    FILE *out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(bytes, 1, len, out), len);
    ck_assert_int_eq(fclose(out), 0);
}

/* A tone of 400 Hz at half of full scale, the same in all channels. */
static void write_tone(const char *path, int format, int rate, int channels, int frames)
{
    SF_INFO info = {.samplerate = rate, .channels = channels, .format = format};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    float *values = calloc((size_t)(frames * channels) + 1, sizeof *values);
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(values);
    for (int i = 0; i < frames * channels; i++) {
        const int frame = i / channels;
        values[i] = (float)(0.5 * sin(2 * PI * 400 * frame / rate));
    }
    ck_assert_int_eq((int)sf_writef_float(file, values, frames), frames);
    sf_close(file);
    free(values);
}

static struct sound read_sound(const char *path)
{
    struct sound sound;
    char error[SOUND_ERROR_MAX] = "";
    ck_assert_msg(sound_read(path, RATE, &sound, error), "%s", error);
    return sound;
}

static const struct tone {
    const char *name;
    int format;
    int rate;
    int channels;
    bool exact;
} tones[] = {
    {"16 kHz mono 16 bit", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 1, true},
    {"the same as FLAC", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 16000, 1, true},
    {"16 kHz mono 24 bit", SF_FORMAT_WAV | SF_FORMAT_PCM_24, 16000, 1, false},
    {"16 kHz mono 8 bit", SF_FORMAT_WAV | SF_FORMAT_PCM_U8, 16000, 1, false},
    {"16 kHz stereo", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 2, false},
    {"16 kHz float", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 16000, 1, false},
    {"48 kHz stereo", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48000, 2, false},
    {"44.1 kHz six channels", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 44100, 6, false},
    {"22.05 kHz AIFF", SF_FORMAT_AIFF | SF_FORMAT_PCM_16, 22050, 1, false},
    {"8 kHz mu-law", SF_FORMAT_AU | SF_FORMAT_ULAW, 8000, 1, false},
};

START_TEST(a_tone_of_any_kind_becomes_the_same_tone_at_16_khz_mono)
{
    const struct tone *tone = &tones[_i];
    const struct folder folder = folder_make();
    write_tone(folder.file, tone->format, tone->rate, tone->channels, tone->rate);
    struct sound sound = read_sound(folder.file);
    ck_assert_uint_eq(sound.sample_rate, RATE);
    ck_assert_uint_eq(sound.source_rate, (unsigned)tone->rate);
    ck_assert_uint_eq(sound.source_channels, (unsigned)tone->channels);
    ck_assert(sound.exact == tone->exact);
    ck_assert_msg(sound.sample_count >= RATE - 1 && sound.sample_count <= RATE + 1, "%s: %zu", tone->name,
                  sound.sample_count);
    for (size_t i = 100; i + 100 < sound.sample_count; i++) { /* the filter has no past at the very ends */
        const double expected = 16384 * sin(2 * PI * 400 * (double)i / RATE);
        ck_assert_msg(fabs(sound.samples[i] - expected) < 400, "%s, sample %zu: %d", tone->name, i,
                      sound.samples[i]);
    }
    sound_free(&sound);
    folder_drop(&folder);
}
END_TEST

START_TEST(a_16_khz_mono_file_comes_through_sample_for_sample)
{
    static uint8_t file_bytes[WAV_HEADER_BYTES + 2 * SAMPLES_MAX];
    static const char path[] = FIXTURES_DIR "/speech/hello-3s.wav";
    FILE *in = fopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    const size_t len = fread(file_bytes, 1, sizeof file_bytes, in);
    fclose(in);
    struct sound sound = read_sound(path);
    ck_assert(sound.exact);
    ck_assert_uint_eq(sound.sample_count, 49970);
    ck_assert_uint_eq(len, WAV_HEADER_BYTES + 2 * sound.sample_count);
    for (size_t i = 0; i < sound.sample_count; i++) {
        const uint8_t *sample = file_bytes + WAV_HEADER_BYTES + 2 * i;
        ck_assert_int_eq((uint16_t)sound.samples[i], sample[0] | sample[1] << 8);
    }
    sound_free(&sound);
}
END_TEST

START_TEST(the_48_khz_stereo_speech_converts_to_nearly_the_16_khz_speech)
{
    struct sound converted = read_sound(FIXTURES_DIR "/speech/hello-3s-48k-stereo.wav");
    struct sound direct = read_sound(FIXTURES_DIR "/speech/hello-3s.wav");
    double difference = 0;
    double power = 0;
    ck_assert_uint_ge(converted.sample_count + 1, direct.sample_count);
    for (size_t i = 0; i + 1 < direct.sample_count; i++) {
        difference += pow(converted.samples[i] - direct.samples[i], 2);
        power += pow(direct.samples[i], 2);
    }
    ck_assert_msg(difference < power / 100, "%f of the power differs", difference / power);
    sound_free(&converted);
    sound_free(&direct);
}
END_TEST

START_TEST(what_is_no_number_or_too_loud_in_a_float_file_does_no_harm)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, 3.0f, -3.0f, 0.25f};
    static const int16_t expected[] = {0, 0, 0, 32767, -32768, 8192};
    const struct folder folder = folder_make();
    SF_INFO info = {.samplerate = RATE, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(folder.file, SFM_WRITE, &info);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq((int)sf_write_float(file, values, COUNT(values)), COUNT(values));
    sf_close(file);
    struct sound sound = read_sound(folder.file);
    ck_assert_uint_eq(sound.sample_count, COUNT(values));
    ck_assert_mem_eq(sound.samples, expected, sizeof expected);
    sound_free(&sound);
    folder_drop(&folder);
}
END_TEST

START_TEST(written_sound_reads_back_sample_for_sample)
{
    const struct folder folder = folder_make();
    char error[SOUND_ERROR_MAX] = "";
    int16_t samples[1281];
    for (size_t i = 0; i < COUNT(samples); i++) {
        samples[i] = (int16_t)((int)i * 51 - 32768);
    }
    ck_assert_msg(sound_write(folder.file, samples, COUNT(samples), RATE, error), "%s", error);
    struct sound sound = read_sound(folder.file);
    ck_assert(sound.exact);
    ck_assert_uint_eq(sound.sample_count, COUNT(samples));
    ck_assert_mem_eq(sound.samples, samples, sizeof samples);
    sound_free(&sound);
    folder_drop(&folder);
}
END_TEST

static void expect_refusal(const char *path, const char *expected)
{
    struct sound sound = {.sample_count = 77};
    char error[SOUND_ERROR_MAX] = "";
    ck_assert(!sound_read(path, RATE, &sound, error));
    ck_assert_uint_eq(sound.sample_count, 77); /* untouched */
    ck_assert_msg(strncmp(error, expected, strlen(expected)) == 0, "%s", error);
}

START_TEST(a_file_that_is_not_there_is_named)
{
    expect_refusal("/nonexistent/a.wav",
                   "cannot open sound file '/nonexistent/a.wav': No such file or directory");
    expect_refusal("/tmp", "cannot open sound file '/tmp': Is a directory");
    expect_refusal("", "cannot open sound file '': No such file or directory");
}
END_TEST

START_TEST(a_file_that_is_no_sound_is_named)
{
    static const struct {
        const char *name;
        const char *bytes;
        size_t len;
    } cases[] = {
        {"empty", "", 0},
        {"text", "this is only text, whatever its name says\n", 42},
        {"RIFF and no more", "RIFF\0\0\0\0WAVE", 12},
        {"zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16},
    };
    const struct folder folder = folder_make();
    for (size_t i = 0; i < COUNT(cases); i++) {
        char expected[SOUND_ERROR_MAX];
        write_bytes(folder.file, cases[i].bytes, cases[i].len);
        snprintf(expected, sizeof expected, "'%s' is not a sound file: ", folder.file);
        expect_refusal(folder.file, expected);
    }
    folder_drop(&folder);
}
END_TEST

START_TEST(sound_of_no_samples_is_refused)
{
    const struct folder folder = folder_make();
    char expected[SOUND_ERROR_MAX];
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 1, 0);
    snprintf(expected, sizeof expected, "'%s' holds no sound", folder.file);
    expect_refusal(folder.file, expected);
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48000, 2, 0);
    expect_refusal(folder.file, expected);
    folder_drop(&folder);
}
END_TEST

/* At 20 Hz an hour is a small file. */
START_TEST(an_hour_is_read_and_a_second_more_refused)
{
    enum { LOW_RATE = 20 };
    const struct folder folder = folder_make();
    struct sound sound;
    char error[SOUND_ERROR_MAX] = "";
    char expected[SOUND_ERROR_MAX];
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, LOW_RATE, 1, LOW_RATE * SOUND_SECONDS_MAX);
    ck_assert_msg(sound_read(folder.file, LOW_RATE, &sound, error), "%s", error);
    ck_assert_uint_eq(sound.sample_count, (size_t)LOW_RATE * SOUND_SECONDS_MAX);
    sound_free(&sound);
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, LOW_RATE, 1,
               LOW_RATE * (SOUND_SECONDS_MAX + 1));
    snprintf(expected, sizeof expected, "'%s' is longer than an hour", folder.file);
    expect_refusal(folder.file, expected);
    folder_drop(&folder);
}
END_TEST

static void expect_played_refusal(const char *path, size_t samples_max, const char *expected)
{
    struct sound sound = {.sample_count = 77};
    char error[SOUND_ERROR_MAX] = "";
    ck_assert(!sound_read_played(path, RATE, samples_max, &sound, error));
    ck_assert_uint_eq(sound.sample_count, 77); /* untouched */
    ck_assert_msg(strncmp(error, expected, strlen(expected)) == 0, "%s", error);
}

START_TEST(what_a_player_left_is_read_as_it_is_or_not_at_all)
{
    enum { FRAMES = 800 };
    const struct folder folder = folder_make();
    struct sound sound;
    char error[SOUND_ERROR_MAX] = "";
    char expected[SOUND_ERROR_MAX];
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_FLOAT, RATE, 1, FRAMES);
    ck_assert_msg(sound_read_played(folder.file, RATE, FRAMES, &sound, error), "%s", error);
    ck_assert_uint_eq(sound.sample_count, FRAMES);
    ck_assert_int_eq(sound.samples[10], 16384); /* a quarter of the tone's period */
    sound_free(&sound);
    snprintf(expected, sizeof expected, "'%s' is too long", folder.file);
    expect_played_refusal(folder.file, FRAMES - 1, expected);
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, RATE, 1, 0);
    ck_assert_msg(sound_read_played(folder.file, RATE, FRAMES, &sound, error), "%s", error);
    ck_assert_uint_eq(sound.sample_count, 0);
    sound_free(&sound);
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48000, 1, FRAMES);
    snprintf(expected, sizeof expected, "'%s': expected 16000 samples a second, found 48000", folder.file);
    expect_played_refusal(folder.file, FRAMES, expected);
    write_bytes(folder.file, "RIFF\0\0\0\0WAVE", 12);
    snprintf(expected, sizeof expected, "'%s' is not a sound file: ", folder.file);
    expect_played_refusal(folder.file, FRAMES, expected);
    expect_played_refusal("/nonexistent/a.wav", FRAMES, "cannot open sound file '/nonexistent/a.wav'");
    folder_drop(&folder);
}
END_TEST

/* A header that says more than there is, or less: what counts is what comes. */
START_TEST(a_header_that_lies_does_no_harm)
{
    enum { FRAMES = 100, DATA_SIZE_AT = 40 };
    const struct folder folder = folder_make();
    static const uint32_t sizes[] = {0,          1,         2 * FRAMES - 2, 2 * FRAMES, 2 * FRAMES + 2,
                                     0x7fffffff, 0xffffffff};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct sound sound = {.sample_count = 0};
        char error[SOUND_ERROR_MAX] = "";
        write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, RATE, 1, FRAMES);
        FILE *file = fopen(folder.file, "r+b");
        ck_assert_ptr_nonnull(file);
        ck_assert_int_eq(fseek(file, DATA_SIZE_AT, SEEK_SET), 0);
        for (unsigned byte = 0; byte < 4; byte++)
            ck_assert_int_ne(fputc((int)(sizes[i] >> 8 * byte & 0xffU), file), EOF);
        ck_assert_int_eq(fclose(file), 0);
        if (sound_read_played(folder.file, RATE, FRAMES, &sound, error)) {
            ck_assert_uint_le(sound.sample_count, FRAMES);
            sound_free(&sound);
        } else {
            ck_assert_str_ne(error, "");
        }
    }
    folder_drop(&folder);
}
END_TEST

START_TEST(a_rate_beyond_conversion_is_refused)
{
    const struct folder folder = folder_make();
    char expected[SOUND_ERROR_MAX];
    write_tone(folder.file, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 20, 1, 100);
    snprintf(expected, sizeof expected, "'%s' has a sample rate that cannot be converted", folder.file);
    expect_refusal(folder.file, expected);
    folder_drop(&folder);
}
END_TEST

START_TEST(a_very_long_path_leaves_room_for_the_reason)
{
    char path[1000];
    struct sound sound;
    char error[SOUND_ERROR_MAX] = "";
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    ck_assert(!sound_read(path, RATE, &sound, error));
    ck_assert_ptr_nonnull(strstr(error, "xxx': File name too long"));
}
END_TEST

START_TEST(a_file_that_cannot_be_written_is_named)
{
    static const int16_t samples[4096] = {1};
    char error[SOUND_ERROR_MAX] = "";
    ck_assert(!sound_write("/nonexistent/a.wav", samples, COUNT(samples), RATE, error));
    ck_assert_str_eq(error, "cannot write sound file '/nonexistent/a.wav': No such file or directory");
    ck_assert(!sound_write("/dev/full", samples, COUNT(samples), RATE, error));
    ck_assert_ptr_nonnull(strstr(error, "cannot write sound file '/dev/full': "));
}
END_TEST

START_TEST(loudness_is_the_root_mean_square)
{
    static const int16_t silence[4] = {0};
    static const int16_t full[4] = {-32768, -32768, -32768, -32768};
    static const int16_t half[4] = {16384, -16384, 16384, -16384};
    static const int16_t one_of_four[4] = {16384, 0, 0, 0};
    ck_assert_double_eq(sound_loudness(NULL, 0), 0.0);
    ck_assert_double_eq(sound_loudness(silence, 4), 0.0);
    ck_assert_double_eq_tol(sound_loudness(full, 4), 1.0, 1e-9);
    ck_assert_double_eq_tol(sound_loudness(half, 4), 0.5, 1e-9);
    ck_assert_double_eq_tol(sound_loudness(one_of_four, 4), 0.25, 1e-9);
}
END_TEST

START_TEST(samples_are_little_endian_bytes)
{
    static const int16_t samples[] = {0, 1, -1, 258, 32767, -32768, -2};
    static const uint8_t bytes[] = {0, 0, 1, 0, 255, 255, 2, 1, 255, 127, 0, 128, 254, 255};
    uint8_t *written = malloc(sizeof bytes);
    int16_t *read = malloc(sizeof samples);
    ck_assert_ptr_nonnull(written);
    ck_assert_ptr_nonnull(read);
    pcm_write_le(samples, written, COUNT(samples));
    pcm_read_le(bytes, read, COUNT(samples));
    ck_assert_mem_eq(written, bytes, sizeof bytes);
    ck_assert_mem_eq(read, samples, sizeof samples);
    free(written);
    free(read);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sound");
    TCase *files = tcase_create("files");
    TCase *pcm = tcase_create("pcm");
    tcase_set_timeout(files, 0);
    tcase_add_loop_test(files, a_tone_of_any_kind_becomes_the_same_tone_at_16_khz_mono, 0, (int)COUNT(tones));
    tcase_add_test(files, a_16_khz_mono_file_comes_through_sample_for_sample);
    tcase_add_test(files, the_48_khz_stereo_speech_converts_to_nearly_the_16_khz_speech);
    tcase_add_test(files, what_is_no_number_or_too_loud_in_a_float_file_does_no_harm);
    tcase_add_test(files, written_sound_reads_back_sample_for_sample);
    tcase_add_test(files, a_file_that_is_not_there_is_named);
    tcase_add_test(files, a_file_that_is_no_sound_is_named);
    tcase_add_test(files, sound_of_no_samples_is_refused);
    tcase_add_test(files, an_hour_is_read_and_a_second_more_refused);
    tcase_add_test(files, what_a_player_left_is_read_as_it_is_or_not_at_all);
    tcase_add_test(files, a_header_that_lies_does_no_harm);
    tcase_add_test(files, a_rate_beyond_conversion_is_refused);
    tcase_add_test(files, a_very_long_path_leaves_room_for_the_reason);
    tcase_add_test(files, a_file_that_cannot_be_written_is_named);
    tcase_add_test(pcm, loudness_is_the_root_mean_square);
    tcase_add_test(pcm, samples_are_little_endian_bytes);
    suite_add_tcase(suite, files);
    suite_add_tcase(suite, pcm);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
