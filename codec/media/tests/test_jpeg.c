#include <check.h>
#include <stdlib.h>

#include <stdio.h> /* jpeglib.h needs FILE */

#include <jpeglib.h>

#include "codec/media/block_code.h"
#include "codec/media/jpeg.h"

enum { JPEG_BYTES_MAX = 8 << 20 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Soft slopes, so that JPEG changes little. */
static struct picture slopes(unsigned width, unsigned height)
{
    struct picture picture;
    ck_assert(picture_init(&picture, width, height));
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            uint8_t *pixel = picture.rgb + ((size_t)y * width + x) * 3;
            pixel[0] = (uint8_t)(40 + x * 150 / width);
            pixel[1] = (uint8_t)(60 + y * 150 / height);
            pixel[2] = 120;
        }
    }
    return picture;
}

static struct buffer encoded(const struct picture *picture, int quality)
{
    struct buffer out;
    buffer_init(&out, JPEG_BYTES_MAX);
    ck_assert(jpeg_encode(picture, quality, &out));
    return out;
}

/* Decodes a copy of just that size; jpeg_check says the same of it. */
static bool decodes(struct bytes jpeg)
{
    struct picture picture;
    uint8_t *copy = malloc(jpeg.len == 0 ? 1 : jpeg.len);
    ck_assert_ptr_nonnull(copy);
    if (jpeg.len > 0) {
        memcpy(copy, jpeg.data, jpeg.len);
    }
    const bool decoded = jpeg_decode(bytes_of(copy, jpeg.len), &picture);
    unsigned width = 7;
    unsigned height = 7;
    ck_assert(jpeg_check(bytes_of(copy, jpeg.len), &width, &height) == decoded);
    ck_assert_uint_eq(width, decoded ? picture.width : 7);
    ck_assert_uint_eq(height, decoded ? picture.height : 7);
    if (decoded) {
        picture_free(&picture);
    }
    free(copy);
    return decoded;
}

START_TEST(a_picture_comes_back_much_as_it_was)
{
    static const struct {
        unsigned width;
        unsigned height;
    } sizes[] = {{1, 1}, {16, 16}, {17, 33}, {160, 160}, {1280, 720}, {736, 1216}, {4096, 16}, {16, 4096}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct picture picture = slopes(sizes[i].width, sizes[i].height);
        struct buffer jpeg = encoded(&picture, 95);
        struct picture back;
        unsigned width = 0;
        unsigned height = 0;
        ck_assert(jpeg_decode(buffer_bytes(&jpeg), &back));
        ck_assert(decodes(buffer_bytes(&jpeg)));
        ck_assert(jpeg_probe(buffer_bytes(&jpeg), &width, &height));
        ck_assert_uint_eq(back.width, sizes[i].width);
        ck_assert_uint_eq(back.height, sizes[i].height);
        ck_assert_uint_eq(width, sizes[i].width);
        ck_assert_uint_eq(height, sizes[i].height);
        int worst = 0;
        for (size_t k = 0; k < (size_t)width * height * 3; k++) {
            const int difference = abs(back.rgb[k] - picture.rgb[k]);
            worst = difference > worst ? difference : worst;
        }
        ck_assert_int_le(worst, 12);
        picture_free(&back);
        picture_free(&picture);
        buffer_free(&jpeg);
    }
}
END_TEST

START_TEST(a_restart_marker_follows_every_row_of_sixteen_lines)
{
    struct picture picture = slopes(96, 16 * 11);
    struct buffer jpeg = encoded(&picture, 80);
    unsigned rows = 1;
    for (size_t i = 0; i + 1 < jpeg.len; i++) {
        if (jpeg.data[i] == 0xFF && jpeg.data[i + 1] >= 0xD0 && jpeg.data[i + 1] <= 0xD7) {
            ck_assert_uint_eq(jpeg.data[i + 1], 0xD0 + (rows - 1) % 8);
            rows++;
        }
    }
    ck_assert_uint_eq(rows, 11);
    picture_free(&picture);
    buffer_free(&jpeg);
}
END_TEST

START_TEST(encoding_appends_and_leaves_a_full_buffer_as_it_was)
{
    struct picture picture = slopes(640, 480);
    struct buffer whole = encoded(&picture, 90);
    for (size_t missing = 0; missing < 3; missing++) {
        struct buffer out;
        buffer_init(&out, 3 + whole.len - missing);
        ck_assert(buffer_append(&out, bytes_of_text("abc")));
        ck_assert(jpeg_encode(&picture, 90, &out) == (missing == 0));
        ck_assert(bytes_equal(bytes_of(out.data, 3), bytes_of_text("abc")));
        ck_assert_uint_eq(out.len, missing == 0 ? 3 + whole.len : 3);
        buffer_free(&out);
    }
    picture_free(&picture);
    buffer_free(&whole);
}
END_TEST

START_TEST(every_prefix_of_a_picture_is_refused)
{
    struct picture picture = slopes(64, 48);
    struct buffer jpeg = encoded(&picture, 80);
    for (size_t len = 0; len < jpeg.len; len++) {
        ck_assert_msg(!decodes(bytes_of(jpeg.data, len)), "%zu of %zu bytes", len, jpeg.len);
    }
    ck_assert(decodes(buffer_bytes(&jpeg)));
    picture_free(&picture);
    buffer_free(&jpeg);
}
END_TEST

static const struct damage {
    const char *name;
    size_t from_end; /* where, from the end, when not 0 */
    size_t at;       /* else from the start */
    uint8_t bytes[4];
    size_t len;
} damages[] = {
    {"no start of image", 0, 0, {0x89, 'P', 'N', 'G'}, 4},
    {"a marker in the middle of the data", 60, 0, {0xFF, 0xD9, 0, 0}, 2},
    {"a restart marker out of turn", 60, 0, {0xFF, 0xD5, 0, 0}, 2},
    {"no end of image", 2, 0, {0, 0, 0, 0}, 2},
};

START_TEST(a_damaged_picture_is_refused)
{
    struct picture picture = slopes(64, 48);
    struct buffer jpeg = encoded(&picture, 80);
    const struct damage *damage = &damages[_i];
    const size_t at = damage->from_end != 0 ? jpeg.len - damage->from_end : damage->at;
    memcpy(jpeg.data + at, damage->bytes, damage->len);
    ck_assert_msg(!decodes(buffer_bytes(&jpeg)), "%s", damage->name);
    picture_free(&picture);
    buffer_free(&jpeg);
}
END_TEST

/* Where the height stands: after marker, length and precision of the frame header. */
static size_t height_offset(const struct buffer *jpeg)
{
    for (size_t i = 0; i + 8 < jpeg->len; i++) {
        if (jpeg->data[i] == 0xFF && jpeg->data[i + 1] == 0xC0) {
            return i + 5;
        }
    }
    ck_abort_msg("no frame header");
    return 0;
}

START_TEST(a_picture_that_claims_too_large_a_side_is_refused_but_probed)
{
    struct picture picture = slopes(64, 48);
    struct buffer jpeg = encoded(&picture, 80);
    const size_t at = height_offset(&jpeg);
    unsigned width = 0;
    unsigned height = 0;
    jpeg.data[at] = (JPEG_SIDE_MAX + 1) >> 8;
    jpeg.data[at + 1] = (JPEG_SIDE_MAX + 1) & 0xFF;
    ck_assert(jpeg_probe(buffer_bytes(&jpeg), &width, &height));
    ck_assert_uint_eq(width, 64);
    ck_assert_uint_eq(height, JPEG_SIDE_MAX + 1);
    ck_assert(!decodes(buffer_bytes(&jpeg)));
    picture_free(&picture);
    buffer_free(&jpeg);
}
END_TEST

START_TEST(a_picture_has_sides_from_one_to_the_maximum)
{
    struct picture picture;
    ck_assert(!picture_init(&picture, 0, 16));
    ck_assert(!picture_init(&picture, 16, 0));
    ck_assert(!picture_init(&picture, JPEG_SIDE_MAX + 1, 16));
    ck_assert(!picture_init(&picture, 16, JPEG_SIDE_MAX + 1));
    ck_assert(picture_init(&picture, JPEG_SIDE_MAX, 1));
    picture_free(&picture);
}
END_TEST

/* The bytes of these codes were worked out apart from the code under test (Python, binascii.crc_hqx from
 * 0xFFFF). */
static const struct packed {
    const char *name;
    struct block_code code;
    uint8_t bytes[BLOCK_CODE_BYTES];
} packed_codes[] = {
    {"all zero",
     {0x0u, 0x0u, 0x0u},
     {0xA5, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xF0, 0x0A}},
    {"all ones",
     {0xffffffffu, 0xffffffffu, 0xffffffffu},
     {0xA5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x33, 0x2B}},
    {"each field apart",
     {0x4d2u, 0xa1b2c3d4u, 0xc0d00u},
     {0xA5, 0x00, 0x00, 0x04, 0xD2, 0xA1, 0xB2, 0xC3, 0xD4, 0x00, 0x0C, 0x0D, 0x00, 0xB6, 0x69}},
    {"highest bits",
     {0x80000000u, 0x80000000u, 0x80000000u},
     {0xA5, 0x80, 0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x7A, 0x12}},
};

START_TEST(a_code_packs_to_known_bytes_and_back)
{
    const struct packed *packed = &packed_codes[_i];
    uint8_t bytes[BLOCK_CODE_BYTES];
    struct block_code read;
    block_code_pack(&packed->code, bytes);
    ck_assert_msg(memcmp(bytes, packed->bytes, sizeof bytes) == 0, "%s", packed->name);
    ck_assert(block_code_unpack(packed->bytes, &read));
    ck_assert_uint_eq(read.frame_number, packed->code.frame_number);
    ck_assert_uint_eq(read.interaction, packed->code.interaction);
    ck_assert_uint_eq(read.sample_position, packed->code.sample_position);
}
END_TEST

START_TEST(a_code_with_any_bit_wrong_is_refused)
{
    for (size_t bit = 0; bit < BLOCK_CODE_BITS; bit++) {
        uint8_t bytes[BLOCK_CODE_BYTES];
        struct block_code read;
        memcpy(bytes, packed_codes[2].bytes, sizeof bytes);
        bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 0x80u >> bit % 8);
        ck_assert_msg(!block_code_unpack(bytes, &read), "bit %zu", bit);
    }
}
END_TEST

static void paint_code(struct picture *picture, const struct block_code *code, uint8_t black, uint8_t white)
{
    const unsigned cells = picture->width / BLOCK_CODE_CELL_PIXELS;
    const unsigned top = picture->height - block_code_rows(picture->width) * BLOCK_CODE_CELL_PIXELS;
    uint8_t bytes[BLOCK_CODE_BYTES];
    block_code_pack(code, bytes);
    for (unsigned bit = 0; bit < BLOCK_CODE_BITS; bit++) {
        const bool is_white = (bytes[bit / 8] >> (7 - bit % 8) & 1) != 0;
        for (unsigned y = 0; y < BLOCK_CODE_CELL_PIXELS; y++) {
            const size_t line = top + (size_t)(bit / cells) * BLOCK_CODE_CELL_PIXELS + y;
            memset(picture->rgb +
                       (line * picture->width + (size_t)(bit % cells) * BLOCK_CODE_CELL_PIXELS) * 3,
                   is_white ? white : black, BLOCK_CODE_CELL_PIXELS * 3);
        }
    }
}

START_TEST(a_code_is_read_at_any_width_also_when_faint)
{
    static const unsigned widths[] = {16, 160, 320, 512, 720, 1280, 1920, 4096};
    for (size_t i = 0; i < COUNT(widths); i++) {
        const unsigned height = block_code_rows(widths[i]) * BLOCK_CODE_CELL_PIXELS + 16;
        struct picture picture = slopes(widths[i], height);
        struct block_code read;
        ck_assert(!block_code_read(&picture, &read));
        paint_code(&picture, &packed_codes[2].code, 90, 170);
        struct buffer jpeg = encoded(&picture, 50);
        ck_assert_msg(block_code_read_jpeg(buffer_bytes(&jpeg), &read), "width %u", widths[i]);
        ck_assert_uint_eq(read.frame_number, packed_codes[2].code.frame_number);
        picture_free(&picture);
        buffer_free(&jpeg);
    }
}
END_TEST

START_TEST(a_picture_too_small_for_a_code_has_none)
{
    static const struct {
        unsigned width;
        unsigned height;
    } sizes[] = {{15, 4000}, {16, 1919}, {1280, 31}, {1920, 15}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct picture picture = slopes(sizes[i].width, sizes[i].height);
        struct block_code read;
        ck_assert(!block_code_read(&picture, &read));
        picture_free(&picture);
    }
    ck_assert(!block_code_read_jpeg(bytes_of(NULL, 0), &(struct block_code){0}));
}
END_TEST

START_TEST(the_code_takes_as_many_rows_as_it_needs)
{
    static const struct {
        unsigned width;
        unsigned rows;
    } cases[] = {{16, 120}, {320, 6},  {512, 4},  {736, 3}, {960, 2},
                 {1280, 2}, {1904, 2}, {1920, 1}, {4096, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ck_assert_uint_eq(block_code_rows(cases[i].width), cases[i].rows);
    }
}
END_TEST

/* A legal progressive picture in grey, flat, 1280x720, of that many scans: one for the mean of each block and
 * one for each further coefficient. malloc'd. */
static struct bytes progressive(unsigned scans)
{
    enum { WIDTH = 1280, HEIGHT = 720, SCANS = 64 };
    jpeg_scan_info script[SCANS] = {{.comps_in_scan = 1}};
    unsigned char *data = NULL;
    unsigned long len = 0;
    uint8_t line[WIDTH] = {0};
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct compress = {.err = jpeg_std_error(&errors)};
    for (unsigned n = 1; n < scans; n++) {
        script[n] = (jpeg_scan_info){.comps_in_scan = 1, .Ss = (int)n, .Se = (int)n};
    }
    jpeg_create_compress(&compress);
    jpeg_mem_dest(&compress, &data, &len);
    compress.image_width = WIDTH;
    compress.image_height = HEIGHT;
    compress.input_components = 1;
    compress.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&compress);
    compress.scan_info = script;
    compress.num_scans = (int)scans;
    jpeg_start_compress(&compress, TRUE);
    while (compress.next_scanline < compress.image_height) {
        JSAMPROW row = line;
        jpeg_write_scanlines(&compress, &row, 1);
    }
    jpeg_finish_compress(&compress);
    jpeg_destroy_compress(&compress);
    return bytes_of(data, len);
}

START_TEST(a_picture_has_scans_times_pixels_up_to_the_maximum)
{
    static const struct {
        unsigned scans;
        bool decodes;
    } cases[] = {{1, true}, {36, true}, {37, false}, {64, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct bytes jpeg = progressive(cases[i].scans);
        ck_assert_uint_lt(jpeg.len, 100000);
        ck_assert_msg(decodes(jpeg) == cases[i].decodes, "%u scans", cases[i].scans);
        free((void *)(uintptr_t)jpeg.data);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("jpeg");
    TCase *jpeg = tcase_create("jpeg");
    TCase *code = tcase_create("block code");
    tcase_set_timeout(jpeg, 0);
    tcase_add_test(jpeg, a_picture_comes_back_much_as_it_was);
    tcase_add_test(jpeg, a_restart_marker_follows_every_row_of_sixteen_lines);
    tcase_add_test(jpeg, encoding_appends_and_leaves_a_full_buffer_as_it_was);
    tcase_add_test(jpeg, every_prefix_of_a_picture_is_refused);
    tcase_add_loop_test(jpeg, a_damaged_picture_is_refused, 0, (int)COUNT(damages));
    tcase_add_test(jpeg, a_picture_that_claims_too_large_a_side_is_refused_but_probed);
    tcase_add_test(jpeg, a_picture_has_sides_from_one_to_the_maximum);
    tcase_add_test(jpeg, a_picture_has_scans_times_pixels_up_to_the_maximum);
    tcase_add_loop_test(code, a_code_packs_to_known_bytes_and_back, 0, (int)COUNT(packed_codes));
    tcase_add_test(code, a_code_with_any_bit_wrong_is_refused);
    tcase_add_test(code, a_code_is_read_at_any_width_also_when_faint);
    tcase_add_test(code, a_picture_too_small_for_a_code_has_none);
    tcase_add_test(code, the_code_takes_as_many_rows_as_it_needs);
    suite_add_tcase(suite, jpeg);
    suite_add_tcase(suite, code);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
