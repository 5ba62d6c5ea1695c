#include "conformance/options/option_words.h"

#include "conformance/report/exit_status.h"

enum { NAMES_BYTES_MAX = 1000 /* all names of a page and more */ };

static void complain(const struct option_page *page, enum option_fault fault, const char *word)
{
    char added[NAMES_BYTES_MAX];
    const int name_len = (int)strcspn(word, "=");
    struct text text = text_of(added, sizeof added);
    switch (fault) {
    case OPTION_LACKS_VALUE:
    case OPTION_TAKES_NO_VALUE:
        fprintf(stderr, "ojin-conform %s: option '%.*s' %s\n", page->command, name_len, word,
                fault == OPTION_LACKS_VALUE ? "needs a value" : "takes no value");
        return;
    case OPTION_IS_AMBIGUOUS:
        option_add_candidates(&text, page, word);
        fprintf(stderr, "ojin-conform %s: option '%s' is ambiguous: expected%s\n", page->command, word,
                added);
        return;
    case OPTION_IS_SOUND:
    case OPTION_IS_UNKNOWN:
        option_add_near(&text, page, word);
        fprintf(stderr, "ojin-conform %s: no option '%s'%s\n", page->command, word, added);
        return;
    }
}

enum options_outcome option_hint(const char *command)
{
    fprintf(stderr, "Try 'ojin-conform %s --help'.\n", command);
    return OPTIONS_WRONG;
}

static const struct option_program PROGRAM = {.name = "ojin-conform", .complain = complain};

enum options_outcome conform_options_parse(const struct option_page *page, int argc, char *argv[], void *out,
                                           char ***rest)
{
    const enum options_outcome outcome = options_parse(&PROGRAM, page, argc, argv, out, rest);
    return outcome == OPTIONS_WRONG ? option_hint(page->command) : outcome;
}

bool option_wrong(const struct option_given *given, const char *expected)
{
    fprintf(stderr, "ojin-conform %s: --%s '%s': expected %s\n", given->page->command, given->row->name,
            given->value, expected);
    return false;
}

bool option_wrong_of(const char *command, const char *option, const char *value, const char *expected)
{
    fprintf(stderr, "ojin-conform %s: %s '%s': expected %s\n", command, option, value, expected);
    return false;
}

void option_usage(const struct option_page *page, const char *sentence)
{
    if (sentence != NULL)
        fprintf(stderr, "ojin-conform %s: %s\n", page->command, sentence);
    options_help(stderr, &PROGRAM, page);
}

int option_exit(enum options_outcome outcome)
{
    return outcome == OPTIONS_DONE ? CONFORM_EXIT_MET : CONFORM_EXIT_USAGE;
}
