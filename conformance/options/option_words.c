#define _GNU_SOURCE
#include "conformance/options/option_words.h"

#include <stdio.h>

#include "codec/wire/help_words.h"

enum { NEAR_BYTES_MAX = 80 };

void option_unknown(const char *command, const char *word, const char *help)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    text_add_near_option(&text, word, help);
    fprintf(stderr, "ojin-conform %s: no option '%s'%s\n", command, word, near);
}

/* An option may be cut short as long as it is clear which is meant. */
static bool say_ambiguous(const char *command, const char *word, const struct option *longs)
{
    const char *name = word + strspn(word, "-");
    const size_t len = strcspn(name, "=");
    size_t count = 0;
    for (const struct option *one = longs; one->name != NULL; one++)
        count += strncmp(one->name, name, len) == 0 ? 1 : 0;
    if (count < 2)
        return false;
    fprintf(stderr, "ojin-conform %s: option '%s' is ambiguous: expected", command, word);
    size_t said = 0;
    for (const struct option *one = longs; one->name != NULL; one++)
        if (strncmp(one->name, name, len) == 0)
            fprintf(stderr, "%s --%s", said++ == 0 ? "" : said == count ? " or" : ",", one->name);
    fputc('\n', stderr);
    return true;
}

static const struct option *option_by_code(const struct option *longs, int code)
{
    for (; longs->name != NULL; longs++)
        if (longs->val == code)
            return longs;
    return NULL;
}

static void complain(char *argv[], const struct option *longs, const char *command, const char *help)
{
    const char *word = argv[optind - 1];
    const struct option *known = optopt == 0 ? NULL : option_by_code(longs, optopt);
    char letter[] = {'-', (char)optopt, '\0'};
    if (known != NULL)
        fprintf(stderr, "ojin-conform %s: option '%.*s' %s\n", command, (int)strcspn(word, "="), word,
                known->has_arg == no_argument ? "takes no value" : "needs a value");
    else if (optopt != 0)
        option_unknown(command, letter, help);
    else if (!say_ambiguous(command, word, longs))
        option_unknown(command, word, help);
}

int option_next(int argc, char *argv[], const char *shorts, const struct option *longs, const char *command,
                const char *help)
{
    opterr = 0; /* said here */
    const int option = getopt_long(argc, argv, shorts, longs, NULL);
    if (option == '?')
        complain(argv, longs, command, help);
    return option;
}
