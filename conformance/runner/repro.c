#include "conformance/runner/repro.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/family.h"
#include "codec/program/data_path.h"
#include "codec/wire/secret.h"
#include "conformance/process/shell.h"

enum { OWN_WORDS_MAX = 32 + 2 * RUN_QUIRKS_MAX, NUMBER_TEXT_MAX = 64, OWN_PATHS_MAX = 4 };

struct words {
    size_t count;
    const char **list;
    size_t path_count;
    char **paths; /* made for the list */
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

/* As given when memory runs out. */
static const char *whole_path(struct words *words, const char *path)
{
    char *whole = shell_path_new(path);
    if (whole == NULL)
        return path;
    words->paths[words->path_count++] = whole;
    return whole;
}

/* Of the client's words those that are files of this folder, as far as one can see. */
static bool is_file_here(const char *word)
{
    return word[0] != '/' && word[0] != '-' && strpbrk(word, "/.") != NULL && access(word, F_OK) == 0;
}

/* Could the value be a secret? What stands in braces is filled in, and what is shorter is none. */
static bool may_be_secret(const char *value)
{
    size_t own = 0;
    for (bool inside = false; *value != '\0'; value++) {
        inside = inside ? value[-1] != '}' : *value == '{';
        own += inside ? 0 : 1;
    }
    return own >= SECRET_BYTES_MIN;
}

/* The value of a variable is shown only where it can be no secret; else the line takes it from the shell's
 * variable of that name. One whose name no shell has cannot be taken from there, and is shown. */
static void add_variable(struct words *words, const char *variable)
{
    const size_t name = strcspn(variable, "=");
    const bool shell_has_it =
        !isdigit((unsigned char)variable[0]) &&
        strspn(variable, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == name;
    const size_t room = 2 * name + sizeof "\1=\"${?}\"";
    char *taken =
        variable[name] == '=' && shell_has_it && may_be_secret(variable + name + 1) ? malloc(room) : NULL;
    if (taken == NULL) {
        add_option(words, "--env", variable);
        return;
    }
    snprintf(taken, room, "%c%.*s=\"${%.*s?}\"", SHELL_AS_IT_IS, (int)name, variable, (int)name, variable);
    words->paths[words->path_count++] = taken;
    add_option(words, "--env", taken);
}

/* What was given and is not as it is without. */
static void add_set_options(struct words *words, const struct run_options *options)
{
    char folder[OPTIONS_PATH_MAX];
    if (strcmp(options->cases_folder, default_cases_folder(folder)) != 0)
        add_option(words, "--cases", whole_path(words, options->cases_folder));
    if (options->suite != NULL) /* the case may have had another text then */
        add_option(words, "--suite",
                   strchr(options->suite, '/') == NULL ? options->suite : whole_path(words, options->suite));
    if (strcmp(options->out_folder, RUN_OUT_FOLDER_DEFAULT) != 0)
        add_option(words, "--out", whole_path(words, options->out_folder));
    if (options->inferred)
        add(words, "--inferred");
    if (options->strict)
        add(words, "--strict");
    if (options->stop_text != NULL)
        add_option(words, "--stop", options->stop_text);
    if (options->persistent)
        add(words, "--persistent");
    if (options->tls)
        add(words, "--tls");
    for (size_t i = 0; i < options->quirk_count; i++)
        add_option(words, "--quirk", options->quirk_texts[i]);
    if (options->timeout_ms > 0) {
        snprintf(words->timeout, sizeof words->timeout, "%llums", (unsigned long long)options->timeout_ms);
        add_option(words, "--timeout", words->timeout);
    }
    if (options->keep)
        add(words, "--keep");
    for (size_t i = 0; i < options->environment_count; i++)
        add_variable(words, options->environment[i]);
}

/* Its name; the default one's where the profile is not known. */
static const char *profile_family(const char *name)
{
    const struct profile *profile = profile_by_name(name);
    return profile != NULL ? profile->family : FAMILIES[0]->name;
}

char *repro_line(const struct run_options *options, const char *case_name, const char *profile,
                 enum client_tier tier)
{
    const size_t command_count = options->command == NULL ? 0 : list_length(options->command);
    struct words words = {
        .list = calloc(OWN_WORDS_MAX + 2 * options->environment_count + command_count, sizeof *words.list),
        .paths = calloc(OWN_PATHS_MAX + options->environment_count + command_count, sizeof *words.paths)};
    char size[NUMBER_TEXT_MAX], seed[NUMBER_TEXT_MAX], data[OPTIONS_PATH_MAX + NUMBER_TEXT_MAX];
    if (words.list == NULL || words.paths == NULL) {
        free((void *)(uintptr_t)words.list);
        free(words.paths);
        return NULL;
    }
    if (getenv(DATA_FOLDER_VARIABLE) != NULL) { /* it says where cases and speech are */
        snprintf(data, sizeof data, "%s=%s", DATA_FOLDER_VARIABLE,
                 whole_path(&words, getenv(DATA_FOLDER_VARIABLE)));
        add_option(&words, "env", data);
    }
    add_option(&words, options->program, "run");
    if (strcmp(profile_family(profile), FAMILIES[0]->name) != 0)
        add_option(&words, "--family", profile_family(profile));
    add_option(&words, "--run", case_name);
    add_option(&words, "--profile", profile);
    if (options->memory)
        add(&words, "--memory");
    else
        add_option(&words, "--tier", client_tier_name(tier));
    if (options->says_known)
        add_option(&words, "--says", options->says_text);
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
        add(&words, is_file_here(options->command[i]) ? whole_path(&words, options->command[i])
                                                      : options->command[i]);
    char *line = shell_line_new(words.list);
    while (words.path_count > 0)
        free(words.paths[--words.path_count]);
    free(words.paths);
    free((void *)(uintptr_t)words.list);
    return line;
}
