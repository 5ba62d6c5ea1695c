#include "conformance/run/repro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/run/shell.h"

enum { OWN_WORDS_MAX = 32, NUMBER_TEXT_MAX = 64 };

struct words {
    size_t count;
    const char **list;
    char timeout[NUMBER_TEXT_MAX];
};

static void add(struct words *words, const char *word)
{
    words->list[words->count++] = word;
}

static void add_option(struct words *words, const char *name, const char *value)
{
    add(words, name);
    add(words, value);
}

static size_t list_length(char *const list[])
{
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    return count;
}

/* What was given and is not as it is without. */
static void add_set_options(struct words *words, const struct run_options *options)
{
    char folder[OPTIONS_PATH_MAX];
    if (strcmp(options->cases_folder, default_cases_folder(folder)) != 0)
        add_option(words, "--cases", options->cases_folder);
    if (strcmp(options->out_folder, RUN_OUT_FOLDER_DEFAULT) != 0)
        add_option(words, "--out", options->out_folder);
    if (options->inferred)
        add(words, "--inferred");
    if (options->strict)
        add(words, "--strict");
    if (options->stop_text != NULL)
        add_option(words, "--stop", options->stop_text);
    if (options->persistent)
        add(words, "--persistent");
    if (options->timeout_ms > 0) {
        snprintf(words->timeout, sizeof words->timeout, "%llums", (unsigned long long)options->timeout_ms);
        add_option(words, "--timeout", words->timeout);
    }
    if (options->keep)
        add(words, "--keep");
    for (size_t i = 0; i < options->environment_count; i++)
        add_option(words, "--env", options->environment[i]);
}

char *repro_line(const struct run_options *options, const char *case_name, const char *profile,
                 enum client_tier tier)
{
    const size_t command_count = options->command == NULL ? 0 : list_length(options->command);
    struct words words = {
        .list = calloc(OWN_WORDS_MAX + 2 * options->environment_count + command_count, sizeof *words.list)};
    char size[NUMBER_TEXT_MAX], seed[NUMBER_TEXT_MAX], data[OPTIONS_PATH_MAX + NUMBER_TEXT_MAX];
    if (words.list == NULL)
        return NULL;
    if (getenv(CONFORM_DATA_VARIABLE) != NULL) { /* it says where cases and speech are */
        snprintf(data, sizeof data, "%s=%s", CONFORM_DATA_VARIABLE, getenv(CONFORM_DATA_VARIABLE));
        add_option(&words, "env", data);
    }
    add_option(&words, options->program, "run");
    add_option(&words, "--run", case_name);
    add_option(&words, "--profile", profile);
    if (options->memory)
        add(&words, "--memory");
    else
        add_option(&words, "--tier", client_tier_name(tier));
    if (options->width != RUN_WIDTH_DEFAULT || options->height != RUN_HEIGHT_DEFAULT) {
        snprintf(size, sizeof size, "%ux%u", options->width, options->height);
        add_option(&words, "--size", size);
    }
    if (options->seed != RUN_SEED_DEFAULT) {
        snprintf(seed, sizeof seed, "%llu", options->seed);
        add_option(&words, "--seed", seed);
    }
    add_set_options(&words, options);
    if (options->attach)
        add(&words, "--attach");
    else if (command_count > 0)
        add(&words, "--");
    for (size_t i = 0; i < command_count; i++)
        add(&words, options->command[i]);
    char *line = shell_line_new(words.list);
    free((void *)(uintptr_t)words.list);
    return line;
}
