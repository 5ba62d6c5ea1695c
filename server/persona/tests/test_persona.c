#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/persona/face.h"
#include "server/persona/persona.h"
#include "server/persona/pose.h"

enum { PICTURE_BYTES_MAX = 4 << 20 };

static const struct block_code plain_code = {
    .frame_number = 7, .interaction = 0x01020304, .sample_position = 640};

static const struct size {
    const char *name;
    unsigned width;
    unsigned height;
} sizes[] = {
    {"720p", 1280, 720},   {"square", 512, 512},    {"portrait", 736, 1216},     {"small", 320, 192},
    {"large", 1024, 1024}, {"narrowest", 160, 384}, {"wide and low", 2048, 160}, {"tall", 160, 2048},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct persona *persona_of(unsigned width, unsigned height)
{
    char error[PERSONA_ERROR_MAX] = "";
    struct persona *persona = persona_new(width, height, error);
    ck_assert_msg(persona != NULL, "%s", error);
    return persona;
}

/* The picture in a block of just its size; the caller frees it. */
static struct bytes picture_of(struct persona *persona, uint64_t tick, double mouth,
                               const struct block_code *code)
{
    struct buffer out;
    buffer_init(&out, PICTURE_BYTES_MAX);
    ck_assert(persona_picture(persona, tick, mouth, code, &out));
    uint8_t *copy = malloc(out.len);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, out.data, out.len);
    const struct bytes bytes = bytes_of(copy, out.len);
    buffer_free(&out);
    return bytes;
}

static void bytes_free(struct bytes bytes)
{
    free((void *)(uintptr_t)bytes.data);
}

static void paint_square(struct picture *picture, unsigned left, unsigned top, uint8_t value)
{
    for (unsigned y = top; y < top + BLOCK_CODE_CELL_PIXELS; y++) {
        memset(picture->rgb + ((size_t)y * picture->width + left) * 3, value, BLOCK_CODE_CELL_PIXELS * 3);
    }
}

/* The same picture made the long way: drawn whole, code squares painted, encoded in one go. */
static void picture_long_way(unsigned width, unsigned height, const struct pose *pose,
                             const struct block_code *code, struct buffer *out)
{
    const unsigned squares = width / BLOCK_CODE_CELL_PIXELS;
    const unsigned stage = height - block_code_rows(width) * BLOCK_CODE_CELL_PIXELS;
    uint8_t packed[BLOCK_CODE_BYTES];
    struct picture picture;
    ck_assert(picture_init(&picture, width, height));
    struct strip strip = {.rgb = picture.rgb, .width = width, .top = 0, .lines = stage};
    face_draw(&strip, stage, pose);
    block_code_pack(code, packed);
    for (unsigned bit = 0; bit < BLOCK_CODE_BITS; bit++) {
        const bool white = (packed[bit / 8] >> (7 - bit % 8) & 1) != 0;
        paint_square(&picture, bit % squares * BLOCK_CODE_CELL_PIXELS,
                     stage + bit / squares * BLOCK_CODE_CELL_PIXELS, white ? 255 : 0);
    }
    ck_assert(jpeg_encode(&picture, PERSONA_QUALITY, out));
    picture_free(&picture);
}

static void expect_same_as_long_way(struct persona *persona, const struct size *size, uint64_t tick,
                                    unsigned level)
{
    const struct pose_steps steps = pose_steps_at(tick);
    const struct pose pose = {
        .sway = pose_sway(steps.sway),
        .lids = pose_lids(steps.lids),
        .mouth = (double)level / (PERSONA_MOUTH_LEVELS - 1),
    };
    const struct bytes assembled = picture_of(persona, tick, pose.mouth, &plain_code);
    struct buffer whole;
    buffer_init(&whole, PICTURE_BYTES_MAX);
    picture_long_way(size->width, size->height, &pose, &plain_code, &whole);
    ck_assert_msg(bytes_equal(assembled, buffer_bytes(&whole)), "%s, tick %u, level %u", size->name,
                  (unsigned)tick, level);
    buffer_free(&whole);
    bytes_free(assembled);
}

START_TEST(an_assembled_picture_is_byte_for_byte_the_one_encoded_whole)
{
    /* Upright, both ends of the sway, and the blinks half and whole. */
    static const uint64_t ticks[] = {23, 0, 22, 50, 168, 150};
    const struct size *size = &sizes[_i];
    struct persona *persona = persona_of(size->width, size->height);
    for (size_t i = 0; i < COUNT(ticks); i++) {
        expect_same_as_long_way(persona, size, ticks[i],
                                i % 2 == 0 ? (unsigned)i / 2 : PERSONA_MOUTH_LEVELS - 1);
    }
    persona_free(persona);
}
END_TEST

START_TEST(every_pose_and_level_of_a_small_picture_is_as_encoded_whole)
{
    static const struct size size = {"small", 320, 192};
    struct persona *persona = persona_of(size.width, size.height);
    bool seen[POSE_SWAYS][POSE_LIDS] = {{false}};
    for (uint64_t tick = 0; tick < POSE_LOOP_TICKS; tick++) {
        const struct pose_steps steps = pose_steps_at(tick);
        const bool again = seen[steps.sway][steps.lids];
        seen[steps.sway][steps.lids] = true;
        for (unsigned level = 0; level < PERSONA_MOUTH_LEVELS && !again; level++) {
            expect_same_as_long_way(persona, &size, tick, level);
        }
    }
    persona_free(persona);
}
END_TEST

START_TEST(every_mouth_level_decodes_cleanly_at_every_size)
{
    const struct size *size = &sizes[_i];
    struct persona *persona = persona_of(size->width, size->height);
    for (unsigned level = 0; level < PERSONA_MOUTH_LEVELS; level++) {
        const double mouth = (double)level / (PERSONA_MOUTH_LEVELS - 1);
        const struct bytes jpeg = picture_of(persona, level * 23, mouth, &plain_code);
        struct picture picture;
        ck_assert_msg(jpeg_decode(jpeg, &picture), "%s, level %u", size->name, level);
        ck_assert_uint_eq(picture.width, size->width);
        ck_assert_uint_eq(picture.height, size->height);
        picture_free(&picture);
        bytes_free(jpeg);
    }
    persona_free(persona);
}
END_TEST

static const struct code_case {
    const char *name;
    struct block_code code;
} codes[] = {
    {"all zero", {0, 0, 0}},
    {"all ones", {UINT32_MAX, UINT32_MAX, UINT32_MAX}},
    {"frame number only", {UINT32_MAX, 0, 0}},
    {"interaction only", {0, UINT32_MAX, 0}},
    {"sample position only", {0, 0, UINT32_MAX}},
    {"lowest bits", {1, 1, 1}},
    {"highest bits", {0x80000000u, 0x80000000u, 0x80000000u}},
    {"alternating", {0xAAAAAAAAu, 0x55555555u, 0xAAAAAAAAu}},
};

static void expect_code(struct bytes jpeg, const struct block_code *expected, const char *name)
{
    struct block_code read = {0, 0, 0};
    ck_assert_msg(block_code_read_jpeg(jpeg, &read), "%s", name);
    ck_assert_msg(read.frame_number == expected->frame_number && read.interaction == expected->interaction &&
                      read.sample_position == expected->sample_position,
                  "%s", name);
}

START_TEST(the_block_code_reads_back_also_after_encoding_again_at_quality_50)
{
    const struct size *size = &sizes[_i];
    struct persona *persona = persona_of(size->width, size->height);
    for (size_t i = 0; i < COUNT(codes); i++) {
        const struct bytes jpeg = picture_of(persona, i, 0.5, &codes[i].code);
        struct picture picture;
        struct buffer again;
        buffer_init(&again, PICTURE_BYTES_MAX);
        expect_code(jpeg, &codes[i].code, codes[i].name);
        ck_assert(jpeg_decode(jpeg, &picture));
        ck_assert(jpeg_encode(&picture, 50, &again));
        expect_code(buffer_bytes(&again), &codes[i].code, codes[i].name);
        buffer_free(&again);
        picture_free(&picture);
        bytes_free(jpeg);
    }
    persona_free(persona);
}
END_TEST

/* Pixels of the dark inside of the mouth, a colour nothing else has. */
static unsigned open_pixels(struct bytes jpeg)
{
    struct picture picture;
    unsigned count = 0;
    ck_assert(jpeg_decode(jpeg, &picture));
    const unsigned stage = picture.height - block_code_rows(picture.width) * BLOCK_CODE_CELL_PIXELS;
    for (size_t i = 0; i < (size_t)picture.width * stage; i++) {
        const uint8_t *pixel = picture.rgb + 3 * i;
        count += pixel[0] > 60 && pixel[0] < 110 && pixel[1] < 36 && pixel[2] < 48;
    }
    picture_free(&picture);
    return count;
}

START_TEST(the_mouth_opens_further_with_each_level)
{
    static const uint64_t ticks[] = {0, 50, 150};
    struct persona *persona = persona_of(1280, 720);
    for (size_t i = 0; i < COUNT(ticks); i++) {
        unsigned before = 0;
        for (unsigned level = 1; level < PERSONA_MOUTH_LEVELS; level++) {
            const struct bytes jpeg =
                picture_of(persona, ticks[i], (double)level / (PERSONA_MOUTH_LEVELS - 1), &plain_code);
            const unsigned open = open_pixels(jpeg);
            ck_assert_msg(open > before, "level %u: %u after %u", level, open, before);
            before = open;
            bytes_free(jpeg);
        }
        ck_assert_uint_gt(before, 1000);
    }
    persona_free(persona);
}
END_TEST

START_TEST(an_opening_is_held_to_its_range_and_rounded)
{
    static const struct {
        const char *name;
        double opening;
        double same_as;
    } cases[] = {
        {"below", -1.0, 0.0},    {"no number", (double)NAN, 0.0}, {"above", 7.5, 1.0},
        {"a little", 0.05, 0.0}, {"half", 0.5, 4.0 / 7},          {"nearly all", 0.95, 1.0},
    };
    struct persona *persona = persona_of(320, 192);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct bytes a = picture_of(persona, 0, cases[i].opening, &plain_code);
        const struct bytes b = picture_of(persona, 0, cases[i].same_as, &plain_code);
        ck_assert_msg(bytes_equal(a, b), "%s", cases[i].name);
        bytes_free(a);
        bytes_free(b);
    }
    persona_free(persona);
}
END_TEST

START_TEST(the_same_arguments_give_the_same_bytes_whatever_was_asked_before)
{
    struct persona *used = persona_of(512, 512);
    struct persona *fresh = persona_of(512, 512);
    for (uint64_t tick = 0; tick < 60; tick++) {
        bytes_free(picture_of(used, tick * 7, (double)(tick % 8) / 7, &codes[tick % COUNT(codes)].code));
    }
    const struct bytes a = picture_of(used, 1234567, 0.7, &plain_code);
    const struct bytes b = picture_of(fresh, 1234567, 0.7, &plain_code);
    ck_assert(bytes_equal(a, b));
    bytes_free(a);
    bytes_free(b);
    persona_free(used);
    persona_free(fresh);
}
END_TEST

START_TEST(codes_of_one_frame_number_do_not_stand_in_for_each_other)
{
    struct persona *used = persona_of(512, 512);
    for (uint32_t n = 0; n < 6; n++) {
        /* twice each, and those that are kept in the same place */
        const struct block_code code = {
            .frame_number = n % 3 == 2 ? 5 + 64 : 5, .interaction = n / 3, .sample_position = n % 2 * 640};
        struct persona *fresh = persona_of(512, 512);
        const struct bytes first = picture_of(used, 9, 0, &code);
        const struct bytes again = picture_of(used, 9, 0, &code);
        const struct bytes expected = picture_of(fresh, 9, 0, &code);
        ck_assert(bytes_equal(first, expected));
        ck_assert(bytes_equal(again, expected));
        bytes_free(first);
        bytes_free(again);
        bytes_free(expected);
        persona_free(fresh);
    }
    persona_free(used);
}
END_TEST

START_TEST(the_idle_motion_moves_blinks_and_closes_its_loop)
{
    bool blinked = false;
    unsigned places = 0;
    bool seen[POSE_SWAYS] = {false};
    for (uint64_t tick = 0; tick < POSE_LOOP_TICKS; tick++) {
        const struct pose_steps now = pose_steps_at(tick);
        const struct pose_steps next = pose_steps_at(tick + 1);
        const struct pose_steps later = pose_steps_at(tick + (uint64_t)POSE_LOOP_TICKS * 1000003);
        const int step = abs((int)next.sway - (int)now.sway);
        ck_assert_int_le(step, 1);
        ck_assert_uint_eq(now.sway, later.sway);
        ck_assert_uint_eq(now.lids, later.lids);
        places += !seen[now.sway];
        seen[now.sway] = true;
        blinked = blinked || now.lids == POSE_LIDS - 1;
    }
    ck_assert(blinked);
    ck_assert_uint_eq(places, POSE_SWAYS);
    ck_assert_uint_lt(pose_steps_at(UINT64_MAX).sway, POSE_SWAYS);
}
END_TEST

START_TEST(a_full_buffer_refuses_the_picture_and_is_left_as_it_was)
{
    struct persona *persona = persona_of(320, 192);
    const struct bytes whole = picture_of(persona, 3, 1, &plain_code);
    for (size_t missing = 0; missing <= whole.len; missing += missing < 4 ? 1 : 97) {
        struct buffer out;
        buffer_init(&out, 5 + whole.len - missing);
        ck_assert(buffer_append(&out, bytes_of_text("first")));
        ck_assert(persona_picture(persona, 3, 1, &plain_code, &out) == (missing == 0));
        ck_assert_uint_eq(out.len, missing == 0 ? 5 + whole.len : 5);
        ck_assert(memcmp(out.data, "first", 5) == 0);
        buffer_free(&out);
    }
    bytes_free(whole);
    persona_free(persona);
}
END_TEST

START_TEST(a_720p_persona_keeps_under_eight_megabytes_with_every_pose_made)
{
    struct persona *persona = persona_of(1280, 720);
    for (uint64_t tick = 0; tick < POSE_LOOP_TICKS; tick++) {
        for (unsigned level = 0; level < PERSONA_MOUTH_LEVELS; level++) {
            bytes_free(picture_of(persona, tick, (double)level / (PERSONA_MOUTH_LEVELS - 1), &plain_code));
        }
    }
    ck_assert_uint_lt(persona_bytes(persona), 8u << 20);
    ck_assert_uint_gt(persona_bytes(persona), 1u << 20);
    persona_free(persona);
}
END_TEST

START_TEST(preparing_makes_every_row_there_is_and_changes_no_picture)
{
    struct persona *prepared = persona_of(320, 192);
    struct persona *fresh = persona_of(320, 192);
    while (persona_prepare(prepared)) {
    }
    const size_t bytes = persona_bytes(prepared);
    for (uint64_t tick = 0; tick < POSE_LOOP_TICKS; tick++) {
        const double mouth = (double)(tick % PERSONA_MOUTH_LEVELS) / (PERSONA_MOUTH_LEVELS - 1);
        const struct bytes a = picture_of(prepared, tick, mouth, &plain_code);
        const struct bytes b = picture_of(fresh, tick, mouth, &plain_code);
        ck_assert(bytes_equal(a, b));
        bytes_free(a);
        bytes_free(b);
    }
    ck_assert_uint_eq(persona_bytes(prepared), bytes);
    ck_assert_uint_lt(persona_bytes(fresh), bytes);
    persona_free(prepared);
    persona_free(fresh);
}
END_TEST

START_TEST(a_size_that_cannot_be_is_refused_with_a_sentence)
{
    static const char sides[] = ": each side must be a multiple of 16 from 160 to 2048";
    static const char narrow[] =
        ": that wide it must be at least 384 high, as its block code may take half of it";
    static const char wider[] =
        ": that wide it must be at least 192 high, as its block code may take half of it";
    static const struct {
        unsigned width;
        unsigned height;
        const char *why;
    } cases[] = {
        {0, 0, sides},      {1280, 721, sides}, {1288, 720, sides},  {144, 720, sides},
        {1280, 144, sides}, {2064, 720, sides}, {1280, 2064, sides}, {UINT32_MAX, UINT32_MAX, sides},
        {160, 160, narrow}, {160, 368, narrow}, {320, 176, wider},
    };
    ck_assert_uint_eq(persona_height_min(368), 192);
    ck_assert_uint_eq(persona_height_min(384), PERSONA_SIDE_MIN);
    ck_assert_uint_eq(persona_height_min(PERSONA_SIDE_MAX), PERSONA_SIDE_MIN);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char error[PERSONA_ERROR_MAX] = "";
        char expected[PERSONA_ERROR_MAX];
        snprintf(expected, sizeof expected, "a picture of %ux%u%s", cases[i].width, cases[i].height,
                 cases[i].why);
        ck_assert_ptr_null(persona_new(cases[i].width, cases[i].height, error));
        ck_assert_str_eq(error, expected);
    }
}
END_TEST

START_TEST(the_mouth_opens_with_loudness_and_scale)
{
    static const struct {
        const char *name;
        double loudness;
        double scale;
        double low;
        double high;
    } cases[] = {
        {"silence", 0, 1, 0, 0},
        {"room noise", 0.005, 1, 0, 0},
        {"soft speech", 0.04, 1, 0.2, 0.6},
        {"speech", 0.1, 1, 0.5, 0.9},
        {"loud", 0.3, 1, 1, 1},
        {"halved", 0.3, 0.5, 0.5, 0.5},
        {"off", 0.3, 0, 0, 0},
        {"negative", 0.3, -1, 0, 0},
        {"exaggerated", 0.04, 5, 1, 1},
        {"no number", (double)NAN, 1, 0, 0},
        {"no scale", 0.3, (double)NAN, 0, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double opening = persona_mouth_opening(cases[i].loudness, cases[i].scale);
        ck_assert_msg(opening >= cases[i].low && opening <= cases[i].high, "%s: %f", cases[i].name, opening);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("persona");
    TCase *pictures = tcase_create("pictures");
    TCase *behaviour = tcase_create("behaviour");
    const int size_count = (int)COUNT(sizes);
    tcase_set_timeout(pictures, 0);
    tcase_set_timeout(behaviour, 0);
    tcase_add_loop_test(pictures, an_assembled_picture_is_byte_for_byte_the_one_encoded_whole, 0, size_count);
    tcase_add_test(pictures, every_pose_and_level_of_a_small_picture_is_as_encoded_whole);
    tcase_add_loop_test(pictures, every_mouth_level_decodes_cleanly_at_every_size, 0, size_count);
    tcase_add_loop_test(pictures, the_block_code_reads_back_also_after_encoding_again_at_quality_50, 0,
                        size_count);
    tcase_add_test(behaviour, the_mouth_opens_further_with_each_level);
    tcase_add_test(behaviour, an_opening_is_held_to_its_range_and_rounded);
    tcase_add_test(behaviour, the_same_arguments_give_the_same_bytes_whatever_was_asked_before);
    tcase_add_test(behaviour, codes_of_one_frame_number_do_not_stand_in_for_each_other);
    tcase_add_test(behaviour, the_idle_motion_moves_blinks_and_closes_its_loop);
    tcase_add_test(behaviour, a_full_buffer_refuses_the_picture_and_is_left_as_it_was);
    tcase_add_test(behaviour, a_720p_persona_keeps_under_eight_megabytes_with_every_pose_made);
    tcase_add_test(behaviour, preparing_makes_every_row_there_is_and_changes_no_picture);
    tcase_add_test(behaviour, a_size_that_cannot_be_is_refused_with_a_sentence);
    tcase_add_test(behaviour, the_mouth_opens_with_loudness_and_scale);
    suite_add_tcase(suite, pictures);
    suite_add_tcase(suite, behaviour);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
