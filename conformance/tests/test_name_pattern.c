/* Patterns over names: what they match, that fnmatch finds the same, and that each is done in time. */
#include <check.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/selection/name_pattern.h"

static const struct {
    const char *pattern, *name;
    bool matches;
} SAMPLES[] = {
    {"", "", true},
    {"", "a", false},
    {"*", "", true},
    {"**", "", true},
    {"?", "", false},
    {"ojin/cancel/late-speech", "ojin/cancel/late-speech", true},
    {"ojin/cancel/late", "ojin/cancel/late-speech", false},
    {"ojin/cancel/*", "ojin/cancel/late-speech", true},
    {"ojin/cancel/*", "ojin/error/odd-message", false},
    {"*", "ojin/cancel/late-speech", true},
    {"*cancel*", "ojin/cancel/late-speech", true},
    {"ojin*speech", "ojin/cancel/late-speech", true},
    {"ojin*speech", "ojin/cancel/late-speech-2", false},
    {"*ab*abc", "xabababc", true},
    {"*ab*abc", "xabc", false},
    {"OJ-?A?-01", "OJ-CAN-01", true},
    {"OJ-?A?-01", "OJ-CAN-02", false},
    {"ojin/reconnect/[bd]*", "ojin/reconnect/dropped", true},
    {"ojin/reconnect/[bd]*", "ojin/reconnect/closed", false},
    {"[a-c]", "b", true},
    {"[a-c]", "d", false},
    {"[!a-c]", "d", true},
    {"[!a-c]", "b", false},
    {"[^a-c]", "d", true},
    {"[]x]", "]", true},
    {"[]x]", "y", false},
    {"[!]x]", "]", false},
    {"[x-]", "-", true},
    {"[\\]]", "]", true},
    {"[a", "[a", true},
    {"[", "[", true},
    {"x[", "x", false},
    {"[]", "[]", true},
    {"a\\*", "a*", true},
    {"a\\*", "ab", false},
    {"odd-message\\[7]", "odd-message[7]", true},
    {"odd-message[7]", "odd-message[7]", false},
    {"odd-message[[]*", "odd-message[null]", true},
};

START_TEST(a_pattern_matches_the_whole_name)
{
    ck_assert_msg(name_pattern_matches(SAMPLES[_i].pattern, SAMPLES[_i].name) == SAMPLES[_i].matches,
                  "\"%s\" and \"%s\"", SAMPLES[_i].pattern, SAMPLES[_i].name);
}
END_TEST

/* Of these letters each pattern up to so long, with each name up to so long. */
enum { PATTERN_MAX = 5, NAME_MAX = 5 };

static void word_of(size_t number, const char *letters, char *out)
{
    const size_t base = strlen(letters) + 1;
    size_t len = 0;
    for (; number > 0; number /= base)
        if (number % base > 0)
            out[len++] = letters[number % base - 1];
    out[len] = '\0';
}

static size_t power(size_t base, unsigned exponent)
{
    size_t result = 1;
    for (unsigned i = 0; i < exponent; i++)
        result *= base;
    return result;
}

START_TEST(fnmatch_finds_the_same)
{
    static const char IN_PATTERNS[] = "ab*?", IN_NAMES[] = "ab";
    char pattern[PATTERN_MAX + 1], name[NAME_MAX + 1];
    size_t matching = 0;
    for (size_t i = 0; i < power(sizeof IN_PATTERNS, PATTERN_MAX); i++) {
        word_of(i, IN_PATTERNS, pattern);
        for (size_t k = 0; k < power(sizeof IN_NAMES, NAME_MAX); k++) {
            word_of(k, IN_NAMES, name);
            const bool matches = name_pattern_matches(pattern, name);
            matching += matches ? 1 : 0;
            ck_assert_msg(matches == (fnmatch(pattern, name, 0) == 0), "\"%s\" and \"%s\"", pattern, name);
        }
    }
    ck_assert_uint_gt(matching, 0);
}
END_TEST

/* 250 stars: by trying each of them it takes longer than there is time. */
START_TEST(a_pattern_of_many_stars_takes_no_longer)
{
    enum { STARS = 250, LETTERS = 1000 };
    char pattern[2 * STARS + 2], name[LETTERS + 1];
    for (size_t i = 0; i < STARS; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    memcpy(pattern + (size_t)2 * STARS, "b", 2);
    memset(name, 'a', LETTERS);
    name[LETTERS] = '\0';
    ck_assert(!name_pattern_matches(pattern, name));
    name[LETTERS - 1] = 'b';
    ck_assert(name_pattern_matches(pattern, name));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("patterns over names");
    TCase *patterns = tcase_create("patterns");
    tcase_add_loop_test(patterns, a_pattern_matches_the_whole_name, 0,
                        (int)(sizeof SAMPLES / sizeof SAMPLES[0]));
    tcase_add_test(patterns, fnmatch_finds_the_same);
    tcase_add_test(patterns, a_pattern_of_many_stars_takes_no_longer);
    suite_add_tcase(suite, patterns);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
