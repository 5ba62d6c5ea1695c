/* Scripts with a mistake, and the exact sentence each gets. */
#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/wire/text.h"
#include "server/script/script.h"
#include "server/tests/fake_session.h"
#include "server/tests/script_texts.h"

/* Two lines before and one after what a row is about. */
#define SERVER(body) "case c\nserver {\n" body "\n}\n"

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
    {"a word", "case c\nclause OJ-CAN-03\nserver {\naccept\n}\ncheck a MUST some seen:error text=", "a", "\n",
     511, "6:35: expected a word of at most 511 bytes, found a longer one"},
    {"a string", "case c\nserver {\naccept\nsend text text=\"", "a", "\"\n}\n", 8192,
     "4:16: expected a string of at most 8192 bytes, found a longer one"},
    {"a name", "server {\naccept\n}\ncase ", "a", "\n", 63,
     "4:6: expected the case's name, at most 63 bytes, found \""},
    {"a label", "case c\nserver {\naccept\nmark ", "m", "\n}\n", 31,
     "4:6: expected a name of at most 31 letters, digits, - and _, found "
     "\"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm\""},
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

/* What a mock says of a case about a server. */
START_TEST(a_client_block_is_nothing_for_a_mock)
{
    char error[SCRIPT_ERROR_MAX];
    ck_assert_ptr_null(parse("a", bytes_of_text("case c\n clause X\n client {\n begin @\n}\n"), error));
    ck_assert_str_eq(error, "a:4:8: expected a word, a string, name=value, |, { or }, found \"@\"");
    ck_assert_ptr_null(parse("a", bytes_of_text("case c\n clause X\n client {\n begin\n}\n"), error));
    ck_assert_str_eq(error,
                     "a:3:2: expected a block \"server {\" that a mock can play, found \"client {\": this "
                     "is a case about a server, for ojin-conform server");
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
    tcase_add_test(errors, a_client_block_is_nothing_for_a_mock);
    suite_add_tcase(suite, errors);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
