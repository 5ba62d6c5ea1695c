/* Names that are looked up in several families. */
#include <check.h>
#include <stdlib.h>

#include "server/behaviour/families.h"

enum { COUNT = 2, FIRST = 0, SECOND = 1 };

static const struct quirk_kind FIRST_QUIRKS[] = {
    {"both", QUIRK_NUMBER, "3", 1, 10, "", "of both"},
    {"late", QUIRK_DURATION, "1s", 1, 60000000, "", "of the first"},
    {NULL, QUIRK_FLAG, NULL, 0, 0, NULL, NULL}};
static const struct quirk_kind SECOND_QUIRKS[] = {{"early", QUIRK_FLAG, "", 0, 0, "", "of the second"},
                                                  {"both", QUIRK_NUMBER, "30", 5, 100, "", "of both"},
                                                  {NULL, QUIRK_FLAG, NULL, 0, 0, NULL, NULL}};
static const struct fault_kind FIRST_FAULTS[] = {
    {"drop", FAULT_NUMBER, "1", 1, 10, "of both", "accept\ndrop\n"},
    {NULL, FAULT_PLAIN, NULL, 0, 0, NULL, NULL}};
static const struct fault_kind SECOND_FAULTS[] = {
    {"drop", FAULT_NUMBER, "2", 1, 100, "of both", "accept\ndrop\n"},
    {"hang", FAULT_PLAIN, "", 0, 0, "of the second", "accept\ndrop\n"},
    {NULL, FAULT_PLAIN, NULL, 0, 0, NULL, NULL}};

static const struct family FIRST_FAMILY = {.name = "first"}, SECOND_FAMILY = {.name = "second"};
static const char *const NO_TYPES[] = {NULL};
static const struct send_kind NO_KINDS[] = {{NULL, NULL}};
static const struct session_class FIRST_CLASS = {.family = &FIRST_FAMILY,
                                                 .send_kinds = NO_KINDS,
                                                 .receive_types = NO_TYPES,
                                                 .quirks = FIRST_QUIRKS,
                                                 .faults = FIRST_FAULTS};
static const struct session_class SECOND_CLASS = {.family = &SECOND_FAMILY,
                                                  .send_kinds = NO_KINDS,
                                                  .receive_types = NO_TYPES,
                                                  .quirks = SECOND_QUIRKS,
                                                  .faults = SECOND_FAULTS};

static void families_begin(struct family_behaviour list[COUNT])
{
    list[FIRST] = (struct family_behaviour){.class = &FIRST_CLASS};
    list[SECOND] = (struct family_behaviour){.class = &SECOND_CLASS};
    for (size_t i = 0; i < COUNT; i++)
        behaviour_init(&list[i].behaviour);
}

static void families_end(struct family_behaviour list[COUNT])
{
    for (size_t i = 0; i < COUNT; i++)
        behaviour_free(&list[i].behaviour);
}

struct quirk_row {
    const char *text;
    const char *error; /* "": none */
    uint64_t first_both, first_late, second_early, second_both;
};

static const struct quirk_row QUIRK_ROWS[] = {
    {"both", "", 3, 0, 0, 30},
    {"both=7", "", 7, 0, 0, 7},
    {"both=2", "", 2, 0, 0, 0},   /* only the first takes that */
    {"both=50", "", 0, 0, 0, 50}, /* only the second */
    {"both=500", "quirk both: expected a whole number from 1 to 10 or off, found \"500\"", 0, 0, 0, 0},
    {"first:both", "", 3, 0, 0, 0},
    {"second:both=6", "", 0, 0, 0, 6},
    {"second:both=2", "quirk both: expected a whole number from 5 to 100 or off, found \"2\"", 0, 0, 0, 0},
    {"late=2us,early  both=6", "", 6, 2, 1, 6},
    {"", "", 0, 0, 0, 0},
    {"both first:both=off", "", 0, 0, 0, 30},
    {"second:late", "there is no quirk \"late\"", 0, 0, 0, 0},
    {"earl", "there is no quirk \"earl\"; did you mean the quirk \"early\"?", 0, 0, 0, 0},
    {"both drp", "there is no quirk \"drp\"; did you mean the fault \"drop\"?", 0, 0, 0, 0},
    {"third:both", "no family \"third\" is served: expected first or second before \":\"", 0, 0, 0, 0},
    {":both", "", 3, 0, 0, 30},
    {"first:", "there is no quirk \"\"", 0, 0, 0, 0},
};

START_TEST(a_quirk_holds_in_each_family_that_knows_it)
{
    const struct quirk_row *row = &QUIRK_ROWS[_i];
    struct family_behaviour list[COUNT];
    char error[BEHAVIOUR_ERROR_MAX];
    const size_t len = strlen(row->text);
    uint8_t *text = malloc(len + (len == 0));
    ck_assert_ptr_nonnull(text);
    memcpy(text, row->text, len);
    families_begin(list);
    ck_assert_int_eq(families_set_quirks(list, COUNT, bytes_of(text, len), error), row->error[0] == '\0');
    if (row->error[0] != '\0')
        ck_assert_str_eq(error, row->error);
    ck_assert_uint_eq(list[FIRST].behaviour.quirks.value[0], row->first_both);
    ck_assert_uint_eq(list[FIRST].behaviour.quirks.value[1], row->first_late);
    ck_assert_uint_eq(list[SECOND].behaviour.quirks.value[0], row->second_early);
    ck_assert_uint_eq(list[SECOND].behaviour.quirks.value[1], row->second_both);
    families_end(list);
    free(text);
}
END_TEST

struct fault_row {
    const char *text;
    const char *error; /* "": none */
    bool first, second;
};

static const struct fault_row FAULT_ROWS[] = {
    {"drop", "", true, true},
    {"drop=50", "", false, true},
    {"first:drop", "", true, false},
    {"hang", "", false, true},
    {"second:hang", "", false, true},
    {"drop=500", "fault drop: expected a whole number from 1 to 10, found \"500\"", false, false},
    {"first:hang", "there is no fault \"hang\"", false, false},
    {"drp", "there is no fault \"drp\"; did you mean the fault \"drop\"?", false, false},
    {"x:drop", "no family \"x\" is served: expected first or second before \":\"", false, false},
};

START_TEST(a_fault_is_of_each_family_that_knows_it)
{
    const struct fault_row *row = &FAULT_ROWS[_i];
    struct family_behaviour list[COUNT];
    char error[BEHAVIOUR_ERROR_MAX];
    families_begin(list);
    const bool good = families_add_fault(list, COUNT, bytes_of_text(row->text), error);
    ck_assert_str_eq(error, row->error);
    ck_assert_int_eq(good, row->error[0] == '\0');
    ck_assert_int_eq(list[FIRST].is_set, row->first);
    ck_assert_int_eq(list[SECOND].is_set, row->second);
    ck_assert_int_eq(list[FIRST].behaviour.script != NULL, row->first);
    ck_assert_int_eq(list[SECOND].behaviour.script != NULL, row->second);
    families_end(list);
}
END_TEST

START_TEST(what_a_name_is_shows_in_any_family)
{
    struct family_behaviour list[COUNT];
    bool is_fault = false;
    families_begin(list);
    ck_assert(families_know_quirk(list, COUNT, bytes_of_text("early=1")));
    ck_assert(!families_know_quirk(list, COUNT, bytes_of_text("first:early")));
    ck_assert(families_know_fault(list, COUNT, bytes_of_text("second:hang")));
    ck_assert(!families_know_fault(list, COUNT, bytes_of_text("early")));
    ck_assert_str_eq(families_nearest(list, COUNT, bytes_of_text("hag"), &is_fault), "hang");
    ck_assert(is_fault);
    ck_assert_str_eq(families_nearest(list, COUNT, bytes_of_text("earli"), &is_fault), "early");
    ck_assert(!is_fault);
    families_end(list);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("families");
    TCase *tcase = tcase_create("asked");
    tcase_add_loop_test(tcase, a_quirk_holds_in_each_family_that_knows_it, 0,
                        (int)(sizeof QUIRK_ROWS / sizeof QUIRK_ROWS[0]));
    tcase_add_loop_test(tcase, a_fault_is_of_each_family_that_knows_it, 0,
                        (int)(sizeof FAULT_ROWS / sizeof FAULT_ROWS[0]));
    tcase_add_test(tcase, what_a_name_is_shows_in_any_family);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
