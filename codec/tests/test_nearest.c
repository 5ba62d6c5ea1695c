#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/nearest.h"

static const char *const NAMES[] = {"drop", "close", "reset", "stall", "a", "cancel-late"};

struct nearest_case {
    const char *word, *expected; /* "": none */
};

static const struct nearest_case NEAREST[] = {
    {"drp", "drop"},
    {"dropp", "drop"},
    {"clsoe", "close"},
    {"cancel_late", "cancel-late"},
    {"drop", "drop"},
    {"zzzz", ""},
    {"", ""},
    {"b", ""}, /* one letter of one is not near */
    {"resets!", "reset"},
    {"resets!!", ""},
    {"cancel", "cancel-late"}, /* what it begins with */
    {"can", "cancel-late"},
    {"cl", ""}, /* too little of it */
    {"late", ""},
};

START_TEST(the_nearest_of_several_words_is_found)
{
    const struct exact_copy word = exact_copy_of(bytes_of_text(NEAREST[_i].word));
    struct nearest nearest = nearest_to(word.bytes);
    for (int i = 0; i < TABLE_COUNT(NAMES); i++)
        nearest_offer(&nearest, NAMES[i]);
    ck_assert_str_eq(nearest.name == NULL ? "" : nearest.name, NEAREST[_i].expected);
    exact_copy_free(word);
}
END_TEST

START_TEST(of_two_as_near_the_first_stays_and_the_text_names_it)
{
    char out[40];
    struct text text = text_of(out, sizeof out);
    struct nearest nearest = nearest_to(bytes_of_text("bat"));
    text_add_nearest(&text, &nearest);
    ck_assert_str_eq(out, "");
    nearest_offer(&nearest, "cat");
    nearest_offer(&nearest, "hat");
    text_add_nearest(&text, &nearest);
    ck_assert_str_eq(out, "; did you mean \"cat\"?");
}
END_TEST

START_TEST(a_word_past_the_length_compared_is_near_to_nothing)
{
    static const char LONG[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"; /* 64 */
    struct nearest at_most = nearest_to(bytes_of(LONG, 64));
    nearest_offer(&at_most, LONG);
    ck_assert_ptr_nonnull(at_most.name);
    struct nearest past =
        nearest_to(bytes_of("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 65));
    nearest_offer(&past, LONG);
    ck_assert_ptr_null(past.name);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("nearest");
    tcase_add_loop_test(tcase, the_nearest_of_several_words_is_found, 0, TABLE_COUNT(NEAREST));
    tcase_add_test(tcase, of_two_as_near_the_first_stays_and_the_text_names_it);
    tcase_add_test(tcase, a_word_past_the_length_compared_is_near_to_nothing);
    return suite_run("nearest", tcase);
}
