#include "client/app/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/core/reconnect.h"
#include "codec/wire/help_words.h"

enum { NEAR_BYTES_MAX = 80 };

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

int usage_no_option(const char *command, const char *word, const char *help)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    text_add_near_option(&text, word, help);
    fprintf(stderr, "ojin-client: no such option: '%s'%s (try: ojin-client %s --help)\n", word, near,
            command);
    return EXIT_USAGE;
}

bool number_parse(const char *text, unsigned min, unsigned max, unsigned *out)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9')
        return false;
    unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' || value < min || value > max)
        return false;
    *out = (unsigned)value;
    return true;
}

static enum option_result wrong(const char *command, const char *what, const char *word)
{
    (void)usage_error(command, what, word);
    return OPTION_WRONG;
}

enum option_result session_option_take(const char *command, int argc, char **argv, int *at,
                                       struct session_options *out)
{
    static const char RECONNECT[] = "--reconnect";
    const char *word = argv[*at];
    size_t len = sizeof RECONNECT - 1;
    if (strncmp(word, RECONNECT, len) == 0 && (word[len] == '\0' || word[len] == '=')) {
        unsigned times = RECONNECT_TIMES_DEFAULT;
        if (word[len] == '=' && !number_parse(word + len + 1, 0, RECONNECT_TIMES_MAX, &times))
            return wrong(command, "--reconnect takes 0 to 100 times, not", word + len + 1);
        out->reconnect_times = times;
        return OPTION_TAKEN;
    }
    if (strcmp(word, "--no-deflate") == 0) {
        out->no_deflate = true;
        return OPTION_TAKEN;
    }
    const bool is_ready = strcmp(word, "--ready-timeout") == 0;
    if (!is_ready && strcmp(word, "--ping") != 0)
        return OPTION_UNKNOWN;
    if (++*at == argc)
        return wrong(command, "a value is missing after", word);
    if (is_ready && !number_parse(argv[*at], 1, 3600, &out->ready_wait_s))
        return wrong(command, "--ready-timeout takes 1 to 3600 seconds, not", argv[*at]);
    if (!is_ready && !number_parse(argv[*at], 1, 3600, &out->ping_s))
        return wrong(command, "--ping takes 1 to 3600 seconds, not", argv[*at]);
    return OPTION_TAKEN;
}

enum option_result string_option_take(const char *command, int argc, char **argv, int *at,
                                      const struct string_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(argv[*at], options[i].name) != 0)
            continue;
        if (++*at == argc)
            return wrong(command, "a value is missing after", options[i].name);
        *options[i].value = argv[*at];
        return OPTION_TAKEN;
    }
    return OPTION_UNKNOWN;
}
