#include <stdlib.h>

#include "codec/options/options.h"
#include "codec/tests/suite.h"

enum { SAID_MAX = 200, WORDS_MAX = 8, OUTPUT_MAX = 4096 };

struct told {
    bool flag;
    const char *text;
    unsigned count;
    uint64_t seed;
};

static char said[SAID_MAX];

static bool tell(struct option_given *given, void *out)
{
    struct text text = text_of(said + strlen(said), sizeof said - strlen(said));
    (void)out;
    text_add(&text, given->value == NULL ? "-" : given->value);
    text_add(&text, ";");
    return true;
}

#define AT(field)                 OPTION_INTO(struct told, field)
#define RANGE(field, least, most) OPTION_RANGE(struct told, field, least, most)

static const struct option_row ROWS[] = {
    {.value = "A heading"},
    {"flag", NULL, "turns it on", option_flag, AT(flag), .letter = 'f'},
    {"file", "FILE", "a file's name:\nit is read", option_text, AT(text)},
    {"tls", "[=FAULT]", "over TLS", tell, .letter = 0},
    {"count", "N", "how many", option_count, RANGE(count, 1, 9), .letter = 'n'},
    {"seed", "N", "where ids come from", option_count, RANGE(seed, 0, UINT64_MAX), .words = "1 7"},
    {.help = "\nA text between.\n"},
    {"a-name-that-is-long", NULL, "stands alone", option_flag, AT(flag)},
    {"unlisted", NULL, NULL, option_flag, AT(flag), .hidden = true},
    OPTION_HELP_ROW,
};

static void complain(const struct option_page *page, enum option_fault fault, const char *word)
{
    static const char *const NAMES[] = {"sound", "unknown", "ambiguous", "lacks", "takes none"};
    struct text text = text_of(said + strlen(said), sizeof said - strlen(said));
    text_add(&text, NAMES[fault]);
    text_add(&text, " ");
    text_add(&text, word);
    if (fault == OPTION_IS_UNKNOWN)
        option_add_near(&text, page, word);
    if (fault == OPTION_IS_AMBIGUOUS)
        option_add_candidates(&text, page, word);
}

static const struct option_page LOOSE = {.command = "loose",
                                         .brief = "does it",
                                         .before = "Usage: program loose [OPTION]\n\nDoes it - well.\n",
                                         OPTION_ROWS(ROWS),
                                         .column = 16,
                                         .indented = true,
                                         .after = "\nExit: 0.\n"},
                                STRICT = {.before = "Usage: program COMMAND\n       program --help\n\n",
                                          OPTION_ROWS(ROWS),
                                          .column = 16,
                                          .list_column = 12,
                                          .stops = true};
static const struct option_row HELP_ROWS[] = {OPTION_HELP_ROW};
static const struct option_page PLAIN = {
    .before = "Usage: program COMMAND\n\n", OPTION_ROWS(HELP_ROWS), .column = 16};
static const struct option_page *const PAGES[] = {&STRICT, &LOOSE, NULL};
static void print_version(FILE *out, const char *name)
{
    fprintf(out, "%s 1\n", name);
}

static const struct option_program PROGRAM = {.name = "program",
                                              .complain = complain,
                                              .print_version = print_version,
                                              .summary = "does it",
                                              .pages = PAGES};

static const struct {
    const char *name;
    bool stops;
    const char *words[WORDS_MAX];
    enum options_outcome outcome;
    const char *expected; /* flag text count seed, the words that are left, and what was said */
} PARSED[] = {
    {"nothing", false, {NULL}, OPTIONS_RUN, "0 none 0 0 []"},
    {"values behind and in the word",
     false,
     {"--file", "a", "--count=3", "--flag"},
     OPTIONS_RUN,
     "1 a 3 0 []"},
    {"a value that looks like an option", false, {"--file", "--flag"}, OPTIONS_RUN, "0 --flag 0 0 []"},
    {"an empty value", false, {"--file="}, OPTIONS_RUN, "0  0 0 []"},
    {"letters", false, {"-fn", "4"}, OPTIONS_RUN, "1 none 4 0 []"},
    {"a letter with its value", false, {"-n5", "-f"}, OPTIONS_RUN, "1 none 5 0 []"},
    {"a value that may be left out", false, {"--tls", "x", "--tls=y"}, OPTIONS_RUN, "0 none 0 0 [x] -;y;"},
    {"a name cut short", false, {"--see", "7", "--fl"}, OPTIONS_RUN, "1 none 0 7 []"},
    {"words between", false, {"a", "--flag", "-", "b"}, OPTIONS_RUN, "1 none 0 0 [a - b]"},
    {"the end of options", false, {"a", "--", "--flag", "--"}, OPTIONS_RUN, "0 none 0 0 [a --flag --]"},
    {"stopped by a word", true, {"--flag", "a", "--count", "x"}, OPTIONS_RUN, "1 none 0 0 [a --count x]"},
    {"stopped by the end", true, {"--", "-f"}, OPTIONS_RUN, "0 none 0 0 [-f]"},
    {"the most there is",
     false,
     {"--seed", "18446744073709551615", "-n9"},
     OPTIONS_RUN,
     "0 none 9 18446744073709551615 []"},
    {"one more", false, {"--seed", "18446744073709551616"}, OPTIONS_WRONG, ""},
    {"out of range", false, {"-n", "10"}, OPTIONS_WRONG, ""},
    {"no number", false, {"-n", "+1"}, OPTIONS_WRONG, ""},
    {"unknown", false, {"--flga"}, OPTIONS_WRONG, "unknown --flga; did you mean \"--flag\"?"},
    {"unknown with a value",
     false,
     {"--filex=3"},
     OPTIONS_WRONG,
     "unknown --filex=3; did you mean \"--file\"?"},
    {"near to none that is listed", false, {"--unlistde"}, OPTIONS_WRONG, "unknown --unlistde"},
    {"an unknown letter", false, {"-fx"}, OPTIONS_WRONG, "unknown -fx"},
    {"ambiguous", false, {"--f"}, OPTIONS_WRONG, "ambiguous --f --flag or --file"},
    {"no value", false, {"--count"}, OPTIONS_WRONG, "lacks --count"},
    {"no value of a letter", false, {"-fn"}, OPTIONS_WRONG, "lacks -fn"},
    {"a value too many", false, {"--flag=1"}, OPTIONS_WRONG, "takes none --flag=1"},
};

START_TEST(words_are_parsed)
{
    char *argv[WORDS_MAX + 2] = {NULL};
    char **rest = NULL;
    struct told told = {.text = "none"};
    char got[SAID_MAX * 2];
    int argc = 1;
    argv[0] = strdup("program");
    for (; argc <= WORDS_MAX && PARSED[_i].words[argc - 1] != NULL; argc++)
        argv[argc] = strdup(PARSED[_i].words[argc - 1]);
    char *owned[WORDS_MAX + 2];
    memcpy(owned, argv, sizeof argv);
    said[0] = '\0';
    const enum options_outcome outcome =
        options_parse(&PROGRAM, PARSED[_i].stops ? &STRICT : &LOOSE, argc, argv, &told, &rest);
    ck_assert_msg(outcome == PARSED[_i].outcome, "%s: %d", PARSED[_i].name, (int)outcome);
    struct text text = text_of(got, sizeof got);
    if (outcome == OPTIONS_RUN) {
        text_add_u64(&text, told.flag);
        text_add(&text, " ");
        text_add(&text, told.text);
        text_add(&text, " ");
        text_add_u64(&text, told.count);
        text_add(&text, " ");
        text_add_u64(&text, told.seed);
        text_add(&text, " [");
        for (size_t i = 0; rest[i] != NULL; i++) {
            text_add(&text, i == 0 ? "" : " ");
            text_add(&text, rest[i]);
        }
        text_add(&text, said[0] != '\0' ? "] " : "]");
    }
    text_add(&text, said);
    ck_assert_msg(strcmp(got, PARSED[_i].expected) == 0, "%s: %s", PARSED[_i].name, got);
    for (size_t i = 0; owned[i] != NULL; i++)
        free(owned[i]);
}
END_TEST

/* What is printed, in a file in memory. */
static const char *printed(void print(FILE *out))
{
    static char output[OUTPUT_MAX];
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    print(file);
    rewind(file);
    output[fread(output, 1, sizeof output - 1, file)] = '\0';
    fclose(file);
    return output;
}

static void print_help(FILE *out)
{
    options_help(out, &PROGRAM, &LOOSE);
}

static void print_own_help(FILE *out)
{
    options_help(out, &PROGRAM, &STRICT);
}

static void print_plain_help(FILE *out)
{
    options_help(out, &PROGRAM, &PLAIN);
}

static void print_man(FILE *out)
{
    options_man(out, &PROGRAM);
}

static void print_bash(FILE *out)
{
    ck_assert(options_completion(out, &PROGRAM, "bash"));
}

static void print_zsh(FILE *out)
{
    ck_assert(options_completion(out, &PROGRAM, "zsh"));
}

static void print_fish(FILE *out)
{
    ck_assert(options_completion(out, &PROGRAM, "fish"));
    ck_assert(!options_completion(out, &PROGRAM, "csh"));
}

START_TEST(the_help_is_laid_out)
{
    ck_assert_str_eq(printed(print_help), "Usage: program loose [OPTION]\n\nDoes it - well.\n"
                                          "\nA heading\n"
                                          "  -f, --flag    turns it on\n"
                                          "      --file FILE\n"
                                          "                a file's name:\n"
                                          "                it is read\n"
                                          "      --tls[=FAULT]\n"
                                          "                over TLS\n"
                                          "  -n, --count N\n"
                                          "                how many\n"
                                          "      --seed N  where ids come from\n"
                                          "\nA text between.\n"
                                          "      --a-name-that-is-long\n"
                                          "                stands alone\n"
                                          "  -h, --help    print this help and exit\n"
                                          "\nExit: 0.\n");
    ck_assert_ptr_nonnull(strstr(printed(print_own_help), "\n\n  loose     does it\n\nA heading\n"));
    /* Commands and options stand apart also where no heading is between them. */
    ck_assert_str_eq(printed(print_plain_help), "Usage: program COMMAND\n\n  loose     does it\n\n"
                                                "  -h, --help    print this help and exit\n");
}
END_TEST

static const struct {
    void (*print)(FILE *out);
    const char *piece;
} PIECES[] = {
    {print_man, ".TH PROGRAM 1\n.SH NAME\nprogram \\- does it\n.SH SYNOPSIS\n.nf\nprogram COMMAND\n"
                "program \\-\\-help\nprogram loose [OPTION]\n.fi\n.SH DESCRIPTION\n"},
    {print_man, ".SH LOOSE\n.PP\nDoes it \\- well.\n.SS A heading\n"},
    {print_man, ".TP\n\\fB\\-n\\fP, \\fB\\-\\-count\\fP \\fIN\\fP\nhow many\n"},
    {print_man, ".TP\n\\fB\\-\\-tls\\fP\\fI[=FAULT]\\fP\n"},
    {print_bash, "    loose) words=' --flag --file --tls"},
    {print_bash, "        --file) return ;;\n        --count | -n) return ;;\n        --seed) values='1 7' "
                 ";;\n        esac\n"},
    {print_zsh, "'--seed=[where ids come from]:N:(1 7)'"},
    {print_fish, " -l seed -r -f -a '1 7' -d 'where ids come from'\n"},
    {print_bash, "complete -o bashdefault -o default -F _program program\n"},
    {print_zsh, "'--file=[a file'\\''s name\\: it is read]:FILE:_files'"},
    {print_zsh, "'--tls=-[over TLS]::\\[=FAULT\\]:_files'"},
    {print_fish,
     "complete -c program -n '__fish_seen_subcommand_from loose' -l file -r -d 'a file\\'s name: it is "
     "read'\n"},
    {print_fish, "complete -c program -n __fish_use_subcommand -a loose -d 'does it'\n"},
};

START_TEST(man_page_and_completions_hold)
{
    const char *output = printed(PIECES[_i].print);
    ck_assert_msg(strstr(output, PIECES[_i].piece) != NULL, "%s", output);
}
END_TEST

START_TEST(a_command_near_to_a_wrong_one_is_named)
{
    char out[SAID_MAX];
    struct text text = text_of(out, sizeof out);
    option_add_near_command(&text, PAGES, "losoe");
    option_add_near_command(&text, PAGES, "program");
    ck_assert_str_eq(out, "; did you mean \"loose\"?");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("options");
    tcase_add_loop_test(tcase, words_are_parsed, 0, TABLE_COUNT(PARSED));
    tcase_add_test(tcase, the_help_is_laid_out);
    tcase_add_loop_test(tcase, man_page_and_completions_hold, 0, TABLE_COUNT(PIECES));
    tcase_add_test(tcase, a_command_near_to_a_wrong_one_is_named);
    return suite_run("options", tcase);
}
