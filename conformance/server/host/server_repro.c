/* The line that runs a case about a server again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/program/data_path.h"
#include "conformance/options/server_options.h"
#include "conformance/process/shell.h"
#include "server/core/session.h"

enum { WORDS_MAX = 40, NUMBER_TEXT_MAX = 64, PATHS_MAX = 8 };

struct words {
    size_t count;
    const char *list[WORDS_MAX];
    size_t path_count;
    char *paths[PATHS_MAX]; /* made for the list */
};

static void add_option(struct words *words, const char *name, const char *value)
{
    words->list[words->count++] = name;
    words->list[words->count++] = value;
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

static void add_set_options(struct words *words, const struct server_options *options)
{
    if (options->ca_file != NULL)
        add_option(words, "--ca", whole_path(words, options->ca_file));
    if (options->provoke != NULL) /* one without a slash is found in PATH */
        add_option(words, "--provoke",
                   strchr(options->provoke, '/') == NULL ? options->provoke
                                                         : whole_path(words, options->provoke));
    if (strcmp(options->cases_folder, options->default_cases) != 0)
        add_option(words, "--cases", whole_path(words, options->cases_folder));
    if (strcmp(options->out_folder, RUN_OUT_FOLDER_DEFAULT) != 0)
        add_option(words, "--out", whole_path(words, options->out_folder));
    if (options->inferred)
        words->list[words->count++] = "--inferred";
    if (options->strict)
        words->list[words->count++] = "--strict";
    if (options->keep)
        words->list[words->count++] = "--keep";
}

/* Its clients bring an API key, or a token, and a config. */
static bool has_key(const struct server_options *options)
{
    const struct session_class *class = session_class_by_family(options->family->name);
    return class == NULL || class->query == NULL;
}

/* The line with ` --OPTION "$VARIABLE"` behind it; NULL when memory runs out. */
static char *with_secret(char *line, const char *option, struct bytes variable)
{
    char added[NUMBER_TEXT_MAX];
    struct text text = text_of(added, sizeof added);
    text_add(&text, " --");
    text_add(&text, option);
    text_add(&text, " \"$");
    text_add_bytes(&text, variable);
    text_add(&text, "\"");
    char *whole = line == NULL ? NULL : realloc(line, strlen(line) + text.len + 1);
    if (whole == NULL)
        free(line);
    else
        memcpy(whole + strlen(whole), added, text.len + 1);
    return whole;
}

char *server_repro_line(const struct server_options *options, const struct profile *profile,
                        const char *case_name)
{
    struct words words = {.count = 0};
    char size[NUMBER_TEXT_MAX], limit[NUMBER_TEXT_MAX], speed[NUMBER_TEXT_MAX], seed[NUMBER_TEXT_MAX];
    char data[OPTIONS_PATH_MAX + NUMBER_TEXT_MAX];
    if (getenv(DATA_FOLDER_VARIABLE) != NULL) { /* it says where cases and speech are */
        snprintf(data, sizeof data, "%s=%s", DATA_FOLDER_VARIABLE,
                 whole_path(&words, getenv(DATA_FOLDER_VARIABLE)));
        add_option(&words, "env", data);
    }
    add_option(&words, options->program, "server");
    add_option(&words, "--url", options->url_text);
    if (options->family != FAMILIES[0])
        add_option(&words, "--family", options->family->name);
    if (has_key(options))
        add_option(&words, "--config", options->config);
    add_option(&words, "--profile", profile->name);
    add_option(&words, "--run", case_name);
    if (options->width != 0) {
        snprintf(size, sizeof size, "%ux%u", options->width, options->height);
        add_option(&words, "--size", size);
    }
    if (options->jwt_secret != NULL && strcmp(options->candidate, TOKEN_CANDIDATE_DEFAULT) != 0)
        add_option(&words, "--candidate", options->candidate);
    if (options->patience != 1) {
        snprintf(limit, sizeof limit, "%u", options->patience);
        add_option(&words, "--limit", limit);
    }
    if (options->speed != 1) {
        snprintf(speed, sizeof speed, "%u", options->speed);
        add_option(&words, "--speed", speed);
    }
    if (options->seed != RUN_SEED_DEFAULT) {
        snprintf(seed, sizeof seed, "%llu", options->seed);
        add_option(&words, "--seed", seed);
    }
    add_set_options(&words, options);
    char *line = shell_line_new(words.list);
    while (words.path_count > 0)
        free(words.paths[--words.path_count]);
    if (has_key(options) && !options->key_made)
        line = with_secret(line, "key", server_variable_of(options->family, "{key}"));
    if (options->jwt_secret != NULL)
        line = with_secret(line, "jwt-secret", bytes_of_text(SERVER_JWT_SECRET_VARIABLE));
    return line;
}
