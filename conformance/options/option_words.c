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

/* The next of "A, B or C", cut in place out of what is left of it. NULL: there is none. */
static char *next_name(char **left)
{
    char *name = *left;
    if (name == NULL)
        return NULL;
    char *comma = strchr(name, ','), * or = strstr(name, " or ");
    char *end = comma == NULL || (or != NULL && or < comma) ? or : comma;
    if (end == NULL) {
        *left = NULL;
        return name;
    }
    *left = end + (end == or ? strlen(" or ") : 1);
    *end = '\0';
    return name + strspn(name, " ");
}

/* Of a list of what was expected the names may be meant: what stands between commas, and is one word. */
static void add_near_value(struct text *out, const char *value, char *expected)
{
    struct nearest nearest = nearest_to(bytes_of_text(value));
    if (strstr(expected, " or ") == NULL)
        return;
    for (char *name = next_name(&expected); name != NULL; name = next_name(&expected))
        if (strchr(name, ' ') == NULL)
            nearest_offer(&nearest, name);
    text_add_nearest(out, &nearest);
}

static bool wrong(const char *command, const char *dashes, const char *option, const char *value,
                  const char *expected, const struct nearest *nearest)
{
    char names[NAMES_BYTES_MAX], near[NAMES_BYTES_MAX];
    struct text copy = text_of(names, sizeof names), hint = text_of(near, sizeof near);
    text_add(&copy, expected);
    if (nearest != NULL)
        text_add_nearest(&hint, nearest);
    else
        add_near_value(&hint, value, names);
    fprintf(stderr, "ojin-conform %s: %s%s '%s': expected %s%s\n", command, dashes, option, value, expected,
            near);
    return false;
}

bool option_wrong(const struct option_given *given, const char *expected)
{
    return wrong(given->page->command, "--", given->row->name, given->value, expected, NULL);
}

bool option_wrong_part(const struct option_given *given, const char *expected, const struct nearest *nearest)
{
    return wrong(given->page->command, "--", given->row->name, given->value, expected, nearest);
}

bool option_wrong_of(const char *command, const char *option, const char *value, const char *expected)
{
    return wrong(command, "", option, value, expected, NULL);
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
