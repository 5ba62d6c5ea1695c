#include "codec/tests/suite.h"
#include "codec/wire/help_words.h"

enum { NEAR_BYTES_MAX = 80 };

static const char HELP[] = "Usage: program run [OPTION]… --not-here\n"
                           "\n"
                           "  run       does it\n"
                           "  replay    does it again\n"
                           "  speak FILE.wav   says it\n"
                           "\n"
                           "  --tls[=FAULT]     over TLS\n"
                           "  -j, --jobs N      at a time\n"
                           "      --json FILE   the result\n"
                           "                    --behind is no option\n"
                           "  -h, --help";

static const struct {
    const char *word, *expected; /* what is added */
} OPTIONS[] =
    {
        {"--tsl", "; did you mean \"--tls\"?"},
        {"--tsl=expired", "; did you mean \"--tls\"?"},
        {"-jobs", "; did you mean \"--jobs\"?"},
        {"--jsno", "; did you mean \"--json\"?"},
        {"--hlep", "; did you mean \"--help\"?"}, /* of a line without an end */
        {"--not-her", ""},
        {"--behin", ""},
        {"--zzzzzz", ""},
        {"--", ""},
        {"", ""},
},
  COMMANDS[] = {
      {"rnu", "; did you mean \"run\"?"},
      {"repaly", "; did you mean \"replay\"?"},
      {"spek", "; did you mean \"speak\"?"},
      {"help", ""},
      {"does", ""},
      {"", ""},
};

START_TEST(the_option_nearest_to_a_wrong_one_is_named)
{
    char out[NEAR_BYTES_MAX];
    struct text text = text_of(out, sizeof out);
    text_add_near_option(&text, OPTIONS[_i].word, HELP);
    ck_assert_str_eq(out, OPTIONS[_i].expected);
}
END_TEST

START_TEST(the_command_nearest_to_a_wrong_one_is_named)
{
    char out[NEAR_BYTES_MAX];
    struct text text = text_of(out, sizeof out);
    text_add_near_command(&text, COMMANDS[_i].word, HELP);
    ck_assert_str_eq(out, COMMANDS[_i].expected);
}
END_TEST

START_TEST(a_help_text_without_any_names_nothing)
{
    char out[NEAR_BYTES_MAX];
    struct text text = text_of(out, sizeof out);
    text_add_near_option(&text, "--tls", "");
    text_add_near_command(&text, "run", "\n\n");
    ck_assert_str_eq(out, "");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("help_words");
    tcase_add_loop_test(tcase, the_option_nearest_to_a_wrong_one_is_named, 0, TABLE_COUNT(OPTIONS));
    tcase_add_loop_test(tcase, the_command_nearest_to_a_wrong_one_is_named, 0, TABLE_COUNT(COMMANDS));
    tcase_add_test(tcase, a_help_text_without_any_names_nothing);
    return suite_run("help_words", tcase);
}
