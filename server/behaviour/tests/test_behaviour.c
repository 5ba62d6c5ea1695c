/* Quirks, faults and cards by name: the tables hold together, names come to what they say, and errors help.
 */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/text.h"
#include "codec/ws/stream.h"
#include "server/behaviour/behaviour.h"
#include "server/ojin/session_class.h"

static const struct session_class *const CLASS = &OJIN_SESSION_CLASS;

static uint64_t quirk_of(const struct behaviour *behaviour, const char *name)
{
    const int row = quirk_row(CLASS->quirks, bytes_of_text(name));
    ck_assert_int_ge(row, 0);
    return behaviour->quirks.value[row];
}

/* ---- the tables ---- */

START_TEST(every_fault_makes_a_script_from_its_name_alone)
{
    for (const struct fault_kind *kind = faults_of(CLASS); kind->name != NULL; kind++) {
        struct behaviour behaviour;
        char error[BEHAVIOUR_ERROR_MAX];
        behaviour_init(&behaviour);
        ck_assert_msg(behaviour_add(&behaviour, CLASS, bytes_of_text(kind->name), error), "%s: %s",
                      kind->name, error);
        ck_assert_ptr_eq(behaviour.fault, kind);
        ck_assert_ptr_nonnull(behaviour.script);
        behaviour_free(&behaviour);
    }
}
END_TEST

START_TEST(every_fault_takes_the_value_that_it_has_unset_and_its_bounds)
{
    for (const struct fault_kind *kind = faults_of(CLASS); kind->name != NULL; kind++) {
        const bool number = kind->value == FAULT_NUMBER;
        const uint64_t bounds[] = {kind->min, kind->max};
        for (int i = 0; kind->value != FAULT_PLAIN && i < (number ? 3 : 1); i++) {
            struct behaviour behaviour;
            char line[300], error[BEHAVIOUR_ERROR_MAX];
            struct text text = text_of(line, sizeof line);
            behaviour_init(&behaviour);
            text_add(&text, kind->name);
            text_add(&text, "=");
            if (i == 0)
                text_add(&text, kind->unset);
            else
                text_add_u64(&text, bounds[i - 1]);
            ck_assert_msg(behaviour_add(&behaviour, CLASS, bytes_of_text(line), error), "%s: %s", line,
                          error);
            behaviour_free(&behaviour);
        }
    }
}
END_TEST

START_TEST(no_name_means_two_things_and_each_has_a_sentence)
{
    const char *names[256];
    int count = 0;
    for (const struct quirk_kind *kind = CLASS->quirks; kind->name != NULL; kind++)
        names[count++] = kind->name;
    for (const struct fault_kind *kind = faults_of(CLASS); kind->name != NULL; kind++) {
        ck_assert_uint_gt(strlen(kind->sentence), 10);
        names[count++] = kind->name;
    }
    for (const struct card_alias *card = card_aliases_of(CLASS); card->name != NULL; card++) {
        ck_assert_uint_gt(strlen(card->sentence), 5);
        names[count++] = card->name;
    }
    ck_assert_int_gt(count, 100);
    ck_assert_int_lt(count, 256);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(names[i], names[j]);
}
END_TEST

START_TEST(every_alias_every_quirk_and_every_fault_is_a_card)
{
    const char *names[256];
    int count = 0;
    for (const struct quirk_kind *kind = CLASS->quirks; kind->name != NULL; kind++)
        names[count++] = kind->name;
    for (const struct fault_kind *kind = faults_of(CLASS); kind->name != NULL; kind++)
        names[count++] = kind->name;
    for (const struct card_alias *card = card_aliases_of(CLASS); card->name != NULL; card++)
        names[count++] = card->name;
    for (int i = 0; i < count; i++) {
        struct behaviour behaviour;
        char card[100], error[BEHAVIOUR_ERROR_MAX];
        struct text text = text_of(card, sizeof card);
        text_add(&text, "mock.");
        text_add(&text, names[i]);
        behaviour_init(&behaviour);
        ck_assert(card_is(bytes_of_text(card)));
        ck_assert_msg(card_add(&behaviour, CLASS, bytes_of_text(card), error), "%s: %s", card, error);
        static const struct quirks none;
        ck_assert(behaviour.script != NULL || memcmp(&behaviour.quirks, &none, sizeof none) != 0);
        behaviour_free(&behaviour);
    }
}
END_TEST

/* ---- adding ---- */

START_TEST(quirks_and_one_fault_are_joined)
{
    struct behaviour behaviour;
    char error[BEHAVIOUR_ERROR_MAX];
    behaviour_init(&behaviour);
    ck_assert(card_add(&behaviour, CLASS, bytes_of_text("mock.cancel-late=500ms+drop=7 fade"), error));
    ck_assert_uint_eq(quirk_of(&behaviour, "cancel-late"), 500000);
    ck_assert_uint_eq(quirk_of(&behaviour, "fade"), 8);
    ck_assert_str_eq(behaviour.fault->name, "drop");
    ck_assert_uint_eq(behaviour.script->steps[1].until.count, 7);
    behaviour_free(&behaviour);
    ck_assert_ptr_null(behaviour.script);
}
END_TEST

START_TEST(a_text_goes_on_to_the_end)
{
    struct behaviour behaviour;
    char error[BEHAVIOUR_ERROR_MAX];
    behaviour_init(&behaviour);
    ck_assert(
        behaviour_add(&behaviour, CLASS, bytes_of_text("group=4+plain-text=say \"no\" + drop\\"), error));
    ck_assert_uint_eq(quirk_of(&behaviour, "group"), 4);
    ck_assert_str_eq(behaviour.script->steps[1].options[0].value, "say \"no\" + drop\\");
    behaviour_free(&behaviour);
}
END_TEST

START_TEST(what_is_random_comes_from_the_seed)
{
    struct behaviour behaviour;
    char error[BEHAVIOUR_ERROR_MAX];
    behaviour_init(&behaviour);
    behaviour.seed = 4711;
    ck_assert(behaviour_add(&behaviour, CLASS, bytes_of_text("jitter=10ms"), error));
    ck_assert(fault_is_random(behaviour.fault));
    ck_assert(!fault_is_random(fault_find(CLASS, bytes_of_text("drop"))));
    behaviour_free(&behaviour);
}
END_TEST

START_TEST(a_close_code_is_bad_where_none_may_send_it)
{
    char error[BEHAVIOUR_ERROR_MAX];
    for (uint32_t code = 0; code <= UINT16_MAX; code++) {
        struct behaviour behaviour;
        char line[60];
        struct text text = text_of(line, sizeof line);
        text_add(&text, "illegal-close-code=");
        text_add_u64(&text, code);
        behaviour_init(&behaviour);
        ck_assert_msg(behaviour_add(&behaviour, CLASS, bytes_of_text(line), error) !=
                          ws_close_code_is_legal((uint16_t)code),
                      "%s", line);
        behaviour_free(&behaviour);
    }
}
END_TEST

struct error_case {
    const char *text, *expected;
    bool card;
};

static const struct error_case ERRORS[] = {
    {"drp", "there is no quirk or fault \"drp\"; did you mean \"drop\"?", false},
    {"cancel-lat", "there is no quirk or fault \"cancel-lat\"; did you mean \"cancel-late\"?", false},
    {"zzzzzzzz", "there is no quirk or fault \"zzzzzzzz\"", false},
    {"", "there is no quirk or fault \"\"", false},
    {"+ +", "there is no quirk or fault \"+ +\"", false},
    {"rate-limited", "there is no quirk or fault \"rate-limited\"; did you mean \"rate-limit\"?", false},
    {"mock.rate-limted", "there is no card \"mock.rate-limted\"; did you mean \"mock.rate-limited\"?", true},
    {"mock.", "there is no card \"mock.\"", true},
    {"mock.drop+stal", "there is no card \"mock.stal\"; did you mean \"mock.stall\"?", true},
    {"drop=0", "fault drop: expected a whole number from 1 to 1000000, found \"0\"", false},
    {"drop=1000001", "fault drop: expected a whole number from 1 to 1000000, found \"1000001\"", false},
    {"drop=", "fault drop: expected a whole number from 1 to 1000000, found \"\"", false},
    {"drop=18446744073709551616",
     "fault drop: expected a whole number from 1 to 1000000, found \"18446744073709551616\"", false},
    {"illegal-close-code=4000",
     "fault illegal-close-code: expected a code that no close frame may hold: below 1000, 1004 to 1006, 1015 "
     "to "
     "2999 or 5000 to 65535, found \"4000\"",
     false},
    {"illegal-close-code=65536",
     "fault illegal-close-code: expected a code that no close frame may hold: below 1000, 1004 to 1006, 1015 "
     "to "
     "2999 or 5000 to 65535, found \"65536\"",
     false},
    {"mute=1", "fault mute: expected no value, found \"1\"", false},
    {"delay=61s", "fault delay: expected a duration from 1us to 60s, found \"61s\"", false},
    {"delay=5", "fault delay: expected a duration from 1us to 60s, found \"5\"", false},
    {"error=$x",
     "fault error: expected a text of 1 to 127 bytes of UTF-8 without control characters and \"$\", found "
     "\"$x\"",
     false},
    {"drop+reset", "fault reset: expected one fault at a time, there is drop already", false},
};

START_TEST(an_error_says_what_was_expected_and_changes_nothing)
{
    struct behaviour behaviour;
    char error[BEHAVIOUR_ERROR_MAX];
    const struct exact_copy text = exact_copy_of(bytes_of_text(ERRORS[_i].text));
    behaviour_init(&behaviour);
    const bool added = ERRORS[_i].card ? card_add(&behaviour, CLASS, text.bytes, error)
                                       : behaviour_add(&behaviour, CLASS, text.bytes, error);
    ck_assert(!added);
    ck_assert_str_eq(error, ERRORS[_i].expected);
    ck_assert_ptr_null(behaviour.script);
    ck_assert_ptr_null(behaviour.fault);
    exact_copy_free(text);
}
END_TEST

START_TEST(a_second_fault_leaves_the_first)
{
    struct behaviour behaviour;
    char error[BEHAVIOUR_ERROR_MAX];
    behaviour_init(&behaviour);
    ck_assert(behaviour_add(&behaviour, CLASS, bytes_of_text("drop"), error));
    ck_assert(!behaviour_add(&behaviour, CLASS, bytes_of_text("fade+reset"), error));
    ck_assert_str_eq(behaviour.fault->name, "drop");
    ck_assert_ptr_nonnull(behaviour.script);
    ck_assert_uint_eq(quirk_of(&behaviour, "fade"), 0);
    behaviour_free(&behaviour);
}
END_TEST

START_TEST(a_value_that_its_step_refuses_is_an_error)
{
    struct behaviour behaviour;
    char error[BEHAVIOUR_ERROR_MAX];
    behaviour_init(&behaviour);
    ck_assert(!behaviour_add(&behaviour, CLASS, bytes_of_text("trailing=0x"), error));
    ck_assert_ptr_nonnull(strstr(error, "fault trailing"));
    ck_assert_ptr_nonnull(strstr(error, "hex"));
}
END_TEST

START_TEST(what_is_a_card_shows_in_its_first_letters)
{
    ck_assert(card_is(bytes_of_text("mock.x")));
    ck_assert(card_is(bytes_of_text("mock.")));
    ck_assert(!card_is(bytes_of_text("mock")));
    ck_assert(!card_is(bytes_of_text("Mock.x")));
    ck_assert(!card_is(bytes_of(NULL, 0)));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("behaviour");
    tcase_add_test(tcase, every_fault_makes_a_script_from_its_name_alone);
    tcase_add_test(tcase, every_fault_takes_the_value_that_it_has_unset_and_its_bounds);
    tcase_add_test(tcase, no_name_means_two_things_and_each_has_a_sentence);
    tcase_add_test(tcase, every_alias_every_quirk_and_every_fault_is_a_card);
    tcase_add_test(tcase, quirks_and_one_fault_are_joined);
    tcase_add_test(tcase, a_text_goes_on_to_the_end);
    tcase_add_test(tcase, what_is_random_comes_from_the_seed);
    tcase_add_test(tcase, a_close_code_is_bad_where_none_may_send_it);
    tcase_add_loop_test(tcase, an_error_says_what_was_expected_and_changes_nothing, 0, TABLE_COUNT(ERRORS));
    tcase_add_test(tcase, a_second_fault_leaves_the_first);
    tcase_add_test(tcase, a_value_that_its_step_refuses_is_an_error);
    tcase_add_test(tcase, what_is_a_card_shows_in_its_first_letters);
    return suite_run("behaviour", tcase);
}
