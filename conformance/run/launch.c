#include "conformance/run/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/text.h"

enum { LAUNCH_WORD_MAX = 8192 };

const char CONFORM_KEY[] = "conform-key-5e1f0c2b";

static void add_encoded(struct text *out, const char *value)
{
    for (const char *c = value; *c != '\0'; c++) {
        const bool bare = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                          strchr("-._~", *c) != NULL;
        if (bare) {
            text_add_char(out, *c);
        } else {
            text_add_char(out, '%');
            text_add_hex(out, bytes_of(c, 1));
        }
    }
}

static void add_origin(struct text *out, const struct launch_values *values)
{
    text_add(out, "ws://127.0.0.1:");
    text_add_u64(out, values->port);
}

static void add_url(struct text *out, const struct launch_values *values)
{
    add_origin(out, values);
    text_add(out, values->path);
}

/* Writes what {name} stands for; false when it stands for nothing. */
static bool add_value(struct text *out, const char *name, size_t len, const struct launch_values *values)
{
    const struct {
        const char *name;
        const char *value;
    } plain[] = {{"key", values->key},
                 {"config", values->config},
                 {"audio", values->audio},
                 {"plan", values->plan},
                 {"out", values->out}};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strlen(plain[i].name) == len && memcmp(plain[i].name, name, len) == 0) {
            text_add(out, plain[i].value);
            return true;
        }
    }
    if (len == 3 && memcmp(name, "url", 3) == 0) {
        add_url(out, values);
        return true;
    }
    if (len == 6 && memcmp(name, "origin", 6) == 0) {
        add_origin(out, values);
        return true;
    }
    if (len == 8 && memcmp(name, "full_url", 8) == 0) {
        add_url(out, values);
        text_add(out, "?config_id=");
        add_encoded(out, values->config);
        return true;
    }
    return false;
}

static char *filled_in(const char *word, const struct launch_values *values)
{
    char *data = malloc(LAUNCH_WORD_MAX);
    if (data == NULL)
        return NULL;
    struct text text = text_of(data, LAUNCH_WORD_MAX);
    for (const char *c = word; *c != '\0'; c++) {
        const char *end = *c == '{' ? strchr(c, '}') : NULL;
        if (end != NULL && add_value(&text, c + 1, (size_t)(end - c - 1), values))
            c = end;
        else
            text_add_char(&text, *c);
    }
    return data;
}

static size_t list_length(char *const list[])
{
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    return count;
}

void launch_free(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        free(list[i]);
    free(list);
}

char **launch_words(char *const command[], const struct launch_values *values)
{
    const size_t count = list_length(command);
    char **words = calloc(count + 1, sizeof *words);
    for (size_t i = 0; words != NULL && i < count; i++) {
        words[i] = filled_in(command[i], values);
        if (words[i] == NULL) {
            launch_free(words);
            return NULL;
        }
    }
    return words;
}

/* Sets or replaces NAME=VALUE in a list that has room for one more. False when memory runs out. */
static bool set_variable(char **list, const char *assignment, const struct launch_values *values)
{
    const char *equals = strchr(assignment, '=');
    const size_t name_len = equals == NULL ? strlen(assignment) : (size_t)(equals - assignment);
    char *filled = filled_in(assignment, values);
    if (filled == NULL)
        return false;
    size_t i = 0;
    while (list[i] != NULL && !(strncmp(list[i], assignment, name_len) == 0 && list[i][name_len] == '='))
        i++;
    free(list[i]);
    list[i] = filled;
    return true;
}

char **launch_environment(char *const base[], char *const extra[], size_t extra_count,
                          const struct launch_values *values)
{
    static const char *const templates[] = {
        "OJIN_URL={url}",     "OJIN_WS_URL={url}",   "OJIN_API_KEY={key}", "OJIN_CONFIG_ID={config}",
        "OJIN_AUDIO={audio}", "CONFORM_PLAN={plan}", "CONFORM_OUT={out}",
    };
    enum { TEMPLATE_COUNT = sizeof templates / sizeof templates[0], OWN_COUNT = TEMPLATE_COUNT + 2 };
    const size_t count = list_length(base);
    char **list = calloc(count + OWN_COUNT + extra_count + 1, sizeof *list);
    if (list == NULL)
        return NULL;
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        list[i] = strdup(base[i]);
        good = list[i] != NULL;
    }
    for (size_t i = 0; good && i < TEMPLATE_COUNT; i++)
        good = set_variable(list, templates[i], values);
    char assignment[256];
    snprintf(assignment, sizeof assignment, "CONFORM_CASE=%s", values->case_name);
    good = good && set_variable(list, assignment, values);
    snprintf(assignment, sizeof assignment, "CONFORM_PROFILE=%s", values->profile);
    good = good && set_variable(list, assignment, values);
    for (size_t i = 0; good && i < extra_count; i++)
        good = set_variable(list, extra[i], values);
    if (good)
        return list;
    launch_free(list);
    return NULL;
}

void shell_line(char *const words[], char *out, size_t capacity)
{
    struct text text = text_of(out, capacity);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (i > 0)
            text_add_char(&text, ' ');
        const bool plain = words[i][0] != '\0' &&
                           strspn(words[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                            "_-./:=,@%+") == strlen(words[i]);
        if (plain) {
            text_add(&text, words[i]);
            continue;
        }
        text_add_char(&text, '\'');
        for (const char *c = words[i]; *c != '\0'; c++) {
            if (*c == '\'')
                text_add(&text, "'\\''");
            else
                text_add_char(&text, *c);
        }
        text_add_char(&text, '\'');
    }
}
