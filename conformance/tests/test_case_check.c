/* All errors of a case at once, the variants of a vary, and the layout. */
#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/wire/text.h"
#include "conformance/script/case_script.h"
#include "conformance/script/format.h"
#include "conformance/tests/fake_case.h"

enum { OUT_MAX = 4096 };

/* Where the errors are: "line:column" with spaces between. */
static const struct {
    const char *name, *text, *places;
} ERRORS[] = {
    {"each line for itself", "case c\ntitel \"x\"\nlimit 0s\nserver {\naccept\nserve untill=end\nwait 1\n}\n",
     "2:1 3:7 6:7 7:6"},
    {"a line that cannot be read is left out", "case c\nserver {\naccept @\nserve\nmarc m\n}\n", "3:8 5:1"},
    {"a block whose first line cannot be read", "case c\nserver {\naccept\nrepeat @ {\nserve\n}\nwait 1\n}\n",
     "4:8 7:6"},
    {"a name of a bad step is still a name",
     "case c\nserver {\naccept\nserve untill=end as a\nsend speech interaction=$a.interaction\n}\n", "4:7"},
    {"a brace too few ends it", "case c\nlimit @\nserver {\naccept\nserve untill=end\n", "2:7 6:1"},
    {"a brace too many too", "case c\nserver {\naccept\n}\n}\nlimit 0s\n", "5:1"},
    {"checks, in the order of places",
     "case c\nclause OJ-CAN-03\ncheck a MUST none seen:frame\nserver {\naccept\nserv\n}\ncheck a MUST some "
     "seen:fram\n",
     "3:14 6:1 8:24"},
    {"a plan", "case c\nplan {\nspeek \"a\"\nwait 1\n}\nserver {\naccept\n}\n", "3:1 4:6"},
    {"what is missing is said when nothing else is", "case c\n", "2:1"},
    {"a vary that is no good ends it", "case c\nvary a from=3 to=1\nlimit $a\n", "2:18"},
    {"none", "case c\nserver {\naccept\n}\n", ""},
};

static struct case_script *check(const char *text, struct script_errors *errors)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(text));
    struct case_script *script = case_script_check("a.session", copy.bytes, FAKE_CASE, errors);
    exact_copy_free(copy);
    return script;
}

START_TEST(all_errors_are_told_by_place)
{
    static struct script_errors errors;
    char places[OUT_MAX];
    struct text out = text_of(places, sizeof places);
    struct case_script *script = check(ERRORS[_i].text, &errors);
    for (size_t i = 0; i < errors.count; i++) {
        text_add(&out, i == 0 ? "" : " ");
        text_add_u64(&out, errors.list[i].line);
        text_add(&out, ":");
        text_add_u64(&out, errors.list[i].column);
        ck_assert_ptr_nonnull(strstr(errors.list[i].text, ": expected "));
    }
    ck_assert_msg(strcmp(places, ERRORS[_i].places) == 0, "%s: %s: %s", ERRORS[_i].name, places,
                  errors.count > 0 ? errors.list[0].text : "");
    ck_assert_int_eq(script == NULL, errors.count > 0);
    case_script_free(script);
}
END_TEST

START_TEST(there_is_an_end_to_errors)
{
    static struct script_errors errors;
    char text[OUT_MAX];
    struct text out = text_of(text, sizeof text);
    text_add(&out, "case c\n");
    for (int i = 0; i < SCRIPT_ERRORS_MAX + 5; i++)
        text_add(&out, "what\n");
    ck_assert_ptr_null(check(text, &errors));
    ck_assert_uint_eq(errors.count, SCRIPT_ERRORS_MAX);
    ck_assert(errors.more);
    ck_assert_uint_eq(errors.list[SCRIPT_ERRORS_MAX - 1].line, SCRIPT_ERRORS_MAX + 1);
}
END_TEST

#define VARIED(lines, step) "case a/b\ntitle \"T $x\"\n" lines "\nserver {\naccept\n" step "\n}\n"

static const struct {
    const char *name, *text;
    size_t variant, count;
    const char *case_name, *title;
} VARIANTS[] = {
    {"the first of a list", VARIED("vary x in a b", "wait 1s"), 0, 2, "a/b[a]", "T a"},
    {"the second", VARIED("vary x in a b", "wait 1s"), 1, 2, "a/b[b]", "T b"},
    {"a range with a step", VARIED("vary x from=2 to=7 step=2  # even", "send speech index=$x"), 2, 3,
     "a/b[6]", "T 6"},
    {"a duration", VARIED("vary x in 1 20", "wait ${x}"), 0, 0, NULL, NULL},
    {"part of a word", VARIED("vary x in 1 20", "wait $x"), 0, 0, NULL, NULL},
    {"with its unit", VARIED("vary x in 1s 20s", "wait $x"), 1, 2, "a/b[20s]", "T 20s"},
    {"two lines, the last changes quickest",
     VARIED("vary x in a b\nvary y from=0 to=2", "serve until=speech:$y"), 4, 0, NULL, NULL},
    {"two lines", VARIED("vary x in a b\nvary y from=1 to=3", "serve until=speech:$y"), 4, 6, "a/b[b,2]",
     "T b"},
    {"a text with odd signs", VARIED("vary x in \"a, \\\"b\\\" \\\\\"", "close reason=\"$x\""), 0, 1,
     "a/b[a+--b---]", "T a, \"b\" \\"},
    {"beyond the last", VARIED("vary x in a b", "wait 1s"), 2, 2, NULL, NULL},
};

START_TEST(a_variant_is_a_script_of_its_own)
{
    static struct script_errors errors;
    struct buffer text;
    buffer_init(&text, OUT_MAX);
    struct case_script *first = check(VARIANTS[_i].text, &errors);
    ck_assert_msg((first == NULL) == (VARIANTS[_i].count == 0), "%s: %s", VARIANTS[_i].name,
                  errors.count > 0 ? errors.list[0].text : "taken");
    if (first != NULL) {
        ck_assert_uint_eq(first->variant_count, VARIANTS[_i].count);
        bool good = case_script_variant_text(bytes_of_text(VARIANTS[_i].text), VARIANTS[_i].variant, &text);
        ck_assert_msg(good == (VARIANTS[_i].case_name != NULL), "%s", VARIANTS[_i].name);
    }
    if (VARIANTS[_i].case_name != NULL) {
        struct case_script *script = case_script_check("v", buffer_bytes(&text), FAKE_CASE, &errors);
        ck_assert_msg(script != NULL, "%s: %s", VARIANTS[_i].name, errors.list[0].text);
        ck_assert_str_eq(script->name, VARIANTS[_i].case_name);
        ck_assert_str_eq(script->title, VARIANTS[_i].title);
        ck_assert_uint_eq(script->variant_count, 1);
        case_script_free(script);
    }
    case_script_free(first);
    buffer_free(&text);
}
END_TEST

static const struct {
    const char *name, *text, *expected; /* NULL: as it is */
} LAYOUTS[] = {
    {"what has no lines", "case @\n", NULL},
    {"columns", "case a/b\n\n\n\n  server {\naccept\n   serve   until=end as x\nhalf-close\n\n}\n\n",
     "case     a/b\n\nserver {\n  accept\n  serve  until=end as x\n  half-close\n}\n"},
    {"comments", "# one\ncase a # two  \n#three\nserver { # four\n# five\naccept# six\n} # seven\n\n# eight",
     "# one\ncase     a                                # two\n#three\nserver {                               "
     "   # four\n"
     "  # five\n  accept                                  # six\n}                                         # "
     "seven\n\n# "
     "eight\n"},
    {"blocks in one line", "server { accept\nrepeat 3 { mark m } \n}",
     "server {\n  accept\n  repeat 3 {\n    mark   m\n  }\n}\n"},
    {"checks under each other",
     "check a MUST some sent:any\ncheck long-name SHOULD given=sent:any count sent:any min=1\n\ncheck x MUST "
     "some sent:any",
     "check    a          MUST    some sent:any\ncheck    long-name  SHOULD  given=sent:any  count sent:any "
     "min=1\n\ncheck    x  MUST  some sent:any\n"},
    {"strings and pipes as they are", "client {\nsend  text   \"\\x41  #\"|slice every=1\r\n}\n",
     "client {\n  send    text \"\\x41  #\" | slice every=1\n}\n"},
    {"an empty block", "plan { }\n", "plan {\n}\n"},
    {"nothing", "\n \n", ""},
};

START_TEST(a_script_has_one_layout)
{
    char error[SCRIPT_ERROR_MAX];
    struct buffer once, twice;
    buffer_init(&once, OUT_MAX);
    buffer_init(&twice, OUT_MAX);
    struct exact_copy copy = exact_copy_of(bytes_of_text(LAYOUTS[_i].text));
    bool good = script_format("a", copy.bytes, &once, error);
    ck_assert_msg(good == (LAYOUTS[_i].expected != NULL), "%s: %s", LAYOUTS[_i].name, error);
    if (good) {
        ck_assert_msg(bytes_equal_text(buffer_bytes(&once), LAYOUTS[_i].expected), "%s:\n%.*s",
                      LAYOUTS[_i].name, (int)once.len, (const char *)once.data);
        ck_assert(script_format("a", buffer_bytes(&once), &twice, error));
        ck_assert_msg(bytes_equal(buffer_bytes(&once), buffer_bytes(&twice)), "%s: not twice",
                      LAYOUTS[_i].name);
    }
    exact_copy_free(copy);
    buffer_free(&once);
    buffer_free(&twice);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("case check");
    TCase *tests = tcase_create("check");
    tcase_add_loop_test(tests, all_errors_are_told_by_place, 0, sizeof ERRORS / sizeof ERRORS[0]);
    tcase_add_test(tests, there_is_an_end_to_errors);
    tcase_add_loop_test(tests, a_variant_is_a_script_of_its_own, 0, sizeof VARIANTS / sizeof VARIANTS[0]);
    tcase_add_loop_test(tests, a_script_has_one_layout, 0, sizeof LAYOUTS / sizeof LAYOUTS[0]);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
