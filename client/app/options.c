#include "client/app/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/core/reconnect.h"
#include "codec/wire/nearest.h"

enum { NEAR_BYTES_MAX = 80, SENTENCE_MAX = 100, TIMES_BYTES_MAX = 16 };

const char *environment(const char *name, const char *other_name)
{
    const char *value = getenv(name);
    if (value != NULL && value[0] != '\0')
        return value;
    value = other_name != NULL ? getenv(other_name) : NULL;
    return value != NULL && value[0] != '\0' ? value : NULL;
}

int usage_error(const char *command, const char *what, const char *word)
{
    fprintf(stderr, "ojin-client: %s%s%s%s (try: ojin-client %s%s--help)\n", what, word != NULL ? " '" : "",
            word != NULL ? word : "", word != NULL ? "'" : "", command, command[0] != '\0' ? " " : "");
    return EXIT_USAGE;
}

int usage_error_of(const char *command, const char *what, const char *word, const char *const *names)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    struct nearest nearest = nearest_to(bytes_of_text(word));
    for (size_t i = 0; names[i] != NULL; i++)
        nearest_offer(&nearest, names[i]);
    text_add_nearest(&text, &nearest);
    fprintf(stderr, "ojin-client: %s '%s'%s (try: ojin-client %s --help)\n", what, word, near, command);
    return EXIT_USAGE;
}

static void complain(const struct option_page *page, enum option_fault fault, const char *word)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    if (fault == OPTION_LACKS_VALUE) {
        (void)usage_error(page->command, "a value is missing after", word);
        return;
    }
    option_add_near(&text, page, word);
    fprintf(stderr, "ojin-client: no such option: '%s'%s (try: ojin-client %s --help)\n", word, near,
            page->command);
}

bool client_options_parse(const struct option_page *page, int argc, char **argv, void *out, char ***rest,
                          int *exit_code)
{
    static const struct option_program PROGRAM = {.name = "ojin-client", .complain = complain};
    const enum options_outcome outcome = options_parse(&PROGRAM, page, argc, argv, out, rest);
    *exit_code = outcome == OPTIONS_DONE ? EXIT_DONE : EXIT_USAGE;
    return outcome == OPTIONS_RUN;
}

bool client_number(struct option_given *given, void *out)
{
    static const char *const FORMS[] = {"S", "MS", "[=N]", NULL};
    static const char *const UNITS[] = {" seconds", " milliseconds", " times"};
    const struct option_row *row = given->row;
    const int form = option_word(row->value, FORMS);
    char sentence[SENTENCE_MAX];
    if (option_count(given, out))
        return true;
    snprintf(sentence, sizeof sentence, "--%s takes %u to %u%s, not", row->name, (unsigned)row->min,
             (unsigned)row->max, form < 0 ? "" : UNITS[form]);
    return usage_error(given->page->command, sentence, given->value), false;
}

bool client_reconnect(struct option_given *given, void *out)
{
    char times[TIMES_BYTES_MAX];
    snprintf(times, sizeof times, "%d", RECONNECT_TIMES_DEFAULT);
    if (given->value == NULL)
        given->value = times;
    return client_number(given, out);
}

bool client_secret(struct option_given *given, void *out, char copy[CLIENT_SECRET_BYTES_MAX + 1])
{
    const size_t len = strlen(given->value);
    char sentence[SENTENCE_MAX];
    snprintf(sentence, sizeof sentence, "--%s takes at most %d bytes", given->row->name,
             CLIENT_SECRET_BYTES_MAX);
    if (len > CLIENT_SECRET_BYTES_MAX)
        return usage_error(given->page->command, sentence, NULL), false;
    option_conceal(given, copy);
    return option_text(given, out);
}
