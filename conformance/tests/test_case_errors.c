/* Cases with a mistake, and the exact sentence each gets. */
#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/wire/text.h"
#include "conformance/script/case_script.h"
#include "conformance/tests/fake_case.h"
#include "server/tests/script_texts.h"

/* Two lines before and one after what a row is about. */
#define SERVER(body) "case c\nserver {\n" body "\n}\n"
#define CHECK(line)  "case c\nclause OJ-CAN-03\nserver {\naccept\nserve as turn\nmark m\n}\n" line "\n"

static const struct {
    const char *name;
    const char *text;
    const char *expected; /* after "a.session:" */
} BAD[] = {
#include "conformance/tests/bad_cases.def"
#include "server/tests/bad_scripts.def"
};

static struct case_script *parse(const char *path, struct bytes text, char error[SCRIPT_ERROR_MAX])
{
    char mock_error[SCRIPT_ERROR_MAX];
    struct exact_copy copy = exact_copy_of(text);
    struct case_script *script = case_script_parse(path, copy.bytes, FAKE_CASE, error);
    struct script *played = script_parse(path, copy.bytes, &FAKE_SESSION_CLASS, mock_error);
    ck_assert_msg(script == NULL || played != NULL, "a right case that no mock plays: %s", mock_error);
    script_free(played);
    exact_copy_free(copy);
    return script;
}

START_TEST(a_mistake_is_told_with_its_place)
{
    char error[SCRIPT_ERROR_MAX];
    struct case_script *script = parse("a.session", bytes_of_text(BAD[_i].text), error);
    ck_assert_msg(script == NULL, "%s: was taken", BAD[_i].name);
    ck_assert_msg(strncmp(error, "a.session:", 10) == 0 && strcmp(error + 10, BAD[_i].expected) == 0,
                  "%s:\n got      %s\n expected a.session:%s", BAD[_i].name, error, BAD[_i].expected);
}
END_TEST

/* Each limit: taken at the maximum, told one past it. */
static const struct {
    const char *name;
    const char *before, *part, *after;
    size_t max;
    const char *expected;
} LIMITS[] = {
    {"plan steps", "case c\nserver {\naccept\n}\nplan {\n", "end\n", "}\n", 63,
     "69:1: expected at most 63 plan steps, found one more"},
    {"a title", "case c\nserver {\naccept\n}\ntitle \"", "a", "\"\n", 511,
     "5:7: expected the title in double quotes, found \""},
};

START_TEST(each_limit_holds_at_its_maximum_and_is_told_one_past_it)
{
    char error[SCRIPT_ERROR_MAX];
    char *good = repeated(LIMITS[_i].before, LIMITS[_i].part, LIMITS[_i].max, LIMITS[_i].after);
    char *bad = repeated(LIMITS[_i].before, LIMITS[_i].part, LIMITS[_i].max + 1, LIMITS[_i].after);
    struct case_script *script = parse("a", bytes_of_text(good), error);
    ck_assert_msg(script != NULL, "%s: %s", LIMITS[_i].name, error);
    case_script_free(script);
    script = parse("a", bytes_of_text(bad), error);
    ck_assert_msg(script == NULL, "%s: was taken one past the maximum", LIMITS[_i].name);
    ck_assert_msg(strstr(error, LIMITS[_i].expected) == error + 2, "%s: got %s", LIMITS[_i].name, error);
    free(good);
    free(bad);
}
END_TEST

/* PATH:LINE:COLUMN: expected X, found Y */
static bool error_has_its_form(const char *error)
{
    const char *at = error + strcspn(error, ":");
    for (int i = 0; i < 2; i++) {
        size_t digits = *at == ':' ? strspn(at + 1, "0123456789") : 0;
        if (digits == 0)
            return false;
        at += 1 + digits;
    }
    return strncmp(at, ": expected ", 11) == 0 && strstr(at, ", found ") != NULL;
}

static const char WHOLE[] =
    "case ojin/a/b\ntitle \"t\"\nexpect \"e\"\nclause OJ-CAN-03 MUST\nprofiles current\n"
    "needs cancel played\nlimit 6s\nplan {\n speak \"a.wav\"\n cancel after=speech:10\n}\n"
    "server {\n accept\n serve until=cancel as turn\n repeat from=1 to=3 as k {\n"
    "  send speech interaction=$turn.interaction as late | slice at=$k gap=1ms | fault\n }\n}\n"
    "check one MUST given=sent:speech[step=late] none seen:played kind=speech\n";

START_TEST(every_prefix_gives_an_error_of_the_right_form_or_a_script)
{
    char error[SCRIPT_ERROR_MAX];
    struct case_script *script = parse("a", bytes_of_text(WHOLE), error);
    ck_assert_msg(script != NULL, "%s", error);
    case_script_free(script);
    size_t taken = 0;
    for (size_t len = 0; len < sizeof WHOLE - 1; len++) {
        script = parse("a", bytes_of(WHOLE, len), error);
        ck_assert_msg(script != NULL || error_has_its_form(error), "%zu bytes: %s", len, error);
        taken += script != NULL ? 1 : 0;
        case_script_free(script);
    }
    /* What ends between the server block and its last check is a script too. */
    ck_assert_uint_gt(taken, 0);
    ck_assert_uint_lt(taken, 12);
}
END_TEST

START_TEST(every_changed_byte_gives_an_error_of_the_right_form_or_a_script)
{
    static const char CHANGES[] = {0, '"', '{', '}', '=', '$', '#', '\n', (char)0xff, '9'};
    char error[SCRIPT_ERROR_MAX];
    size_t errors = 0;
    for (size_t i = 0; i < (sizeof WHOLE - 1) * sizeof CHANGES; i++) {
        char text[sizeof WHOLE];
        memcpy(text, WHOLE, sizeof WHOLE);
        text[i / sizeof CHANGES] = CHANGES[i % sizeof CHANGES];
        struct case_script *script = parse("a", bytes_of(text, sizeof WHOLE - 1), error);
        ck_assert_msg(script != NULL || error_has_its_form(error), "change %zu: %s", i, error);
        errors += script == NULL ? 1 : 0;
        case_script_free(script);
    }
    ck_assert_uint_gt(errors, sizeof WHOLE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("case errors");
    TCase *errors = tcase_create("errors");
    tcase_add_loop_test(errors, a_mistake_is_told_with_its_place, 0, (int)(sizeof BAD / sizeof BAD[0]));
    tcase_add_loop_test(errors, each_limit_holds_at_its_maximum_and_is_told_one_past_it, 0,
                        (int)(sizeof LIMITS / sizeof LIMITS[0]));
    tcase_add_test(errors, every_prefix_gives_an_error_of_the_right_form_or_a_script);
    tcase_add_test(errors, every_changed_byte_gives_an_error_of_the_right_form_or_a_script);
    suite_add_tcase(suite, errors);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
