#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/media/avi.h"
#include "codec/media/jpeg.h"
#include "codec/media/sound.h"

enum { FRAMES = 30, SAMPLES = 640, FILE_BYTES_MAX = 1 << 20 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct file {
    char path[64];
    uint8_t *data;
    size_t len;
};

static void file_name(struct file *file)
{
    strcpy(file->path, "/tmp/test_avi.XXXXXX");
    const int descriptor = mkstemp(file->path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
}

/* The file's bytes in a block of just their size. */
static void file_load(struct file *file)
{
    FILE *in = fopen(file->path, "rb");
    ck_assert_ptr_nonnull(in);
    uint8_t *room = malloc(FILE_BYTES_MAX);
    ck_assert_ptr_nonnull(room);
    file->len = fread(room, 1, FILE_BYTES_MAX, in);
    fclose(in);
    file->data = malloc(file->len + 1);
    ck_assert_ptr_nonnull(file->data);
    memcpy(file->data, room, file->len);
    free(room);
}

static void file_drop(struct file *file)
{
    unlink(file->path);
    free(file->data);
}

/* A picture whose size on the wire varies with the seed, so that odd lengths come up. */
static struct buffer jpeg_of(unsigned width, unsigned height, unsigned seed)
{
    struct picture picture;
    struct buffer out;
    buffer_init(&out, FILE_BYTES_MAX);
    ck_assert(picture_init(&picture, width, height));
    for (size_t i = 0; i < (size_t)width * height * 3; i++) {
        picture.rgb[i] = (uint8_t)(i * (seed + 3) >> 3);
    }
    ck_assert(jpeg_encode(&picture, 80, &out));
    picture_free(&picture);
    return out;
}

static void samples_of(unsigned frame, int16_t samples[SAMPLES])
{
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = (int16_t)((int)frame * 1000 - i * 31);
    }
}

static uint32_t u32_at(const struct file *file, size_t at)
{
    ck_assert_uint_le(at + 4, file->len);
    const uint8_t *in = file->data + at;
    return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static bool letters_at(const struct file *file, size_t at, const char *letters)
{
    return at + 4 <= file->len && memcmp(file->data + at, letters, 4) == 0;
}

/* Where the content of the nth chunk of that name begins, walking through `from` to `end`; fails when there
 * is none. */
static size_t chunk_find(const struct file *file, size_t from, size_t end, const char *letters, unsigned nth)
{
    for (size_t at = from; at + 8 <= end;) {
        const uint32_t size = u32_at(file, at + 4);
        const bool list = letters_at(file, at, "LIST") && letters_at(file, at + 8, letters);
        ck_assert_uint_le(at + 8 + size, end);
        if ((list || letters_at(file, at, letters)) && nth-- == 0) {
            return at + 8 + (list ? 4 : 0);
        }
        at += 8 + size + size % 2;
    }
    ck_abort_msg("no %s", letters);
    return 0;
}

static size_t list_end(const struct file *file, size_t content)
{
    return content - 4 + u32_at(file, content - 8);
}

static struct avi_writer *open_writer(const struct file *file)
{
    char error[AVI_ERROR_MAX] = "";
    struct avi_writer *writer = avi_writer_open(file->path, 25, 16000, error);
    ck_assert_msg(writer != NULL, "%s", error);
    return writer;
}

static bool add_frame(struct avi_writer *writer, unsigned frame, char error[AVI_ERROR_MAX])
{
    int16_t samples[SAMPLES];
    struct buffer jpeg = jpeg_of(64, 48, frame);
    samples_of(frame, samples);
    const bool added = avi_writer_frame(writer, buffer_bytes(&jpeg), samples, SAMPLES, error);
    buffer_free(&jpeg);
    return added;
}

static void close_writer(struct avi_writer *writer)
{
    char error[AVI_ERROR_MAX] = "";
    ck_assert_msg(avi_writer_close(writer, error), "%s", error);
}

static void write_plain(struct file *file)
{
    char error[AVI_ERROR_MAX] = "";
    struct avi_writer *writer = open_writer(file);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        ck_assert_msg(add_frame(writer, frame, error), "%s", error);
    }
    close_writer(writer);
    file_load(file);
}

START_TEST(the_header_says_what_the_file_holds)
{
    static const struct {
        const char *name;
        size_t offset; /* from the chunk's content */
        uint32_t expected;
    } main_fields[] = {{"microseconds a frame", 0, 40000},
                       {"frames", 16, FRAMES},
                       {"streams", 24, 2},
                       {"width", 32, 64},
                       {"height", 36, 48}};
    struct file file;
    file_name(&file);
    write_plain(&file);
    ck_assert(letters_at(&file, 0, "RIFF") && letters_at(&file, 8, "AVI "));
    ck_assert_uint_eq(u32_at(&file, 4), file.len - 8);
    const size_t header = chunk_find(&file, 12, file.len, "hdrl", 0);
    const size_t end = list_end(&file, header);
    const size_t main_header = chunk_find(&file, header, end, "avih", 0);
    for (size_t i = 0; i < COUNT(main_fields); i++) {
        ck_assert_msg(u32_at(&file, main_header + main_fields[i].offset) == main_fields[i].expected, "%s",
                      main_fields[i].name);
    }
    const size_t pictures = chunk_find(&file, header, end, "strl", 0);
    const size_t picture_header = chunk_find(&file, pictures, list_end(&file, pictures), "strh", 0);
    ck_assert(letters_at(&file, picture_header, "vids") && letters_at(&file, picture_header + 4, "MJPG"));
    ck_assert_uint_eq(u32_at(&file, picture_header + 24) / u32_at(&file, picture_header + 20), 25);
    ck_assert_uint_eq(u32_at(&file, picture_header + 32), FRAMES);
    const size_t picture_format = chunk_find(&file, pictures, list_end(&file, pictures), "strf", 0);
    ck_assert_uint_eq(u32_at(&file, picture_format + 4), 64);
    ck_assert_uint_eq(u32_at(&file, picture_format + 8), 48);
    const size_t sound = chunk_find(&file, header, end, "strl", 1);
    const size_t sound_header = chunk_find(&file, sound, list_end(&file, sound), "strh", 0);
    ck_assert(letters_at(&file, sound_header, "auds"));
    ck_assert_uint_eq(u32_at(&file, sound_header + 32), FRAMES * SAMPLES);
    const size_t sound_format = chunk_find(&file, sound, list_end(&file, sound), "strf", 0);
    ck_assert_uint_eq(u32_at(&file, sound_format), 0x00010001); /* PCM, one channel */
    ck_assert_uint_eq(u32_at(&file, sound_format + 4), 16000);
    file_drop(&file);
}
END_TEST

START_TEST(pictures_and_sound_lie_side_by_side_and_come_back_as_they_were)
{
    struct file file;
    file_name(&file);
    write_plain(&file);
    const size_t movi = chunk_find(&file, 12, file.len, "movi", 0);
    const size_t end = list_end(&file, movi);
    unsigned odd = 0;
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        int16_t samples[SAMPLES];
        int16_t read[SAMPLES];
        struct buffer jpeg = jpeg_of(64, 48, frame);
        const size_t picture = chunk_find(&file, movi, end, "00dc", frame);
        const size_t sound = chunk_find(&file, movi, end, "01wb", frame);
        unsigned width = 0;
        unsigned height = 0;
        ck_assert(
            bytes_equal(bytes_of(file.data + picture, u32_at(&file, picture - 4)), buffer_bytes(&jpeg)));
        ck_assert(jpeg_probe(bytes_of(file.data + picture, jpeg.len), &width, &height));
        ck_assert_uint_eq(width, 64);
        ck_assert_uint_eq(height, 48);
        ck_assert_uint_eq(sound, picture + jpeg.len + jpeg.len % 2 + 8);
        ck_assert_uint_eq(u32_at(&file, sound - 4), SAMPLES * 2);
        samples_of(frame, samples);
        pcm_read_le(file.data + sound, read, SAMPLES);
        ck_assert_mem_eq(read, samples, sizeof samples);
        odd += jpeg.len % 2;
        buffer_free(&jpeg);
    }
    ck_assert_uint_gt(odd, 0); /* or the padding was never tried */
    file_drop(&file);
}
END_TEST

START_TEST(the_index_points_at_every_chunk)
{
    struct file file;
    file_name(&file);
    write_plain(&file);
    const size_t movi = chunk_find(&file, 12, file.len, "movi", 0);
    const size_t index = chunk_find(&file, 12, file.len, "idx1", 0);
    ck_assert_uint_eq(u32_at(&file, index - 4), 2 * FRAMES * 16);
    for (size_t i = 0; i < 2 * (size_t)FRAMES; i++) {
        const size_t entry = index + 16 * i;
        const size_t chunk = movi - 4 + u32_at(&file, entry + 8);
        ck_assert(letters_at(&file, entry, i % 2 == 0 ? "00dc" : "01wb"));
        ck_assert(letters_at(&file, chunk, i % 2 == 0 ? "00dc" : "01wb"));
        ck_assert_uint_eq(u32_at(&file, entry + 12), u32_at(&file, chunk + 4));
    }
    file_drop(&file);
}
END_TEST

START_TEST(a_frame_may_lack_its_picture_or_its_sound)
{
    struct file file;
    char error[AVI_ERROR_MAX] = "";
    int16_t samples[SAMPLES];
    struct buffer jpeg = jpeg_of(80, 64, 1);
    file_name(&file);
    samples_of(1, samples);
    struct avi_writer *writer = open_writer(&file);
    ck_assert(avi_writer_frame(writer, bytes_of(NULL, 0), samples, SAMPLES, error));
    ck_assert(avi_writer_frame(writer, buffer_bytes(&jpeg), NULL, 0, error));
    close_writer(writer);
    file_load(&file);
    const size_t movi = chunk_find(&file, 12, file.len, "movi", 0);
    ck_assert_uint_eq(u32_at(&file, movi + 4), 0);
    ck_assert_uint_eq(u32_at(&file, chunk_find(&file, movi, list_end(&file, movi), "00dc", 1) - 4), jpeg.len);
    const size_t header = chunk_find(&file, 12, file.len, "hdrl", 0);
    ck_assert_uint_eq(u32_at(&file, header + 8 + 16), 2);  /* frames */
    ck_assert_uint_eq(u32_at(&file, header + 8 + 32), 80); /* the width of the first picture there is */
    buffer_free(&jpeg);
    file_drop(&file);
}
END_TEST

START_TEST(a_file_of_no_frames_is_whole_too)
{
    struct file file;
    file_name(&file);
    close_writer(open_writer(&file));
    file_load(&file);
    ck_assert_uint_eq(u32_at(&file, 4), file.len - 8);
    ck_assert_uint_eq(u32_at(&file, chunk_find(&file, 12, file.len, "idx1", 0) - 4), 0);
    file_drop(&file);
}
END_TEST

START_TEST(at_its_limit_the_file_takes_no_more_and_is_still_whole)
{
    struct file file;
    char error[AVI_ERROR_MAX] = "";
    unsigned added = 0;
    file_name(&file);
    struct avi_writer *writer = open_writer(&file);
    avi_writer_limit(writer, 20000);
    while (add_frame(writer, added, error)) {
        added++;
        ck_assert_uint_lt(added, FRAMES);
    }
    ck_assert_uint_gt(added, 1);
    ck_assert_ptr_nonnull(strstr(error, file.path));
    ck_assert_ptr_nonnull(strstr(error, "it has reached its limit of bytes"));
    close_writer(writer);
    file_load(&file);
    ck_assert_uint_le(file.len, 20000);
    ck_assert_uint_eq(u32_at(&file, 4), file.len - 8);
    ck_assert_uint_eq(u32_at(&file, chunk_find(&file, 12, file.len, "idx1", 0) - 4), added * 2 * 16);
    file_drop(&file);
}
END_TEST

START_TEST(the_last_byte_of_the_limit_may_be_used)
{
    struct file file;
    char error[AVI_ERROR_MAX] = "";
    file_name(&file);
    struct avi_writer *writer = open_writer(&file);
    ck_assert(add_frame(writer, 0, error));
    close_writer(writer);
    file_load(&file);
    for (uint32_t less = 0; less < 2; less++) {
        writer = open_writer(&file);
        avi_writer_limit(writer, (uint32_t)file.len - less);
        ck_assert(add_frame(writer, 0, error) == (less == 0));
        close_writer(writer);
    }
    file_drop(&file);
}
END_TEST

START_TEST(a_file_that_cannot_be_made_is_named)
{
    char error[AVI_ERROR_MAX] = "";
    ck_assert_ptr_null(avi_writer_open("/nonexistent/folder/a.avi", 25, 16000, error));
    ck_assert_str_eq(error, "cannot write video file '/nonexistent/folder/a.avi': No such file or directory");
}
END_TEST

START_TEST(a_full_disk_is_told)
{
    char error[AVI_ERROR_MAX] = "";
    struct avi_writer *writer = avi_writer_open("/dev/full", 25, 16000, error);
    bool told = writer == NULL;
    for (unsigned frame = 0; writer != NULL && !told && frame < FRAMES; frame++) {
        told = !add_frame(writer, frame, error);
    }
    ck_assert(told);
    ck_assert_str_eq(error, "cannot write video file '/dev/full': No space left on device");
    if (writer != NULL) {
        ck_assert(!avi_writer_close(writer, error));
        ck_assert_str_eq(error, "cannot write video file '/dev/full': No space left on device");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("avi");
    TCase *tests = tcase_create("avi");
    tcase_add_test(tests, the_header_says_what_the_file_holds);
    tcase_add_test(tests, pictures_and_sound_lie_side_by_side_and_come_back_as_they_were);
    tcase_add_test(tests, the_index_points_at_every_chunk);
    tcase_add_test(tests, a_frame_may_lack_its_picture_or_its_sound);
    tcase_add_test(tests, a_file_of_no_frames_is_whole_too);
    tcase_add_test(tests, at_its_limit_the_file_takes_no_more_and_is_still_whole);
    tcase_add_test(tests, the_last_byte_of_the_limit_may_be_used);
    tcase_add_test(tests, a_file_that_cannot_be_made_is_named);
    tcase_add_test(tests, a_full_disk_is_told);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
