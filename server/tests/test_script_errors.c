/* Scripts with a mistake, and the exact sentence each gets. */
#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/wire/text.h"
#include "server/script/script.h"
#include "server/tests/fake_session.h"

/* Two lines before and one after what a row is about. */
#define SERVER(body) "case c\nserver {\n" body "\n}\n"
#define CHECK(line)  "case c\nclause OJ-CAN-03\nserver {\naccept\nserve as turn\nmark m\n}\n" line "\n"

static const struct {
    const char *name;
    const char *text;
    const char *expected; /* after "a.session:" */
} BAD[] = {
#include "server/tests/bad_scripts.def"
};

static struct script *parse(const char *path, struct bytes text, char error[SCRIPT_ERROR_MAX])
{
    struct exact_copy copy = exact_copy_of(text);
    struct script *script = script_parse(path, copy.bytes, &FAKE_SESSION_CLASS, error);
    exact_copy_free(copy);
    return script;
}

START_TEST(a_mistake_is_told_with_its_place)
{
    char error[SCRIPT_ERROR_MAX];
    struct script *script = parse("a.session", bytes_of_text(BAD[_i].text), error);
    ck_assert_msg(script == NULL, "%s: was taken", BAD[_i].name);
    ck_assert_msg(strncmp(error, "a.session:", 10) == 0 && strcmp(error + 10, BAD[_i].expected) == 0,
                  "%s:\n got      %s\n expected a.session:%s", BAD[_i].name, error, BAD[_i].expected);
}
END_TEST

static char *repeated(const char *before, const char *part, size_t count, const char *after)
{
    size_t size = strlen(before) + strlen(part) * count + strlen(after) + 1;
    char *data = malloc(size);
    if (data == NULL)
        abort();
    struct text text = text_of(data, size);
    text_add(&text, before);
    for (size_t i = 0; i < count; i++)
        text_add(&text, part);
    text_add(&text, after);
    return data;
}

/* Each limit: taken at the maximum, told one past it. */
static const struct {
    const char *name;
    const char *before, *part, *after;
    size_t max;
    const char *expected;
} LIMITS[] = {
    {"blocks inside each other", "case c\nserver {\naccept\n", "repeat 1 {\n", "mark m\n", 7,
     "11:10: expected at most 8 blocks inside each other, found one more"},
    {"steps", "case c\nserver {\naccept\n", "reset\n", "}\n", 1023,
     "1027:1: expected at most 1024 steps, found one more"},
    {"plan steps", "case c\nserver {\naccept\n}\nplan {\n", "end\n", "}\n", 63,
     "69:1: expected at most 63 plan steps, found one more"},
    {"a word", "case c\nclause OJ-CAN-03\nserver {\naccept\n}\ncheck a MUST some seen:error text=", "a", "\n",
     511, "6:35: expected a word of at most 511 bytes, found a longer one"},
    {"a string", "case c\nserver {\naccept\nsend text text=\"", "a", "\"\n}\n", 8192,
     "4:16: expected a string of at most 8192 bytes, found a longer one"},
    {"a name", "server {\naccept\n}\ncase ", "a", "\n", 63,
     "4:6: expected the case's name, at most 63 bytes, found \""},
    {"a label", "case c\nserver {\naccept\nmark ", "m", "\n}\n", 31,
     "4:6: expected a name of at most 31 letters, digits, - and _, found "
     "\"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm\""},
    {"a title", "case c\nserver {\naccept\n}\ntitle \"", "a", "\"\n", 511,
     "5:7: expected the title in double quotes, found \""},
    {"options", "case c\nserver {\naccept\nrefuse status=500", " header=\"a: b\"", "\n}\n", 23,
     "4:341: expected at most 24 options, found \"header\""},
    {"the file", "case c\nserver {\naccept\n}\n#", "a", "", 262144 - 26,
     "5:262120: expected the end of the file within 262144 bytes, found more"},
};

START_TEST(each_limit_holds_at_its_maximum_and_is_told_one_past_it)
{
    char error[SCRIPT_ERROR_MAX];
    const char *closing = "}\n}\n}\n}\n}\n}\n}\n}\n";
    bool blocks = strcmp(LIMITS[_i].part, "repeat 1 {\n") == 0;
    char *after = repeated(LIMITS[_i].after, blocks ? closing : "", 1, "");
    char *good = repeated(LIMITS[_i].before, LIMITS[_i].part, LIMITS[_i].max, after);
    char *bad = repeated(LIMITS[_i].before, LIMITS[_i].part, LIMITS[_i].max + 1, after);
    struct script *script = parse("a", bytes_of_text(good), error);
    ck_assert_msg(script != NULL, "%s: %s", LIMITS[_i].name, error);
    script_free(script);
    script = parse("a", bytes_of_text(bad), error);
    ck_assert_msg(script == NULL, "%s: was taken one past the maximum", LIMITS[_i].name);
    ck_assert_msg(strstr(error, LIMITS[_i].expected) == error + 2, "%s: got %s", LIMITS[_i].name, error);
    free(after);
    free(good);
    free(bad);
}
END_TEST

START_TEST(at_most_128_names_can_be_given)
{
    char error[SCRIPT_ERROR_MAX];
    char source[8192];
    for (unsigned count = 128; count <= 129; count++) {
        struct text text = text_of(source, sizeof source);
        text_add(&text, "case c\nserver {\naccept\n");
        for (unsigned i = 0; i < count; i++) {
            text_add(&text, "mark m");
            text_add_u64(&text, i);
            text_add(&text, "\n");
        }
        text_add(&text, "}\n");
        struct script *script = parse("a", bytes_of_text(source), error);
        ck_assert_msg((script != NULL) == (count == 128), "%u names: %s", count, error);
        script_free(script);
    }
    ck_assert_str_eq(error, "a:132:6: expected at most 128 names and marks, found \"m128\"");
}
END_TEST

START_TEST(of_a_long_path_the_end_is_shown)
{
    char error[SCRIPT_ERROR_MAX];
    char *path = repeated("", "p", 300, ".session");
    ck_assert_ptr_null(parse(path, bytes_of_text("x"), error));
    ck_assert(strncmp(error, "...ppp", 6) == 0);
    ck_assert_ptr_nonnull(strstr(error, "p.session:1:1: expected a line of a script: case"));
    free(path);
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
    struct script *script = parse("a", bytes_of_text(WHOLE), error);
    ck_assert_msg(script != NULL, "%s", error);
    script_free(script);
    size_t taken = 0;
    for (size_t len = 0; len < sizeof WHOLE - 1; len++) {
        script = parse("a", bytes_of(WHOLE, len), error);
        ck_assert_msg(script != NULL || error_has_its_form(error), "%zu bytes: %s", len, error);
        taken += script != NULL ? 1 : 0;
        script_free(script);
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
        struct script *script = parse("a", bytes_of(text, sizeof WHOLE - 1), error);
        ck_assert_msg(script != NULL || error_has_its_form(error), "change %zu: %s", i, error);
        errors += script == NULL ? 1 : 0;
        script_free(script);
    }
    ck_assert_uint_gt(errors, sizeof WHOLE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("script errors");
    TCase *errors = tcase_create("errors");
    tcase_add_loop_test(errors, a_mistake_is_told_with_its_place, 0, (int)(sizeof BAD / sizeof BAD[0]));
    tcase_add_loop_test(errors, each_limit_holds_at_its_maximum_and_is_told_one_past_it, 0,
                        (int)(sizeof LIMITS / sizeof LIMITS[0]));
    tcase_add_test(errors, at_most_128_names_can_be_given);
    tcase_add_test(errors, of_a_long_path_the_end_is_shown);
    tcase_add_test(errors, every_prefix_gives_an_error_of_the_right_form_or_a_script);
    tcase_add_test(errors, every_changed_byte_gives_an_error_of_the_right_form_or_a_script);
    suite_add_tcase(suite, errors);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
