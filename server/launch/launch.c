#include "server/launch/launch.h"

#include <errno.h>
#include <stdlib.h>

#include "codec/wire/buffer.h"
#include "codec/wire/text.h"

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

static bool add_encoded(struct buffer *out, const char *value)
{
    bool good = true;
    for (const char *c = value; good && *c != '\0'; c++) {
        const bool bare = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                          strchr("-._~", *c) != NULL;
        if (bare) {
            good = buffer_append(out, bytes_of(c, 1));
            continue;
        }
        char escape[4];
        struct text text = text_of(escape, sizeof escape);
        text_add_char(&text, '%');
        text_add_hex(&text, bytes_of(c, 1));
        good = add(out, escape);
    }
    return good;
}

/* Adds what `name` stands for; `*known` tells whether it stands for anything. */
static bool add_value(struct buffer *out, struct bytes name, const struct launch_values *values, bool *known)
{
    *known = true;
    if (bytes_equal_text(name, "key"))
        return add(out, values->key);
    if (bytes_equal_text(name, "config"))
        return add(out, values->config);
    if (bytes_equal_text(name, "origin"))
        return add(out, values->origin);
    if (bytes_equal_text(name, "url"))
        return add(out, values->origin) && add(out, values->path);
    if (bytes_equal_text(name, "full_url"))
        return add(out, values->origin) && add(out, values->path) && add(out, "?config_id=") &&
               add_encoded(out, values->config);
    for (size_t i = 0; i < values->more_count; i++)
        if (bytes_equal_text(name, values->more[i].name))
            return add(out, values->more[i].value);
    *known = false;
    return true;
}

static bool fill(struct buffer *out, const char *word, const struct launch_values *values)
{
    bool good = true;
    for (const char *c = word; good && *c != '\0'; c++) {
        const char *end = *c == '{' ? strchr(c, '}') : NULL;
        bool known = false;
        if (end != NULL)
            good = add_value(out, bytes_of(c + 1, (size_t)(end - c - 1)), values, &known);
        if (known)
            c = end;
        else if (good)
            good = buffer_append(out, bytes_of(c, 1));
    }
    return good && buffer_append(out, bytes_of("", 1));
}

/* The caller frees it; NULL with errno set when it cannot be. */
static char *filled_in(const char *word, const struct launch_values *values)
{
    struct buffer out;
    buffer_init(&out, LAUNCH_WORD_BYTES_MAX);
    errno = E2BIG; /* unless memory runs out, which says so itself */
    if (fill(&out, word, values))
        return (char *)out.data;
    buffer_free(&out);
    return NULL;
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

/* Sets or replaces NAME=VALUE in a list that has room for one more. */
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

char **launch_set(char **list, char *const assignments[], size_t count, const struct launch_values *values)
{
    if (list == NULL)
        return NULL;
    const size_t had = list_length(list);
    char **longer = realloc(list, (had + count + 1) * sizeof *longer);
    if (longer == NULL) {
        launch_free(list);
        return NULL;
    }
    for (size_t i = had; i < had + count + 1; i++)
        longer[i] = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!set_variable(longer, assignments[i], values)) {
            launch_free(longer);
            return NULL;
        }
    }
    return longer;
}

char **launch_environment(char *const base[], const struct launch_values *values)
{
    static const char *const templates[] = {"OJIN_URL={url}", "OJIN_WS_URL={url}", "OJIN_API_KEY={key}",
                                            "OJIN_CONFIG_ID={config}"};
    enum { TEMPLATE_COUNT = sizeof templates / sizeof templates[0] };
    const size_t count = list_length(base);
    char **list = calloc(count + TEMPLATE_COUNT + 1, sizeof *list);
    if (list == NULL)
        return NULL;
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        list[i] = strdup(base[i]);
        good = list[i] != NULL;
    }
    for (size_t i = 0; good && i < TEMPLATE_COUNT; i++)
        good = set_variable(list, templates[i], values);
    if (good)
        return list;
    launch_free(list);
    return NULL;
}
