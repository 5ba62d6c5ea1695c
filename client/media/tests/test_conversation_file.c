/* A conversation as a file: each sample at its place, whatever the order in which the two sides came. */
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/media/conversation_file.h"
#include "codec/tests/suite.h"

enum { RATE = 1000, FRAMES_MAX = 20 * RATE };

struct piece {
    enum conversation_side side;
    uint64_t at;
    size_t count;
    int16_t value;
};

static const struct {
    const char *name;
    struct piece pieces[6];
    size_t count;
    uint64_t frames;
    const char *error; /* NULL: none */
} CASES[] = {
    {"nothing", {{0}}, 0, 0, NULL},
    {"one side", {{CONVERSATION_SAID, 5, 10, 7}}, 1, 15, NULL},
    {"both at once", {{CONVERSATION_SAID, 0, 10, 7}, {CONVERSATION_HEARD, 0, 20, -7}}, 2, 20, NULL},
    {"heard, then what was said before it",
     {{CONVERSATION_HEARD, 900, 100, 1}, {CONVERSATION_SAID, 800, 150, 2}},
     2,
     1000,
     NULL},
    {"a long pause",
     {{CONVERSATION_SAID, 0, 10, 7}, {CONVERSATION_HEARD, 17000, 10, 3}, {CONVERSATION_SAID, 17005, 10, 4}},
     3,
     17015,
     NULL},
    {"as far behind as there may be",
     {{CONVERSATION_HEARD, 8000, 1, 1}, {CONVERSATION_SAID, 4001, 1, 2}},
     2,
     8001,
     NULL},
    {"further behind",
     {{CONVERSATION_HEARD, 8000, 1, 1}, {CONVERSATION_SAID, 4000, 1, 2}},
     2,
     8001,
     "overlaps"},
    {"twice the same place",
     {{CONVERSATION_HEARD, 0, 10, 1}, {CONVERSATION_HEARD, 9, 1, 2}},
     2,
     10,
     "overlaps"},
    {"the longest piece", {{CONVERSATION_HEARD, 3, RATE, 1}}, 1, RATE + 3, NULL},
    {"a longer piece", {{CONVERSATION_HEARD, 0, RATE + 1, 1}}, 1, 0, "too long"},
    {"past six hours", {{CONVERSATION_HEARD, 6 * 3600 * (uint64_t)RATE, 1, 1}}, 1, 0, "six hours"},
};

static bool write_piece(struct conversation_file *file, const struct piece *piece, char *error)
{
    uint8_t *pcm = malloc(piece->count * 2);
    ck_assert_ptr_nonnull(pcm);
    for (size_t i = 0; i < piece->count; i++) {
        pcm[2 * i] = (uint8_t)((uint16_t)piece->value & 0xFF);
        pcm[2 * i + 1] = (uint8_t)((uint16_t)piece->value >> 8);
    }
    const bool good =
        conversation_file_write(file, piece->side, piece->at, bytes_of(pcm, piece->count * 2), error);
    free(pcm);
    return good;
}

START_TEST(each_sample_is_at_its_place)
{
    char path[] = "/tmp/conversation-XXXXXX";
    char error[CONVERSATION_FILE_ERROR_MAX] = "";
    static int16_t expected[FRAMES_MAX * 2], got[FRAMES_MAX * 2];
    const int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    struct conversation_file *file = conversation_file_open(path, RATE, error);
    ck_assert_ptr_nonnull(file);
    memset(expected, 0, sizeof expected);
    for (size_t p = 0; p < CASES[_i].count; p++) {
        const struct piece *piece = &CASES[_i].pieces[p];
        if (!write_piece(file, piece, error)) {
            ck_assert_msg(CASES[_i].error != NULL && p + 1 == CASES[_i].count, "%s: %s", CASES[_i].name,
                          error);
            break;
        }
        for (size_t i = 0; i < piece->count; i++)
            expected[(piece->at + i) * 2 + piece->side] = piece->value;
    }
    if (CASES[_i].error != NULL)
        ck_assert_msg(strstr(error, CASES[_i].error) != NULL && strstr(error, path) != NULL, "%s", error);
    ck_assert(conversation_file_close(file, error));
    SF_INFO info = {0};
    SNDFILE *in = sf_open(path, SFM_READ, &info);
    ck_assert_ptr_nonnull(in);
    ck_assert_int_eq(info.channels, 2);
    ck_assert_int_eq(info.samplerate, RATE);
    const sf_count_t frames = sf_readf_short(in, got, FRAMES_MAX);
    ck_assert_msg((uint64_t)frames == CASES[_i].frames, "%s: %d frames", CASES[_i].name, (int)frames);
    ck_assert_msg(memcmp(got, expected, (size_t)frames * 2 * sizeof got[0]) == 0, "%s", CASES[_i].name);
    sf_close(in);
    unlink(path);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_named)
{
    char error[CONVERSATION_FILE_ERROR_MAX] = "";
    ck_assert_ptr_null(conversation_file_open("/nowhere/out.wav", RATE, error));
    ck_assert_ptr_nonnull(strstr(error, "/nowhere/out.wav"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("conversation_file");
    TCase *tcase = tcase_create("conversation_file");
    tcase_add_loop_test(tcase, each_sample_is_at_its_place, 0, TABLE_COUNT(CASES));
    tcase_add_test(tcase, a_folder_that_is_not_there_is_named);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
